#include "topologies/builders/assembler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace spineleaf {

namespace {

constexpr std::int64_t kPicosecondsPerMetre = 5000;
constexpr double kMebibyte = 1 << 20;
constexpr double kMemoryLimit = 8192 * kMebibyte;

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.15g", value);
  return text.data();
}

/// A canonical value the way a user writes it, for messages.
std::string in_units(Unit unit, double value) {
  switch (unit) {
    case Unit::Time: return number(value / 1000) + "ns";
    case Unit::Bytes: return number(value) + "B";
    case Unit::Rate: return number(value / 1e9) + "Gbps";
    case Unit::Length: return number(value) + "m";
    default: return number(value);
  }
}

}  // namespace

NodeId Assembler::add_host(std::uint32_t group) {
  const NodeId id{static_cast<std::uint32_t>(topology_.nodes.size())};
  topology_.nodes.push_back(
      {"host" + std::to_string(index(id)), NodeKind::Host, 0, 0, group, 0, 0});
  ++topology_.host_count;
  return id;
}

NodeId Assembler::add_switch(std::string name, std::uint8_t tier, std::uint16_t plane,
                             std::uint32_t group, std::int64_t radix) {
  const NodeId id{static_cast<std::uint32_t>(topology_.nodes.size())};
  topology_.nodes.push_back({std::move(name), NodeKind::Switch, tier, plane, group, 0,
                             static_cast<std::uint16_t>(radix)});
  return id;
}

PortRef Assembler::next_port(NodeId node) { return {node, topology_.nodes[index(node)].ports++}; }

void Assembler::add_cable(PortRef a, PortRef b, const CableKind& kind) {
  std::int64_t cage = 0;
  if (kind.links_per_cage > 1) cage = 1 + b.port / kind.links_per_cage;
  topology_.cables.push_back(
      {a, b, kind.rate, kind.propagation, kind.tier, static_cast<std::uint16_t>(cage), true});
}

void Assembler::connect_host(NodeId host, std::uint16_t nic, NodeId leaf, const CableKind& kind) {
  const PortRef own = next_port(host);
  topology_.endpoints.push_back({host, nic, own.port});
  add_cable(own, next_port(leaf), kind);
}

void Assembler::connect(NodeId lower, NodeId upper, std::int64_t count, const CableKind& kind) {
  for (std::int64_t i = 0; i < count; ++i) {
    const PortRef own = next_port(lower);
    add_cable(own, next_port(upper), kind);
  }
}

void Assembler::connect_hosts(NodeId a, std::uint16_t nic_a, NodeId b, std::uint16_t nic_b,
                              const CableKind& kind) {
  // Both ends are cabled in one call, so the port number can follow the NIC's, whatever the order.
  const PortRef port_a{a, nic_a};
  const PortRef port_b{b, nic_b};
  ++topology_.nodes[index(a)].ports;
  ++topology_.nodes[index(b)].ports;
  topology_.endpoints.push_back({a, nic_a, port_a.port});
  topology_.endpoints.push_back({b, nic_b, port_b.port});
  add_cable(port_a, port_b, kind);
}

Topology Assembler::finish() {
  std::sort(topology_.endpoints.begin(), topology_.endpoints.end(),
            [](const Endpoint& x, const Endpoint& y) {
              return x.host != y.host ? x.host < y.host : x.port < y.port;
            });
  return std::move(topology_);
}

Time cable_delay(double metres, Time override_latency) {
  if (override_latency.ps > 0) return override_latency;
  return {std::llround(metres * static_cast<double>(kPicosecondsPerMetre))};
}

std::vector<Problem> check_ranges(const ParamTable& table, const void* params) {
  std::vector<Problem> problems;
  for (const ParamDecl& decl : table.params) {
    if (decl.unit == Unit::Text) continue;
    const ParamValue value = decl.get(params);
    const bool real = decl.unit == Unit::Ratio || decl.unit == Unit::Length;
    const double number_found = real ? value.real : static_cast<double>(value.integer);
    if (number_found >= decl.min && number_found <= decl.max) continue;
    problems.push_back(
        make_error(std::string{decl.name}, "is out of range", in_units(decl.unit, number_found),
                   in_units(decl.unit, decl.min) + " to " + in_units(decl.unit, decl.max)));
  }
  return problems;
}

void check_delay(std::string_view name, double metres, Time latency,
                 std::vector<Problem>& problems) {
  if (cable_delay(metres, latency).ps > 0) return;
  problems.push_back(make_error(std::string{name}, "a cable must take some time", "0 m with 0 ns",
                                "a length or a latency above zero",
                                "Give the cable's length, for example \"3m\""));
}

void check_cages(std::int64_t links_per_cage, std::vector<Problem>& problems) {
  if (links_per_cage == 1 || links_per_cage == 2 || links_per_cage == 4) return;
  problems.push_back(make_error("links_per_cage", "a cage cannot be split so",
                                std::to_string(links_per_cage), "1, 2 or 4"));
}

double estimate_bytes(const GraphSize& size) {
  const auto switches = static_cast<double>(size.switches);
  const auto leaves = static_cast<double>(size.leaves);
  // Route tables are 2 B a (switch, leaf) pair, and computing them holds as much again.
  return (static_cast<double>(size.hosts) + switches) * 64 +
         static_cast<double>(size.cables) * 120 + switches * leaves * 4;
}

void check_size(const GraphSize& size, std::vector<Problem>& problems) {
  const double bytes = estimate_bytes(size);
  if (size.leaves > 65'000) {
    problems.push_back(make_error("topology", "has too many leaf switches",
                                  std::to_string(size.leaves), "at most 65000"));
  }
  constexpr std::int64_t kIds = INT32_MAX;
  if (bytes > kMemoryLimit || size.cables > kIds || size.hosts + size.switches > kIds) {
    problems.push_back(make_error("topology", "is too large to build",
                                  std::to_string(size.hosts) + " hosts, " +
                                      std::to_string(size.switches) + " switches, " +
                                      std::to_string(size.cables) + " cables, about " +
                                      number(std::ceil(bytes / kMebibyte)) + " MiB",
                                  "at most " + number(kMemoryLimit / kMebibyte) + " MiB"));
  }
}

}  // namespace spineleaf
