#include "validation/nccl/endpoint_model.hpp"

#include <algorithm>
#include <cmath>

#include "validation/nccl/endpoint_ring.hpp"
#include "validation/nccl/endpoint_shape.hpp"

namespace spineleaf {
namespace {

constexpr double kKiB = 1024;
constexpr double kTreeStep = 512 * kKiB;
constexpr double kNvlsChunk = 128 * kKiB;
constexpr double kPeerChunk = 128 * kKiB;
constexpr double kPeerLl = 16 * kKiB;        ///< up to here a peer's message goes without a flush
constexpr double kPeerLocalLl = 128 * kKiB;  ///< the same inside a node, per channel
constexpr double kCopyEngine = 64 * 1024 * kKiB;
constexpr double kMostHeads = 32;

double real(std::int64_t value) { return static_cast<double>(value); }

/// Levels of a binary tree of nodes.
double levels(double nodes) { return std::floor(std::log2(std::max(1.0, nodes))); }

/// Messages that a NIC sends per chunk, both trees together over two: with two nodes each is root
/// of one tree and leaf of the other; with more, half of them have two children.
double tree_fan(double nodes) { return nodes > 2 ? 2 : 1; }

/// Payload of a chunk: LL128 shrinks it for small sizes (calcCollChunking).
double tree_chunk(NcclProtocol protocol, const EndpointShape& shape, double data) {
  if (protocol == NcclProtocol::Ll) return std::min(data, 32 * kKiB);
  if (protocol == NcclProtocol::Simple) return std::min(data, kTreeStep);
  const double steps = 1 + levels(shape.nodes) + 0.1 * shape.gpus;
  double chunk = 576000;
  while (std::floor(data / chunk) < steps * 64 / shape.gpus && chunk > 131072) chunk /= 2;
  while (std::floor(data / chunk) < steps * 16 / shape.gpus && chunk > 32768) chunk /= 2;
  return std::min(data, chunk);
}

/// Chains of GPUs inside nodes, a double binary tree between them, up and down, chunk by chunk.
EndpointTime tree_time(const EndpointSystem& system, const EndpointCosts& costs,
                       const EndpointShape& shape, NcclProtocol protocol, std::int64_t bytes) {
  const double channels =
      real(nccl_channels(system.setup.system, NcclAlgorithm::Tree, protocol, bytes, 0));
  const double data = real(bytes) / channels;
  const double chunk = tree_chunk(protocol, shape, data);
  const double chunks = std::max(1.0, std::ceil(data / chunk));
  const double lanes = shape.lanes(channels);
  const double copy = shape.overhead + chunk / shape.rate;
  const double wire = lanes * (chunk * shape.wire / shape.nic_rate + shape.nic_message);
  const double depth = levels(shape.nodes);
  const double fan = shape.nodes > 1 ? tree_fan(shape.nodes) : 0;
  const double first =
      2 * (shape.gpus - 1) * (shape.hop + copy) + 2 * depth * (shape.net + wire + copy);
  const double nic = fan * wire;
  const double proxy = 2 * fan * lanes * costs[Cost::ProxyStep];
  // Reduction and broadcast share a GPU's channel.
  const double slowest = std::max({2 * copy, nic, proxy});
  const double rest = (chunks - 1) * slowest;
  std::string_view bound = "latency";
  if (rest > first) bound = slowest == nic ? "NIC" : slowest == proxy ? "proxy" : "channel";
  return {shape.launch + first + rest, bound};
}

/// Broadcast and reduce: chunks run down one chain through all ranks.
EndpointTime chain_time(const EndpointSystem& system, const EndpointShape& shape,
                        NcclProtocol protocol, std::int64_t bytes) {
  const double channels =
      real(nccl_channels(system.setup.system, NcclAlgorithm::Ring, protocol, bytes, 0));
  const double data = real(bytes) / channels;
  const double most = protocol == NcclProtocol::Simple  ? kTreeStep
                      : protocol == NcclProtocol::Ll128 ? 576000
                                                        : 32 * kKiB;
  const double chunk = std::min(data, most);
  const double lanes = shape.lanes(channels);
  const double copy = shape.overhead + chunk / shape.rate;
  const double wire =
      shape.nodes > 1 ? lanes * (chunk * shape.wire / shape.nic_rate + shape.nic_message) : 0;
  const double crossings = shape.nodes - 1;
  const double first = copy + (shape.ranks - 1 - crossings) * (shape.hop + copy) +
                       crossings * (shape.net + wire + copy);
  const double rest = (data / chunk - 1) * std::max(copy, wire);
  return {shape.launch + first + rest, rest <= first ? "latency" : wire > copy ? "NIC" : "channel"};
}

/// PAT: log2(nodes) rounds, one GPU per node; bytes cross the NIC once.
EndpointTime pat_time(const EndpointShape& shape, std::int64_t bytes) {
  const double rounds = std::ceil(std::log2(std::max(2.0, shape.nodes)));
  const double moved = real(bytes) * (shape.ranks - 1) / shape.ranks;
  const double wire = moved / (shape.nic_rate * shape.nics);
  const double latency = rounds * (shape.net + shape.overhead);
  return {shape.launch + latency + wire, wire > latency ? "NIC" : "latency"};
}

/// NVLS: the chunk of a channel and head, by the size in units of all channels and heads.
double nvls_chunk(double bytes, double together) {
  double chunk = kNvlsChunk;
  if (bytes < 64 * together * chunk) chunk = 64 * kKiB;
  if (chunk == 64 * kKiB && bytes < 8 * together * chunk) chunk = 32 * kKiB;
  if (chunk == 32 * kKiB && bytes < 2 * together * chunk) chunk = 16 * kKiB;
  return chunk;
}

double nvls_tree_chunk(double bytes, double together, double nodes) {
  double chunk = nodes >= 4 ? 64 * kKiB : kNvlsChunk;
  if (chunk > 64 * kKiB && bytes < 4 * together * chunk) chunk = 64 * kKiB;
  if (chunk > 32 * kKiB && bytes < together * chunk) chunk = 32 * kKiB;
  return chunk;
}

struct Loops {
  double chunk = 0;  ///< of a full loop
  double whole = 0;
  double part = 0;  ///< of another loop
};

Loops loops_of(double bytes, double together, double chunk) {
  const double loops = bytes / (together * chunk);
  if (loops < 1) return {bytes / together, 1, 0};
  return {chunk, std::floor(loops), loops - std::floor(loops)};
}

EndpointTime nvls_time(const EndpointSystem& system, const EndpointCosts& costs,
                       const EndpointShape& shape, std::int64_t bytes) {
  const double heads = std::min(shape.gpus, kMostHeads);
  const double together = real(system.setup.nvls_channels) * heads;
  const Loops loops = loops_of(real(bytes), together, nvls_chunk(real(bytes), together));
  const double rate = costs[Cost::NvlsRate] * 1000;
  const auto loop = [&](double part) {
    return costs[Cost::NvlsOverhead] + part * together * loops.chunk / rate;
  };
  // Two more loops fill the pipeline of gathering, reducing and spreading.
  double time = (loops.whole + 2) * loop(1);
  if (loops.part > 0) time += loop(loops.part);
  return {shape.launch + time, loops.whole > 4 ? "NVLink" : "latency"};
}

EndpointTime nvls_tree_time(const EndpointSystem& system, const EndpointCosts& costs,
                            const EndpointShape& shape, std::int64_t bytes) {
  const double heads = std::min(shape.gpus, kMostHeads);
  const double channels = real(system.setup.nvls_channels);
  const double together = channels * heads;
  const Loops loops =
      loops_of(real(bytes), together, nvls_tree_chunk(real(bytes), together, shape.nodes));
  const double rate = costs[Cost::NvlsRate] * costs[Cost::NvlsTreeRate] * 1000;
  const double overhead = costs[Cost::NvlsOverhead] + costs[Cost::NvlsTreeOverhead];
  const double fan = tree_fan(shape.nodes);
  const double rail = channels * loops.chunk * heads / shape.nics;  // bytes of one NIC, one fan
  const double gpu = overhead + together * loops.chunk / rate;
  const double nic = fan * (rail / shape.nic_rate + channels * shape.nic_message);
  const double proxy = 2 * fan * channels * heads / shape.gpus * costs[Cost::ProxyStep];
  const double loop = std::max({gpu, nic, proxy});
  // Filling: three passes of the GPUs, and each level up and down with the half of the channels
  // that are of one tree, each a message in and one out for the proxy thread.
  const double level = shape.net + rail / 2 / shape.nic_rate +
                       channels * heads / shape.gpus * costs[Cost::ProxyStep];
  const double fill = 3 * together * loops.chunk / rate + 2 * levels(shape.nodes) * level;
  const double rest = (loops.whole - 1 + loops.part) * loop;
  std::string_view bound = "latency";
  if (rest > fill) bound = loop == nic ? "NIC" : loop == proxy ? "proxy" : "NVLink";
  return {shape.launch + fill + rest, bound};
}

}  // namespace

EndpointShape::EndpointShape(const EndpointSystem& system, const EndpointCosts& costs,
                             NcclProtocol protocol)
    : gpus(real(system.node.gpus)),
      nodes(real(system.setup.system.nodes)),
      ranks(gpus * nodes),
      nics(real(std::max<std::int64_t>(system.node.nics, 1))),
      nic_rate(system.node.nic_gbps / 8 * 1000 * costs[Cost::NicGoodput]),
      nic_message(costs[Cost::NicMessage]),
      launch(costs[Cost::Launch]),
      overhead(0),
      hop(costs[Cost::Hop]),
      net(costs[Cost::NetLl]),
      rate(costs[Cost::RateLl] * 1000),
      wire(2),
      cut_through(false) {
  if (protocol == NcclProtocol::Ll128) {
    hop = costs[Cost::Hop] * costs[Cost::HopLl128];
    net = costs[Cost::NetLl128];
    rate = costs[Cost::RateLl128] * 1000;
    wire = 128.0 / 120.0;
    cut_through = true;
  } else if (protocol == NcclProtocol::Simple) {
    overhead = hop = costs[Cost::Hop] * costs[Cost::HopSimple] / 2;
    net = costs[Cost::NetSimple];
    rate = costs[Cost::ChannelRate] * 1000;
    wire = 1;
  }
}

EndpointTime endpoint_time(const EndpointSystem& system, const EndpointCosts& costs,
                           NcclFunction function, NcclAlgorithm algorithm, NcclProtocol protocol,
                           std::int64_t bytes) {
  const EndpointShape shape(system, costs, protocol);
  if (function == NcclFunction::Broadcast || function == NcclFunction::Reduce) {
    return chain_time(system, shape, protocol, bytes);
  }
  switch (algorithm) {
    case NcclAlgorithm::Tree: return tree_time(system, costs, shape, protocol, bytes);
    case NcclAlgorithm::Nvls: return nvls_time(system, costs, shape, bytes);
    case NcclAlgorithm::NvlsTree: return nvls_tree_time(system, costs, shape, bytes);
    case NcclAlgorithm::Pat: return pat_time(shape, bytes);
    default: return endpoint_ring(system, costs, shape, function, protocol, bytes);
  }
}

EndpointTime endpoint_send_time(const EndpointSystem& system, const EndpointCosts& costs,
                                bool all_to_all, std::int64_t bytes) {
  const EndpointShape simple(system, costs, NcclProtocol::Simple);
  const bool no_local = system.node.nvlink_gbytes <= 0;
  const double others = all_to_all ? simple.ranks - 1 : 1;
  const double remote = no_local           ? others
                        : simple.nodes < 2 ? 0
                        : all_to_all       ? simple.ranks - simple.gpus
                                           : 1;
  const double local = all_to_all || remote == 0 ? others - remote : 0;
  const double message = real(bytes) / (all_to_all ? simple.ranks : 1);
  const double channels = real(system.setup.channels_per_net_peer);
  const bool large = message >= (remote > 0 ? kPeerLl : kPeerLocalLl * channels);
  double latency = simple.launch + remote * costs[Cost::PeerNet] + local * costs[Cost::PeerLocal];
  if (remote > 0) {
    latency += large ? costs[Cost::NetSimple] : costs[Cost::NetLl];
  } else {
    latency += costs[Cost::Hop];
  }
  const double nic = remote * message / (simple.nic_rate * simple.nics / simple.gpus);
  const double link = system.node.nvlink_gbytes * 1000 * costs[Cost::PeerRate];
  const double few = costs[Cost::RateLl] * 1000;
  // Large messages inside a node go by the GPU's copy engines, no channel binds them.
  const double near_rate = message >= kCopyEngine
                               ? link
                               : std::min(link, local * channels * (large ? simple.rate : few));
  const double near = local > 0 ? local * message / near_rate : 0;
  // A channel that serves several peers hides the time of its steps behind the others' copies.
  const double step = large && remote > 0 ? costs[Cost::PeerStep] : 0;
  const double chunk = std::min(message, kPeerChunk);
  const double one = chunk / (step + chunk / simple.rate);
  const double rate = all_to_all ? simple.rate : one;
  const double channel = remote > 0 ? remote * message / (channels * rate) : 0;
  const double bytes_time = std::max({nic, near, channel});
  std::string_view bound = "peers";
  if (bytes_time > latency) {
    bound = bytes_time == nic ? "NIC" : bytes_time == near ? "NVLink" : "channel";
  }
  return {latency + step + bytes_time, bound};
}

}  // namespace spineleaf
