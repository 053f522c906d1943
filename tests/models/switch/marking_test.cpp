// Marking: none up to kmin, all above kmax, and in between the stated probability at a fixed queue.

#include "models/parts/marking.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spineleaf {
namespace {

EcnParams red(std::int64_t kmin, std::int64_t kmax, double pmax) {
  EcnParams params;
  params.enabled = true;
  params.kmin = Bytes{kmin};
  params.kmax = Bytes{kmax};
  params.pmax = pmax;
  return params;
}

std::int64_t marks_of(const Marking& marking, std::int64_t queue, std::int64_t packets) {
  std::int64_t marked = 0;
  for (std::int64_t i = 0; i < packets; ++i) {
    Record record;
    record.qp = static_cast<std::uint32_t>(i % 7);
    record.seq = static_cast<std::uint32_t>(i / 7);
    marked += marking.marks(queue, record, 99, Time{83'560 * i}) ? 1 : 0;
  }
  return marked;
}

TEST(Marking, NothingUpToKminEverythingAboveKmax) {
  const Marking marking(red(5000, 200'000, 0.01));
  EXPECT_EQ(marks_of(marking, 0, 1000), 0);
  EXPECT_EQ(marks_of(marking, 5000, 100'000), 0);
  EXPECT_EQ(marks_of(marking, 200'001, 1000), 1000);
  EXPECT_LT(marks_of(marking, 200'000, 10'000), 200);
}

TEST(Marking, LinearInTheQueueWithinTheBinomial99PercentInterval) {
  constexpr std::int64_t kPackets = 200'000;
  for (const double pmax : {0.01, 0.05, 0.2, 1.0}) {
    const Marking marking(red(100'000, 400'000, pmax));
    for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9}) {
      const auto queue = static_cast<std::int64_t>(100'000 + share * 300'000);
      const double p = pmax * share;
      const double n = static_cast<double>(kPackets);
      const double margin = 2.576 * std::sqrt(n * p * (1 - p)) + 0.5;
      EXPECT_NEAR(static_cast<double>(marks_of(marking, queue, kPackets)), n * p, margin)
          << "pmax " << pmax << " queue " << queue;
    }
  }
}

TEST(Marking, KmaxAtKminIsAStep) {
  const Marking marking(red(50'000, 50'000, 0.5));
  EXPECT_EQ(marks_of(marking, 50'000, 1000), 0);
  EXPECT_EQ(marks_of(marking, 50'001, 1000), 1000);
}

}  // namespace
}  // namespace spineleaf
