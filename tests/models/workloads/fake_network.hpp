#pragma once
// An ideal network that runs a Workload without the packet engine: every NIC port sends at a fixed
// rate, round robin over its connections in quanta; whatever leaves arrives after a fixed latency.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <stdexcept>
#include <vector>

#include "models/host/app.hpp"

namespace spineleaf::fake {

struct NetworkParams {
  Rate rate{Rate::from_gbps(400)};  ///< payload rate of one NIC port
  Time latency{Time::from_us(3)};   ///< last byte sent to message visible; the ACK takes as long
  Bytes quantum{16384};
  std::uint64_t seed = 1;
};

/// What crossed the network, for tests.
struct Message {
  std::uint32_t connection = 0;
  Bytes bytes;
  Time posted;
  Time received{-1};
};

class Network {
 public:
  Network(const Topology& topology, Workload& workload, NetworkParams params)
      : topology_(topology), workload_(workload), params_(params) {
    connections_.resize(workload.connections.size());
    nics_.resize(topology.endpoints.size());
    hosts_.resize(topology.host_count);
    for (std::uint32_t h = 0; h < hosts_.size(); ++h) {
      hosts_[h].network = this;
      hosts_[h].host = h;
    }
    for (std::uint32_t i = 0; i < connections_.size(); ++i) {
      hosts_[from_host(i)].senders.push_back(i);
    }
    for (Workload::App& app : workload.apps) hosts_[app.host].app = app.app.get();
  }

  /// Runs until nothing happens any more or `limit` is passed.
  void run(Time limit = Time::max()) {
    for (Host& host : hosts_) {
      if (host.app != nullptr) host.app->start(host);
    }
    while (!events_.empty() && events_.top().at <= limit) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      ++event_count;
      handle(event);
    }
  }

  bool all_done() const {
    return std::all_of(hosts_.begin(), hosts_.end(),
                       [](const Host& h) { return h.app == nullptr || h.done_count == 1; });
  }
  JobReport report() const {
    JobReport report;
    for (const Workload::App& app : workload_.apps) app.app->collect(report);
    return report;
  }
  Time now() const { return now_; }
  /// Bytes sent from a NIC port so far.
  std::int64_t sent_by(EndpointId id) const { return nics_[index(id)].sent; }

  std::function<void(const Message&)> on_message;  ///< called when a message has been received
  std::uint64_t event_count = 0;

 private:
  enum class Kind : std::uint8_t { Wake, Nic, Arrive, Acked };
  struct Event {
    Time at;
    std::uint64_t order;
    Kind kind;
    std::uint32_t a, b;
    bool operator>(const Event& o) const { return at != o.at ? at > o.at : order > o.order; }
  };
  struct Queued {
    std::int64_t left;
    std::int64_t bytes;
    std::uint32_t tag;
    Time posted;
  };
  struct Connection {
    std::deque<Queued> waiting;
    std::deque<Queued> in_flight;
    std::deque<Queued> unacked;
    std::uint32_t received = 0;
    bool queued = false;
  };
  struct Nic {
    std::deque<std::uint32_t> ready;
    std::uint32_t sending = 0;
    bool busy = false;
    std::int64_t sent = 0;
  };
  struct Host final : HostServices {
    void aggregate(MemberRow, Bytes, std::uint32_t) override {
      throw std::logic_error("no switch aggregates here");
    }
    Network* network = nullptr;
    std::uint32_t host = 0;
    HostApp* app = nullptr;
    std::vector<std::uint32_t> senders;
    std::vector<Time> deadlines;
    int done_count = 0;

    Time now() const override { return network->now_; }
    std::uint64_t seed() const override { return network->params_.seed; }
    void post(SenderRow row, Bytes bytes, std::uint32_t tag) override {
      network->post(senders.at(static_cast<std::uint32_t>(row)), bytes, tag);
    }
    void wake(std::uint32_t row, Time at) override {
      if (row >= 65536 || at <= network->now_) throw std::logic_error("bad timer");
      if (row >= deadlines.size()) deadlines.resize(row + std::size_t{1}, Time{-1});
      deadlines[row] = at;
      network->push(at, Kind::Wake, host, row);
    }
    void done() override { ++done_count; }
  };

  std::uint32_t from_host(std::uint32_t connection) const {
    return index(topology_.endpoints[index(workload_.connections[connection].from)].host);
  }
  std::uint32_t to_host(std::uint32_t connection) const {
    return index(topology_.endpoints[index(workload_.connections[connection].to)].host);
  }
  void push(Time at, Kind kind, std::uint32_t a, std::uint32_t b) {
    events_.push({at, order_++, kind, a, b});
  }

  void post(std::uint32_t connection, Bytes bytes, std::uint32_t tag) {
    if (bytes.count < 1) throw std::logic_error("empty message");
    Connection& c = connections_[connection];
    c.waiting.push_back({bytes.count, bytes.count, tag, now_});
    const std::uint32_t nic = index(workload_.connections[connection].from);
    if (!c.queued) {
      c.queued = true;
      nics_[nic].ready.push_back(connection);
    }
    if (!nics_[nic].busy) send(nic);
  }

  void send(std::uint32_t number) {
    Nic& nic = nics_[number];
    if (nic.ready.empty()) return;
    nic.sending = nic.ready.front();
    nic.ready.pop_front();
    nic.busy = true;
    Queued& message = connections_[nic.sending].waiting.front();
    const Bytes part{std::min(message.left, params_.quantum.count)};
    message.left -= part.count;
    nic.sent += part.count;
    push(now_ + serialisation(part, params_.rate), Kind::Nic, number, 0);
  }

  void sent_part(std::uint32_t number) {
    Nic& nic = nics_[number];
    Connection& c = connections_[nic.sending];
    if (c.waiting.front().left == 0) {
      c.in_flight.push_back(c.waiting.front());
      c.waiting.pop_front();
      push(now_ + params_.latency, Kind::Arrive, nic.sending, 0);
    }
    c.queued = !c.waiting.empty();
    if (c.queued) nic.ready.push_back(nic.sending);
    nic.busy = false;
    send(number);
  }

  void handle(const Event& event) {
    switch (event.kind) {
      case Kind::Wake: {
        Host& host = hosts_[event.a];
        if (host.deadlines[event.b] != event.at) return;
        host.deadlines[event.b] = Time{-1};
        host.app->on_wake(host, event.b);
        return;
      }
      case Kind::Nic: sent_part(event.a); return;
      case Kind::Arrive: {
        Connection& c = connections_[event.a];
        const Queued message = c.in_flight.front();
        c.in_flight.pop_front();
        c.unacked.push_back(message);
        push(now_ + params_.latency, Kind::Acked, event.a, 0);
        if (on_message) on_message({event.a, Bytes{message.bytes}, message.posted, now_});
        Host& host = hosts_[to_host(event.a)];
        host.app->on_received(host, workload_.connections[event.a].receiver_cookie, c.received++,
                              Bytes{message.bytes});
        return;
      }
      case Kind::Acked: {
        Connection& c = connections_[event.a];
        const Queued message = c.unacked.front();
        c.unacked.pop_front();
        Host& host = hosts_[from_host(event.a)];
        host.app->on_sent(host, workload_.connections[event.a].sender_cookie, message.tag);
        return;
      }
    }
  }

  const Topology& topology_;
  Workload& workload_;
  NetworkParams params_;
  Time now_;
  std::uint64_t order_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Connection> connections_;
  std::vector<Nic> nics_;
  std::vector<Host> hosts_;
};

/// Hosts on one switch; NIC n of a host is its port n.
inline Topology star(std::uint32_t hosts, std::uint32_t nics, Rate rate = Rate::from_gbps(400)) {
  Topology topology;
  topology.name = "star";
  topology.host_count = hosts;
  for (std::uint32_t h = 0; h < hosts; ++h) {
    topology.nodes.push_back(
        {"host" + std::to_string(h), NodeKind::Host, 0, 0, 0, static_cast<std::uint16_t>(nics), 0});
  }
  topology.nodes.push_back(
      {"leaf0", NodeKind::Switch, 1, 0, 0, static_cast<std::uint16_t>(hosts * nics), 0});
  for (std::uint32_t h = 0; h < hosts; ++h) {
    for (std::uint32_t n = 0; n < nics; ++n) {
      const auto port = static_cast<std::uint16_t>(n);
      topology.endpoints.push_back({NodeId{h}, port, port});
      topology.cables.push_back({{NodeId{h}, port},
                                 {NodeId{hosts}, static_cast<std::uint16_t>(h * nics + n)},
                                 rate,
                                 Time::from_ns(10),
                                 0,
                                 0,
                                 true});
    }
  }
  return topology;
}

}  // namespace spineleaf::fake
