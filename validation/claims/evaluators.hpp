#pragma once
// What tries the claims, by area. A row here and a function in the area's file make a claim
// testable.

#include <span>
#include <string>
#include <string_view>

#include "scenarios/run.hpp"
#include "validation/claims/claims.hpp"
#include "validation/nccl/expect.hpp"

namespace spineleaf {

struct ClaimEvaluator {
  std::string_view id;
  ClaimTrials (*evaluate)() = nullptr;
  std::string_view see;  ///< "ping quickstart-permutation-ndr"
};

std::span<const ClaimEvaluator> latency_claims();
std::span<const ClaimEvaluator> collective_claims();
std::span<const ClaimEvaluator> lossless_claims();
std::span<const ClaimEvaluator> traffic_claims();
std::span<const ClaimEvaluator> site_claims();
std::span<const ClaimEvaluator> operations_claims();
std::span<const ClaimEvaluator> cost_claims();

/// The study of the shipped measurements; fitted once in a process.
const Study& claims_study();
/// What a healthy cluster shows, by that study. Throws std::runtime_error where the question is
/// wrong.
Expectation claims_expect(const ExpectQuery& query);
/// The row of a size.
ExpectRow row_of_size(const Expectation& expectation, std::int64_t bytes);

}  // namespace spineleaf
