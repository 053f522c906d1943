// Faults: the cables that a name means, and the order in which their state changes.

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "scenarios/input/checker.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {

namespace {

class FaultResolver {
 public:
  FaultResolver(const Spec& spec, const Topology& graph, Checker& checker)
      : spec_(spec), graph_(graph), checker_(checker) {
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
      node_of_.emplace(graph.nodes[n].name, NodeId{n});
    }
    for (const Cable& cable : graph.cables) up_.push_back(cable.up);
  }

  std::vector<FaultSpec> run() {
    // In order of time, and of the scenario where times are equal: what a fault finds depends on
    // those before it.
    std::vector<std::size_t> order(spec_.faults.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return spec_.faults[a].at < spec_.faults[b].at;
    });
    for (const std::size_t number : order) {
      if (checker_.full()) break;
      resolve(number);
    }
    return std::move(resolved_);
  }

 private:
  void resolve(std::size_t number) {
    FaultSpec fault = spec_.faults[number];
    const std::string path = "faults[" + std::to_string(number) + "]";
    warn_if_late(fault, path);
    if (is_host_fault(fault.action)) return resolve_host(std::move(fault), path);
    const auto ends = find_ends(fault, path);
    if (!ends) return;
    fault.link.clear();
    fault.from = graph_.node(ends->first).name;
    fault.to = graph_.node(ends->second).name;
    fault.cables = cables_between(ends->first, ends->second);
    if (fault.cables.empty()) {
      checker_.error(path, "no cable joins " + fault.from + " and " + fault.to);
      return;
    }
    if (fault.cable >= 0) {
      const auto row = static_cast<std::size_t>(fault.cable);
      if (row >= fault.cables.size()) {
        checker_.error(path + ".cable", std::to_string(fault.cable) + " is out of range",
                       "0 to " + std::to_string(fault.cables.size() - 1));
        return;
      }
      fault.cables = {fault.cables[row]};
    }
    apply(fault, path);
  }

  void warn_if_late(const FaultSpec& fault, const std::string& path) {
    if (spec_.run.deadline == Time{} || fault.at < spec_.run.deadline) return;
    checker_.warn(path + ".at",
                  to_text(fault.at) + " is not before run.deadline " + to_text(spec_.run.deadline),
                  {}, "It will never happen.");
  }

  void resolve_host(FaultSpec fault, const std::string& path) {
    const auto node = find_node(fault.host, path + ".host");
    if (!node) return;
    if (!graph_.is_host(*node)) {
      checker_.error(path + ".host", in_quotes(fault.host) + " is a switch", "a host");
      return;
    }
    if (fault.action != FaultAction::SlowReceiver &&
        spec_.models.fabric.flow_control != FlowControlKind::Pfc) {
      checker_.error(path + ".action",
                     "only PFC has pauses: a storm needs fabric.flow_control pfc");
      return;
    }
    fault.host_row = index(*node);
    resolved_.push_back(std::move(fault));
  }

  std::optional<std::pair<NodeId, NodeId>> find_ends(const FaultSpec& fault,
                                                     const std::string& path) {
    if (fault.link.empty()) {
      const auto from = find_node(fault.from, path + ".from");
      const auto to = find_node(fault.to, path + ".to");
      if (!from || !to) return std::nullopt;
      return std::pair{*from, *to};
    }
    // Names may themselves have hyphens: every split is tried.
    for (std::size_t at = fault.link.find('-'); at != std::string::npos;
         at = fault.link.find('-', at + 1)) {
      const auto from = node_of_.find(fault.link.substr(0, at));
      const auto to = node_of_.find(fault.link.substr(at + 1));
      if (from != node_of_.end() && to != node_of_.end()) {
        return std::pair{from->second, to->second};
      }
    }
    checker_.error(path + ".link", in_quotes(fault.link) + " names no link",
                   "two nodes of the topology, such as \"" + example_link() + "\"");
    return std::nullopt;
  }

  std::optional<NodeId> find_node(const std::string& name, const std::string& path) {
    const auto found = node_of_.find(name);
    if (found != node_of_.end()) return found->second;
    std::vector<std::string_view> names;
    for (const auto& [known, id] : node_of_) names.push_back(known);
    checker_.error(path, in_quotes(name) + " is no node of the topology", {},
                   did_you_mean(name, names));
    return std::nullopt;
  }

  std::string example_link() const {
    if (graph_.cables.empty()) return "leaf0-spine1";
    const Cable& cable = graph_.cables.back();
    return graph_.node(cable.a.node).name + "-" + graph_.node(cable.b.node).name;
  }

  std::vector<CableId> cables_between(NodeId a, NodeId b) const {
    std::vector<CableId> cables;
    for (std::uint32_t i = 0; i < graph_.cables.size(); ++i) {
      const NodeId from = graph_.cables[i].a.node;
      const NodeId to = graph_.cables[i].b.node;
      if ((from == a && to == b) || (from == b && to == a)) cables.push_back(CableId{i});
    }
    return cables;
  }

  /// A speed changes only while the link is down, as on real ports, which train again: links that
  /// are up go down and come up at that instant.
  void apply(const FaultSpec& fault, const std::string& path) {
    if (fault.action != FaultAction::Degrade) {
      const bool up = fault.action == FaultAction::Up;
      const auto changes = [&](CableId cable) { return up_[index(cable)] != up; };
      if (std::none_of(fault.cables.begin(), fault.cables.end(), changes)) {
        checker_.warn(path + ".action",
                      "the link is " + std::string{up ? "up" : "down"} + " at that time already");
      }
      for (const CableId cable : fault.cables) up_[index(cable)] = up;
      resolved_.push_back(fault);
      return;
    }
    const auto is_up = [&](CableId cable) { return bool{up_[index(cable)]}; };
    if (std::none_of(fault.cables.begin(), fault.cables.end(), is_up)) {
      resolved_.push_back(fault);
      return;
    }
    const std::vector<CableId> all = cables_between(node_of_.at(fault.from), node_of_.at(fault.to));
    for (std::size_t row = 0; row < all.size(); ++row) {
      const bool meant =
          std::find(fault.cables.begin(), fault.cables.end(), all[row]) != fault.cables.end();
      if (!meant) continue;
      FaultSpec step = fault;
      step.cables = {all[row]};
      step.cable = all.size() > 1 ? static_cast<std::int64_t>(row) : -1;
      push_step(step, FaultAction::Down, is_up(all[row]));
      push_step(step, FaultAction::Degrade, true);
      push_step(step, FaultAction::Up, is_up(all[row]));
    }
  }

  void push_step(FaultSpec step, FaultAction action, bool wanted) {
    if (!wanted) return;
    step.action = action;
    if (action != FaultAction::Degrade) step.rate = Rate{};
    resolved_.push_back(std::move(step));
  }

  const Spec& spec_;
  const Topology& graph_;
  Checker& checker_;
  std::map<std::string, NodeId, std::less<>> node_of_;
  std::vector<bool> up_;
  std::vector<FaultSpec> resolved_;
};

}  // namespace

std::vector<FaultSpec> resolve_faults(const Spec& spec, const Topology& graph, Checker& checker) {
  if (spec.faults.empty()) return {};
  return FaultResolver(spec, graph, checker).run();
}

}  // namespace spineleaf
