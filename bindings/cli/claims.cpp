// spineleaf claims: what two articles for buyers say, put to the test now.

#include "validation/claims/claims.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/verbs.hpp"

namespace spineleaf::cli {

namespace {

struct ClaimsArguments {
  std::vector<std::string> only;
  bool json = false;
};

/// The claims that are asked for, in the table's order; false, and said, where one is none.
bool select(std::vector<Claim>& claims, const std::vector<std::string>& only) {
  if (only.empty()) return true;
  std::vector<std::string_view> ids;
  for (const Claim& claim : claims) ids.push_back(claim.id);
  for (const std::string& id : only) {
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
    std::fprintf(stderr, "--only: there is no claim %s; expected S1 to S%zu. %s\n",
                 in_quotes(id).c_str(), ids.size(), did_you_mean(id, ids).c_str());
    return false;
  }
  std::erase_if(claims, [&](const Claim& claim) {
    return std::find(only.begin(), only.end(), claim.id) == only.end();
  });
  return true;
}

void run(const ClaimsArguments& arguments, int& exit_code) {
  ClaimsResult read = shipped_claims();
  for (const InputProblem& problem : read.problems) {
    std::fprintf(stderr, "%s\n", to_string(problem).c_str());
  }
  if (has_errors(read.problems) || !select(read.claims, arguments.only)) {
    exit_code = kBadInput;
    return;
  }
  std::vector<ClaimAnswer> answers;
  for (const Claim& claim : read.claims) {
    answers.push_back(try_claim(claim));
    if (arguments.json) continue;
    std::fputs(claim_text(answers.back()).c_str(), stdout);
    std::fflush(stdout);
  }
  std::fputs((arguments.json ? claims_json(answers) : claims_sum(answers)).c_str(), stdout);
}

}  // namespace

void add_claims(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "claims", "What two articles for buyers of fabrics say, each sentence put to the test now");
  verb->group(kCheckGroup);
  const auto arguments = std::make_shared<ClaimsArguments>();
  verb->add_option("--only", arguments->only, "Only these, such as S6,S17")
      ->type_name("ID")
      ->delimiter(',');
  verb->add_flag("--json", arguments->json,
                 "Print an array: id, source, claim, verdict, trials, note, needs, see");
  examples(*verb, {"claims --only S18,S43", "claims --only S49 --json"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
