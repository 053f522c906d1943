#include "models/workloads/size_distribution.hpp"

#include <algorithm>
#include <charconv>

namespace spineleaf {
namespace {

constexpr std::int64_t kOne = std::int64_t{1} << 32;

template <class Number>
bool parse_all(std::string_view text, Number& value) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc{} && result.ptr == end;
}

}  // namespace

SizeDistribution SizeDistribution::constant(Bytes bytes) {
  SizeDistribution sizes;
  sizes.points_.push_back({bytes.count, kOne});
  return sizes;
}

SizeDistribution SizeDistribution::parse(std::string_view text, std::vector<Problem>& problems) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 44;
  SizeDistribution sizes;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t colon = std::min(item.find(':'), item.size());
    std::int64_t bytes = 0;
    double probability = 0;
    if (!parse_all(item.substr(0, colon), bytes) || colon == item.size() ||
        !parse_all(item.substr(colon + 1), probability) || !(probability >= 0) ||
        !(probability <= 1) || bytes < 0 || bytes > kMostBytes) {
      problems.push_back(make_error(
          "cdf", "is not bytes:probability with a probability from 0 to 1", in_quotes(item)));
      continue;
    }
    const auto scaled = static_cast<std::int64_t>(probability * static_cast<double>(kOne) + 0.5);
    if (!sizes.points_.empty() &&
        (bytes <= sizes.points_.back().bytes || scaled < sizes.points_.back().probability)) {
      problems.push_back(
          make_error("cdf", "does not rise from the point before it", in_quotes(item)));
    }
    sizes.points_.push_back({bytes, scaled});
  }
  if (sizes.points_.empty() || sizes.points_.back().probability != kOne) {
    problems.push_back(make_error("cdf", "the last point must have probability 1"));
    return constant(Bytes{1});
  }
  return sizes;
}

double SizeDistribution::mean() const {
  double sum = static_cast<double>(points_[0].bytes) * static_cast<double>(points_[0].probability);
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const Point &a = points_[i - 1], &b = points_[i];
    sum += static_cast<double>(a.bytes + b.bytes) / 2 *
           static_cast<double>(b.probability - a.probability);
  }
  return std::max(1.0, sum / static_cast<double>(kOne));
}

Bytes SizeDistribution::sample(std::uint64_t bits) const {
  __extension__ using Wide = __int128;
  const auto u = static_cast<std::int64_t>(bits >> 32);
  const auto at =
      std::upper_bound(points_.begin(), points_.end(), u,
                       [](std::int64_t v, const Point& p) { return v < p.probability; });
  if (at == points_.begin()) return Bytes{std::max<std::int64_t>(1, at->bytes)};
  const Point &a = *(at - 1), &b = *at;
  const Wide span = static_cast<Wide>(b.bytes - a.bytes) * (u - a.probability);
  const std::int64_t bytes =
      a.bytes + static_cast<std::int64_t>(span / (b.probability - a.probability));
  return Bytes{std::max<std::int64_t>(1, bytes)};
}

}  // namespace spineleaf
