#pragma once
// `spineleaf claims`: what two articles for buyers of fabrics say, each sentence put to the test
// now.
//
// A claim is a row of validation/data/claims/claims.json. What tries it is C++, one file per area:
// a list of trials, each a condition, what was found under it, and whether the claim holds there.
// The verdict follows from the trials and is stored nowhere.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

struct Claim {
  std::string id;      ///< "S17"
  std::string source;  ///< "D1 3": article and section
  std::string text;
  std::string note;      ///< what is right, and who says so; may be empty
  bool opinion = false;  ///< nothing that could be measured
  std::string needs;     ///< tools without which it can't be tried; empty where it can
};

/// The claim under one condition.
struct ClaimTrial {
  std::string condition;
  std::string found;
  bool holds = false;
};
using ClaimTrials = std::vector<ClaimTrial>;

enum class ClaimVerdict : std::uint8_t {
  Reproduced,     ///< holds in every trial
  Conditions,     ///< holds in some
  NotReproduced,  ///< holds in none
  Opinion,
  Untried  ///< rests on tools that aren't built
};
std::string_view to_text(ClaimVerdict verdict);

struct ClaimAnswer {
  Claim claim;
  ClaimVerdict verdict = ClaimVerdict::Untried;
  ClaimTrials trials;
  std::string see;  ///< a command that shows more; may be empty
  double seconds = 0;
};

/// Claims from JSON; problems have a place.
struct ClaimsResult {
  std::vector<Claim> claims;
  std::vector<InputProblem> problems;
};
ClaimsResult read_claims(std::string_view text, const std::string& file);
/// The shipped table.
ClaimsResult shipped_claims();

/// Tries a claim. Throws std::runtime_error where a shipped scenario can't be used.
ClaimAnswer try_claim(const Claim& claim);
/// Whether there is anything that tries it.
bool can_try(std::string_view id);

std::string claim_text(const ClaimAnswer& answer);
/// How many of each verdict.
std::string claims_sum(const std::vector<ClaimAnswer>& answers);
/// An array of objects: id, source, claim, note, verdict, trials, see, needs.
std::string claims_json(const std::vector<ClaimAnswer>& answers);

}  // namespace spineleaf
