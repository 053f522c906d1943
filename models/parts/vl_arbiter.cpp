#include "models/parts/vl_arbiter.hpp"

#include <algorithm>
#include <charconv>

#include "sim/check.hpp"

namespace spineleaf {

namespace {
constexpr std::size_t kLow = 0;
constexpr std::size_t kHigh = 1;
constexpr std::int64_t kNoLimit = 255;
constexpr std::int64_t kLimitUnit = 4096;
constexpr std::size_t kMostEntries = 64;
}  // namespace

std::uint32_t VlTables::served() const {
  std::uint32_t mask = 0;
  for (const std::vector<VlWeight>& table : entries) {
    for (const VlWeight& entry : table) mask |= entry.weight > 0 ? 1U << entry.vl : 0U;
  }
  return mask;
}

VlTableRead read_vl_table(std::string_view text) {
  VlTableRead read;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    unsigned vl = 0;
    unsigned weight = 0;
    const char* const end = word.data() + word.size();
    const auto [colon, bad_vl] = std::from_chars(word.data(), end, vl);
    const bool split = bad_vl == std::errc{} && colon != end && *colon == ':';
    const auto [last, bad_weight] =
        split ? std::from_chars(colon + 1, end, weight) : std::from_chars_result{end, bad_vl};
    if (!split || bad_weight != std::errc{} || last != end || vl > 14 || weight > 255) {
      read.reason =
          "\"" + std::string{word} + "\" is no VL:weight with VL 0 to 14, weight 0 to 255";
      return read;
    }
    read.entries.push_back({static_cast<std::uint8_t>(vl), static_cast<std::uint8_t>(weight)});
  }
  if (read.entries.size() > kMostEntries) {
    read.reason = std::to_string(read.entries.size()) + " entries; a table has at most 64";
  }
  return read;
}

VlArbiter::VlArbiter(const VlTables& tables) : tables_(&tables) {
  for (const std::size_t table : {kLow, kHigh}) {
    deficits_[table].resize(tables.entries[table].size());
    for (const VlWeight& entry : tables.entries[table]) {
      if (entry.weight > 0) turns_[table].mask |= 1U << entry.vl;
    }
    if (!tables.entries[table].empty()) turns_[table].left = tables.entries[table][0].weight;
  }
  refill_limit();
}

void VlArbiter::refill_limit() {
  high_left_ = tables_->high_limit == 0 ? 1 : tables_->high_limit * kLimitUnit;
}

std::uint32_t VlArbiter::choose(std::uint32_t eligible) {
  const bool low = (eligible & turns_[kLow].mask) != 0;
  const bool high = (eligible & turns_[kHigh].mask) != 0;
  if (!low) refill_limit();
  const bool may = high_left_ > 0 || tables_->high_limit == kNoLimit;
  served_ = high && (may || !low) ? kHigh : kLow;
  return next_of(served_, eligible);
}

std::uint32_t VlArbiter::next_of(std::size_t table, std::uint32_t eligible) {
  const std::vector<VlWeight>& entries = tables_->entries[table];
  Turn& turn = turns_[table];
  // At the latest the second turn of an entry without debt has weight; a debt of the largest
  // packet, 145 blocks, takes as many rounds at weight 1.
  for (std::size_t tried = 0; tried <= 150 * kMostEntries; ++tried) {
    const VlWeight& entry = entries[turn.at];
    if (turn.left > 0 && (eligible >> entry.vl & 1U) != 0) return entry.vl;
    // A turn that was passed on keeps nothing; one that overdrew keeps its debt, with carry.
    deficits_[table][turn.at] = tables_->carry && turn.left < 0 ? turn.left : 0;
    turn.at = turn.at + 1 == entries.size() ? 0 : turn.at + 1;
    turn.left = entries[turn.at].weight + deficits_[table][turn.at];
  }
  SIM_CHECK(false, "VL arbitration finds no entry for a packet", "");
  return 0;
}

void VlArbiter::sent(std::int32_t size) {
  turns_[served_].left -= (size + 63) / 64;
  if (served_ == kHigh) {
    high_left_ -= size;
  } else {
    refill_limit();
  }
}

}  // namespace spineleaf
