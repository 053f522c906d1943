#pragma once
// A folder of measured sweeps: sets.json (an index) and sweeps/*.csv, as in validation/data/nccl/.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"
#include "validation/readers/nccl_sweep.hpp"

namespace spineleaf {

/// What a set may be used for.
enum class SetSplit : std::uint8_t { Calibrate, CalibrateMultinode, Validate, Explain, Pathology };
std::string_view to_text(SetSplit split);

struct NcclSet {
  MeasuredSweep sweep;  ///< with id, system and points
  SetSplit split = SetSplit::Validate;
  std::string status, note;
  std::vector<MeasuredPoint> best;  ///< the faster of in and out of place, ascending in size
};

struct NcclSetsResult {
  std::vector<NcclSet> sets;  ///< in the order of sets.json
  std::vector<InputProblem> problems;
};

/// One entry of an index: what it says of a set, and its file relative to the folder.
struct NcclSetEntry {
  NcclSet set;  ///< without points
  std::string file;
};
struct NcclIndexResult {
  std::vector<NcclSetEntry> entries;
  std::vector<InputProblem> problems;
};
NcclIndexResult read_nccl_index(std::string_view text, const std::string& file);

/// Reads `folder`/sets.json and the sweeps it names. A set without a split, or with one that is
/// not known here, is one to predict.
NcclSetsResult read_nccl_sets(const std::string& folder);

}  // namespace spineleaf
