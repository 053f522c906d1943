// Costs that were fitted before, read back from what `spineleaf calibrate -o` wrote.

#include <algorithm>
#include <charconv>
#include <utility>

#include "scenarios/data_dir.hpp"
#include "scenarios/input/csv_table.hpp"
#include "scenarios/input/json_source.hpp"
#include "validation/nccl/study.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

class CalibrationReader {
 public:
  explicit CalibrationReader(const std::string& file) : file_(file) {}

  CalibrationResult read(std::string text) {
    const JsonSource source(file_, std::move(text), out_.problems);
    const JsonNode* root = source.root();
    if (root == nullptr || has_errors(out_.problems)) return std::move(out_);
    const JsonNode* costs = root->kind == JsonNode::Kind::Object ? root->find("costs") : nullptr;
    if (costs == nullptr || costs->kind != JsonNode::Kind::Array) {
      problem(*root, "has no list of costs", "what spineleaf calibrate -o writes");
      return std::move(out_);
    }
    double points = 0;
    if (number(*root, "points", points)) out_.calibration.points = static_cast<std::size_t>(points);
    for (const JsonNode& node : costs->children) take(node);
    if (const JsonNode* warnings = root->find("warnings")) {
      for (const JsonNode& node : warnings->children) {
        out_.calibration.warnings.emplace_back(node.text);
      }
    }
    return std::move(out_);
  }

 private:
  void problem(const JsonNode& node, std::string what, std::string expected) {
    InputProblem told = line_problem(file_, node.place.line, std::move(what), std::move(expected));
    told.place = node.place;
    append(out_.problems, std::move(told));
  }

  /// A number of at least zero; else a problem.
  bool number(const JsonNode& object, std::string_view key, double& value) {
    const JsonNode* node = object.find(key);
    double read = -1;
    if (node != nullptr && node->kind == JsonNode::Kind::Number) {
      std::from_chars(node->text.data(), node->text.data() + node->text.size(), read);
    }
    if (!(read >= 0 && read < 1e15)) {
      problem(object, std::string(key) + " is missing or no number", "a number of at least 0");
      return false;
    }
    value = read;
    return true;
  }

  static bool flag(const JsonNode& object, std::string_view key) {
    const JsonNode* node = object.find(key);
    return node != nullptr && node->text == "true";
  }

  void take(const JsonNode& node) {
    if (node.kind != JsonNode::Kind::Object) return problem(node, "is no cost", "an object");
    const JsonNode* owner = node.find("owner");
    const JsonNode* name = node.find("cost");
    if (owner == nullptr || name == nullptr) {
      return problem(node, "is no cost", "an object with owner and cost");
    }
    const auto infos = cost_infos();
    const auto* info = std::find_if(infos.data(), infos.data() + infos.size(),
                                    [&](const CostInfo& i) { return i.name == name->text; });
    if (info == infos.data() + infos.size()) {
      std::vector<std::string_view> names;
      for (const CostInfo& known : infos) names.push_back(known.name);
      return problem(*name, in_quotes(name->text) + " is no cost", one_of(names));
    }
    FittedCost cost;
    cost.key = {std::string(owner->text), static_cast<Cost>(info - infos.data())};
    if (!number(node, "value", cost.value) || !number(node, "low_90", cost.low) ||
        !number(node, "high_90", cost.high)) {
      return;
    }
    if (cost.value < info->low || cost.value > info->high) {
      return problem(node, "the value lies outside of what is physical", "a value within bounds");
    }
    cost.identified = flag(node, "identified");
    cost.at_bound = flag(node, "at_bound");
    out_.calibration.costs.push_back(std::move(cost));
  }

  const std::string& file_;
  CalibrationResult out_;
};

}  // namespace

CalibrationResult read_calibration(const std::string& file, std::string text) {
  return CalibrationReader(file).read(std::move(text));
}

CalibrationResult shipped_calibration() {
  const std::string file = data_file("validation/data/nccl/calibration.json");
  FileText text = read_file(file);
  if (!text.problems.empty()) return {{}, std::move(text.problems)};
  return read_calibration(file, std::move(text.text));
}

}  // namespace spineleaf
