#pragma once
// `explain KEY`: everything that is known about a key of a scenario, as text for a terminal.

#include <string>
#include <string_view>

namespace spineleaf {

struct Explanation {
  std::string text;
  bool found = true;
};

/// `key`: a parameter ("pfc.alpha", "alpha", "topology.hosts"), a section ("pfc"), a kind of
/// topology or workload ("fat_tree"), a preset ("roce-400g"); "" lists what there is. An unknown
/// key names the nearest.
Explanation explain(std::string_view key);

}  // namespace spineleaf
