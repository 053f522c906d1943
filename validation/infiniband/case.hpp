#pragma once
// Scenarios of the InfiniBand rows, and what is measured in them.

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/input/read.hpp"
#include "scenarios/run.hpp"

namespace spineleaf {

/// What is the same in all rows: the model that the expected values come from has no transport, so
/// acknowledgements are seldom, and nothing is timed but links and switches. FEC is part of cables.
struct InfinibandCase {
  std::string topology;  ///< JSON
  std::string workload;  ///< JSON
  std::vector<Override> sets;
};

/// Throws std::runtime_error with the problems if it can't be used: a fault of this program.
ValidSpec infiniband_case(const InfinibandCase& wanted);

/// Data bytes on the wire between two instants, by sending node of each host link, in the order of
/// hosts. Two runs of the same seed.
std::vector<double> host_rates_gbps(const ValidSpec& spec, Time from, Time to, std::uint64_t seed);

/// The same of one directed link.
double link_rate_gbps(const ValidSpec& spec, const std::string& from, const std::string& to,
                      Time begin, Time end);

/// One flow as JSON; `more` = further members with a leading comma.
std::string flow_text(const std::string& from, const std::string& to, const std::string& more = {},
                      const std::string& bytes = "4GiB");

}  // namespace spineleaf
