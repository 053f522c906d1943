#pragma once
// An oracle over schedules: runs every machine of every rank as data flow, without time, slots or
// network, and keeps which ranks' data each piece holds and how often. What a collective promises
// is checked on the outcome.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "models/collectives/schedules.hpp"

namespace spineleaf {

/// A piece of a buffer, and how often each rank's data went into it.
struct Piece {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::vector<int> parts;  ///< by rank
};

struct ScheduleOutcome {
  std::vector<std::vector<Piece>> kept;  ///< by rank, in the order in which it was kept
  std::map<std::tuple<std::uint32_t, std::uint32_t>, std::int64_t> over_network;  ///< by node, NIC
  bool complete = false;  ///< every machine came to its end and no piece was left over
};

using PieceQueues = std::map<std::tuple<MachineId, std::uint32_t>, std::deque<Piece>>;  ///< inputs

/// What came into the switches, by output of a node and by node; nodes are alike. Once all nodes'
/// pieces are there, each node gets the sum.
struct SwitchSums {
  std::uint32_t nodes = 1;
  std::uint32_t gpus = 1;
  std::map<std::tuple<MachineId, std::uint32_t>, std::map<std::uint32_t, std::deque<Piece>>> parts;

  void add(const MachineId& from, std::uint32_t out, const Peer& peer, const Piece& piece,
           PieceQueues& queues) {
    auto& by_node = parts[{MachineId{from.rank % gpus, from.channel, from.role}, out}];
    by_node[from.rank / gpus].push_back(piece);
    if (by_node.size() < nodes) return;
    for (const auto& [node, pieces] : by_node) {
      if (pieces.empty()) return;
    }
    Piece sum{piece.offset, piece.bytes, std::vector<int>(piece.parts.size(), 0)};
    for (auto& [node, pieces] : by_node) {
      EXPECT_EQ(pieces.front().offset, piece.offset);
      EXPECT_EQ(pieces.front().bytes, piece.bytes);
      for (std::size_t r = 0; r < sum.parts.size(); ++r) sum.parts[r] += pieces.front().parts[r];
      pieces.pop_front();
    }
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const MachineId to{node * gpus + peer.place.rank % gpus, peer.place.channel, peer.place.role};
      queues[{to, peer.port}].push_back(sum);
    }
  }
};

inline ScheduleOutcome run_schedule(const Schedule& schedule) {
  struct Machine {
    MachineId place;
    Links links;
    ScheduleCursor cursor;
    bool done = false;
  };
  const std::uint32_t ranks = schedule.communicator().ranks();
  const std::uint32_t gpus = schedule.communicator().gpus;
  ScheduleOutcome outcome;
  outcome.kept.resize(ranks);
  std::vector<Machine> machines;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (std::uint32_t channel = 0; channel < schedule.channels(); ++channel) {
      for (std::uint32_t role = 0; role < schedule.roles(); ++role) {
        const MachineId place{rank, channel, role};
        machines.push_back({place, schedule.links(place), {}, false});
      }
    }
  }
  PieceQueues queues;
  SwitchSums sums{ranks / gpus, gpus, {}};
  // One step of a machine; false where it can't go on.
  const auto step = [&](Machine& m) {
    ChunkStep chunk;
    if (m.done || !schedule.find(m.place, m.cursor, chunk)) {
      m.done = true;
      return false;
    }
    for (std::uint32_t i = 0; i < chunk.ins; ++i) {
      if (queues[{m.place, chunk.first_in + i}].empty()) return false;
    }
    Piece piece{chunk.offset, chunk.bytes, std::vector<int>(ranks, 0)};
    if (chunk.adds_own) ++piece.parts[m.place.rank];
    for (std::uint32_t i = 0; i < chunk.ins; ++i) {
      auto& queue = queues[{m.place, chunk.first_in + i}];
      EXPECT_EQ(queue.front().offset, chunk.offset);
      EXPECT_EQ(queue.front().bytes, chunk.bytes);
      for (std::uint32_t r = 0; r < ranks; ++r) piece.parts[r] += queue.front().parts[r];
      queue.pop_front();
    }
    for (std::uint32_t o = 0; o < chunk.outs; ++o) {
      const Peer& peer = m.links.out.at(chunk.first_out + o);
      if (peer.aggregated) {
        sums.add(m.place, chunk.first_out + o, peer, piece, queues);
      } else {
        queues[{peer.place, peer.port}].push_back(piece);
        if (peer.place.rank / gpus == m.place.rank / gpus) continue;
      }
      LinkTotals totals;
      schedule.slicing().add(totals, chunk.bytes, 1);
      outcome.over_network[{m.place.rank / gpus, peer.from_nic}] += totals.wire;
    }
    if (chunk.keeps) outcome.kept[m.place.rank].push_back(std::move(piece));
    ++m.cursor.operation;
    return true;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (Machine& m : machines) {
      while (step(m)) moved = true;
    }
  }
  outcome.complete = true;
  for (const Machine& m : machines) outcome.complete &= m.done;
  for (const auto& [key, queue] : queues) outcome.complete &= queue.empty();
  return outcome;
}

/// Every link is named by both its ends, the same way.
inline void expect_links_match(const Schedule& schedule) {
  for (std::uint32_t rank = 0; rank < schedule.communicator().ranks(); ++rank) {
    for (std::uint32_t channel = 0; channel < schedule.channels(); ++channel) {
      for (std::uint32_t role = 0; role < schedule.roles(); ++role) {
        const MachineId place{rank, channel, role};
        const Links links = schedule.links(place);
        for (std::uint32_t port = 0; port < links.out.size(); ++port) {
          const Peer& peer = links.out[port];
          const Links other = schedule.links(peer.place);
          ASSERT_LT(peer.port, other.in.size());
          EXPECT_EQ(other.in[peer.port].place, place);
          EXPECT_EQ(other.in[peer.port].port, port);
          EXPECT_EQ(other.in[peer.port].from_nic, peer.from_nic);
          EXPECT_EQ(other.in[peer.port].to_nic, peer.to_nic);
        }
        for (std::uint32_t port = 0; port < links.in.size(); ++port) {
          const Peer& peer = links.in[port];
          const Links other = schedule.links(peer.place);
          ASSERT_LT(peer.port, other.out.size());
          EXPECT_EQ(other.out[peer.port].place, place);
          EXPECT_EQ(other.out[peer.port].port, port);
        }
      }
    }
  }
}

/// Bytes [from, from + bytes) are kept by `rank` exactly once, each with every part as `expected`.
inline void expect_kept(const ScheduleOutcome& outcome, std::uint32_t rank, std::int64_t from,
                        std::int64_t bytes, const std::vector<int>& expected) {
  std::map<std::int64_t, std::int64_t> pieces;
  for (const Piece& piece : outcome.kept[rank]) {
    if (piece.offset < from || piece.offset >= from + bytes) continue;
    EXPECT_EQ(piece.parts, expected) << "rank " << rank << " at " << piece.offset;
    EXPECT_TRUE(pieces.emplace(piece.offset, piece.bytes).second) << "twice " << piece.offset;
  }
  std::int64_t at = from;
  for (const auto& [offset, length] : pieces) {
    EXPECT_EQ(offset, at) << "rank " << rank;
    at = offset + length;
  }
  EXPECT_EQ(at, from + bytes) << "rank " << rank;
}

}  // namespace spineleaf
