#include "scenarios/output/curve.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "scenarios/statistics.hpp"

namespace spineleaf {

const Curve* measured_curve(const CurveSet& set) {
  for (const Curve& curve : set.curves) {
    if (curve.measured) return &curve;
  }
  return nullptr;
}

double time_at(const Curve& curve, std::int64_t bytes) {
  for (const CurvePoint& point : curve.points) {
    if (point.bytes == bytes) return point.time_us;
  }
  return -1;
}

std::vector<std::int64_t> sizes_of(const CurveSet& set) {
  std::set<std::int64_t> sizes;
  for (const Curve& curve : set.curves) {
    for (const CurvePoint& point : curve.points) sizes.insert(point.bytes);
  }
  return {sizes.begin(), sizes.end()};
}

double busbw_gbytes(const CurveSet& set, const CurvePoint& point) {
  return algbw_gbytes(Bytes{point.bytes}, point.time_us) * busbw_factor(set.collective, set.ranks);
}

double error_percent(double other, double reference) {
  return (other - reference) / reference * 100;
}

namespace {

/// The largest bounds of the runs' rings of this set; none where anything else than a ring ran.
RingBounds common_bounds(const std::vector<const Result*>& runs, const CurveSet& set) {
  RingBounds bounds;
  for (const Result* run : runs) {
    for (const CollectiveRecord& record : run->collectives) {
      if (record.collective != set.collective || record.ranks != set.ranks) continue;
      if (record.algorithm != "ring" || record.job >= run->ring_bounds.size()) return {};
      bounds.nics = std::max(bounds.nics, run->ring_bounds[record.job].nics);
      bounds.nvlink = std::max(bounds.nvlink, run->ring_bounds[record.job].nvlink);
    }
  }
  return bounds;
}

}  // namespace

CurveSet simulated_curves(const std::vector<std::string>& labels,
                          const std::vector<std::vector<const Result*>>& sweeps) {
  CurveSet set;
  bool named = false;
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    std::map<std::int64_t, double> time_us;
    for (const Result* run : sweeps[i]) {
      for (const CollectiveStatistics& row : collective_statistics(*run)) {
        if (!named) {
          set.collective = row.collective;
          set.ranks = row.ranks;
          named = true;
        }
        const bool same = row.collective == set.collective && row.ranks == set.ranks;
        if (same && row.finished > 0) time_us.try_emplace(row.bytes.count, to_us(row.mean));
      }
    }
    Curve curve;
    curve.label = i < labels.size() ? labels[i] : "simulated";
    curve.bounds = common_bounds(sweeps[i], set);
    for (const auto& [bytes, time] : time_us) curve.points.push_back({bytes, time});
    set.curves.push_back(std::move(curve));
  }
  return set;
}

}  // namespace spineleaf
