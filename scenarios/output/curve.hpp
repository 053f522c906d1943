#pragma once
// Curve: time and bandwidth of a collective over message size, measured or simulated, as plain
// data.

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/result.hpp"

namespace spineleaf {

struct CurvePoint {
  std::int64_t bytes = 0;  ///< as nccl-tests counts the size
  double time_us = 0;
};

/// Bandwidths follow from size and time: algbw = bytes / time, busbw = algbw x busbw_factor.
struct Curve {
  std::string label;  ///< "NDR measured", "RoCEv2 (PFC)"
  bool measured = false;
  std::string note;                ///< source, or what the curve was fitted on
  std::vector<CurvePoint> points;  ///< ascending in bytes, one per size
  RingBounds bounds{};             ///< where every point is of a ring
};

/// What is common to curves that are shown together.
struct CurveSet {
  std::string collective = "all_reduce";
  std::int64_t ranks = 0;
  std::vector<Curve> curves;
};

/// The measured curve that the others are compared with: the first of them, or null.
const Curve* measured_curve(const CurveSet& set);

/// Time at a size, or a negative number where the curve has no such size.
double time_at(const Curve& curve, std::int64_t bytes);

/// All sizes of all curves, ascending.
std::vector<std::int64_t> sizes_of(const CurveSet& set);

double busbw_gbytes(const CurveSet& set, const CurvePoint& point);

/// (other - reference) / reference in percent: +3 = `other` is 3 % above.
double error_percent(double other, double reference);

/// Mean iteration times of the collectives of several runs (a sweep may be one run or one per
/// size). Sizes that no run finished are missing; the first collective's name and ranks are taken.
CurveSet simulated_curves(const std::vector<std::string>& labels,
                          const std::vector<std::vector<const Result*>>& sweeps);

}  // namespace spineleaf
