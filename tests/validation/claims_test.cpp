// The claims of two articles: the table is whole, and verdicts follow from what is tried.

#include "validation/claims/claims.hpp"

#include <gmock/gmock.h>

namespace spineleaf {
namespace {

using testing::HasSubstr;

ClaimAnswer answer_to(const std::string& id) {
  for (const Claim& claim : shipped_claims().claims) {
    if (claim.id == id) return try_claim(claim);
  }
  throw std::runtime_error("no claim " + id);
}

TEST(Claims, TheShippedTableIsWhole) {
  const ClaimsResult read = shipped_claims();
  EXPECT_TRUE(read.problems.empty());
  ASSERT_EQ(read.claims.size(), 70U);
  for (std::size_t i = 0; i < read.claims.size(); ++i) {
    const Claim& claim = read.claims[i];
    EXPECT_EQ(claim.id, "S" + std::to_string(i + 1));
    EXPECT_FALSE(claim.source.empty() || claim.text.empty()) << claim.id;
    // What is tried is neither an opinion nor does it wait for a tool.
    const int ways =
        (claim.opinion ? 1 : 0) + (claim.needs.empty() ? 0 : 1) + (can_try(claim.id) ? 1 : 0);
    EXPECT_LE(ways, 1) << claim.id;
  }
}

TEST(Claims, VerdictsFollowFromTheTrials) {
  EXPECT_EQ(answer_to("S18").verdict, ClaimVerdict::Reproduced);
  EXPECT_EQ(answer_to("S43").verdict, ClaimVerdict::NotReproduced);
  // The trials of an area each: a switch's pauses, counters of tools, lint, a cut, a loss.
  for (const char* id : {"S39", "S44", "S60", "S63", "S69", "S70"}) {
    EXPECT_NE(answer_to(id).verdict, ClaimVerdict::NotReproduced) << claim_text(answer_to(id));
  }
  EXPECT_EQ(answer_to("S22").verdict, ClaimVerdict::NotReproduced);
  EXPECT_EQ(answer_to("S24").verdict, ClaimVerdict::Conditions);
  EXPECT_EQ(answer_to("S35").verdict, ClaimVerdict::Conditions);
  const ClaimAnswer sum = answer_to("S49");
  EXPECT_EQ(sum.verdict, ClaimVerdict::Conditions);
  EXPECT_EQ(sum.trials.front().found, "13.89 hours");
  EXPECT_EQ(answer_to("S31").verdict, ClaimVerdict::Opinion);
  EXPECT_THAT(claim_text(sum), HasSubstr("true under conditions"));
  EXPECT_THAT(claims_json({sum}), HasSubstr("\"holds\": false"));
}

TEST(Claims, WhatIsNoClaimHasAPlace) {
  const ClaimsResult read =
      read_claims("[{\"id\": 3, \"source\": \"D1\", \"claim\": \"x\"}, {}]", "c");
  ASSERT_EQ(read.problems.size(), 4U);
  EXPECT_EQ(read.problems[0].place.column, 9);
  EXPECT_THAT(to_string(read.problems[0]), HasSubstr("id is a number"));
  EXPECT_THAT(to_string(read.problems[1]), HasSubstr("has no id"));
  EXPECT_EQ(read_claims("{}", "c").problems.size(), 1U);
}

}  // namespace
}  // namespace spineleaf
