#include "validation/oracles/collective_forms.hpp"

#include <cmath>

namespace spineleaf {
namespace {

/// Bytes over GB/s: 1 GB/s moves a byte in 1,000 ps.
Time transfer(double bytes, double gbytes) { return {std::llround(bytes / gbytes * 1000)}; }

}  // namespace

Time ring_all_gather(std::int64_t ranks, Bytes size, const StepCost& step) {
  const double part = static_cast<double>(size.count) / static_cast<double>(ranks);
  const auto steps = static_cast<double>(ranks - 1);
  return (ranks - 1) * step.alpha + transfer(steps * part, step.gbytes);
}

Time ring_all_reduce(std::int64_t ranks, Bytes size, const StepCost& step) {
  return 2 * ring_all_gather(ranks, size, step);
}

Time all_to_all_bound(std::int64_t ranks, Bytes size, double gbytes) {
  const double n = static_cast<double>(ranks);
  return transfer(static_cast<double>(size.count) * (n - 1) / n, gbytes);
}

double all_to_all_busbw(std::int64_t ranks, std::int64_t local, double nic_gbytes) {
  return nic_gbytes * static_cast<double>(ranks - 1) / static_cast<double>(ranks - local);
}

}  // namespace spineleaf
