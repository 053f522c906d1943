#include "validation/oracles/credit_forms.hpp"

#include <algorithm>

namespace spineleaf {
namespace {
constexpr std::int64_t kBlock = 64, kMostOffered = 2048, kUpdate = 8;
}  // namespace

std::int64_t credit_window(const CreditLoop& loop) {
  const std::int64_t blocks = std::min(loop.buffer / kBlock, kMostOffered);
  return blocks / ((loop.packet + kBlock - 1) / kBlock);
}

Time credit_loop_time(const CreditLoop& loop) {
  return 2 * loop.cable + loop.pipeline + serialisation(Bytes{loop.packet}, loop.rate) +
         serialisation(Bytes{kUpdate}, loop.rate);
}

double credit_rate(const CreditLoop& loop, Time time) {
  const auto bits = static_cast<double>(credit_window(loop) * loop.packet * 8);
  return std::min(loop.rate.gbps(), bits * 1e-9 / time.seconds());
}

}  // namespace spineleaf
