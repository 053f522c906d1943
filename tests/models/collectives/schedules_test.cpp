// Every schedule moves what its collective promises: by the oracle, which knows nothing of time.

#include <numeric>
#include <tuple>

#include "models/collectives/binary_tree.hpp"
#include "tests/models/collectives/schedule_oracle.hpp"

namespace spineleaf {
namespace {

ScheduleQuery query_of(std::uint32_t nodes, std::uint32_t gpus, std::uint32_t nics,
                       std::int64_t bytes) {
  ScheduleQuery query;
  query.communicator = {nodes, gpus, std::vector<std::uint32_t>(nodes, nics)};
  query.channels = nodes > 1 ? 2 * nics : 4;
  query.bytes = bytes;
  query.host = default_model_params().host;
  return query;
}

constexpr std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> kShapes[] = {
    {1, 2, 1}, {1, 8, 4}, {2, 1, 1}, {2, 4, 4}, {3, 2, 1}, {4, 4, 2}, {5, 3, 3}, {7, 1, 1}};

void expect_all_reduce(const Schedule& schedule, std::int64_t bytes) {
  expect_links_match(schedule);
  const ScheduleOutcome outcome = run_schedule(schedule);
  EXPECT_TRUE(outcome.complete);
  const std::uint32_t ranks = schedule.communicator().ranks();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    expect_kept(outcome, rank, 0, bytes, std::vector<int>(ranks, 1));
  }
}

TEST(Schedules, AllReduceCombinesEachRankOnce) {
  for (const auto& [nodes, gpus, nics] : kShapes) {
    for (const Protocol protocol : {Protocol::Simple, Protocol::Ll128, Protocol::Ll}) {
      for (const std::int64_t bytes : {4LL, 100'004LL, 9'000'000LL}) {
        ScheduleQuery query = query_of(nodes, gpus, nics, bytes);
        query.protocol = protocol;
        expect_all_reduce(*make_ring_schedule(query), bytes);
        expect_all_reduce(*make_tree_schedule(query), bytes);
      }
    }
  }
}

TEST(Schedules, GatherAndScatterOfARingKeepTheirParts) {
  for (const auto& [nodes, gpus, nics] : kShapes) {
    ScheduleQuery query = query_of(nodes, gpus, nics, 0);
    const std::uint32_t ranks = query.communicator.ranks();
    const std::int64_t part = 3'000'004;
    query.bytes = part * ranks;
    query.collective = Collective::AllGather;
    const ScheduleOutcome gathered = run_schedule(*make_ring_schedule(query));
    query.collective = Collective::ReduceScatter;
    const ScheduleOutcome scattered = run_schedule(*make_ring_schedule(query));
    EXPECT_TRUE(gathered.complete && scattered.complete);
    // Parts are numbered by place in the channel's ring: whose data a part holds says which.
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      std::vector<std::int64_t> from(ranks, 0);
      for (const Piece& piece : gathered.kept[rank]) {
        EXPECT_EQ(std::accumulate(piece.parts.begin(), piece.parts.end(), 0), 1);
        for (std::uint32_t r = 0; r < ranks; ++r) from[r] += piece.parts[r] * piece.bytes;
      }
      EXPECT_EQ(from, std::vector<std::int64_t>(ranks, part));
      std::int64_t own = 0;
      for (const Piece& piece : scattered.kept[rank]) {
        EXPECT_EQ(piece.parts, std::vector<int>(ranks, 1));
        own += piece.bytes;
      }
      EXPECT_EQ(own, part);
    }
  }
}

TEST(Schedules, BroadcastAndReduceHaveAnyRoot) {
  for (const auto& [nodes, gpus, nics] : kShapes) {
    ScheduleQuery query = query_of(nodes, gpus, nics, 5'000'004);
    const std::uint32_t ranks = query.communicator.ranks();
    for (query.root = 0; query.root < ranks; ++query.root) {
      query.collective = Collective::Broadcast;
      const auto broadcast = make_chain_schedule(query);
      expect_links_match(*broadcast);
      const ScheduleOutcome spread = run_schedule(*broadcast);
      EXPECT_TRUE(spread.complete);
      std::vector<int> root_only(ranks, 0);
      root_only[query.root] = 1;
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        expect_kept(spread, rank, 0, query.bytes, root_only);
      }
      query.collective = Collective::Reduce;
      const ScheduleOutcome reduced = run_schedule(*make_chain_schedule(query));
      EXPECT_TRUE(reduced.complete);
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        if (rank != query.root) {
          EXPECT_TRUE(reduced.kept[rank].empty());
        }
      }
      expect_kept(reduced, query.root, 0, query.bytes, std::vector<int>(ranks, 1));
    }
  }
}

TEST(Schedules, NvlsCombinesEachRankOnce) {
  for (const std::int64_t bytes : {4LL, 100'004LL, 9'000'000LL}) {
    for (const auto& [nodes, gpus, nics] : kShapes) {
      expect_all_reduce(*make_nvls_schedule(query_of(nodes, gpus, nics, bytes)), bytes);
    }
  }
}

TEST(Schedules, SwitchesCombineEachRankOnceAndEachNicCarriesItsPart) {
  for (const std::int64_t bytes : {4LL, 100'004LL, 9'000'000LL}) {
    for (const auto& [nodes, gpus, nics] : kShapes) {
      if (nodes < 2) continue;
      const ScheduleQuery query = query_of(nodes, gpus, nics, bytes);
      for (const auto& schedule :
           {make_nvls_sharp_schedule(query), make_collnet_direct_schedule(query),
            make_collnet_chain_schedule(query)}) {
        EXPECT_TRUE(schedule->aggregates());
        expect_all_reduce(*schedule, bytes);
        const ScheduleOutcome outcome = run_schedule(*schedule);
        std::vector<std::int64_t> up(nodes, 0);
        for (const auto& [at, sent] : outcome.over_network) up[std::get<0>(at)] += sent;
        EXPECT_EQ(up, std::vector<std::int64_t>(nodes, bytes)) << schedule->algorithm();
      }
    }
  }
}

TEST(Schedules, NvlsGathersAndScattersInsideANode) {
  ScheduleQuery query = query_of(1, 8, 4, 8 * 1'000'004);
  query.collective = Collective::AllGather;
  const auto gather = make_nvls_schedule(query);
  expect_links_match(*gather);
  const ScheduleOutcome gathered = run_schedule(*gather);
  query.collective = Collective::ReduceScatter;
  const auto scatter = make_nvls_schedule(query);
  expect_links_match(*scatter);
  const ScheduleOutcome scattered = run_schedule(*scatter);
  EXPECT_TRUE(gathered.complete && scattered.complete);
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    expect_kept(scattered, rank, rank * 1'000'004LL, 1'000'004, std::vector<int>(8, 1));
    for (std::uint32_t from = 0; from < 8; ++from) {
      std::vector<int> only(8, 0);
      only[from] = 1;
      expect_kept(gathered, rank, from * 1'000'004LL, 1'000'004, only);
    }
  }
}

std::vector<int> only(std::uint32_t rank, std::uint32_t ranks) {
  std::vector<int> out(ranks, 0);
  out[rank] = 1;
  return out;
}

TEST(Schedules, PeersGetTheirMessages) {
  for (const auto& [nodes, gpus, nics] : kShapes) {
    for (const std::int64_t message : {1000LL, 300'004LL, 3'000'000LL}) {
      ScheduleQuery query = query_of(nodes, gpus, nics, 0);
      const std::uint32_t ranks = query.communicator.ranks();
      query.bytes = message * ranks;
      query.channels_per_peer = 2;
      query.root = ranks - 1;
      query.collective = Collective::AllToAll;
      const auto all = make_peer_schedule(query);
      expect_links_match(*all);
      const ScheduleOutcome exchanged = run_schedule(*all);
      query.collective = Collective::Gather;
      const ScheduleOutcome gathered = run_schedule(*make_peer_schedule(query));
      query.collective = Collective::Scatter;
      const ScheduleOutcome scattered = run_schedule(*make_peer_schedule(query));
      query.collective = Collective::SendRecv;
      query.bytes = message;
      const auto pairs = make_peer_schedule(query);
      expect_links_match(*pairs);
      const ScheduleOutcome passed = run_schedule(*pairs);
      EXPECT_TRUE(exchanged.complete && gathered.complete && scattered.complete && passed.complete);
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (std::uint32_t from = 0; from < ranks; ++from) {
          expect_kept(exchanged, rank, from * message, message, only(from, ranks));
          if (rank == query.root) {
            expect_kept(gathered, rank, from * message, message, only(from, ranks));
          }
        }
        EXPECT_TRUE(rank == query.root || gathered.kept[rank].empty());
        expect_kept(scattered, rank, 0, message, only(query.root, ranks));
        expect_kept(passed, rank, 0, message, only((rank + ranks - 1) % ranks, ranks));
      }
    }
  }
}

/// With PXN a message leaves on the rail of the GPU that it is for; every NIC sends as much.
TEST(Schedules, AllToAllBytesOfEveryNic) {
  for (const bool pxn : {true, false}) {
    ScheduleQuery query = query_of(4, 8, 8, 0);
    query.collective = Collective::AllToAll;
    query.bytes = 32LL << 20;
    query.channels_per_peer = 2;
    query.pxn = pxn;
    const auto schedule = make_peer_schedule(query);
    const ScheduleOutcome outcome = run_schedule(*schedule);
    EXPECT_EQ(outcome.over_network.size(), 32U);
    for (const auto& [key, bytes] : outcome.over_network) EXPECT_EQ(bytes, 24LL << 20);
    for (std::uint32_t rank = 0; rank < 32; ++rank) {
      for (std::uint32_t role = 0; role < schedule->roles(); role += 2) {
        for (const Peer& peer : schedule->links({rank, 0, role}).out) {
          if (peer.place.rank / 8 == rank / 8) continue;
          EXPECT_EQ(peer.from_nic, pxn ? peer.place.rank % 8 : rank % 8);
          EXPECT_EQ(peer.to_nic, peer.place.rank % 8);
          EXPECT_EQ(peer.proxy, peer.from_nic);
        }
      }
    }
  }
}

TEST(Schedules, ChannelsToAPeerFollowNcclsRule) {
  const Rate ndr = Rate::from_gbps(400);
  EXPECT_EQ(default_channels_per_peer(2, 16, 16, ndr), 4U);
  EXPECT_EQ(default_channels_per_peer(2, 16, 16, Rate::from_gbps(200)), 2U);
  EXPECT_EQ(default_channels_per_peer(2, 16, 16, Rate::from_gbps(100)), 2U);
  EXPECT_EQ(default_channels_per_peer(8, 64, 16, ndr), 2U);
  EXPECT_EQ(default_channels_per_peer(128, 1024, 16, ndr), 1U);
  EXPECT_EQ(default_channels_per_peer(1, 8, 32, ndr), 32U);
}

TEST(Schedules, TotalsOfALinkAreWhatTheProgramSends) {
  for (const auto& [nodes, gpus, nics] : kShapes) {
    const ScheduleQuery query = query_of(nodes, gpus, nics, 70'000'004);
    ScheduleQuery peers = query;
    peers.collective = Collective::AllToAll;
    peers.channels_per_peer = 2;
    for (const auto& schedule : {make_ring_schedule(query), make_tree_schedule(query),
                                 make_nvls_schedule(query), make_peer_schedule(peers)}) {
      for (std::uint32_t rank = 0; rank < query.communicator.ranks(); ++rank) {
        for (std::uint32_t role = 0; role < schedule->roles(); ++role) {
          const MachineId place{rank, 0, role};
          for (std::uint32_t port = 0; port < schedule->links(place).out.size(); ++port) {
            const LinkTotals told = schedule->sends(place, port);
            const LinkTotals walked = schedule->Schedule::sends(place, port);
            EXPECT_EQ(told.messages, walked.messages);
            EXPECT_EQ(told.payload, walked.payload);
            EXPECT_EQ(told.wire, walked.wire);
          }
        }
      }
    }
  }
}

TEST(DoubleTree, ParentsAndChildrenAgreeAndNobodyIsInsideBoth) {
  for (std::uint32_t nodes = 1; nodes <= 130; ++nodes) {
    std::vector<int> inner(nodes, 0);
    for (std::uint32_t tree = 0; tree < 2; ++tree) {
      std::uint32_t roots = 0, edges = 0;
      for (std::uint32_t node = 0; node < nodes; ++node) {
        const TreeNode at = double_tree(tree, nodes, node);
        if (at.parent == kNoNode) ++roots;
        bool children = false;
        for (const std::uint32_t child : at.children) {
          if (child == kNoNode) continue;
          ASSERT_LT(child, nodes);
          EXPECT_EQ(double_tree(tree, nodes, child).parent, node);
          children = true;
          ++edges;
        }
        if (children && at.parent != kNoNode) ++inner[node];
      }
      EXPECT_EQ(roots, 1U);
      EXPECT_EQ(edges, nodes - 1);
    }
    for (std::uint32_t node = 0; node < nodes; ++node) EXPECT_LE(inner[node], 1) << nodes;
  }
  EXPECT_EQ(tree_depth(1), 0U);
  EXPECT_EQ(tree_depth(2), 1U);
  EXPECT_EQ(tree_depth(4), 2U);
  EXPECT_EQ(tree_depth(128), 7U);
}

/// A Tree puts all data on the wire once up and once down for every node but the root.
TEST(Schedules, TreeBytesOfEveryNode) {
  for (const std::uint32_t nodes : {2U, 4U, 7U}) {
    const ScheduleQuery query = query_of(nodes, 4, 4, 64 << 20);
    const auto schedule = make_tree_schedule(query);
    const ScheduleOutcome outcome = run_schedule(*schedule);
    std::vector<std::int64_t> by_nic(std::size_t{nodes} * 4, 0);
    for (const auto& [key, bytes] : outcome.over_network) {
      by_nic[std::get<0>(key) * 4 + std::get<1>(key)] += bytes;
    }
    // 8 channels, 4 of each tree, two a NIC.
    const std::int64_t share = query.bytes / 8;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      std::int64_t expected = 0;
      for (std::uint32_t tree = 0; tree < 2; ++tree) {
        const TreeNode at = double_tree(tree, nodes, node);
        if (at.parent != kNoNode) expected += share;
        for (const std::uint32_t child : at.children) expected += child == kNoNode ? 0 : share;
      }
      for (std::uint32_t nic = 0; nic < 4; ++nic) EXPECT_EQ(by_nic[node * 4 + nic], expected);
    }
  }
}

}  // namespace
}  // namespace spineleaf
