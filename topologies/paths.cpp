#include "topologies/paths.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "topologies/nearest.hpp"
#include "topologies/port_map.hpp"
#include "topologies/switch_graph.hpp"

namespace spineleaf {

std::optional<std::uint16_t> PathTable::egress(NodeId sw, PathId path) const {
  const std::size_t row = index(sw) - first_switch_;
  const auto first = hops_.begin() + static_cast<std::ptrdiff_t>(hops_from_[row]);
  const auto last = hops_.begin() + static_cast<std::ptrdiff_t>(hops_from_[row + 1]);
  const auto hop =
      std::lower_bound(first, last, path, [](const Hop& h, PathId id) { return h.path < id; });
  if (hop == last || hop->path != path) return std::nullopt;
  return hop->port;
}

class PathTableBuilder {
 public:
  explicit PathTableBuilder(const Topology& topology)
      : topology_(topology),
        ports_(topology),
        first_endpoint_(first_endpoints(topology)),
        hops_at_(topology.nodes.size() - topology.host_count) {
    for (std::uint32_t n = 0; n < topology.nodes.size(); ++n) {
      node_of_.emplace(topology.nodes[n].name, NodeId{n});
    }
  }

  void add(std::size_t number, const PathSpec& spec) {
    where_ = "paths[" + std::to_string(number) + "]";
    PathTable::Ends ends;
    ends.first_channel = static_cast<std::uint32_t>(table_.channels_.size());
    const std::size_t before = problems_.size();
    const std::vector<NodeId> nodes = resolve(spec);
    if (problems_.size() == before) check_shape(nodes);
    for (std::size_t i = 0; problems_.size() == before && i + 1 < nodes.size(); ++i) {
      add_hop(PathId{static_cast<std::uint32_t>(number)}, spec.steps[i], i, nodes[i], nodes[i + 1],
              ends);
    }
    if (problems_.size() == before && closes_loop(nodes)) {
      const auto closing = std::find(nodes.begin(), nodes.end(), nodes.back()) - nodes.begin();
      table_.channels_.push_back(
          table_.channels_[ends.first_channel + static_cast<std::size_t>(closing)]);
      ends.destination = ends.source;
    }
    ends.channel_count = static_cast<std::uint32_t>(table_.channels_.size()) - ends.first_channel;
    table_.ends_.push_back(ends);
  }

  PathsResult finish() {
    table_.first_switch_ = topology_.host_count;
    table_.hops_from_.push_back(0);
    for (const auto& hops : hops_at_) {
      table_.hops_.insert(table_.hops_.end(), hops.begin(), hops.end());
      table_.hops_from_.push_back(table_.hops_.size());
    }
    return {std::move(table_), std::move(problems_)};
  }

 private:
  void error(std::optional<std::size_t> step, std::string what, std::string found = {},
             std::string expected = {}, std::string hint = {}) {
    const std::string place = step ? ".nodes[" + std::to_string(*step) + "]" : "";
    problems_.push_back(make_error(where_ + place, std::move(what), std::move(found),
                                   std::move(expected), std::move(hint)));
  }

  std::vector<NodeId> resolve(const PathSpec& spec) {
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < spec.steps.size(); ++i) {
      const std::string& name = spec.steps[i].node;
      const auto found = node_of_.find(name);
      if (found != node_of_.end()) {
        nodes.push_back(found->second);
        continue;
      }
      std::vector<std::string_view> names;
      for (const Node& node : topology_.nodes) names.push_back(node.name);
      const std::string near = nearest(name, names);
      error(i, "names no node", "\"" + name + "\"", {},
            near.empty() ? "" : "Did you mean \"" + near + "\"?");
    }
    return nodes;
  }

  /// A path that ends at a switch that it has visited before.
  bool closes_loop(const std::vector<NodeId>& nodes) const {
    return !topology_.is_host(nodes.back()) &&
           std::find(nodes.begin(), nodes.end() - 1, nodes.back()) != nodes.end() - 1;
  }

  void check_shape(const std::vector<NodeId>& nodes) {
    if (nodes.size() < 2) {
      return error({}, "is too short", std::to_string(nodes.size()) + " nodes", "at least 2");
    }
    std::set<NodeId> seen;
    const std::size_t checked = nodes.size() - (closes_loop(nodes) ? 1 : 0);
    for (std::size_t i = 0; i < checked; ++i) {
      const bool inner = i > 0 && i + 1 < nodes.size();
      const std::string& name = topology_.node(nodes[i]).name;
      if (topology_.is_host(nodes[i]) == inner) {
        error(i, inner ? "a host forwards nothing" : "a path begins and ends at a host",
              "\"" + name + "\"", inner ? "a switch" : "a host");
      }
      if (!seen.insert(nodes[i]).second) {
        error(i, "routing loop: the path visits a node twice", "\"" + name + "\"");
      }
    }
  }

  /// Adds the cable from `node` to `next`, or says why there is none.
  void add_hop(PathId path, const PathStep& step, std::size_t i, NodeId node, NodeId next,
               PathTable::Ends& ends) {
    const std::optional<std::uint16_t> port = choose_port(step, i, node, next);
    if (!port) return;
    const PortMap::Far& far = ports_.far({node, *port});
    const Cable& cable = topology_.cables[index(far.cable)];
    if (!cable.up) {
      return error(i, "the cable to the next node is down",
                   topology_.node(node).name + " - " + topology_.node(next).name);
    }
    const std::uint32_t reverse = cable.a.node == node ? 0 : 1;
    table_.channels_.push_back(2 * index(far.cable) + reverse);
    if (topology_.is_host(node)) {
      ends.source = EndpointId{first_endpoint_[index(node)] + *port};
    } else {
      hops_at_[index(node) - topology_.host_count].push_back({path, *port});
    }
    if (topology_.is_host(next)) {
      ends.destination = EndpointId{first_endpoint_[index(next)] + far.port.port};
    }
  }

  std::optional<std::uint16_t> choose_port(const PathStep& step, std::size_t i, NodeId node,
                                           NodeId next) {
    const auto far = ports_.ports(node);
    const std::string pair = topology_.node(node).name + " - " + topology_.node(next).name;
    std::vector<std::uint16_t> to_next;
    for (std::uint16_t p = 0; p < far.size(); ++p) {
      if (far[p].present && far[p].port.node == next) to_next.push_back(p);
    }
    if (to_next.empty()) {
      error(i, "no cable joins it to the next node", pair);
      return std::nullopt;
    }
    if (step.port >= 0) {
      const auto same = [&](std::uint16_t p) { return p == step.port; };
      if (std::any_of(to_next.begin(), to_next.end(), same)) {
        return static_cast<std::uint16_t>(step.port);
      }
      error(i, "this port does not lead to the next node (" + pair + ")", std::to_string(step.port),
            "one of " + std::to_string(to_next.front()) + " to " + std::to_string(to_next.back()));
      return std::nullopt;
    }
    if (step.cable < 0 || static_cast<std::size_t>(step.cable) >= to_next.size()) {
      error(i, "there are fewer parallel cables to the next node (" + pair + ")",
            std::to_string(step.cable), "0 to " + std::to_string(to_next.size() - 1));
      return std::nullopt;
    }
    return to_next[static_cast<std::size_t>(step.cable)];
  }

  const Topology& topology_;
  const PortMap ports_;
  const std::vector<std::uint32_t> first_endpoint_;
  std::map<std::string, NodeId, std::less<>> node_of_;
  std::vector<std::vector<PathTable::Hop>> hops_at_;
  PathTable table_;
  std::vector<Problem> problems_;
  std::string where_;
};

PathsResult make_paths(const Topology& topology, std::span<const PathSpec> paths) {
  PathTableBuilder builder(topology);
  for (std::size_t i = 0; i < paths.size(); ++i) builder.add(i, paths[i]);
  return builder.finish();
}

}  // namespace spineleaf
