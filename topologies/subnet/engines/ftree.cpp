// ftree: for fat trees, routes by the destination's place so that no shift permutation loads a
// cable twice (D-mod-K: Zahavi, "D-Mod-K routing providing non-blocking traffic for shift
// permutations on real life fat trees", 2010). Destination j of a switch at level l goes up over
// cable j / (product of the up-going cables of a switch at each lower level) mod (those here), and
// comes down over the cable that its own side would go up on.
//
// A fabric that is no such tree is an error that says where: hosts on switches of one level only,
// cables between neighbouring levels only, and on each level the same number of switches above and
// of cables to each of them (conditions of OpenSM's engine of this name).

#include <algorithm>
#include <map>

#include "topologies/subnet/engine.hpp"
#include "topologies/subnet/engines/plan.hpp"

namespace spineleaf {

namespace {

using Link = SwitchGraph::Link;

constexpr std::uint32_t kNoLevel = UINT32_MAX;

class Tree {
 public:
  explicit Tree(const EnginePlan& plan)
      : plan_(plan), row_of_(attachments(plan.subnet.topology)), up_(plan.graph.rows()) {
    find_levels();
    if (problems_.empty()) collect_uplinks();
    if (problems_.empty()) check_levels();
  }

  const std::vector<Problem>& problems() const { return problems_; }

  ForwardingTables route() {
    order_leaves();
    std::vector<std::uint32_t> by_rank(plan_.graph.rows());
    for (std::uint32_t row = 0; row < by_rank.size(); ++row) by_rank[row] = row;
    std::stable_sort(by_rank.begin(), by_rank.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return level_[x] > level_[y]; });
    const std::vector<std::uint32_t> rank = inverse(by_rank);
    ForwardingTables tables = plan_.make_tables();
    HopField field(plan_.graph);
    std::vector<Link> links;
    std::uint32_t aimed = UINT32_MAX;
    for (const EnginePlan::Target& target : plan_.targets) {
      if (target.row != aimed) field.up_down_to(target.row, rank, by_rank);
      aimed = target.row;
      const std::uint64_t place = place_[target.row] + position_[target.lid];
      for (std::uint32_t row = 0; row < plan_.graph.rows(); ++row) {
        field.candidates(row, links);
        if (links.empty()) continue;
        const bool up = level_[links[0].row] > level_[row];
        if (up) sort_by_parent(links);
        const Link& link =
            up ? links[place / divisor_[level_[row]] % links.size()] : way_down(links, place);
        tables.set(row, target.lid, link.port);
      }
    }
    return tables;
  }

 private:
  std::string name(std::uint32_t row) const {
    return plan_.subnet.topology.nodes[plan_.subnet.topology.host_count + row].name;
  }
  void refuse(const std::string& where, std::string what, std::string found, std::string expected) {
    problems_.push_back(make_error(where, "the fabric is no fat tree: " + std::move(what),
                                   std::move(found), std::move(expected),
                                   "Use another engine, such as updn"));
  }

  /// Hops from the nearest switch with hosts; links inside a level or over levels are refused.
  void find_levels() {
    level_.assign(plan_.graph.rows(), kNoLevel);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t row = 0; row < level_.size(); ++row) {
      if (plan_.hosts_at[row] == 0) continue;
      level_[row] = 0;
      queue.push_back(row);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const std::uint32_t v : plan_.graph.neighbours(queue[head])) {
        if (level_[v] != kNoLevel) continue;
        level_[v] = level_[queue[head]] + 1;
        queue.push_back(v);
      }
    }
    for (std::uint32_t row = 0; row < level_.size() && problems_.empty(); ++row) {
      for (const std::uint32_t v : plan_.graph.neighbours(row)) {
        if (level_[v] != level_[row]) continue;
        refuse(name(row), "two switches of one level are joined", "a cable to " + name(v),
               "cables between levels only");
        break;
      }
    }
  }

  void collect_uplinks() {
    for (std::uint32_t row = 0; row < up_.size(); ++row) {
      for (const Link& link : plan_.graph.links(row)) {
        if (level_[link.row] > level_[row]) up_[row].push_back(link);
      }
      sort_by_parent(up_[row]);
    }
  }

  static void sort_by_parent(std::vector<Link>& links) {
    std::stable_sort(links.begin(), links.end(),
                     [](const Link& x, const Link& y) { return x.row < y.row; });
  }

  /// Switches of one level agree on the number of parents and of cables to each.
  void check_levels() {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::size_t>> first;  // level: row, parents
    std::map<std::uint32_t, std::size_t> cables;
    std::uint32_t top = 0;
    for (std::uint32_t row = 0; row < up_.size(); ++row) {
      if (level_[row] != kNoLevel) top = std::max(top, level_[row]);
    }
    for (std::uint32_t row = 0; row < up_.size(); ++row) {
      if (level_[row] == kNoLevel || level_[row] == top) continue;
      std::map<std::uint32_t, std::size_t> to_parent;
      for (const Link& link : up_[row]) ++to_parent[link.row];
      const auto [known, fresh] = first.emplace(level_[row], std::pair{row, to_parent.size()});
      if (to_parent.size() != known->second.second) {
        return refuse(name(row), "switches of one level have different numbers of parents",
                      std::to_string(to_parent.size()),
                      std::to_string(known->second.second) + " as at " + name(known->second.first));
      }
      for (const auto& [parent, count] : to_parent) {
        const auto [usual, new_level] = cables.emplace(level_[row], count);
        if (usual->second == count) continue;
        return refuse(name(row), "parents are joined by different numbers of cables",
                      std::to_string(count) + " to " + name(parent), std::to_string(usual->second));
      }
    }
    divisor_.assign(top + 1, 1);
    for (std::uint32_t level = 0; level < top; ++level) {
      divisor_[level + 1] = divisor_[level] * up_[first[level].first].size();
    }
  }

  /// Places of destinations: leaves in the order of a walk down the tree, each with room for as
  /// many hosts as the fullest has, so that ragged leaves do not shift those after them.
  void order_leaves() {
    std::uint64_t room = 0;
    for (const std::uint32_t hosts : plan_.hosts_at) room = std::max<std::uint64_t>(room, hosts);
    place_.assign(plan_.graph.rows(), 0);
    position_.assign(plan_.lids, 0);
    std::vector<std::uint32_t> before(plan_.graph.rows(), 0);
    for (const EndpointId e : endpoints_by_leaf(plan_.subnet.topology)) {
      position_[plan_.subnet.endpoints[index(e)].lid] = before[row_of_[index(e)].row]++;
    }
    std::vector<std::uint8_t> seen(plan_.graph.rows(), 0);
    std::uint64_t next = 0;
    std::vector<std::uint32_t> stack;
    for (std::uint32_t root = 0; root < plan_.graph.rows(); ++root) {
      const bool is_root = level_[root] != kNoLevel && up_[root].empty();
      if (!is_root) continue;
      stack.assign(1, root);
      while (!stack.empty()) {
        const std::uint32_t row = stack.back();
        stack.pop_back();
        if (seen[row] != 0) continue;
        seen[row] = 1;
        if (level_[row] == 0) {
          place_[row] = next;
          next += room;
          continue;
        }
        const auto children = plan_.graph.neighbours(row);
        for (auto child = children.rbegin(); child != children.rend(); ++child) {
          if (level_[*child] < level_[row]) stack.push_back(*child);
        }
      }
    }
  }

  /// The cable on which the switch below would come up for this place.
  const Link& way_down(const std::vector<Link>& links, std::uint64_t place) const {
    for (const Link& link : links) {
      const std::vector<Link>& back = up_[link.row];
      const Link& mirror = back[place / divisor_[level_[link.row]] % back.size()];
      if (mirror.channel / 2 == link.channel / 2) return link;
    }
    return links[place / divisor_[level_[links[0].row]] % links.size()];
  }

  const EnginePlan& plan_;
  const std::vector<Attachment> row_of_;  ///< per endpoint
  std::vector<Problem> problems_;
  std::vector<std::uint32_t> level_;     ///< 0: switches with hosts
  std::vector<std::vector<Link>> up_;    ///< per switch, by parent, then by port
  std::vector<std::uint64_t> divisor_;   ///< per level
  std::vector<std::uint64_t> place_;     ///< per switch with hosts: that of its first host
  std::vector<std::uint32_t> position_;  ///< per LID: of a host among those of its switch
};

EngineResult route_ftree(const Subnet& subnet, const EngineOptions&) {
  EngineResult result;
  for (const AdapterPort& port : subnet.endpoints) {
    if (port.lmc == 0) continue;
    result.problems.push_back(make_error("ftree", "has one LID a port",
                                         port.name + " has lmc " + std::to_string(port.lmc),
                                         "lmc 0", "Use another engine for several paths"));
    return result;
  }
  const EnginePlan plan(subnet);
  Tree tree(plan);
  result.problems = tree.problems();
  if (result.ok()) result.routes.tables = tree.route();
  return result;
}

}  // namespace

RoutingEngine ftree_engine() {
  return {"ftree", "fat trees only: no shift permutation loads a cable twice", route_ftree};
}

}  // namespace spineleaf
