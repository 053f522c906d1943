#pragma once
// A tree of switches with hosts below, and one operation on it.

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/run.hpp"
#include "validation/oracles/sharp_forms.hpp"

namespace spineleaf {

struct SharpCase {
  std::int64_t levels = 1;
  std::int64_t children = 8;  ///< of each switch
  std::string operation = "all_reduce";
  std::string mode = "sat";
  std::int64_t bytes = 4096;
  std::vector<PresetEntry> settings{};  ///< over an idle fabric without software
};

/// Links of 50 ns with FEC, switches of 150 ns and 100 ns more for a reduction, 400 Gb/s; no flow
/// control unless the settings say so, and memory for any stream.
World sharp_world(const SharpCase& wanted);
SharpTree sharp_tree(const SharpCase& wanted);

/// From the first start to the last end.
Time sharp_duration(const Result& result);

}  // namespace spineleaf
