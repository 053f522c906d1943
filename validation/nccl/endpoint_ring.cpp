#include "validation/nccl/endpoint_ring.hpp"

#include <cmath>
#include <vector>

namespace spineleaf {
namespace {

constexpr double kLlChunk = 32 << 10;
constexpr double kLl128Chunk = 576000;
constexpr double kSimpleChunk = 2 << 20;
constexpr double kLeastSlice = 32 << 10;
constexpr int kLoopsWalked = 4;

/// One channel of a ring, all nodes alike: times of the GPUs of one node, by their place in it.
class RingWalk {
 public:
  RingWalk(const EndpointSystem& system, const EndpointCosts& costs, const EndpointShape& shape,
           NcclProtocol protocol, double channels)
      : shape_(shape), gpus_(static_cast<std::size_t>(shape.gpus)), network_(shape.nodes > 1) {
    simple_ = protocol == NcclProtocol::Simple;
    depth_ = simple_ ? 4 : 8;
    const double leaving = network_ ? channels * (1 - 1 / shape.gpus) : channels;
    const double link = system.node.nvlink_gbytes * 1000 * costs[Cost::NvlinkShare];
    near_rate_ = link > 0 && leaving > 0
                     ? std::min(shape.rate, link / leaving / (simple_ ? 1 : shape.wire))
                     : shape.rate;
    lanes_ = shape.lanes(channels);
    proxy_ = 2 * lanes_ * costs[Cost::ProxyStep];
    ends_.assign(gpus_, 0);
    head_.assign(gpus_ * depth_, 0);
    tail_.assign(gpus_ * depth_, 0);
    free_.assign(gpus_ * depth_, 0);
  }

  /// One loop of `operations` with chunks of `chunk` bytes.
  void walk(std::int64_t operations, double chunk) {
    const double slice = simple_ ? std::max(std::ceil(chunk / 2), kLeastSlice) : chunk;
    for (std::int64_t k = 0; k < operations; ++k) {
      for (double left = chunk; left > 0; left -= slice) {
        const bool sends = k + 1 < operations;
        const bool receives = k > 0;
        for (std::size_t p = 0; p < gpus_; ++p) step(p, std::min(left, slice), sends, receives);
        if (sends) ++sent_;
        if (receives) ++received_;
      }
    }
  }

  void shift(double by) {
    for (auto* times : {&ends_, &head_, &tail_, &free_}) {
      for (double& time : *times) time += by;
    }
    nic_free_ += by;
  }

  double end() const { return *std::max_element(ends_.begin(), ends_.end()); }

 private:
  std::size_t slot(std::size_t place, std::int64_t message) const {
    return place * depth_ + static_cast<std::size_t>(message) % depth_;
  }

  void step(std::size_t p, double bytes, bool sends, bool receives) {
    const bool leaves = network_ && p + 1 == gpus_;
    const double share = sends && receives ? 1 : 0.5;
    const double rate = sends && !leaves ? near_rate_ : shape_.rate;
    double start = ends_[p];
    if (receives) start = std::max(start, head_[slot(p, received_)]);
    if (sends) start = std::max(start, free_[slot(p, sent_)]);
    double end = start + share * (shape_.overhead + bytes / rate);
    if (receives) end = std::max(end, tail_[slot(p, received_)]);
    ends_[p] = end;
    // Between nodes a slot is free when the network says so, which hand_over() knows.
    if (receives && !(network_ && p == 0)) {
      free_[slot((p + gpus_ - 1) % gpus_, received_)] = end;
    }
    if (sends) hand_over(p, leaves, bytes, start, end);
  }

  void hand_over(std::size_t p, bool leaves, double bytes, double start, double end) {
    const std::size_t next = slot((p + 1) % gpus_, sent_);
    if (!leaves) {
      head_[next] = shape_.cut_through ? start + shape_.overhead + shape_.hop : end + shape_.hop;
      tail_[next] = end + shape_.hop;
      return;
    }
    const double wire = lanes_ * (bytes * shape_.wire / shape_.nic_rate + shape_.nic_message);
    const double begin = std::max(end, nic_free_);
    nic_free_ = begin + std::max(wire, proxy_);
    head_[next] = tail_[next] = begin + wire + shape_.net;
    free_[slot(p, sent_)] = begin + wire + shape_.net / 2;
  }

  const EndpointShape& shape_;
  std::size_t gpus_;
  bool network_;
  bool simple_ = false;
  std::size_t depth_ = 4;
  double near_rate_ = 0;  ///< of copies that leave over NVLink
  double lanes_ = 1;
  double proxy_ = 0;
  double nic_free_ = 0;
  std::int64_t sent_ = 0;
  std::int64_t received_ = 0;
  std::vector<double> ends_;  ///< by place in the node
  std::vector<double> head_;  ///< by place and slot: input may be begun
  std::vector<double> tail_;  ///< by place and slot: input is whole
  std::vector<double> free_;  ///< by place and slot: output slot free
};

double largest_chunk(NcclProtocol protocol) {
  if (protocol == NcclProtocol::Ll) return kLlChunk;
  return protocol == NcclProtocol::Ll128 ? kLl128Chunk : kSimpleChunk;
}

}  // namespace

EndpointTime endpoint_ring(const EndpointSystem& system, const EndpointCosts& costs,
                           const EndpointShape& shape, NcclFunction function, NcclProtocol protocol,
                           std::int64_t bytes) {
  const auto channels = static_cast<double>(
      nccl_channels(system.setup.system, NcclAlgorithm::Ring, protocol, bytes, 0));
  const bool reduce = function == NcclFunction::AllReduce;
  const auto ranks = static_cast<std::int64_t>(shape.ranks);
  const std::int64_t operations = reduce ? 2 * ranks - 1 : ranks;
  // An all-reduce cuts a channel's share into one chunk per rank and loop.
  const double data = static_cast<double>(bytes) / channels / shape.ranks;
  const double chunk = largest_chunk(protocol);
  const double loops = std::max(1.0, std::ceil(data / chunk));
  const double last = data - (loops - 1) * chunk;
  RingWalk walk(system, costs, shape, protocol, channels);
  const auto full = static_cast<int>(std::min(loops - 1, double{kLoopsWalked}));
  double before = 0;
  double period = 0;
  for (int i = 0; i < full; ++i) {
    walk.walk(operations, chunk);
    period = walk.end() - before;
    before = walk.end();
  }
  if (loops - 1 > kLoopsWalked) walk.shift(period * (loops - 1 - kLoopsWalked));
  walk.walk(operations, last);
  const double time = walk.end();
  const double moved = data * static_cast<double>(operations);
  const double nic =
      shape.nodes > 1 ? moved * shape.wire * shape.lanes(channels) / shape.nic_rate : 0;
  const double copy = moved / shape.rate;
  std::string_view bound = "latency";
  if (nic > 0.85 * time) {
    bound = "NIC";
  } else if (copy > 0.6 * time) {
    bound = "channel";
  } else if (shape.nodes < 2 && loops > 2) {
    bound = "NVLink";
  }
  return {shape.launch + time, bound};
}

}  // namespace spineleaf
