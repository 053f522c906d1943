// Messages of one connection: each is told to the receiving program once, in the order of posting,
// with its own size, whatever the packets meet on the way.

#include <gtest/gtest.h>

#include "sim/hash.hpp"
#include "tests/models/fabric/rig.hpp"

namespace spineleaf {
namespace {

using test::Rig;
using test::wire_only;

/// Posts `sizes` on connection row 0, a few at a time, and records what it is told.
class Sender final : public HostApp {
 public:
  explicit Sender(std::vector<std::int64_t> sizes) : sizes_(std::move(sizes)) {}

  void start(HostServices& host) override {
    for (int i = 0; i < 5; ++i) post(host);
  }
  void on_wake(HostServices&, std::uint32_t) override {}
  void on_sent(HostServices& host, std::uint32_t cookie, std::uint32_t tag) override {
    EXPECT_EQ(cookie, 11U);
    EXPECT_EQ(tag, 1000 + sent_) << "completions in order";
    if (++sent_ == sizes_.size()) return host.done();
    post(host);
  }
  void on_received(HostServices&, std::uint32_t, std::uint32_t, Bytes) override {
    ADD_FAILURE() << "nothing is sent to the sender";
  }
  void collect(JobReport&) const override {}
  std::int64_t bytes_planned() const override { return 0; }
  std::size_t sent() const { return sent_; }

 private:
  void post(HostServices& host) {
    if (posted_ == sizes_.size()) return;
    host.post(SenderRow{0}, Bytes{sizes_[posted_]}, static_cast<std::uint32_t>(1000 + posted_));
    ++posted_;
  }

  std::vector<std::int64_t> sizes_;
  std::size_t posted_ = 0;
  std::size_t sent_ = 0;
};

class Receiver final : public HostApp {
 public:
  explicit Receiver(std::size_t messages) : messages_(messages) {}

  void start(HostServices&) override {}
  void on_wake(HostServices&, std::uint32_t) override {}
  void on_sent(HostServices&, std::uint32_t, std::uint32_t) override {}
  void on_received(HostServices& host, std::uint32_t cookie, std::uint32_t number,
                   Bytes bytes) override {
    EXPECT_EQ(cookie, 22U);
    EXPECT_EQ(number, sizes.size()) << "numbered in order";
    sizes.push_back(bytes.count);
    if (sizes.size() == messages_) host.done();
  }
  void collect(JobReport&) const override {}
  std::int64_t bytes_planned() const override { return 0; }

  std::vector<std::int64_t> sizes;

 private:
  std::size_t messages_;
};

struct Run {
  std::vector<std::int64_t> posted, received;
  std::size_t acknowledged = 0;
  std::int64_t drops = 0;
  HostCounters receiver;
};

/// One connection over a fat tree, beside it a flap of the sender's cable if wanted.
Run run(const ModelParams& params, std::uint64_t seed, bool flap) {
  Run result;
  for (std::uint64_t i = 0; i < 200; ++i) {
    // Many of one packet, some at and around whole packets, some long.
    const std::uint64_t bits = mix64(seed, i);
    const auto mtu = static_cast<std::uint64_t>(params.fabric.mtu.count);
    const std::uint64_t size = bits % 4 == 0   ? 1 + bits % 100
                               : bits % 4 == 1 ? mtu * (1 + bits / 4 % 3)
                               : bits % 4 == 2 ? mtu + bits / 4 % 3 - 1
                                               : 1 + bits / 4 % 60'000;
    result.posted.push_back(static_cast<std::int64_t>(size));
  }
  auto sender = std::make_unique<Sender>(result.posted);
  auto receiver = std::make_unique<Receiver>(result.posted.size());
  const Sender* sent = sender.get();
  const Receiver* got = receiver.get();
  Workload workload;
  ConnectionSpec connection;
  connection.from = EndpointId{0};
  connection.to = EndpointId{7};
  connection.sender_cookie = 11;
  connection.receiver_cookie = 22;
  workload.connections.push_back(connection);
  workload.apps.push_back({0, std::move(sender)});
  workload.apps.push_back({7, std::move(receiver)});
  Rig rig(test::topology_of(build_topology("fat_tree", {{"hosts", 8}, {"radix", 4}})), params,
          std::move(workload), seed);
  for (std::int64_t k = 0; flap && k < 4; ++k) {
    rig.set_cable(Time::from_us(3 + 15 * k), "host0", "leaf0", false);
    rig.set_cable(Time::from_us(4 + 15 * k), "host0", "leaf0", true);
  }
  rig.run();
  result.received = got->sizes;
  result.acknowledged = sent->sent();
  result.drops = rig.drops();
  result.receiver = rig.fabric().hosts[7]->counters();
  return result;
}

void check(const ModelParams& params, bool flap) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Run result = run(params, seed, flap);
    EXPECT_EQ(result.received, result.posted);
    EXPECT_EQ(result.acknowledged, result.posted.size());
    EXPECT_EQ(result.drops > 0, flap);
    // Byte for byte the same, whether counted packet by packet or message by message.
    EXPECT_EQ(result.receiver.payload_accepted, result.receiver.payload_delivered);
  }
}

TEST(Messages, ArriveOnceInOrderAndWholeOnOnePath) {
  check(wire_only("roce-400g"), false);
  check(wire_only("ib-ndr"), false);
  check(wire_only("ns3-hpcc"), false);
}

TEST(Messages, ArriveOnceInOrderAndWholeWhenPacketsOvertake) {
  for (const std::string_view rule : {"spray", "adaptive"}) {
    for (const std::string_view immediate : {"true", "false"}) {
      check(wire_only("ib-ndr", {{"switch.forwarding", rule}, {"transport.immediate", immediate}}),
            false);
      check(
          wire_only("roce-400g", {{"switch.forwarding", rule}, {"transport.immediate", immediate}}),
          false);
    }
  }
}

TEST(Messages, ArriveOnceInOrderAndWholeThroughLoss) {
  for (const std::string_view recovery : {"go_back_n", "selective_repeat"}) {
    for (const std::string_view rule : {"ecmp", "spray"}) {
      check(wire_only("roce-400g", {{"transport.recovery", recovery},
                                    {"switch.forwarding", rule},
                                    {"transport.timeout", "40us"},
                                    {"transport.nak_interval", "10us"}}),
            true);
    }
  }
}

}  // namespace
}  // namespace spineleaf
