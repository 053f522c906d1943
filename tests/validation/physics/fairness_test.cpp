// Who gets what where flows merge and lossless flow control pushes back: the victim and unfairness
// rows of DCQCN's testbed (Zhu et al., SIGCOMM 2015, figures 3 and 4), without rate control. Each
// merging switch port shares equally among its ingress ports, not among flows; a victim that shares
// a paused cable suffers though its own path is free.
//
// Two pods of two ToRs (T) and two leaves (L), two spines (S). Every flow's path is pinned.

#include <gtest/gtest.h>

#include "models/host/wire.hpp"
#include "sim/hash.hpp"
#include "tests/models/fabric/rig.hpp"

namespace spineleaf::fairness {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

struct Sender {
  std::vector<std::string> path;  ///< with both hosts
  double share;                   ///< of the line rate
};

struct Row {
  std::string_view name;
  std::vector<Sender> senders;
  double
      victim_on_own_vl;  ///< share of the victim (the last sender) with a VL of its own; 0 = none
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

// Senders a1..a4 on T1, the victim's pair v on T1 and w on T2, b1 and b2 on T3, receiver r and c4
// on T4.
const std::vector<std::string> kLeft{"T1", "L1", "S1", "L3", "T4", "r"};
const std::vector<std::string> kRight{"T1", "L2", "S2", "L4", "T4", "r"};

Sender sender(const std::string& host, const std::vector<std::string>& rest, double share) {
  Sender s{{host}, share};
  s.path.insert(s.path.end(), rest.begin(), rest.end());
  return s;
}

Sender victim(double share) { return {{"v", "T1", "L1", "T2", "w"}, share}; }

std::vector<Row> rows() {
  const auto four = [](double left, double right) {
    return std::vector<Sender>{sender("a1", kLeft, left), sender("a2", kLeft, left),
                               sender("a3", kRight, right), sender("a4", kRight, right)};
  };
  Row v0{"V0", four(1. / 4, 1. / 4), 1. / 2};
  v0.senders.push_back(victim(1. / 4));
  Row v1{"V1", four(1. / 8, 1. / 4), 3. / 4};
  v1.senders.push_back({{"b1", "T3", "L3", "T4", "r"}, 1. / 4});
  v1.senders.push_back(victim(1. / 8));
  Row v2{"V2", four(1. / 8, 1. / 8), 3. / 4};
  v2.senders.push_back({{"b1", "T3", "L3", "T4", "r"}, 1. / 4});
  v2.senders.push_back({{"b2", "T3", "L4", "T4", "r"}, 1. / 4});
  v2.senders.push_back(victim(1. / 8));
  const Sender u1_local{{"c4", "T4", "r"}, 1. / 2}, u2_local{{"c4", "T4", "r"}, 1. / 3};
  const Row u1{"U1",
               {sender("a1", kLeft, 1. / 6), sender("a2", kLeft, 1. / 6),
                sender("a3", kLeft, 1. / 6), u1_local},
               0};
  const Row u2{"U2",
               {sender("a1", kLeft, 1. / 6), sender("a2", kRight, 1. / 3),
                sender("a3", kLeft, 1. / 6), u2_local},
               0};
  return {v0, v1, v2, u1, u2};
}

Topology testbed(Rate rate, Time latency) {
  CustomSpec spec;
  const std::pair<const char*, const char*> host_cables[] = {
      {"a1", "T1"}, {"a2", "T1"}, {"a3", "T1"}, {"a4", "T1"}, {"v", "T1"},
      {"w", "T2"},  {"b1", "T3"}, {"b2", "T3"}, {"c4", "T4"}, {"r", "T4"}};
  const std::pair<const char*, const char*> cables[] = {
      {"T1", "L1"}, {"T1", "L2"}, {"T2", "L1"}, {"T2", "L2"}, {"T3", "L3"}, {"T3", "L4"},
      {"T4", "L3"}, {"T4", "L4"}, {"L1", "S1"}, {"L2", "S2"}, {"L3", "S1"}, {"L4", "S2"}};
  const auto connect = [&](const char* a, const char* b) {
    CustomLink link;
    link.a = a;
    link.b = b;
    link.rate = rate;
    link.latency = latency;
    spec.links.push_back(link);
  };
  for (const auto& [host, tor] : host_cables) spec.nodes.push_back({host});
  for (const char* s : {"T1", "T2", "T3", "T4", "L1", "L2", "L3", "L4", "S1", "S2"}) {
    spec.nodes.push_back({s, NodeKind::Switch});
  }
  for (const auto& [host, tor] : host_cables) connect(host, tor);
  for (const auto& [a, b] : cables) connect(a, b);
  return test::topology_of(build_custom(spec));
}

struct Conditions {
  ModelParams params;
  Rate rate;
  Time latency;
  Time from, to;  ///< measured
  bool victim_apart = false;
};

/// Wire rate of each sender as a share of the line.
std::vector<double> shares(const Row& row, const Conditions& given, std::uint64_t seed) {
  std::vector<FlowEntry> flows;
  for (const Sender& s : row.senders) {
    const auto start = static_cast<std::int64_t>(mix64(seed, flows.size()) % 5'000'000);
    flows.push_back(flow(s.path.front(), s.path.back(), INT64_C(1) << 40, Time{start}));
    flows.back().path = s.path;
  }
  if (given.victim_apart) flows.back().traffic_class = 1;
  Rig rig(testbed(given.rate, given.latency), given.params, flows, seed);
  std::vector<std::int64_t> before, after;
  const auto look = [&](std::vector<std::int64_t>& sent) {
    for (const Sender& s : row.senders) {
      sent.push_back(rig.ports_of(s.path.front()).packets_sent(0));
    }
  };
  rig.at(given.from, [&](Time) { look(before); });
  rig.at(given.to, [&](Time) { look(after); });
  rig.run(given.to + Time{1});
  EXPECT_EQ(rig.drops(), 0);
  const WireSizes sizes = wire_sizes(given.params.fabric.wire);
  const std::int64_t wire = given.params.fabric.mtu.count + sizes.header + sizes.gap;
  const double line =
      static_cast<double>(given.rate.bits_per_second) / 8 * (given.to - given.from).seconds();
  std::vector<double> result;
  for (std::size_t i = 0; i < before.size(); ++i) {
    result.push_back(static_cast<double>((after[i] - before[i]) * wire) / line);
  }
  return result;
}

void check(const Row& row, const Conditions& given, std::uint64_t seed) {
  const std::vector<double> got = shares(row, given, seed);
  for (std::size_t i = 0; i < got.size(); ++i) {
    double expected = row.senders[i].share;
    if (given.victim_apart && i + 1 == got.size()) expected = row.victim_on_own_vl;
    EXPECT_NEAR(got[i], expected, 0.03 * expected)
        << row.name << " sender " << row.senders[i].path.front() << " seed " << seed;
  }
}

class Fairness : public ::testing::TestWithParam<Row> {};

// 40G, every cable 1 us, XOFF at 100,000 B, XON 2,000 B below.
TEST_P(Fairness, PfcSharesByIngressPort) {
  Conditions given{wire_only("roce-400g", {{"pfc.alpha", "0"},
                                           {"pfc.xoff", "100KB"},
                                           {"pfc.xon_offset", "2KB"},
                                           {"pfc.cell", "1B"},
                                           {"fabric.mtu", "1000B"},
                                           {"fabric.fec", "0ns"},
                                           {"switch.core_latency", "0ns"},
                                           {"fabric.ack_class", "1"}}),
                   Rate::from_gbps(40), Time::from_us(1), Time::from_ms(5), Time::from_ms(20)};
  for (const std::uint64_t seed : {1U, 2U}) {
    given.params.sw.switching = seed == 2 ? Switching::CutThrough : Switching::StoreAndForward;
    check(GetParam(), given, seed);
  }
}

Conditions infiniband(std::string_view mode) {
  return {wire_only("ib-ndr", {{"credit.buffer", "64KiB"},
                               {"credit.mode", mode},
                               {"transport.ack_every", "1024"},
                               {"fabric.fec", "0ns"}}),
          Rate::from_gbps(400), Time::from_ns(50), Time::from_us(200), Time::from_us(1400)};
}

TEST_P(Fairness, CreditsShareByIngressPort) {
  check(GetParam(), infiniband("min_spacing"), 1);
  check(GetParam(), infiniband("immediate"), 2);
}

TEST_P(Fairness, VirtualOutputQueuesShareByIngressPortToo) {
  Conditions given = infiniband("min_spacing");
  given.params.sw.queue_order = QueueOrder::Voq;
  check(GetParam(), given, 1);
}

class VictimLane : public ::testing::TestWithParam<Row> {};

TEST_P(VictimLane, AVirtualLaneOfItsOwnFreesTheVictim) {
  Conditions given = infiniband("min_spacing");
  given.params.fabric.classes = 2;
  given.victim_apart = true;
  check(GetParam(), given, 3);
}

std::vector<Row> victim_rows() {
  std::vector<Row> found = rows();
  std::erase_if(found, [](const Row& row) { return row.victim_on_own_vl == 0; });
  return found;
}

std::string name_of(const ::testing::TestParamInfo<Row>& row) {
  return std::string(row.param.name);
}

INSTANTIATE_TEST_SUITE_P(, Fairness, ::testing::ValuesIn(rows()), name_of);
INSTANTIATE_TEST_SUITE_P(, VictimLane, ::testing::ValuesIn(victim_rows()), name_of);

}  // namespace
}  // namespace spineleaf::fairness
