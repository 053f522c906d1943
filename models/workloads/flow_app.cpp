#include "models/workloads/flow_app.hpp"

namespace spineleaf {

void FlowApp::start(HostServices& host) {
  acked_.assign(plan_.messages.size(), Time{-1});
  posted_.assign(plan_.messages.size(), false);
  received_.assign(plan_.expected, Time{-1});
  open_ = plan_.messages.size() + plan_.expected;
  if (open_ == 0) {
    host.done();
    return;
  }
  for (std::uint32_t lane = 0; lane < plan_.lanes.size(); ++lane) pump(host, lane);
}

void FlowApp::pump(HostServices& host, std::uint32_t lane_number) {
  FlowLane& lane = plan_.lanes[lane_number];
  while (lane.next < lane.end && lane.in_flight < lane.depth) {
    PlannedMessage& message = plan_.messages[lane.next];
    if (message.start > host.now()) {
      host.wake(lane_number, message.start);
      return;
    }
    message.start = host.now();
    posted_[lane.next] = true;
    ++lane.in_flight;
    const std::uint32_t tag = lane.next++;
    host.post(plan_.senders[message.connection].row, Bytes{message.bytes}, tag);
  }
}

void FlowApp::on_sent(HostServices& host, std::uint32_t cookie, std::uint32_t tag) {
  acked_[tag] = host.now();
  --plan_.lanes[cookie].in_flight;
  pump(host, cookie);
  count_done(host);
}

void FlowApp::on_received(HostServices& host, std::uint32_t cookie, std::uint32_t number, Bytes) {
  received_[plan_.receivers[cookie].first_slot + number] = host.now();
  count_done(host);
}

void FlowApp::count_done(HostServices& host) {
  if (--open_ == 0) host.done();
}

void FlowApp::collect(JobReport& report) const {
  for (std::size_t i = 0; i < plan_.messages.size(); ++i) {
    const PlannedMessage& message = plan_.messages[i];
    const FlowAppPlan::Sender& sender = plan_.senders[message.connection];
    const bool posted = !posted_.empty() && posted_[i];
    FlowRecord record;
    record.job = plan_.job;
    record.flow = message.flow;
    record.from = sender.from;
    record.to = sender.to;
    record.traffic_class = sender.traffic_class;
    record.bytes = Bytes{message.bytes};
    record.start = posted ? message.start : Time{-1};
    record.acked = posted ? acked_[i] : Time{-1};
    report.sender_flows.push_back(record);
  }
  for (const FlowAppPlan::Receiver& receiver : plan_.receivers) {
    for (std::uint32_t n = 0; n < receiver.messages; ++n) {
      FlowRecord record;
      record.job = plan_.job;
      record.flow = receiver.first_flow + n;
      record.from = receiver.from;
      record.to = receiver.to;
      record.traffic_class = receiver.traffic_class;
      record.received = received_.empty() ? Time{-1} : received_[receiver.first_slot + n];
      report.receiver_flows.push_back(record);
    }
  }
}

std::int64_t FlowApp::bytes_planned() const {
  std::int64_t bytes = 0;
  for (const PlannedMessage& message : plan_.messages) bytes += message.bytes;
  return bytes;
}

}  // namespace spineleaf
