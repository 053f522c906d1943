#include "models/collectives/schedule.hpp"

#include <algorithm>

namespace spineleaf {

LinkTotals Schedule::sends(const Place& place, std::uint32_t port) const {
  LinkTotals totals;
  Cursor cursor;
  Chunk chunk;
  for (; find(place, cursor, chunk); ++cursor.operation) {
    if (port < chunk.first_out || port >= chunk.first_out + std::uint32_t{chunk.outs}) continue;
    slicing_.add(totals, chunk.bytes, 1);
  }
  return totals;
}

Peer Schedule::on_rail(const Place& from, const Place& to, const Place& other,
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
