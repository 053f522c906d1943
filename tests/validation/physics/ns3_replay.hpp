#pragma once
// Replays a reference run of HPCC ns-3 (validation/data/ns3/) with the preset "ns3-hpcc" and the
// run's own configuration, topology, flows and paths.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "tests/models/fabric/rig.hpp"
#include "validation/readers/ns3_reference.hpp"

namespace spineleaf::test {

template <typename Value>
Value ns3_file(const std::string& name,
               Ns3Read<Value> (*read)(std::string_view, const std::string&)) {
  Ns3Read<Value> result = read_ns3_file(SPINELEAF_SOURCE_DIR "/validation/data/ns3/" + name, read);
  for (const InputProblem& problem : result.problems) ADD_FAILURE() << to_string(problem);
  return result.value;
}

/// The preset with what a run's configuration says, for hosts of that rate.
inline ModelParams ns3_params(const Ns3Config& config, Rate host_rate) {
  ModelParams params = params_of("ns3-hpcc");
  params.fabric.mtu = config.payload;
  params.pfc.buffer = config.buffer;
  for (const Ns3Marking& marking : config.marking) {
    if (marking.rate != host_rate) continue;
    params.ecn.kmin = marking.kmin;
    params.ecn.kmax = marking.kmax;
    params.ecn.pmax = marking.pmax;
  }
  DcqcnParams& dcqcn = params.dcqcn;
  dcqcn.alpha_timer = config.alpha_timer;
  dcqcn.rate_reduce_monitor_period = config.rate_decrease;
  dcqcn.rpg_time_reset = config.rate_increase;
  dcqcn.g = config.g;
  dcqcn.rpg_threshold = config.threshold;
  dcqcn.rpg_ai_rate = config.ai_rate;
  dcqcn.rpg_hai_rate = config.hai_rate;
  dcqcn.rpg_min_rate = config.min_rate;
  dcqcn.clamp_tgt_rate = config.clamp_target_rate;
  return params;
}

inline std::string ns3_name(std::uint32_t node) { return "n" + std::to_string(node); }

/// Nodes with one cable are hosts; they come first in the numbering.
inline Topology ns3_topology(const std::vector<Ns3Link>& links) {
  std::vector<int> degree;
  for (const Ns3Link& link : links) {
    degree.resize(std::max<std::size_t>(degree.size(), std::max(link.a, link.b) + 1U));
    ++degree[link.a];
    ++degree[link.b];
  }
  CustomSpec spec;
  for (std::uint32_t n = 0; n < degree.size(); ++n) {
    spec.nodes.push_back({ns3_name(n), degree[n] == 1 ? NodeKind::Host : NodeKind::Switch});
  }
  for (const Ns3Link& link : links) {
    CustomLink cable;
    cable.a = ns3_name(link.a);
    cable.b = ns3_name(link.b);
    cable.rate = link.rate;
    cable.latency = link.delay;
    spec.links.push_back(cable);
  }
  return topology_of(build_custom(spec));
}

inline std::vector<FlowEntry> ns3_flows(const std::vector<Ns3Flow>& flows) {
  std::vector<FlowEntry> list;
  for (const Ns3Flow& f : flows) {
    list.push_back(flow(ns3_name(f.from), ns3_name(f.to), f.bytes.count, f.start));
    if (f.path.empty()) continue;
    std::vector<std::string>& path = list.back().path;
    path.push_back(ns3_name(f.from));
    for (const std::uint32_t node : f.path) path.push_back(ns3_name(node));
    path.push_back(ns3_name(f.to));
  }
  return list;
}

/// MurmurHash3_x86_32 (A. Appleby, public domain) of whole words: what the simulator hashes flows
/// with, seeded by a switch's node number.
inline std::uint32_t murmur3(std::span<const std::uint32_t> words, std::uint32_t seed) {
  std::uint32_t h = seed;
  for (std::uint32_t k : words) {
    k = std::rotl(k * 0xcc9e2d51U, 15) * 0x1b873593U;
    h = std::rotl(h ^ k, 13) * 5 + 0xe6546b64U;
  }
  h ^= static_cast<std::uint32_t>(words.size() * 4);
  h = (h ^ (h >> 16)) * 0x85ebca6bU;
  h = (h ^ (h >> 13)) * 0xc2b2ae35U;
  return h ^ (h >> 16);
}

/// Which of the two ways up a packet takes at a switch of the k = 4 fat tree: true = the node of
/// the higher number.
inline bool ns3_goes_high(std::uint32_t from, std::uint32_t to, std::uint32_t source_port,
                          std::uint32_t destination_port, std::uint32_t at) {
  const auto address = [](std::uint32_t node) { return 0x0b000001U + node * 256; };
  const std::uint32_t words[] = {address(from), address(to),
                                 source_port | (destination_port << 16)};
  return murmur3(words, at) % 2 == 0;
}

/// Path of a flow's ACKs on the k = 4 fat tree (edges 16.., aggregation 24.., core 32..): addresses
/// and ports changed round, they are hashed on their own.
inline std::vector<std::string> ns3_ack_path(const Ns3Flow& flow) {
  constexpr std::uint32_t kDestinationPort = 100;
  const auto port = static_cast<std::uint32_t>(flow.source_port);
  const auto high = [&](std::uint32_t at) {
    return ns3_goes_high(flow.to, flow.from, kDestinationPort, port, at) ? 1U : 0U;
  };
  const std::uint32_t first = 16 + flow.to / 2, last = 16 + flow.from / 2;
  std::vector<std::string> path{ns3_name(flow.to), ns3_name(first)};
  if (first != last) {
    const std::uint32_t side = high(first);
    const std::uint32_t up = 24 + flow.to / 4 * 2 + side;
    path.push_back(ns3_name(up));
    if (flow.to / 4 != flow.from / 4) {
      path.push_back(ns3_name(32 + 2 * side + high(up)));
      path.push_back(ns3_name(24 + flow.from / 4 * 2 + side));
    }
    path.push_back(ns3_name(last));
  }
  path.push_back(ns3_name(flow.from));
  return path;
}

inline std::vector<double> ns3_fcts(const std::vector<Ns3Flow>& flows) {
  std::vector<double> fcts;
  for (const Ns3Flow& f : flows) fcts.push_back(f.fct.microseconds());
  return fcts;
}

/// In microseconds, to the sender's last ACK.
inline std::vector<double> fcts_of(const Rig& rig) {
  std::vector<double> fcts;
  for (const FlowRecord& f : rig.flows()) {
    EXPECT_GE(f.acked.ps, 0) << "flow " << f.flow << " is not done";
    fcts.push_back((f.acked - f.start).microseconds());
  }
  return fcts;
}

inline double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Linear between the two nearest ranks.
inline double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

}  // namespace spineleaf::test
