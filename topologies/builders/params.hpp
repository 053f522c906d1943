#pragma once
// The parameters of every built-in kind as plain structs, for C++ callers. Each is declared once,
// in the kind's own file, by a ParamTable that says what the fields mean and where they come from.
//
// Conventions: 0 for a count, a speed or a latency that has a derived value means "derive it".

#include <cstdint>
#include <string>

#include "sim/units.hpp"
#include "topologies/registry.hpp"

namespace spineleaf {

inline constexpr Rate kDefaultSpeed = Rate::from_gbps(400);

struct SingleSwitchParams {
  std::int64_t hosts = 16;
  std::int64_t nics_per_host = 1;
  std::int64_t radix = 64;
  std::int64_t links_per_cage = 1;
  Rate speed = kDefaultSpeed;
  double cable = 3;
  Time latency;
};

struct SwitchRingParams {
  std::int64_t switches = 5;
  std::int64_t hosts_per_switch = 1;
  std::int64_t parallel = 1;
  std::int64_t radix = 64;
  Rate speed = kDefaultSpeed;
  Rate host_speed;  ///< 0 = speed
  double host_cable = 3;
  double ring_cable = 20;
  Time host_latency;
  Time ring_latency;
};

/// Leaf and spine fabrics of every kind: fat_tree, rail_optimised, multi_plane, dual_tor.
struct ClosParams {
  std::int64_t hosts = 128;
  std::int64_t nics_per_host = 1;  ///< rails of a rail-optimised fabric
  std::int64_t planes = 2;         ///< multi_plane only
  bool rail_leaves = false;        ///< multi_plane, dual_tor: a leaf serves one NIC number
  std::int64_t tiers = 2;
  std::int64_t radix = 64;
  std::int64_t spine_radix = 0;
  std::int64_t leaf_ports_down = 0;
  std::int64_t leaves_per_pod = 0;
  double oversubscription = 1;
  double spine_oversubscription = 1;
  std::int64_t parallel = 0;
  std::int64_t links_per_cage = 1;
  Rate speed = kDefaultSpeed;
  Rate host_speed;  ///< 0 = speed
  Rate spine_speed;
  Rate core_speed;
  double host_cable = 3;
  double spine_cable = 20;
  double core_cable = 50;
  Time host_latency;
  Time spine_latency;
  Time core_latency;
};

struct DragonflyParams {
  std::int64_t hosts_per_switch = 4;
  std::int64_t switches_per_group = 8;
  std::int64_t spines_per_group = 8;  ///< dragonfly_plus only
  std::int64_t global_links = 4;      ///< per switch (dragonfly) or per spine (dragonfly_plus)
  std::int64_t groups = 0;
  std::int64_t parallel = 1;
  std::int64_t radix = 64;
  Rate speed = kDefaultSpeed;
  Rate host_speed;  ///< 0 = speed
  Rate global_speed;
  double host_cable = 3;
  double local_cable = 5;
  double global_cable = 50;
  Time host_latency;
  Time local_latency;
  Time global_latency;
};

struct DirectParams {
  std::int64_t hosts = 2;
  std::int64_t parallel = 1;
  Rate speed = kDefaultSpeed;
  double cable = 3;
  Time latency;
};

/// A fabric as its tools describe it.
struct DumpParams {
  std::string file;
  bool group_adapters = true;
  double host_cable = 2;
  double switch_cable = 20;
};

BuildResult build_single_switch(const SingleSwitchParams& params);
BuildResult build_switch_ring(const SwitchRingParams& params);
BuildResult build_fat_tree(const ClosParams& params);
BuildResult build_rail_optimised(const ClosParams& params);
BuildResult build_multi_plane(const ClosParams& params);
BuildResult build_dual_tor(const ClosParams& params);
BuildResult build_dragonfly(const DragonflyParams& params);
BuildResult build_dragonfly_plus(const DragonflyParams& params);
BuildResult build_direct(const DirectParams& params);
BuildResult build_dump(const DumpParams& params);

/// An override of 0 means "as the fabric's speed".
constexpr Rate speed_or(Rate override_speed, Rate speed) {
  return override_speed.bits_per_second > 0 ? override_speed : speed;
}

}  // namespace spineleaf
