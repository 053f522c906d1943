// The ring on the ideal network: data flow, bytes per edge, closed form, limits, determinism.

#include "models/collectives/schedule_app.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "models/workloads/collective.hpp"
#include "tests/models/workloads/workload_case.hpp"

namespace spineleaf::fake {
namespace {

/// Carries the set of ranks whose data each slice holds, and checks what every rank ends with.
struct SymbolicRing {
  RingShape shape;
  Communicator communicator{};
  std::map<std::tuple<std::uint32_t, std::uint32_t>, std::deque<std::pair<std::uint64_t, Time>>>
      edges;                                       ///< by (channel, receiving rank)
  std::map<std::uint32_t, std::int64_t> complete;  ///< by rank: bytes with every contribution
  std::int64_t steps = 0;

  std::uint64_t everybody() const { return (1ULL << shape.ranks) - 1; }
  void step(const ScheduleStep& s) {
    ++steps;
    const bool sends = s.chunk.outs > 0;
    const bool receives = s.chunk.ins > 0;
    const bool gather = shape.collective == Collective::AllGather;
    const std::uint32_t at = communicator.ring_position(s.place.rank, s.place.channel);
    const std::uint32_t chunk = shape.chunk_at(at, s.cursor.operation);
    std::uint64_t held = 1ULL << at;
    if (receives) {
      auto& queue = edges[{s.place.channel, at}];
      ASSERT_FALSE(queue.empty());
      const auto [set, sent_at] = queue.front();
      queue.pop_front();
      // With LL a step begins with its input's first flag and ends after its last.
      EXPECT_GE(shape.protocol == Protocol::Ll ? s.finish : s.start, sent_at);
      // Reducing steps add their own data once; copying steps pass on a complete slice.
      if (gather || s.cursor.operation > shape.ranks - 1) {
        EXPECT_EQ(set, gather ? 1ULL << chunk : everybody());
        held = set;
      } else {
        EXPECT_EQ(set & held, 0U);
        held |= set;
      }
    }
    const bool finished = gather || held == everybody();
    if (finished) complete[at] += s.bytes;
    if (sends) edges[{s.place.channel, (at + 1) % shape.ranks}].push_back({held, s.finish});
  }
};

struct RingCase {
  Case c;
  CollectiveParams params{};
  SymbolicRing ring;

  explicit RingCase(std::uint32_t nodes, std::uint32_t nics, std::int64_t gpus) {
    c.topology = star(nodes, nics);
    c.params.host.gpus = gpus;
    params.bytes = Bytes{3'000'000};
    params.channels = 4;
  }
  void build() {
    params.observer = {[](void* context, const ScheduleStep& step) {
                         static_cast<SymbolicRing*>(context)->step(step);
                       },
                       &ring};
    ring.shape =
        make_ring_shape(params.collective, params.protocol, ranks(), c.params.host, params.costs);
    const std::uint32_t nodes = c.topology.host_count;
    const auto nics = static_cast<std::uint32_t>(c.topology.endpoints.size()) / nodes;
    ring.communicator = {nodes, ranks() / nodes, std::vector<std::uint32_t>(nodes, nics)};
    c.build(kind_named("collective"), &params);
    ASSERT_EQ(c.workload.problems, std::vector<std::string>{});
  }
  std::uint32_t ranks() const {
    return c.topology.host_count * static_cast<std::uint32_t>(c.params.host.gpus);
  }
  JobReport run(NetworkParams network = {}) {
    build();
    Network net(c.topology, c.workload, network);
    net.run();
    EXPECT_TRUE(net.all_done());
    for (const auto& [key, queue] : ring.edges) EXPECT_TRUE(queue.empty());
    return net.report();
  }
};

TEST(Ring, EveryRankEndsWithEveryContribution) {
  for (const auto& [nodes, nics, gpus] :
       {std::tuple{2U, 8U, 8}, {3U, 2U, 4}, {4U, 1U, 1}, {2U, 4U, 2}, {1U, 1U, 8}}) {
    for (const Collective collective :
         {Collective::AllReduce, Collective::AllGather, Collective::ReduceScatter}) {
      for (const Protocol protocol : {Protocol::Simple, Protocol::Ll128, Protocol::Ll}) {
        RingCase r(nodes, nics, gpus);
        r.params.collective = collective;
        r.params.protocol = protocol;
        r.params.qps_per_connection = 3;
        r.params.bytes = Bytes{50'000'003};
        r.run();
        const std::int64_t part = r.params.bytes.count / r.ranks();
        std::int64_t expected = r.params.bytes.count;
        if (collective == Collective::AllGather) expected = part * r.ranks();
        if (collective == Collective::ReduceScatter) expected = part;
        for (std::uint32_t rank = 0; rank < r.ranks(); ++rank) {
          EXPECT_EQ(r.ring.complete[rank], expected) << rank;
        }
      }
    }
  }
}

TEST(Ring, ChannelsStayOnTheirRail) {
  RingCase r(3, 8, 8);
  r.params.channels = 16;
  r.params.qps_per_connection = 2;
  r.params.bytes = Bytes{16 << 20};
  r.build();
  const Workload& workload = r.c.workload;
  // Per host and channel: two data connections onwards, one clear-to-send connection back.
  EXPECT_EQ(workload.connections.size(), 3U * 16 * 3);
  EXPECT_EQ(r.c.next_sender_row, (std::vector<std::uint32_t>(3, 48)));
  for (const ConnectionSpec& spec : workload.connections) {
    const Endpoint& from = r.c.topology.endpoints[index(spec.from)];
    const Endpoint& to = r.c.topology.endpoints[index(spec.to)];
    const bool clear = (spec.receiver_cookie & kClearToSendCookie) != 0;
    // Inputs and outputs are numbered GPU by GPU: 16 channels each.
    const std::uint32_t channel =
        (clear ? spec.receiver_cookie & ~kClearToSendCookie : spec.receiver_cookie / 2) % 16;
    EXPECT_EQ(from.nic, channel % 8);
    EXPECT_EQ(to.nic, channel % 8);
    EXPECT_EQ((index(from.host) + (clear ? 2U : 1U)) % 3, index(to.host));
  }
}

struct EdgeBytes {
  std::map<std::uint32_t, std::int64_t> data;  ///< by connection
  std::map<std::uint32_t, std::int64_t> clears;
};

EdgeBytes count_bytes(RingCase& r) {
  EdgeBytes bytes;
  r.build();
  Network net(r.c.topology, r.c.workload, {});
  net.on_message = [&](const Message& m) {
    const bool clear =
        (r.c.workload.connections[m.connection].receiver_cookie & kClearToSendCookie) != 0;
    (clear ? bytes.clears : bytes.data)[m.connection] += m.bytes.count;
  };
  net.run();
  EXPECT_TRUE(net.all_done());
  std::int64_t planned = 0, sent = 0;
  for (const Workload::App& app : r.c.workload.apps) planned += app.app->bytes_planned();
  for (const auto& [connection, count] : bytes.data) sent += count;
  EXPECT_EQ(planned, sent);
  return bytes;
}

TEST(Ring, EdgesCarryExactlyTheirShare) {
  RingCase r(2, 8, 8);
  r.params.channels = 8;
  r.params.bytes = Bytes{512 << 20};
  for (const auto& [connection, bytes] : count_bytes(r).data) {
    EXPECT_EQ(bytes, (512LL << 20) / 8 * 2 * 15 / 16);
  }
  RingCase gather(2, 8, 8);
  gather.params.collective = Collective::AllGather;
  gather.params.channels = 8;
  gather.params.bytes = Bytes{512 << 20};
  for (const auto& [connection, bytes] : count_bytes(gather).data) {
    EXPECT_EQ(bytes, (512LL << 20) / 8 * 15 / 16);
  }
}

TEST(Ring, EveryMessageHasOneClearToSend) {
  RingCase r(2, 1, 2);
  r.params.channels = 1;
  r.params.bytes = Bytes{64 << 20};  // 8 loops of 4 ranks x 2 MiB, 2 slices a chunk
  const EdgeBytes bytes = count_bytes(r);
  EXPECT_EQ(bytes.clears.size(), 2U);
  for (const auto& [connection, count] : bytes.clears) EXPECT_EQ(count, 8 * 6 * 2 * 64);
}

TEST(Ring, Ll128SendsItsFlags) {
  RingCase simple(2, 1, 1), ll128(2, 1, 1);
  for (RingCase* r : {&simple, &ll128}) {
    r->params.channels = 1;
    r->params.bytes = Bytes{2 * 576'000 * 4};
  }
  ll128.params.protocol = Protocol::Ll128;
  const auto plain = count_bytes(simple).data, flagged = count_bytes(ll128).data;
  for (const auto& [connection, count] : plain) {
    EXPECT_EQ(count * 128, flagged.at(connection) * 120);
  }
}

TEST(Ring, MatchesTheClosedFormWithoutOverheads) {
  for (const std::uint32_t nodes : {2U, 4U, 7U}) {
    for (const Collective collective :
         {Collective::AllReduce, Collective::AllGather, Collective::ReduceScatter}) {
      for (const std::int64_t bytes : {1LL << 16, 1LL << 20, 8LL << 20}) {
        RingCase r(nodes, 1, 1);
        HostParams& host = r.c.params.host;
        host.channel_rate = kMaxRate;
        host.step_overhead = host.intra_hop = Time{0};
        host.launch = Time::from_us(5);  // hides the first clear-to-send, which the formula lacks
        host.proxy_send = host.proxy_receive = host.clear_to_send = Time{0};
        host.slice_steps = host.chunk_steps = 4;  // one message per chunk and one loop, as the
        host.buffer = Bytes{64 << 20};            // formula has it
        r.params.collective = collective;
        r.params.channels = 1;
        r.params.bytes = Bytes{bytes};
        const JobReport report = r.run();
        const Time expected = host.launch + ring_cost(collective, nodes, r.params.bytes,
                                                      Time::from_us(3), Rate::from_gbps(400));
        for (const CollectiveRecord& record : report.collectives) {
          EXPECT_NEAR((record.end - record.start).microseconds(), expected.microseconds(),
                      0.01 * expected.microseconds())
              << nodes << " " << bytes;
        }
      }
    }
  }
}

TEST(Ring, IterationsRunBackToBackAndWarmUpLeavesNoRecord) {
  RingCase r(2, 2, 2);
  r.params.iterations = 3;
  r.params.warm_up = 2;
  r.params.start = Time::from_us(50);
  const JobReport report = r.run();
  ASSERT_EQ(report.collectives.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const CollectiveRecord& record = report.collectives[i];
    EXPECT_EQ(record.host, i / 3);
    EXPECT_EQ(record.iteration, i % 3);
    EXPECT_EQ(record.collective, "all_reduce");
    EXPECT_EQ(record.algorithm, "ring");
    EXPECT_EQ(record.protocol, "simple");
    EXPECT_EQ(record.channels, 4);
    EXPECT_EQ(record.ranks, 4);
    EXPECT_LT(record.start, record.end);
    if (i % 3 > 0) {
      EXPECT_EQ(record.start, report.collectives[i - 1].end);
      // Once the pipeline runs, iterations take equally long.
      EXPECT_NEAR((record.end - record.start).microseconds(),
                  (report.collectives[1].end - report.collectives[1].start).microseconds(), 5);
    }
  }
  EXPECT_GT(report.collectives[0].start, Time::from_us(50));
}

TEST(Ring, AnUnfinishedIterationIsReportedAsSuch) {
  RingCase r(2, 2, 2);
  r.params.iterations = 100;
  r.build();
  Network net(r.c.topology, r.c.workload, {});
  net.run(Time::from_us(1000));
  EXPECT_FALSE(net.all_done());
  const JobReport report = net.report();
  EXPECT_EQ(report.collectives.back().end, Time{-1});
  EXPECT_GE(report.collectives.back().start.ps, 0);
}

TEST(Ring, NoiseFollowsTheSeedAndSlowsDown) {
  const auto end = [](Time noise, std::uint64_t seed) {
    RingCase r(2, 8, 8);
    r.c.params.host.noise = noise;
    return r.run({.seed = seed}).collectives[0].end;
  };
  EXPECT_EQ(end(Time{0}, 1), end(Time{0}, 2));
  EXPECT_EQ(end(Time::from_us(2), 1), end(Time::from_us(2), 1));
  EXPECT_NE(end(Time::from_us(2), 1), end(Time::from_us(2), 2));
  EXPECT_GT(end(Time::from_us(2), 1), end(Time{0}, 1));
}

TEST(Ring, MemoryFollowsWhatIsInFlight) {
  RingCase r(2, 8, 8);
  r.params.bytes = Bytes{8LL << 30};
  r.params.channels = 24;
  r.build();
  std::size_t bytes = 0;
  for (const Workload::App& app : r.c.workload.apps) {
    bytes += static_cast<const ScheduleApp*>(app.app.get())->memory_bytes();
  }
  EXPECT_LT(bytes, 200'000U);
}

TEST(Ring, NvlinkIsSharedByTheChannelsOfAGpu) {
  const auto time = [](double efficiency) {
    RingCase r(1, 1, 8);
    r.c.params.host.nvlink_efficiency = efficiency;
    r.params.channels = 24;
    r.params.bytes = Bytes{1LL << 30};
    return r.run().collectives[0].end.microseconds();
  };
  // 24 channels of 21.3 GB/s need 511 of 450 GB/s: the link decides.
  EXPECT_NEAR(time(0.5) / time(1.0), 2.0, 0.1);
  RingCase few(1, 1, 8);
  few.c.params.host.nvlink_efficiency = 0.5;
  RingCase few_fast(1, 1, 8);
  few_fast.c.params.host.nvlink_efficiency = 1.0;
  EXPECT_EQ(few.run().collectives[0].end, few_fast.run().collectives[0].end);
}

TEST(Ring, ImpossibleCollectivesAreRefused) {
  const auto problems = [](auto change) {
    RingCase r(2, 1, 2);
    change(r);
    r.c.build(kind_named("collective"), &r.params);
    return r.c.workload.problems.size();
  };
  EXPECT_EQ(problems([](RingCase&) {}), 0U);
  EXPECT_EQ(problems([](RingCase& r) { r.c.params.host.slice_steps = 3; }), 1U);
  EXPECT_EQ(problems([](RingCase& r) { r.params.hosts = "host7"; }), 2U);
  EXPECT_EQ(problems([](RingCase& r) { r.params.traffic_class = 9; }), 1U);
  EXPECT_EQ(problems([](RingCase& r) {
              r.params.collective = Collective::AllGather;
              r.params.bytes = Bytes{3};
            }),
            1U);
  EXPECT_EQ(problems([](RingCase& r) {
              r.params.hosts = "host1";
              r.c.params.host.gpus = 1;
            }),
            1U);
}

TEST(Ring, HostsMayBeListedInAnyRingOrder) {
  RingCase r(4, 1, 2);
  r.params.hosts = "host3,host0,host2";
  r.c.params.host.gpus = 2;
  r.params.observer = {};
  r.c.build(kind_named("collective"), &r.params);
  ASSERT_EQ(r.c.workload.apps.size(), 3U);
  EXPECT_EQ(r.c.workload.apps[0].host, 0U);
  EXPECT_EQ(r.c.workload.apps[1].host, 2U);
  EXPECT_EQ(r.c.workload.apps[2].host, 3U);
  Network net(r.c.topology, r.c.workload, {});
  net.run();
  EXPECT_TRUE(net.all_done());
}

}  // namespace
}  // namespace spineleaf::fake
