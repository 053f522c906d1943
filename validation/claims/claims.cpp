#include "validation/claims/claims.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "scenarios/data_dir.hpp"
#include "scenarios/input/csv_table.hpp"
#include "scenarios/input/json_source.hpp"
#include "validation/claims/evaluators.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostClaims = 10'000;
constexpr std::string_view kVerdicts[] = {"reproduced", "true under conditions", "not reproduced",
                                          "opinion", "not tried"};

const ClaimEvaluator* evaluator_of(std::string_view id) {
  for (const auto& area : {latency_claims(), collective_claims(), lossless_claims(),
                           traffic_claims(), site_claims(), operations_claims(), cost_claims()}) {
    for (const ClaimEvaluator& evaluator : area) {
      if (evaluator.id == id) return &evaluator;
    }
  }
  return nullptr;
}

ClaimVerdict verdict_of(const ClaimTrials& trials) {
  const auto holding =
      std::count_if(trials.begin(), trials.end(), [](const ClaimTrial& t) { return t.holds; });
  if (holding == 0) return ClaimVerdict::NotReproduced;
  return static_cast<std::size_t>(holding) == trials.size() ? ClaimVerdict::Reproduced
                                                            : ClaimVerdict::Conditions;
}

/// A member that is text, or true; a problem where it is anything else.
class ClaimReader {
 public:
  ClaimReader(const JsonNode& node, const std::string& file, std::vector<InputProblem>& problems)
      : node_(node), file_(file), problems_(problems) {}

  std::string text(std::string_view key, bool required) {
    const JsonNode* member = node_.find(key);
    if (member != nullptr && member->kind == JsonNode::Kind::String) {
      return std::string(member->text);
    }
    if (member != nullptr) {
      problem(*member, std::string(key) + " is " + std::string(kind_name(member->kind)), "text");
    } else if (required) {
      problem(node_, "has no " + std::string(key),
              "{\"id\": ..., \"source\": ..., \"claim\": ...}");
    }
    return {};
  }
  bool flag(std::string_view key) {
    const JsonNode* member = node_.find(key);
    if (member == nullptr) return false;
    if (member->kind == JsonNode::Kind::Boolean) return member->text == "true";
    problem(*member, std::string(key) + " is " + std::string(kind_name(member->kind)),
            "true or false");
    return false;
  }

 private:
  void problem(const JsonNode& node, std::string what, std::string expected) {
    InputProblem out = line_problem(file_, node.place.line, std::move(what), std::move(expected));
    out.place = node.place;
    append(problems_, std::move(out));
  }

  const JsonNode& node_;
  const std::string& file_;
  std::vector<InputProblem>& problems_;
};

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out, line;
  for (const std::string_view word : words_of(text)) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > 100) {
      out += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  return out + line + "\n";
}

}  // namespace

std::string_view to_text(ClaimVerdict verdict) {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}

ClaimsResult read_claims(std::string_view text, const std::string& file) {
  ClaimsResult out;
  const JsonSource source(file, std::string(text), out.problems);
  const JsonNode* root = source.root();
  if (root == nullptr || has_errors(out.problems)) return out;
  if (root->kind != JsonNode::Kind::Array) {
    InputProblem found = line_problem(file, root->place.line, "is no list of claims",
                                      "[{\"id\": \"S1\", \"source\": ..., \"claim\": ...}, ...]");
    found.place = root->place;
    append(out.problems, std::move(found));
    return out;
  }
  for (const JsonNode& node : root->children) {
    if (out.claims.size() == kMostClaims) break;
    ClaimReader reader(node, file, out.problems);
    Claim claim;
    claim.id = reader.text("id", true);
    claim.source = reader.text("source", true);
    claim.text = reader.text("claim", true);
    claim.note = reader.text("note", false);
    claim.needs = reader.text("needs", false);
    claim.opinion = reader.flag("opinion");
    out.claims.push_back(std::move(claim));
  }
  return out;
}

ClaimsResult shipped_claims() {
  const std::string path = data_file("validation/data/claims/claims.json");
  FileText file = read_file(path);
  if (!has_errors(file.problems)) return read_claims(file.text, path);
  return {{}, std::move(file.problems)};
}

bool can_try(std::string_view id) { return evaluator_of(id) != nullptr; }

ClaimAnswer try_claim(const Claim& claim) {
  ClaimAnswer answer;
  answer.claim = claim;
  const auto begin = std::chrono::steady_clock::now();
  if (const ClaimEvaluator* evaluator = evaluator_of(claim.id)) {
    answer.trials = evaluator->evaluate();
    answer.verdict = verdict_of(answer.trials);
    answer.see = evaluator->see;
  } else {
    answer.verdict = claim.opinion ? ClaimVerdict::Opinion : ClaimVerdict::Untried;
  }
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return answer;
}

std::string claim_text(const ClaimAnswer& answer) {
  const Claim& claim = answer.claim;
  const std::string id = claim.id + std::string(5 - std::min<std::size_t>(claim.id.size(), 4), ' ');
  std::string out = id + std::string(to_text(answer.verdict)) + " (" + claim.source + ")\n     ";
  out += wrapped(claim.text, 5);
  for (const ClaimTrial& trial : answer.trials) {
    out += std::string("   ") + (trial.holds ? "+ " : "- ");
    out += wrapped(trial.condition + ": " + trial.found, 5);
  }
  if (answer.verdict == ClaimVerdict::Untried) {
    out += "     ";
    out += wrapped(claim.needs.empty() ? "nothing here tries it yet"
                                       : "rests on what is not built yet: " + claim.needs,
                   5);
  }
  if (!claim.note.empty()) out += "     " + wrapped("What is right: " + claim.note, 5);
  if (!answer.see.empty()) out += "     see: spineleaf " + answer.see + "\n";
  return out + "\n";
}

std::string claims_sum(const std::vector<ClaimAnswer>& answers) {
  std::array<std::size_t, std::size(kVerdicts)> counts{};
  double seconds = 0;
  for (const ClaimAnswer& answer : answers) {
    ++counts[static_cast<std::size_t>(answer.verdict)];
    seconds += answer.seconds;
  }
  std::string out = std::to_string(answers.size()) + " claims:";
  for (std::size_t v = 0; v < counts.size(); ++v) {
    out += (v == 0 ? " " : ", ") + std::to_string(counts[v]) + " " + std::string(kVerdicts[v]);
  }
  return out + "; " + std::to_string(static_cast<int>(seconds + 0.5)) + " s\n" +
         "D1: an article on 400G NDR against RoCEv2; D2: one that gives a verdict. + the claim "
         "holds, - it does not.\n";
}

std::string claims_json(const std::vector<ClaimAnswer>& answers) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const ClaimAnswer& answer : answers) {
    nlohmann::ordered_json trials = nlohmann::ordered_json::array();
    for (const ClaimTrial& trial : answer.trials) {
      trials.push_back(
          {{"condition", trial.condition}, {"found", trial.found}, {"holds", trial.holds}});
    }
    array.push_back({{"id", answer.claim.id},
                     {"source", answer.claim.source},
                     {"claim", answer.claim.text},
                     {"verdict", to_text(answer.verdict)},
                     {"trials", std::move(trials)},
                     {"note", answer.claim.note},
                     {"needs", answer.claim.needs},
                     {"see", answer.see}});
  }
  return array.dump(2) + "\n";
}

}  // namespace spineleaf
