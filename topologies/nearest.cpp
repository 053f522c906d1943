#include "topologies/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace spineleaf {

namespace {

/// Optimal string alignment: letters inserted, deleted or replaced, or two neighbours swapped.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last.back();
}

}  // namespace

std::string nearest(std::string_view name, std::span<const std::string_view> candidates) {
  // A name far longer than any key is no typing error, and comparing it would take long.
  constexpr std::size_t kLongest = 128;
  if (name.size() > kLongest) return {};
  std::size_t best = (name.size() + 2) / 3 + 1;  // an error in every third letter
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    // The difference in length is a lower bound: most candidates need no table.
    const std::size_t gap = candidate.size() > name.size() ? candidate.size() - name.size()
                                                           : name.size() - candidate.size();
    if (gap >= best) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return std::string{found};
}

}  // namespace spineleaf
