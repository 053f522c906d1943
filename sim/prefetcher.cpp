#include "sim/prefetcher.hpp"

#include "sim/simulation.hpp"

namespace spineleaf {
namespace {

/// Rows of all actors that stay in cache from one epoch to the next (a share of the last level).
constexpr std::size_t kCached = std::size_t{8} << 20;

}  // namespace

Prefetcher::Prefetcher(const Simulation& simulation) {
  std::size_t bytes = 0;
  for (const auto& actor : simulation.actors()) {
    first_.push_back(static_cast<std::uint32_t>(rows_.size()));
    for (const std::span<const std::byte> range : actor->hot_memory()) {
      bytes += range.size();
      rows_.push_back(range);
    }
  }
  first_.push_back(static_cast<std::uint32_t>(rows_.size()));
  pays_ = bytes > kCached;
}

void Prefetcher::look_ahead(Lane& lane, std::span<const std::uint32_t> ids, std::size_t i) const {
  constexpr std::size_t kAhead = 2;  // one visit may be short
  if (!pays_ || i + kAhead >= ids.size()) return;
  const std::uint32_t id = ids[i + kAhead];
  for (std::uint32_t r = first_[id]; r < first_[id + 1]; ++r) lane.requests.want(rows_[r]);
  for (Mailbox* source : lane.sources) {
    const Bin bin = source->bin(lane.epoch, id);
    if (bin.empty()) continue;
    lane.requests.want({reinterpret_cast<const std::byte*>(bin.newest()),
                        reinterpret_cast<const std::byte*>(bin.end)});
  }
}

}  // namespace spineleaf
