#pragma once
// SizeDistribution: flow sizes from a piecewise linear cumulative distribution.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.hpp"
#include "topologies/problem.hpp"

namespace spineleaf {

class SizeDistribution {
 public:
  /// Every flow has this size.
  static SizeDistribution constant(Bytes bytes);
  /// From "bytes:probability,..." with rising bytes and probabilities, the last one 1; sizes are
  /// uniform between two points, and a first probability above 0 is that of the first size.
  /// What is wrong goes to `problems`.
  static SizeDistribution parse(std::string_view text, std::vector<Problem>& problems);

  double mean() const;
  /// At least 1 byte.
  Bytes sample(std::uint64_t bits) const;

 private:
  struct Point {
    std::int64_t bytes = 0;
    std::int64_t probability = 0;  ///< cumulative, in units of 2^-32
  };
  std::vector<Point> points_;
};

/// Cumulative distributions of public traffic generators, as parse() takes them; the numbers are
/// those of the HPCC traffic generator (files WebSearch_distribution and FbHdp_distribution).
inline constexpr std::string_view kWebSearchSizes =
    "0:0,10000:0.15,20000:0.2,30000:0.3,50000:0.4,80000:0.53,200000:0.6,1000000:0.7,2000000:0.8,"
    "5000000:0.9,10000000:0.97,30000000:1";
inline constexpr std::string_view kFbHadoopSizes =
    "0:0,100:0.01,200:0.02,300:0.05,350:0.15,400:0.2,500:0.3,600:0.4,700:0.5,1000:0.6,2000:0.67,"
    "7000:0.7,30000:0.72,50000:0.82,80000:0.87,120000:0.9,300000:0.95,1000000:0.975,"
    "2000000:0.99,10000000:1";

}  // namespace spineleaf
