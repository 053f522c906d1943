#pragma once
// Rig: a fabric built from a topology, parameters and a list of flows, and run in steps, without a
// scenario file. What happens inside can be looked at between events at any instant.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric.hpp"
#include "models/workloads/kinds.hpp"
#include "topologies/custom.hpp"
#include "topologies/paths.hpp"
#include "topologies/registry.hpp"

namespace spineleaf::test {

/// Sets one parameter as a user would write it.
inline void set_param(ModelParams& params, const PresetEntry& entry) {
  const std::size_t dot = entry.key.find('.');
  for (const ParamTable& table : model_param_tables()) {
    if (table.name != entry.key.substr(0, dot)) continue;
    for (const ParamDecl& decl : table.params) {
      if (decl.name != entry.key.substr(dot + 1)) continue;
      decl.set(section_object(params, table.name), parse_declared(decl, entry.value));
      return;
    }
  }
  ADD_FAILURE() << "no parameter " << entry.key;
}

inline void set_preset(ModelParams& params, std::string_view name) {
  for (const Preset& preset : model_presets()) {
    if (preset.name != name) continue;
    for (const PresetEntry& entry : preset.entries) set_param(params, entry);
    return;
  }
  ADD_FAILURE() << "no preset " << name;
}

/// Declared defaults, the preset over them, then the settings.
inline ModelParams params_of(std::string_view preset,
                             std::initializer_list<PresetEntry> settings = {}) {
  ModelParams params = default_model_params();
  set_preset(params, preset);
  for (const PresetEntry& entry : settings) set_param(params, entry);
  return params;
}

/// A preset of which only the wire counts: no NIC costs, no marking, no rate control.
inline ModelParams wire_only(std::string_view preset,
                             std::initializer_list<PresetEntry> settings = {}) {
  ModelParams params = params_of(preset, {{"nic.send_latency", "0ns"},
                                          {"nic.receive_latency", "0ns"},
                                          {"nic.message_cost", "0ns"},
                                          {"ecn.enabled", "false"},
                                          {"transport.congestion_control", "none"},
                                          {"transport.timeout", "1s"}});
  for (const PresetEntry& entry : settings) set_param(params, entry);
  return params;
}

inline Topology topology_of(BuildResult built) {
  for (const Problem& problem : built.problems) {
    EXPECT_NE(problem.severity, Severity::Error) << to_string(problem);
  }
  return std::move(built.topology);
}

/// `hosts` hosts (host0, host1, ...) on one switch, one-way cable delay `latency`.
inline Topology star(std::int64_t hosts, Rate rate, Time latency) {
  return topology_of(
      build_topology("single_switch", {{"hosts", static_cast<double>(hosts)},
                                       {"radix", static_cast<double>(hosts)},
                                       {"speed", static_cast<double>(rate.bits_per_second)},
                                       {"latency", static_cast<double>(latency.ps)}}));
}

struct Cabling {
  Rate rate;
  Time latency;
};

/// host0 - sw0 - sw1 - ... - host1 over the given cables in order.
inline Topology chain(const std::vector<Cabling>& cables) {
  CustomSpec spec;
  spec.nodes.push_back({"host0"});
  spec.nodes.push_back({"host1"});
  std::string at = "host0";
  for (std::size_t i = 0; i < cables.size(); ++i) {
    const bool last = i + 1 == cables.size();
    const std::string next = last ? "host1" : "sw" + std::to_string(i);
    if (!last) spec.nodes.push_back({next, NodeKind::Switch});
    CustomLink link;
    link.a = at;
    link.b = next;
    link.rate = cables[i].rate;
    link.latency = cables[i].latency;
    spec.links.push_back(link);
    at = next;
  }
  return topology_of(build_custom(spec));
}

class Rig final : public Ticks {
 public:
  using Hook = std::function<void(Time)>;

  /// `back`: by flow, the path of its ACKs; none = the way of the data back.
  Rig(Topology topology, ModelParams params, std::vector<FlowEntry> flows, std::uint64_t seed = 1,
      const std::vector<std::vector<std::string>>& back = {})
      : topology_(std::move(topology)), params_(std::move(params)) {
    FabricInput input;
    resolve_paths(flows, back, input);
    std::vector<std::uint32_t> next_row(topology_.host_count, 0);
    const WorkloadContext context{topology_, params_, seed, 0, next_row};
    const FlowsParams list{std::move(flows)};
    input.workloads.push_back(flows_workload().build(context, &list));
    build(std::move(input), seed);
  }
  /// The same with programs of the test's own on the hosts.
  Rig(Topology topology, ModelParams params, Workload workload, std::uint64_t seed = 1)
      : topology_(std::move(topology)), params_(std::move(params)) {
    FabricInput input;
    input.workloads.push_back(std::move(workload));
    build(std::move(input), seed);
  }

  /// Calls `hook` once, with all events before `at` done and none at it.
  void at(Time when, Hook hook) { hooks_.emplace(when, std::move(hook)); }
  /// Calls `hook` at from, from + period, ... for as long as anything happens.
  void every(Time from, Time period, Hook hook) {
    at(from, [this, period, hook](Time now) {
      hook(now);
      every(now + period, period, hook);
    });
  }
  /// A pause frame for class 0, handed to `port` of `name` as if it had just arrived there.
  void give_pause(Time now, const std::string& name, std::uint32_t port, std::uint32_t quanta) {
    Record frame;
    frame.kind = RecordKind::PfcFrame;
    frame.size = 64;
    frame.traffic_class = 1;
    frame.time = now;
    frame.port = static_cast<std::uint16_t>(port);
    set_pfc_quanta(frame, 0, static_cast<std::uint16_t>(quanta));
    Actor& actor = *fabric_->simulation.actors()[node(name)];
    actor.set_now(now);
    actor.on_record(frame);
  }
  /// Takes a cable down or up; the run goes on to that instant even if all is quiet.
  void set_cable(Time when, const std::string& a, const std::string& b, bool up) {
    ++changes_;
    fabric_->ports_of(node(a)).expect_faults();
    fabric_->ports_of(node(b)).expect_faults();
    at(when, [this, a, b, up](Time now) {
      --changes_;
      for (const Cable& cable : topology_.cables) {
        const std::string& na = topology_.node(cable.a.node).name;
        const std::string& nb = topology_.node(cable.b.node).name;
        if (!((na == a && nb == b) || (na == b && nb == a))) continue;
        Ports::set_link(fabric_->ports_of(index(cable.a.node)), cable.a.port,
                        fabric_->ports_of(index(cable.b.node)), cable.b.port, up, now);
      }
    });
  }

  /// Runs until nothing is left to happen, or to `deadline`.
  RunOutcome run(Time deadline = Time::max()) {
    deadline_ = deadline;
    const RunOutcome outcome = run_epochs(fabric_->simulation, *this, {});
    EXPECT_NE(outcome.end, RunEnd::InvariantBroken) << outcome.reason;
    end_ = outcome.now;
    if (outcome.end == RunEnd::Quiescent) {
      for (std::uint32_t n = 0; n < topology_.nodes.size(); ++n) {
        EXPECT_EQ(fabric_->ports_of(n).check_idle(), "");
      }
    }
    return outcome;
  }

  Fabric& fabric() { return *fabric_; }
  Host& host(std::size_t i) { return *fabric_->hosts[i]; }
  const Topology& topology() const { return topology_; }
  const ModelParams& params() const { return params_; }
  Time end() const { return end_; }
  Ports& ports_of(const std::string& name) { return fabric_->ports_of(node(name)); }
  std::uint32_t node(const std::string& name) const {
    for (std::uint32_t n = 0; n < topology_.nodes.size(); ++n) {
      if (topology_.nodes[n].name == name) return n;
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
  }
  /// The port of `from` whose cable leads to `to` (the first one).
  std::uint32_t port(const std::string& from, const std::string& to) const {
    for (const Cable& cable : topology_.cables) {
      const std::string& a = topology_.node(cable.a.node).name;
      const std::string& b = topology_.node(cable.b.node).name;
      if (a == from && b == to) return cable.a.port;
      if (b == from && a == to) return cable.b.port;
    }
    ADD_FAILURE() << "no cable " << from << " - " << to;
    return 0;
  }
  /// Flows in the order of the list given, both halves merged.
  std::vector<FlowRecord> flows() const {
    JobReport report;
    for (const Host* host : fabric_->hosts) host->collect(report);
    std::map<std::uint32_t, FlowRecord> merged;
    for (const FlowRecord& flow : report.sender_flows) merged[flow.flow] = flow;
    for (const FlowRecord& flow : report.receiver_flows) merged[flow.flow].received = flow.received;
    std::vector<FlowRecord> list;
    for (const auto& [number, flow] : merged) list.push_back(flow);
    return list;
  }
  std::int64_t drops() {
    std::int64_t total = 0;
    for (std::uint32_t n = 0; n < topology_.nodes.size(); ++n) {
      const Ports& ports = fabric_->ports_of(n);
      for (std::uint32_t p = 0; p < ports.count(); ++p) {
        for (const std::int64_t drops : ports.counters(p).drops) total += drops;
      }
    }
    return total;
  }

  // Ticks
  Time next() const override {
    return hooks_.empty() ? deadline_ : std::min(deadline_, hooks_.begin()->first);
  }
  bool on_tick(Time now) override {
    while (!hooks_.empty() && hooks_.begin()->first == now) {
      const Hook hook = std::move(hooks_.begin()->second);
      hooks_.erase(hooks_.begin());
      hook(now);
    }
    return now < deadline_;
  }
  bool change_pending() const override { return changes_ > 0; }
  bool poll(Time) override { return true; }

 private:
  void build(FabricInput input, std::uint64_t seed) {
    for (const std::string& problem : input.workloads[0].problems) ADD_FAILURE() << problem;
    routes_ = compute_routes(topology_, params_.sw.routing);
    input.topology = &topology_;
    input.routes = &routes_;
    input.params = &params_;
    input.seed = seed;
    fabric_ = build_fabric(std::move(input));
    for (const std::string& problem : fabric_->problems) ADD_FAILURE() << problem;
  }

  void resolve_paths(std::vector<FlowEntry>& flows,
                     const std::vector<std::vector<std::string>>& back, FabricInput& input) {
    for (std::size_t i = 0; i < flows.size(); ++i) {
      std::vector<std::string> there = flows[i].path;
      if (there.empty()) continue;
      flows[i].path_id = static_cast<std::int32_t>(input.paths.size());
      input.paths.push_back(pinned(there));
      std::reverse(there.begin(), there.end());
      input.reverse_paths.push_back(pinned(i < back.size() ? back[i] : there));
    }
  }
  PinnedPath pinned(const std::vector<std::string>& nodes) const {
    PathSpec spec;
    for (const std::string& name : nodes) spec.steps.push_back({name});
    const PathsResult resolved = make_paths(topology_, std::vector{spec});
    PinnedPath path;
    for (const Problem& problem : resolved.problems) ADD_FAILURE() << to_string(problem);
    if (!resolved.problems.empty()) return path;
    for (const std::uint32_t channel : resolved.table.channels(PathId{0})) {
      const Cable& cable = topology_.cables[channel / 2];
      const PortRef from = channel % 2 == 0 ? cable.a : cable.b;
      path.hops.push_back({from.node, from.port});
    }
    return path;
  }

  Topology topology_;
  ModelParams params_;
  Routes routes_;
  std::unique_ptr<Fabric> fabric_;
  std::multimap<Time, Hook> hooks_;
  Time deadline_ = Time::max();
  Time end_;
  int changes_ = 0;
};

inline FlowEntry flow(std::string from, std::string to, std::int64_t bytes, Time start = {}) {
  FlowEntry entry;
  entry.from = std::move(from);
  entry.to = std::move(to);
  entry.bytes = Bytes{bytes};
  entry.start = start;
  return entry;
}

}  // namespace spineleaf::test
