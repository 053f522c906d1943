// Rows of `validate infiniband` that take no time hold.

#include <gtest/gtest.h>

#include "validation/infiniband/row.hpp"

namespace spineleaf::infiniband_rows_hold {
namespace {

void expect_all_hold(const std::string& group, std::size_t count) {
  InfinibandOptions quick;
  quick.quick = true;
  quick.seeds = 2;
  const std::vector<ValidationRow> rows = infiniband_rows(group, quick);
  EXPECT_EQ(rows.size(), count);
  for (const ValidationRow& row : rows) {
    EXPECT_TRUE(row.pass || row.report_only)
        << row.id << ": " << row.got << ", not " << row.expected;
  }
}

TEST(ValidateInfiniband, IdleLatencyIsTheSumOfItsParts) { expect_all_hold("latency", 10); }
TEST(ValidateInfiniband, IncastsOverflowNoBuffer) { expect_all_hold("incast", 1); }
TEST(ValidateInfiniband, LifetimesEndCreditLoops) { expect_all_hold("lifetime", 13); }
TEST(ValidateInfiniband, LanesShareByWeight) { expect_all_hold("arbitration", 12); }

}  // namespace
}  // namespace spineleaf::infiniband_rows_hold
