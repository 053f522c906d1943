#include "scenarios/deadlock.hpp"

#include <algorithm>
#include <map>

#include "topologies/channel_graph.hpp"

namespace spineleaf {

DeadlockTest::DeadlockTest(Fabric& fabric, const Topology& topology)
    : fabric_(fabric), topology_(topology), switches_(topology.nodes.size()) {
  if (!fabric.switches.empty()) {
    credits_ = fabric.switches.front()->ports().config().flow_control == FlowControlKind::Credit;
  }
}

bool DeadlockTest::stands(Time at) {
  candidates_.clear();
  for (const std::uint32_t node : touched_) switches_[node] = {};
  touched_.clear();
  collect(at);
  if (candidates_.empty()) return false;
  leave_out_free();
  add_up();
  settle();
  return std::any_of(candidates_.begin(), candidates_.end(),
                     [](const Candidate& c) { return c.in; });
}

std::vector<DeadQueue> DeadlockTest::dead_queues() const {
  std::vector<DeadQueue> dead;
  for (const Candidate& c : candidates_) {
    if (c.in) dead.push_back({c.node, c.port, c.traffic_class});
  }
  return dead;
}

void DeadlockTest::collect(Time at) {
  for (std::uint32_t n = topology_.host_count; n < topology_.nodes.size(); ++n) {
    const Ports& ports = fabric_.ports_of(n);
    for (std::uint32_t p = 0; p < ports.count(); ++p) {
      if (ports.ready(p) == 0 || !ports.up(p)) continue;
      const Link& link = ports.out_link(p);
      if (topology_.is_host(NodeId{link.to})) continue;
      const Ports& peer = fabric_.ports_of(link.to);
      for (std::uint32_t c = 0; c < ports.classes(); ++c) {
        if ((ports.ready(p) >> c & 1U) == 0) continue;
        const bool blocked =
            credits_ ? ports.credit_blocked(p, c)
                     : ports.paused(p, c, at) && peer.xoff_state(link.to_port, c) &&
                           peer.resumes_told(link.to_port, c) == ports.resumes_heard(p, c);
        if (!blocked) continue;
        const auto number = static_cast<std::uint32_t>(candidates_.size());
        candidates_.push_back({n, p, c, link.to, link.to_port, true, {}});
        switches_[n].here.push_back(number);
        switches_[link.to].waiting.push_back(number);
      }
    }
  }
}

/// What waits for a switch without a blocked queue is free at once. Most sets end here, before a
/// packet is looked at: where routes go up and then down, nothing is left.
void DeadlockTest::leave_out_free() {
  std::vector<std::size_t> left(switches_.size());
  std::vector<std::uint32_t> free;
  for (std::uint32_t n = 0; n < switches_.size(); ++n) {
    left[n] = switches_[n].here.size();
    if (left[n] == 0 && !switches_[n].waiting.empty()) free.push_back(n);
  }
  while (!free.empty()) {
    const std::uint32_t node = free.back();
    free.pop_back();
    for (const std::uint32_t number : switches_[node].waiting) {
      Candidate& candidate = candidates_[number];
      if (!candidate.in) continue;
      candidate.in = false;
      if (--left[candidate.node] == 0) free.push_back(candidate.node);
    }
  }
}

/// What each candidate holds, and what each switch is left with when only candidates stand.
void DeadlockTest::add_up() {
  std::vector<std::int64_t> units;
  for (Candidate& candidate : candidates_) {
    if (!candidate.in) continue;
    const Ports& ports = fabric_.ports_of(candidate.node);
    SwitchState& state = switches_[candidate.node];
    state.standing.resize(std::size_t{ports.count()} * ports.classes());
    units.assign(ports.count(), 0);
    ports.add_queued_by_ingress(candidate.port, candidate.traffic_class, units);
    for (std::uint32_t i = 0; i < units.size(); ++i) {
      if (units[i] == 0) continue;
      candidate.held.push_back({i, units[i]});
      state.standing[i * ports.classes() + candidate.traffic_class] += units[i];
    }
  }
}

void DeadlockTest::settle() {
  std::vector<std::uint32_t> open;
  for (std::uint32_t n = 0; n < switches_.size(); ++n) {
    SwitchState& state = switches_[n];
    if (state.here.empty() && state.waiting.empty()) continue;
    touched_.push_back(n);
    state.queued = true;
    open.push_back(n);
  }
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    switches_[node].queued = false;
    const std::int64_t shared = shared_of(node);
    for (const std::uint32_t number : switches_[node].waiting) {
      const Candidate& candidate = candidates_[number];
      if (!candidate.in || !may_go_on(candidate, shared)) continue;
      take_out(number);
      SwitchState& freed = switches_[candidate.node];
      if (!freed.queued) open.push_back(candidate.node);
      freed.queued = true;
    }
  }
}

bool DeadlockTest::may_go_on(const Candidate& candidate, std::int64_t shared) const {
  const Ports& peer = fabric_.ports_of(candidate.peer);
  const std::vector<std::int64_t>& standing = switches_[candidate.peer].standing;
  const std::size_t row =
      std::size_t{candidate.peer_port} * peer.classes() + candidate.traffic_class;
  const std::int64_t left = standing.empty() ? 0 : standing[row];
  if (!credits_)
    return peer.would_resume(candidate.peer_port, candidate.traffic_class, left, shared);
  const Ports& ports = fabric_.ports_of(candidate.node);
  return peer.would_offer(left, ports.head_size(candidate.port, candidate.traffic_class));
}

/// Cells of the shared pool that stay lent when only the candidates stand.
std::int64_t DeadlockTest::shared_of(std::uint32_t node) const {
  const std::vector<std::int64_t>& standing = switches_[node].standing;
  if (credits_ || standing.empty()) return 0;
  const Ports& ports = fabric_.ports_of(node);
  std::int64_t shared = 0;
  for (std::size_t row = 0; row < standing.size(); ++row) {
    if (standing[row] == 0) continue;
    shared +=
        ports.standing_shared(static_cast<std::uint32_t>(row / ports.classes()),
                              static_cast<std::uint32_t>(row % ports.classes()), standing[row]);
  }
  return shared;
}

void DeadlockTest::take_out(std::uint32_t number) {
  Candidate& candidate = candidates_[number];
  candidate.in = false;
  SwitchState& state = switches_[candidate.node];
  const std::uint32_t classes = fabric_.ports_of(candidate.node).classes();
  for (const Held& held : candidate.held) {
    state.standing[std::size_t{held.ingress} * classes + candidate.traffic_class] -= held.units;
  }
}

std::string DeadlockTest::name(const Candidate& candidate) const {
  return topology_.nodes[candidate.node].name + ":" + std::to_string(candidate.port) + " > " +
         topology_.nodes[candidate.peer].name + ":" + std::to_string(candidate.peer_port);
}

DeadlockReport DeadlockTest::describe(Time at) const {
  DeadlockReport report;
  report.found = true;
  report.at = at;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> channel_at;  // (node, port)
  for (std::uint32_t i = 0; i < topology_.cables.size(); ++i) {
    const Cable& cable = topology_.cables[i];
    channel_at[{index(cable.a.node), cable.a.port}] = 2 * i;
    channel_at[{index(cable.b.node), cable.b.port}] = 2 * i + 1;
  }
  ChannelGraph graph;
  graph.channels = static_cast<std::uint32_t>(2 * topology_.cables.size());
  const auto buffer_of = [&](const Candidate& c) {
    return c.traffic_class * graph.channels + channel_at.at({c.node, c.port});
  };
  std::map<std::uint32_t, const Candidate*> dead;  // by buffer
  std::uint32_t classes = 1;
  for (const Candidate& candidate : candidates_) {
    if (!candidate.in) continue;
    dead[buffer_of(candidate)] = &candidate;
    classes = std::max(classes, candidate.traffic_class + 1);
    report.trapped += Bytes{
        fabric_.ports_of(candidate.node).queued_bytes(candidate.port, candidate.traffic_class)};
  }
  graph.from.push_back(0);
  for (std::uint32_t b = 0; b < classes * graph.channels; ++b) {
    if (const auto it = dead.find(b); it != dead.end()) {
      for (const std::uint32_t number : switches_[it->second->peer].here) {
        const Candidate& next = candidates_[number];
        if (!next.in || next.traffic_class != it->second->traffic_class) continue;
        const bool holds = std::any_of(next.held.begin(), next.held.end(), [&](const Held& held) {
          return held.ingress == it->second->peer_port;
        });
        if (holds) graph.to.push_back(buffer_of(next));
      }
    }
    graph.from.push_back(graph.to.size());
  }
  const CycleReport cycles = find_cycles(topology_, graph);
  report.queues = dead.size();
  report.queues_on_cycles = cycles.channels_in_cycles;
  for (const std::vector<std::uint32_t>& cycle : cycles.cycles) {
    DeadlockReport::Cycle& listed = report.cycles.emplace_back();
    listed.traffic_class = static_cast<std::uint8_t>(graph.lane_of(cycle.front()));
    for (const std::uint32_t buffer : cycle) listed.queues.push_back(name(*dead.at(buffer)));
  }
  return report;
}

}  // namespace spineleaf
