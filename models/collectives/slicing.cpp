#include "models/collectives/slicing.hpp"

#include <algorithm>

namespace spineleaf {
namespace {

// nccl-tests runs in float by default; the element size only rounds slices (16 elements).
constexpr std::int64_t kGrain = 16 * 4;

}  // namespace

std::string_view name_of(Protocol protocol) {
  switch (protocol) {
    case Protocol::Simple: return "simple";
    case Protocol::Ll128: return "ll128";
    case Protocol::Ll: return "ll";
  }
  return "";
}

std::int64_t Slicing::slice_size(std::int64_t bytes) const {
  return std::max(div_up(bytes, kGrain * slices) * kGrain, min_slice);
}

std::uint32_t Slicing::slice_count(std::int64_t bytes) const {
  return bytes <= 0 ? 0 : static_cast<std::uint32_t>(div_up(bytes, slice_size(bytes)));
}

void Slicing::add(LinkTotals& sum, std::int64_t bytes, std::int64_t times) const {
  if (bytes <= 0) return;
  const std::int64_t slice = slice_size(bytes);
  const std::int64_t whole = bytes / slice;
  const std::int64_t rest = bytes - whole * slice;
  sum.messages += (whole + (rest > 0 ? 1 : 0)) * times;
  sum.payload += bytes * times;
  sum.wire += (whole * wire_bytes(slice) + wire_bytes(rest)) * times;
}

Slicing make_slicing(Protocol protocol, const HostParams& host, const NcclCosts& costs,
                     std::int64_t chunk_steps, std::int64_t slice_steps) {
  Slicing out;
  out.protocol = protocol;
  if (protocol != Protocol::Simple) {
    // Flags travel with the data, and their delay is part of the fitted overhead.
    const bool ll128 = protocol == Protocol::Ll128;
    out.chunk = ll128 ? host.ll128_step.count / 128 * 120 : costs.ll_step.count / 2;
    out.slices = 1;
    out.min_slice = 1;
    out.depth = static_cast<std::uint32_t>(host.steps);
    out.rate = ll128 ? host.ll128_channel_rate : costs.ll_channel_rate;
    out.overhead = ll128 ? host.ll128_overhead : costs.ll_overhead;
    return out;
  }
  const std::int64_t step = host.buffer.count / host.steps;
  out.chunk = step * chunk_steps;
  out.slices = static_cast<std::uint32_t>(chunk_steps / slice_steps);
  out.min_slice = std::max<std::int64_t>(1, step * slice_steps / 32);
  out.depth = static_cast<std::uint32_t>(host.steps / slice_steps);
  out.rate = host.channel_rate;
  out.overhead = host.step_overhead;
  out.hop = host.intra_hop;
  return out;
}

}  // namespace spineleaf
