#include "models/collectives/schedule.hpp"

#include <algorithm>

namespace spineleaf {

LinkTotals Schedule::sends(const MachineId& place, std::uint32_t port) const {
  LinkTotals totals;
  ScheduleCursor cursor;
  ChunkStep chunk;
  for (; find(place, cursor, chunk); ++cursor.operation) {
    if (port < chunk.first_out || port >= chunk.first_out + std::uint32_t{chunk.outs}) continue;
    slicing_.add(totals, chunk.bytes, 1);
  }
  return totals;
}

Peer Schedule::on_rail(const MachineId& from, const MachineId& to, const MachineId& other,
                       std::uint32_t port) const {
  const std::uint32_t gpus = communicator_.gpus;
  Peer peer;
  peer.place = other;
  peer.port = port;
  peer.from_nic = communicator_.nic_of_channel(from.rank / gpus, from.channel);
  peer.to_nic = communicator_.nic_of_channel(to.rank / gpus, from.channel);
  peer.proxy = from.rank % gpus;
  return peer;
}

}  // namespace spineleaf
