#include "topologies/builders/clos.hpp"

#include "topologies/builders/assembler.hpp"

namespace spineleaf {

namespace {

/// The cabling of one call: names, ids and cable kinds of a planned fabric.
class ClosCabling {
 public:
  ClosCabling(const ClosParams& params, const ClosShape& shape, const ClosPlan& plan)
      : params_(params), shape_(shape), plan_(plan), fabric_(std::string{shape.name}) {
    const std::int64_t cage = params.links_per_cage;
    host_cable_ = {speed_or(params.host_speed, params.speed),
                   cable_delay(params.host_cable, params.host_latency), 0, cage};
    spine_cable_ = {speed_or(params.spine_speed, params.speed),
                    cable_delay(params.spine_cable, params.spine_latency), 1, cage};
    core_cable_ = {speed_or(params.core_speed, params.speed),
                   cable_delay(params.core_cable, params.core_latency), 2, cage};
  }

  Topology run() {
    for (std::int64_t h = 0; h < params_.hosts; ++h) {
      fabric_.add_host(group_of_leaf(first_leaf_of(h, 0)));
    }
    for (std::int64_t plane = 0; plane < shape_.planes; ++plane) add_switches(plane);
    connect_hosts();
    for (std::int64_t plane = 0; plane < shape_.planes; ++plane) {
      connect_leaves(plane);
      if (params_.tiers == 3) connect_cores(plane);
    }
    return fabric_.finish();
  }

 private:
  static std::uint32_t u32(std::int64_t value) { return static_cast<std::uint32_t>(value); }

  std::int64_t lanes() const { return shape_.rail_leaves ? params_.nics_per_host : 1; }
  std::int64_t leaves_per_group() const { return lanes() * shape_.sides; }

  /// The leaf, within a plane, of side 0 of this NIC; the other sides follow it.
  std::int64_t first_leaf_of(std::int64_t host, std::int64_t nic) const {
    if (shape_.rail_leaves) {
      return (host / plan_.down) * leaves_per_group() + nic * shape_.sides;
    }
    return ((host * params_.nics_per_host + nic) / plan_.down) * shape_.sides;
  }

  /// The pod where there are pods, else the group of leaves that serves the same hosts.
  std::uint32_t group_of_leaf(std::int64_t leaf) const {
    return u32(params_.tiers == 3 ? leaf / plan_.leaves_per_pod : leaf / leaves_per_group());
  }

  std::string name(std::int64_t plane, const char* tier, std::int64_t number) const {
    const std::string prefix = shape_.planes > 1 ? "plane" + std::to_string(plane) + "-" : "";
    return prefix + tier + std::to_string(number);
  }

  /// "leaf7", or "rail3-leaf0" where a leaf serves one rail, or "leaf3a" and "leaf3b" of a pair.
  std::string leaf_name(std::int64_t plane, std::int64_t leaf) const {
    const std::int64_t side = leaf % shape_.sides;
    const std::string suffix =
        shape_.sides > 1 ? std::string(1, static_cast<char>('a' + side)) : "";
    const std::int64_t pair = leaf / shape_.sides;
    if (!shape_.rail_leaves) return name(plane, "leaf", pair) + suffix;
    const std::string rail = "rail" + std::to_string(pair % lanes()) + "-leaf";
    return name(plane, rail.c_str(), pair / lanes()) + suffix;
  }

  void add_switches(std::int64_t plane) {
    const std::int64_t spine_radix = params_.spine_radix > 0 ? params_.spine_radix : params_.radix;
    for (std::int64_t leaf = 0; leaf < plan_.leaves; ++leaf) {
      std::int64_t label = plane;
      if (shape_.planes == 1 && shape_.rail_leaves) label = leaf / shape_.sides % lanes();
      leaves_.push_back(fabric_.add_switch(leaf_name(plane, leaf), 1,
                                           static_cast<std::uint16_t>(label), group_of_leaf(leaf),
                                           params_.radix));
    }
    const char* const middle = params_.tiers == 3 ? "agg" : "spine";
    for (std::int64_t spine = 0; spine < plan_.spines(); ++spine) {
      const auto pod = u32(params_.tiers == 3 ? spine / plan_.spines_per_pod : 0);
      spines_.push_back(fabric_.add_switch(name(plane, middle, spine), 2,
                                           static_cast<std::uint16_t>(plane), pod, spine_radix));
    }
    for (std::int64_t core = 0; core < plan_.cores(); ++core) {
      cores_.push_back(fabric_.add_switch(name(plane, "core", core), 3,
                                          static_cast<std::uint16_t>(plane), 0, spine_radix));
    }
  }

  /// Host port = NIC * ports a NIC + plane or side.
  void connect_hosts() {
    for (std::int64_t h = 0; h < params_.hosts; ++h) {
      for (std::int64_t nic = 0; nic < params_.nics_per_host; ++nic) {
        for (std::int64_t plane = 0; plane < shape_.planes; ++plane) {
          for (std::int64_t side = 0; side < shape_.sides; ++side) {
            const std::int64_t leaf = plane * plan_.leaves + first_leaf_of(h, nic) + side;
            fabric_.connect_host(NodeId{u32(h)}, static_cast<std::uint16_t>(nic),
                                 leaves_[static_cast<std::size_t>(leaf)], host_cable_);
          }
        }
      }
    }
  }

  void connect_leaves(std::int64_t plane) {
    for (std::int64_t leaf = 0; leaf < plan_.leaves; ++leaf) {
      const std::int64_t pod = leaf / plan_.leaves_per_pod;
      for (std::int64_t s = 0; s < plan_.spines_per_pod; ++s) {
        const std::int64_t spine = plane * plan_.spines() + pod * plan_.spines_per_pod + s;
        fabric_.connect(leaves_[static_cast<std::size_t>(plane * plan_.leaves + leaf)],
                        spines_[static_cast<std::size_t>(spine)], plan_.spine_parallel,
                        spine_cable_);
      }
    }
  }

  void connect_cores(std::int64_t plane) {
    for (std::int64_t spine = 0; spine < plan_.spines(); ++spine) {
      const std::int64_t a = spine % plan_.spines_per_pod;
      for (std::int64_t l = 0; l < plan_.cores_per_spine; ++l) {
        const std::int64_t core = plane * plan_.cores() + l * plan_.spines_per_pod + a;
        fabric_.connect(spines_[static_cast<std::size_t>(plane * plan_.spines() + spine)],
                        cores_[static_cast<std::size_t>(core)], plan_.core_parallel, core_cable_);
      }
    }
  }

  const ClosParams& params_;
  const ClosShape& shape_;
  const ClosPlan& plan_;
  Assembler fabric_;
  CableKind host_cable_;
  CableKind spine_cable_;
  CableKind core_cable_;
  std::vector<NodeId> leaves_;  ///< plane by plane, as are the others
  std::vector<NodeId> spines_;
  std::vector<NodeId> cores_;
};

}  // namespace

BuildResult build_clos(const ClosParams& params, const ClosShape& shape, const ParamTable& table) {
  BuildResult result;
  auto& problems = result.problems = check_ranges(table, &params);
  if (!result.ok()) return result;
  check_cages(params.links_per_cage, problems);
  check_delay("host_cable", params.host_cable, params.host_latency, problems);
  if (params.tiers > 1) {
    check_delay("spine_cable", params.spine_cable, params.spine_latency, problems);
  }
  if (params.tiers > 2) {
    check_delay("core_cable", params.core_cable, params.core_latency, problems);
  }
  const ClosPlan plan = plan_clos(params, shape, problems);
  if (!result.ok()) return result;
  result.topology = ClosCabling(params, shape, plan).run();
  return result;
}

}  // namespace spineleaf
