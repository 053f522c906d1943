#pragma once
// Shipped scenarios as the cases of the RoCE rows.

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/read.hpp"
#include "scenarios/run.hpp"

namespace spineleaf {

/// A shipped scenario with keys changed. Throws std::runtime_error with the problems if it can't be
/// used: that is a fault of the installation.
ValidSpec roce_case(const std::string& name, const std::vector<Override>& overrides = {});

/// The entries of a named preset as changes of keys.
std::vector<Override> preset_overrides(std::string_view preset);

/// "workload.flows[0].rate" and so on for the first `flows`.
std::vector<Override> flow_rates(int flows, const std::string& rate);

/// Mean of a sampled series ("largest_queue", "delivered") over what lies after `from`, up to `to`.
double mean_after(const Result& result, std::string_view series, Time from, Time to = Time::max());

Result run_case(const ValidSpec& spec, std::uint64_t seed);

}  // namespace spineleaf
