#pragma once
// A folder of what tools said, read as a whole: for `spineleaf import measurements` and
// `spineleaf doctor`. What a file is, is seen from its content. Files of any size are read in one
// pass with bounded memory.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "validation/measurements/facts.hpp"
#include "validation/readers/gpu_topo.hpp"
#include "validation/readers/nccl_log.hpp"
#include "validation/readers/nccl_sweep.hpp"
#include "validation/readers/perftest.hpp"

namespace spineleaf {

/// Something of one file, with the line to show for it.
struct Evidence {
  std::string file;
  int line = 0;
  std::string text() const { return line > 0 ? file + ":" + std::to_string(line) : file; }
};

struct FoundSweep {
  MeasuredSweep sweep;
  Evidence at;
};

/// A log of NCCL, with lines to show.
struct FoundLog {
  NcclLog log;
  Evidence at;
  int network_line = 0;  ///< "Using network ..."
  int staged_line = 0;   ///< the first connection over NET/IB without GDRDMA
  int socket_line = 0;
  std::set<std::int64_t> socket_ranks;  ///< that send or receive by NET/Socket
  std::set<std::int64_t> ranks;         ///< seen in any connection
};

struct FoundFacts {
  std::string format;
  Facts facts;
  Evidence at;
};

struct FoundPerftest {
  PerftestRun run;
  Evidence at;
};

struct FoundTopo {
  GpuTopo topo;
  Evidence at;
};

struct Collection {
  struct File {
    std::string name;    ///< relative to the folder
    std::string format;  ///< "" where no reader knows it
    std::int64_t bytes = 0;
  };
  std::vector<File> files;  ///< by name
  std::vector<FoundSweep> sweeps;
  std::vector<FoundLog> logs;
  std::vector<FoundFacts> facts;
  std::vector<FoundPerftest> perftests;
  std::vector<FoundTopo> topos;
  int average_line = 0;  ///< "# Avg bus bandwidth", and in which file
  std::string average_file;
  std::vector<InputProblem> problems;
};

/// A folder, or one file. Problems say what could not be read; what could be is there.
Collection read_collection(const std::string& path);

/// The collection as JSON: files with their formats, facts, sweeps, logs, perftest rows.
std::string collection_json(const Collection& collection);

/// Such a JSON read back into `out`: all but logs of NCCL, of which it holds the verdicts only. A
/// newer schema is read as far as it is known, with a warning.
void read_collection_json(std::string_view text, const std::string& file, Collection& out);
bool is_collection_json(std::string_view head);

}  // namespace spineleaf
