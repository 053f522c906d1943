#include "models/workloads/flow_plan.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "models/workloads/kinds.hpp"
#include "sim/random.hpp"

namespace spineleaf {

FlowPlan::FlowPlan(const WorkloadContext& context, const HostTable& hosts, std::string name)
    : context_(context), hosts_(hosts), name_(std::move(name)) {}

std::uint32_t FlowPlan::lane(std::uint32_t host, std::uint32_t depth) {
  lanes_.push_back({host, depth, 0});
  return static_cast<std::uint32_t>(lanes_.size() - 1);
}

std::uint32_t FlowPlan::connect(std::uint32_t lane, const Route& route) {
  connections_.push_back({route, lane, 0, 0, 0});
  return static_cast<std::uint32_t>(connections_.size() - 1);
}

void FlowPlan::message(std::uint32_t connection, Time earliest, Bytes bytes) {
  messages_.push_back({earliest, bytes.count, connection, 0});
  ++connections_[connection].messages;
}

/// What shows only when all is planned.
std::vector<Problem> FlowPlan::problems() const {
  std::vector<Problem> problems;
  if (connections_.empty()) {
    problems.push_back(make_error("", "sends nothing: no pair of endpoints takes part"));
  }
  std::vector<std::uint32_t> per_host(hosts_.count());
  for (const Lane& lane : lanes_) {
    if (++per_host[lane.host] != 65'537) continue;
    problems.push_back(make_error("", "more than 65,536 independent message streams on one host",
                                  hosts_.topology().nodes[lane.host].name));
  }
  return problems;
}

/// Groups messages by lane and orders each lane by time; equal times keep the order of planning.
void FlowPlan::sort_messages() {
  std::vector<std::uint32_t> first(lanes_.size() + 1);
  for (const PlannedMessage& m : messages_) ++first[connections_[m.connection].lane + 1];
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    first[i + 1] += first[i];
  }
  std::vector<PlannedMessage> sorted(messages_.size());
  std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
  for (const PlannedMessage& m : messages_) sorted[at[connections_[m.connection].lane]++] = m;
  const auto earlier = [](const PlannedMessage& a, const PlannedMessage& b) {
    return a.start < b.start;
  };
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto begin = sorted.begin() + first[i];
    const auto end = sorted.begin() + first[i + 1];
    if (!std::is_sorted(begin, end, earlier)) std::stable_sort(begin, end, earlier);
  }
  messages_ = std::move(sorted);
}

void FlowPlan::number_flows() {
  std::uint32_t flow = 0;
  for (Connection& c : connections_) {
    c.first_flow = flow;
    flow += c.messages;
  }
  std::vector<std::uint32_t> sent(connections_.size());
  for (PlannedMessage& m : messages_) {
    m.flow = connections_[m.connection].first_flow + sent[m.connection]++;
  }
}

/// One app for every host that sends or receives, ascending; gives each host's place in the list.
std::vector<std::uint32_t> FlowPlan::list_apps(Workload& workload,
                                               std::vector<FlowAppPlan>& plans) {
  std::vector<std::uint32_t> app_of(hosts_.count(), UINT32_MAX);
  for (const Connection& c : connections_) {
    app_of[hosts_.host_of(c.route.from)] = 0;
    app_of[hosts_.host_of(c.route.to)] = 0;
  }
  for (std::uint32_t h = 0; h < hosts_.count(); ++h) {
    if (app_of[h] == UINT32_MAX) continue;
    app_of[h] = static_cast<std::uint32_t>(plans.size());
    workload.apps.push_back({h, nullptr});
    plans.emplace_back().job = context_.job;
  }
  return app_of;
}

Workload FlowPlan::finish() {
  const std::vector<Problem> found = problems();
  if (!found.empty()) return refused_workload(name_, found);
  Workload workload;
  workload.name = name_;
  sort_messages();
  number_flows();
  std::vector<FlowAppPlan> plans;
  app_of_ = list_apps(workload, plans);
  compile_lanes(plans);
  compile_connections(workload, plans);
  compile_messages(plans);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    workload.apps[i].app = std::make_unique<FlowApp>(std::move(plans[i]));
  }
  return workload;
}

void FlowPlan::compile_lanes(std::vector<FlowAppPlan>& plans) {
  for (Lane& lane : lanes_) {
    if (app_of_[lane.host] == UINT32_MAX) continue;  // a lane that got no connection
    FlowAppPlan& plan = plans[app_of_[lane.host]];
    lane.local = static_cast<std::uint32_t>(plan.lanes.size());
    plan.lanes.push_back({0, 0, lane.depth, 0});
  }
}

void FlowPlan::compile_connections(Workload& workload, std::vector<FlowAppPlan>& plans) {
  workload.connections.reserve(connections_.size());
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    Connection& c = connections_[i];
    const Route& route = c.route;
    const Lane& lane = lanes_[c.lane];
    FlowAppPlan& sender = plans[app_of_[lane.host]];
    FlowAppPlan& receiver = plans[app_of_[hosts_.host_of(route.to)]];
    ConnectionSpec spec;
    spec.from = route.from;
    spec.to = route.to;
    spec.job = context_.job;
    spec.traffic_class = route.traffic_class;
    spec.entropy = connection_entropy(context_, i);
    spec.path = route.path;
    spec.sender_cookie = lane.local;
    spec.receiver_cookie = static_cast<std::uint32_t>(receiver.receivers.size());
    spec.rate_limit = route.rate_limit;
    workload.connections.push_back(spec);
    c.local = static_cast<std::uint32_t>(sender.senders.size());
    const SenderRow row{context_.next_sender_row[lane.host]++};
    sender.senders.push_back({row, route.from, route.to, route.traffic_class});
    receiver.receivers.push_back(
        {route.from, route.to, c.first_flow, c.messages, receiver.expected, route.traffic_class});
    receiver.expected += c.messages;
  }
}

/// Hands each lane's messages, which lie together, to the app of its host.
void FlowPlan::compile_messages(std::vector<FlowAppPlan>& plans) {
  std::size_t at = 0;
  for (std::uint32_t l = 0; l < lanes_.size(); ++l) {
    if (app_of_[lanes_[l].host] == UINT32_MAX) continue;
    FlowAppPlan& plan = plans[app_of_[lanes_[l].host]];
    FlowLane& lane = plan.lanes[lanes_[l].local];
    lane.next = static_cast<std::uint32_t>(plan.messages.size());
    for (; at < messages_.size() && connections_[messages_[at].connection].lane == l; ++at) {
      PlannedMessage message = messages_[at];
      message.connection = connections_[message.connection].local;
      plan.messages.push_back(message);
    }
    lane.end = static_cast<std::uint32_t>(plan.messages.size());
  }
}

std::uint32_t connection_entropy(const WorkloadContext& context, std::uint64_t connection) {
  return static_cast<std::uint32_t>(draw(context.seed, Purpose::Entropy, context.job, connection) >>
                                    32);
}

Time start_jitter(const WorkloadContext& context, Time most, std::uint64_t connection) {
  const std::uint64_t bits = draw(context.seed, Purpose::StartJitter, context.job, connection);
  return {static_cast<std::int64_t>(uniform_below(bits, static_cast<std::uint64_t>(most.ps) + 1))};
}

}  // namespace spineleaf
