#pragma once
// A class more per bounce: packets change to the next class where they turn up again after having
// gone down. Within a class every route then goes up and down at most once, which closes no cycle
// (Hu et al., "Tagger: Practical PFC Deadlock Prevention in Data Center Networks", CoNEXT 2017).

#include <span>

#include "topologies/channel_graph.hpp"

namespace spineleaf {

struct BounceClasses {
  std::uint32_t classes = 1;  ///< in place of one: the most bounces of any route, and one
  bool has_cycle = false;     ///< of the graph with these classes; checked, not assumed
  bool tried = false;         ///< false: the fabric is too large, or a route bounces without end
};

/// For the traffic of one lossless class. Up and down are those of up_down_ranks().
BounceClasses classes_per_bounce(const Topology& topology, std::span<const TrafficClass> traffic);

}  // namespace spineleaf
