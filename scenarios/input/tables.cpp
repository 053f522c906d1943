#include "scenarios/input/tables.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "topologies/limits.hpp"

namespace spineleaf {

namespace {

constexpr double kNs = 1e3, kS = 1e12, kDays = 100 * 86400 * kS;
constexpr double kTiB = 1024.0 * 1024 * 1024 * 1024, kTbps = 1e12;
constexpr double kExact = 9007199254740992;  // 2^53: every JSON reader keeps such integers

using R = RunParams;
constexpr std::array kRun{
    param<&R::deadline>("deadline", Unit::Time, "10s", 0, kDays,
                        "Simulated time at which the run ends in any case; 0 = none.",
                        "convention"),
    param<&R::seed>("seed", Unit::Count, "1", 0, kExact,
                    "Seed of every random draw: hashes, jitter, noise, patterns.", "convention"),
    param<&R::no_progress>("no_progress", Unit::Time, "20ms", kNs, kDays,
                           "The run ends as stuck or deadlocked when nothing was delivered for "
                           "this simulated time.",
                           "assumed: five times the retransmission timeout"),
    param<&R::event_budget>("event_budget", Unit::Count, "0", 0, kExact,
                            "The run ends after about this many packet-hops; 0 = no limit.",
                            "convention"),
    param<&R::deadlock_every>("deadlock_every", Unit::Time, "20us", 0, kDays,
                              "Interval of the exact deadlock test: its time is known to this; 0 = "
                              "only at the end of a run without progress.",
                              "convention"),
    param<&R::until_deadlock>("until_deadlock", Unit::Flag, "false", 0, 1,
                              "The run ends when the first deadlock is found.", "convention"),
    param<&R::sample_every>("sample_every", Unit::Time, "10us", 0, kDays,
                            "Interval of the time series; 0 = no series.", "convention"),
    param<&R::warmup>("warmup", Unit::Time, "0us", 0, kDays,
                      "Flows that start before this time are left out of the results.",
                      "convention"),
    param<&R::window>("window", Unit::Time, "0us", 0, kDays,
                      "Length of the measurement after the warm-up; 0 = to the end.", "convention"),
    param<&R::threads>("threads", Unit::Count, "1", 0, 1024,
                       "Threads of the run; 0 = one per core. The result does not depend on it.",
                       "convention"),
    param<&R::memory_budget>("memory_budget", Unit::Bytes, "0B", 0, 1024 * kTiB,
                             "A run estimated to need more memory is refused; 0 = three quarters "
                             "of the machine's.",
                             "convention"),
    param<&R::time_budget>("time_budget", Unit::Time, "0s", 0, kDays,
                           "A run estimated to need more processor time is refused; 0 = no limit.",
                           "convention"),
};
constexpr ParamTable kRunTable{"run", "When a run ends, what it samples and what it may use.",
                               kRun};

using S = SubnetParams;
constexpr std::array<std::string_view, 8> kEngines{"none", "minhop", "updn", "ftree",
                                                   "sssp", "dfsssp", "dor",  "file"};
constexpr std::array<std::string_view, 3> kGroups{"none", "lag", "tree"};
constexpr std::array kSubnet{
    param<&S::engine>("engine", Unit::Choice, "none", 0, 7,
                      "Who fills the forwarding tables, one port per LID: an engine as OpenSM has "
                      "it, or the tables of subnet.lfts; none = switch.routing. dfsssp also gives "
                      "every route its virtual lane, out of fabric.classes.",
                      "OpenSM; docs/subnet-routing.md", kEngines),
    param<&S::roots>("roots", Unit::Text, "", 0, 0,
                     "updn: the root switches, names or GUIDs with commas between, or @FILE with "
                     "one a line; empty = those farthest from any host.",
                     "OpenSM's root_guid_file"),
    param<&S::lfts>("lfts", Unit::Text, "", 0, 0,
                    "File with forwarding tables as OpenSM dumps them; sets engine \"file\".",
                    "opensm-lfts.dump, dump_fts"),
    param<&S::adaptive>("adaptive", Unit::Choice, "none", 0, 2,
                        "Ports among which switch.forwarding chooses beside the table's own: none, "
                        "lag = parallel cables to the same switch, tree = all ports from which the "
                        "tables' path is as short.",
                        "NVIDIA subnet manager, adaptive routing: LAG and TREE", kGroups),
};
constexpr ParamTable kSubnetTable{
    "subnet", "InfiniBand forwarding tables: from a routing engine or from a dump.", kSubnet};

constexpr std::array<std::string_view, 5> kExpect{"ok", "deadlock", "drops", "stuck", "deadline"};
constexpr ParamDecl kExpectDecl = param<&ScenarioData::expect>(
    "expect", Unit::Choice, "ok", 0, 4,
    "The outcome that the scenario is there to show; an expected alarm is no failure.",
    "convention", kExpect);

using N = CustomNode;
constexpr std::array<std::string_view, 2> kNodeKinds{"host", "switch"};
constexpr std::array kNode{
    param<&N::name>("name", Unit::Text, "", 0, 0, "Name of the node, unique.", "convention"),
    param<&N::kind>("kind", Unit::Choice, "host", 0, 1, "What the node is.", "convention",
                    kNodeKinds),
    param<&N::tier>("tier", Unit::Count, "-1", -1, 255,
                    "Tier: 0 host, 1 leaf, 2 spine, 3 core; -1 = hops from the nearest host.",
                    "convention"),
    param<&N::plane>("plane", Unit::Count, "0", 0, 65535, "Plane or rail number.", "convention"),
    param<&N::group>("group", Unit::Count, "0", 0, 4294967295.0, "Pod or group number.",
                     "convention"),
    param<&N::radix>("radix", Unit::Count, "0", 0, 65535,
                     "Ports that the device has; 0 = not stated.", "convention"),
};

using L = CustomLink;
constexpr std::array kLink{
    param<&L::a>("a", Unit::Text, "", 0, 0, "Name of the node at one end.", "convention"),
    param<&L::b>("b", Unit::Text, "", 0, 0, "Name of the node at the other end.", "convention"),
    param<&L::rate>("rate", Unit::Rate, "400Gbps", 1e6, 100 * kTbps, "Speed, each way.",
                    "convention"),
    param<&L::length>("length", Unit::Length, "3m", 0, 1e6,
                      "Length of the cable, at 5 ns/m; used where latency is 0.", "convention"),
    param<&L::latency>("latency", Unit::Time, "0ns", 0, kS,
                       "One-way delay of the cable; 0 = from its length.", "convention"),
    param<&L::count>("count", Unit::Count, "1", 1, kMostPorts, "Parallel cables.", "convention"),
    param<&L::port_a>("port_a", Unit::Count, "-1", -1, 65534,
                      "Port number at end a; -1 = the next free one.", "convention"),
    param<&L::port_b>("port_b", Unit::Count, "-1", -1, 65534,
                      "Port number at end b; -1 = the next free one.", "convention"),
    param<&L::nic_a>("nic_a", Unit::Count, "-1", -1, 65535,
                     "NIC number where end a is a host; -1 = one NIC a port.", "convention"),
    param<&L::nic_b>("nic_b", Unit::Count, "-1", -1, 65535,
                     "NIC number where end b is a host; -1 = one NIC a port.", "convention"),
    param<&L::cage>("cage", Unit::Count, "0", 0, 65535,
                    "Cables that share a split cage carry the same number; 0 = none.",
                    "convention"),
    param<&L::up>("up", Unit::Flag, "true", 0, 1, "State at the beginning.", "convention"),
};

using F = FlowEntry;
constexpr std::array kFlow{
    param<&F::from>("from", Unit::Text, "", 0, 0, "Sending host, or host:nic.", "convention"),
    param<&F::to>("to", Unit::Text, "", 0, 0, "Receiving host, or host:nic.", "convention"),
    param<&F::bytes>("bytes", Unit::Bytes, "1MiB", 1, kTiB, "Size of the message.", "convention"),
    param<&F::start>("start", Unit::Time, "0us", 0, 1000 * kS, "When it is posted.", "convention"),
    param<&F::start_jitter>("start_jitter", Unit::Time, "0us", 0, 1000 * kS,
                            "It is posted up to this much later, by seed.", "convention"),
    param<&F::traffic_class>("class", Unit::Count, "-1", -1, 14,
                             "Traffic class; -1 = fabric.data_class.", "convention"),
    param<&F::rate>("rate", Unit::Rate, "0Gbps", 0, 100 * kTbps, "Injection rate; 0 = line rate.",
                    "convention"),
};

using X = FaultSpec;
constexpr std::array<std::string_view, 6> kActions{"down",  "up",        "degrade",
                                                   "storm", "storm_end", "slow_receiver"};
constexpr std::array kFault{
    param<&X::at>("at", Unit::Time, "0us", 0, kDays, "When it happens.", "convention"),
    param<&X::link>("link", Unit::Text, "", 0, 0,
                    "The two nodes that the link joins, \"leaf0-spine1\"; or give from and to.",
                    "convention"),
    param<&X::from>("from", Unit::Text, "", 0, 0, "One node of the link.", "convention"),
    param<&X::to>("to", Unit::Text, "", 0, 0, "The other node of the link.", "convention"),
    param<&X::cable>("cable", Unit::Count, "-1", -1, 65534,
                     "Which of several parallel cables, from 0; -1 = all of them.", "convention"),
    param<&X::host>("host", Unit::Text, "", 0, 0,
                    "storm, storm_end, slow_receiver: the host that it happens to.", "convention"),
    param<&X::action>(
        "action", Unit::Choice, "down", 0, 5,
        "What happens: the link goes down, comes up, or changes its speed; or a host asks for a "
        "pause of all lossless classes for ever, ends that, or takes what it receives only at "
        "rate.",
        "Guo et al., SIGCOMM 2016, section 4 (NIC pause storm, slow receiver)", kActions),
    param<&X::rate>(
        "rate", Unit::Rate, "0Gbps", 0, 100 * kTbps,
        "slow_receiver: the payload rate into memory from now on. degrade: the new speed, each "
        "way. A link that is up goes down, changes and comes "
        "up in that instant, as a port that trains again; what is on it is lost.",
        "convention"),
};

constexpr std::array<std::string_view, 1> kNodeRequired{"name"};
constexpr std::array<std::string_view, 2> kLinkRequired{"a", "b"};
constexpr std::array<std::string_view, 2> kFlowRequired{"from", "to"};
constexpr std::array<std::string_view, 2> kFaultRequired{"at", "action"};

constexpr EntryTable kNodeEntries{{"nodes", "Hosts and switches.", kNode}, kNodeRequired};
constexpr EntryTable kLinkEntries{{"links", "Cables between nodes.", kLink}, kLinkRequired};
constexpr EntryTable kFlowEntries{{"flows", "Messages, each on a connection of its own.", kFlow},
                                  kFlowRequired};
constexpr EntryTable kFaultEntries{{"faults", "Links that change during the run.", kFault},
                                   kFaultRequired};

}  // namespace

const ParamTable& run_table() { return kRunTable; }
const ParamTable& subnet_table() { return kSubnetTable; }
const ParamDecl& expect_decl() { return kExpectDecl; }
const EntryTable& node_entries() { return kNodeEntries; }
const EntryTable& link_entries() { return kLinkEntries; }
const EntryTable& flow_entries() { return kFlowEntries; }
const EntryTable& fault_entries() { return kFaultEntries; }

std::span<const std::string_view> scenario_keys() {
  static const std::vector<std::string_view> keys = [] {
    std::vector<std::string_view> all{"$schema",     "version", "name",
                                      "description", "preset",  "fidelity"};
    for (const ParamTable& table : model_param_tables()) all.push_back(table.name);
    for (const std::string_view key :
         {"topology", "subnet", "workload", "faults", "run", "expect"}) {
      all.push_back(key);
    }
    return all;
  }();
  return keys;
}

const ParamDecl* find_param(const ParamTable& table, std::string_view name) {
  const auto found = std::find_if(table.params.begin(), table.params.end(),
                                  [&](const ParamDecl& decl) { return decl.name == name; });
  return found == table.params.end() ? nullptr : &*found;
}

const WorkloadKind* find_workload_kind(std::string_view name) {
  const auto kinds = workload_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const WorkloadKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace spineleaf
