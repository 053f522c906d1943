#include "topologies/writers/lfts_text.hpp"

#include <cstdio>

namespace spineleaf {

namespace {

std::string padded_hex(std::uint64_t number, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", digits, static_cast<unsigned long long>(number));
  return text;
}

std::string line(std::uint32_t lid, std::uint16_t number, const std::string& owner) {
  char port[8];
  std::snprintf(port, sizeof port, "%03u", number);
  return padded_hex(lid, 4) + " " + port + " # " + owner + "\n";
}

}  // namespace

std::string lfts_text(const Subnet& subnet, const ForwardingTables& tables) {
  const LidOwners owners = lid_owners(subnet);
  const auto switch_name = [&](std::size_t row) {
    return "'" + subnet.topology.nodes[subnet.topology.host_count + row].name + "'";
  };
  const auto owner_text = [&](std::uint32_t owner) {
    if (owner < owners.endpoints) {
      const AdapterPort& port = subnet.endpoints[owner];
      return "Channel Adapter portguid " + padded_hex(port.port_guid, 16) + ": '" + port.name + "'";
    }
    const std::size_t row = owner - owners.endpoints;
    return "Switch portguid " + padded_hex(subnet.switches[row].guid, 16) + ": " + switch_name(row);
  };
  std::string text;
  for (std::size_t row = 0; row < tables.switches(); ++row) {
    const SwitchDevice& device = subnet.switches[row];
    text += "Unicast lids [0-" + std::to_string(tables.lids() - 1) + "] of switch Lid " +
            std::to_string(device.lid) + " guid " + padded_hex(device.guid, 16) + " (" +
            switch_name(row) + "):\n";
    std::size_t dumped = 0;
    for (std::uint32_t lid = 0; lid < tables.lids(); ++lid) {
      const std::uint16_t port = tables.at(row, lid);
      if (port == ForwardingTables::kNone) continue;
      const std::uint16_t number = port == ForwardingTables::kSelf ? 0 : device.numbers[port];
      text += line(lid, number, owner_text(owners.owner[lid]));
      ++dumped;
    }
    text += std::to_string(dumped) + " lids dumped\n";
  }
  return text;
}

}  // namespace spineleaf
