#include "topologies/subnet/engines/weighted_paths.hpp"

namespace spineleaf {

namespace {

class Weighting {
 public:
  explicit Weighting(const EnginePlan& plan)
      : plan_(plan),
        field_(plan.graph),
        weight_(2 * plan.subnet.topology.cables.size(), 0),
        path_weight_(plan.graph.rows()),
        through_(plan.graph.rows()),
        next_(plan.graph.rows()) {}

  ForwardingTables run() {
    ForwardingTables tables = plan_.make_tables();
    for (const EnginePlan::Target& target : plan_.targets) {
      if (order_.empty() || target.row != target_) aim(target.row);
      choose(tables, target);
      for (const std::uint32_t row : order_) tables.set(row, target.lid, next_[row].port);
      if (target.host) add_load();
    }
    return tables;
  }

 private:
  /// Hops to the target, the other switches from near to far, and each one's links that lead
  /// closer.
  void aim(std::uint32_t target) {
    field_.shortest_to(target);
    target_ = target;
    order_.clear();
    std::vector<std::vector<std::uint32_t>> by_hops;
    for (std::uint32_t row = 0; row < plan_.graph.rows(); ++row) {
      if (row == target || !field_.reaches(row)) continue;
      const std::uint32_t hops = field_.hops(row);
      if (by_hops.size() <= hops) by_hops.resize(hops + 1);
      by_hops[hops].push_back(row);
    }
    first_link_.assign(1, 0);
    links_.clear();
    for (const auto& ring : by_hops) {
      for (const std::uint32_t row : ring) {
        order_.push_back(row);
        field_.candidates(row, candidates_);
        links_.insert(links_.end(), candidates_.begin(), candidates_.end());
        first_link_.push_back(links_.size());
      }
    }
  }

  /// `target` is the switch aimed at. Further LIDs of a port go round the links of its first ones.
  void choose(const ForwardingTables& tables, const EnginePlan::Target& target) {
    constexpr std::uint64_t kRepeated = std::uint64_t{1} << 40;
    const auto used_before = [&](std::uint32_t row, std::uint16_t port) {
      for (unsigned k = 1; k <= target.offset; ++k) {
        if (tables.at(row, target.lid - k) == port) return true;
      }
      return false;
    };
    path_weight_[target_] = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      std::uint64_t least = UINT64_MAX;
      for (std::size_t k = first_link_[i]; k < first_link_[i + 1]; ++k) {
        std::uint64_t weight = weight_[links_[k].channel] + path_weight_[links_[k].row];
        if (target.offset > 0 && used_before(order_[i], links_[k].port)) weight += kRepeated;
        if (weight >= least) continue;
        least = weight;
        next_[order_[i]] = links_[k];
      }
      path_weight_[order_[i]] = least;
    }
  }

  /// Every host elsewhere sends one route to this destination.
  void add_load() {
    for (const std::uint32_t row : order_) through_[row] = plan_.hosts_at[row];
    for (auto row = order_.rbegin(); row != order_.rend(); ++row) {
      weight_[next_[*row].channel] += through_[*row];
      if (next_[*row].row != target_) through_[next_[*row].row] += through_[*row];
    }
  }

  const EnginePlan& plan_;
  HopField field_;
  std::vector<std::uint64_t> weight_;       ///< per channel: routes over it so far
  std::vector<std::uint64_t> path_weight_;  ///< per switch: of its path to the target
  std::vector<std::uint64_t> through_;      ///< per switch: routes through it to the target
  std::vector<SwitchGraph::Link> next_;
  std::uint32_t target_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<SwitchGraph::Link> candidates_;
  std::vector<SwitchGraph::Link> links_;  ///< candidates of each switch of order_
  std::vector<std::size_t> first_link_;
};

}  // namespace

ForwardingTables weighted_paths(const EnginePlan& plan) { return Weighting(plan).run(); }

}  // namespace spineleaf
