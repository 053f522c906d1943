// meas.json read back: what `spineleaf import measurements` wrote.

#include <algorithm>
#include <span>

#include "scenarios/input/json_source.hpp"
#include "validation/measurements/collection.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kCollectionSchema = 1;  ///< of collection_json()
constexpr std::size_t kMostEntries = 10'000;   ///< of each list

class CollectionReader {
 public:
  CollectionReader(std::string file, Collection& out) : file_(std::move(file)), out_(out) {}

  void take(const JsonNode& root) {
    for (const JsonNode& one : list(root, "files")) {
      std::string format = text(one, "format");
      if (format.empty()) format = "not known where it was imported";
      out_.files.push_back({text(one, "file"), format, integer(one, "bytes")});
    }
    for (const JsonNode& one : list(root, "sweeps")) take_sweep(one);
    for (const JsonNode& one : list(root, "perftest")) take_perftest(one);
    for (const JsonNode& one : list(root, "facts")) take_facts(one);
    if (!list(root, "logs").empty()) {
      warn(root, "holds logs of NCCL as verdicts only: give the log itself to spineleaf doctor");
    }
  }

 private:
  /// Members of an array; a wrong kind is told and counts as empty.
  std::span<const JsonNode> list(const JsonNode& node, std::string_view key) {
    const JsonNode* found = node.kind == JsonNode::Kind::Object ? node.find(key) : nullptr;
    if (found == nullptr) return {};
    if (found->kind != JsonNode::Kind::Array) {
      append(out_.problems,
             line_problem(file_, found->place.line,
                          "\"" + std::string(key) + "\" is " + std::string(kind_name(found->kind)),
                          "a list"));
      return {};
    }
    const std::size_t taken = std::min(found->children.size(), kMostEntries);
    if (taken < found->children.size()) warn(*found, "is long: its end was left out");
    return {found->children.data(), taken};
  }

  static std::string text(const JsonNode& node, std::string_view key) {
    const JsonNode* found = node.kind == JsonNode::Kind::Object ? node.find(key) : nullptr;
    const bool plain = found != nullptr && found->kind != JsonNode::Kind::Array &&
                       found->kind != JsonNode::Kind::Object && found->kind != JsonNode::Kind::Null;
    return plain ? std::string(found->text.substr(0, 4096)) : std::string();
  }
  static std::int64_t integer(const JsonNode& node, std::string_view key) {
    return std::max<std::int64_t>(0, to_integer(text(node, key)).value_or(0));
  }
  static double number(const JsonNode& node, std::string_view key) {
    return to_number(text(node, key)).value_or(-1);
  }

  void warn(const JsonNode& node, const char* what) {
    append(out_.problems, line_problem(file_, node.place.line, what, "", Severity::Warning));
  }

  Evidence at(const JsonNode& node) const {
    const std::string name = text(node, "file");
    return {name.empty() ? file_ : name, 0};
  }

  void take_sweep(const JsonNode& node) {
    FoundSweep found;
    found.at = at(node);
    MeasuredSweep& sweep = found.sweep;
    sweep.id = found.at.file;
    sweep.collective = text(node, "collective");
    sweep.nodes = integer(node, "nodes");
    sweep.gpus_per_node = integer(node, "gpus_per_node");
    sweep.gpu = text(node, "gpu");
    sweep.nic = text(node, "nic");
    sweep.fabric = text(node, "fabric");
    sweep.nccl_version = text(node, "nccl");
    sweep.flags = text(node, "flags");
    sweep.nic_gbps = integer(node, "nic_gbps");
    sweep.nics_per_node = integer(node, "nics_per_node");
    for (const JsonNode& row : list(node, "rows")) {
      const std::int64_t bytes = integer(row, "bytes");
      const double us = number(row, "us");
      if (bytes < 1 || us <= 0) continue;
      const double algbw = static_cast<double>(bytes) / us / 1e3;
      sweep.points.push_back({bytes, us, algbw, number(row, "busbw_GBps"), true});
    }
    if (!sweep.points.empty()) out_.sweeps.push_back(std::move(found));
  }

  void take_perftest(const JsonNode& node) {
    FoundPerftest found;
    found.at = at(node);
    found.run.test = text(node, "test");
    found.run.device = text(node, "device");
    found.run.qps = std::max<std::int64_t>(1, integer(node, "qps"));
    found.run.tx_depth = integer(node, "depth");
    found.run.gpu_memory = text(node, "gpu_memory") == "true";
    for (const JsonNode& row : list(node, "rows")) {
      PerftestRow one;
      one.bytes = integer(row, "bytes");
      one.average_gbps = number(row, "Gbps");
      one.t_typical_us = number(row, "us");
      one.t_min_us = number(row, "us_min");
      one.t_99_us = number(row, "us_99");
      if (one.bytes > 0) found.run.rows.push_back(one);
    }
    if (!found.run.rows.empty()) out_.perftests.push_back(std::move(found));
  }

  void take_facts(const JsonNode& node) {
    FoundFacts found;
    found.at = at(node);
    found.format = text(node, "format");
    const JsonNode* rows = node.kind == JsonNode::Kind::Object ? node.find("rows") : nullptr;
    if (rows == nullptr || rows->kind != JsonNode::Kind::Array) return;
    for (const JsonNode& row : rows->children) {  // Facts bounds them
      if (row.kind != JsonNode::Kind::Array || row.children.size() != 4) continue;
      const auto& parts = row.children;
      found.facts.add(parts[0].text, parts[1].text, parts[2].text,
                      static_cast<int>(std::clamp<std::int64_t>(
                          to_integer(parts[3].text).value_or(0), 0, 2'000'000'000)));
    }
    out_.facts.push_back(std::move(found));
  }

  std::string file_;
  Collection& out_;
};

}  // namespace

bool is_collection_json(std::string_view head) {
  return trimmed(head).starts_with('{') && has(head.substr(0, 1024), "\"spineleaf-measurements\"");
}

void read_collection_json(std::string_view text, const std::string& file, Collection& out) {
  std::vector<InputProblem> problems;
  const JsonSource source(file, std::string(text), problems);
  for (const InputProblem& one : problems) append(out.problems, one);
  const JsonNode* root = source.root();
  if (root == nullptr || has_errors(problems)) return;
  const JsonNode* format = root->kind == JsonNode::Kind::Object ? root->find("format") : nullptr;
  if (format == nullptr || format->text != "spineleaf-measurements") {
    append(out.problems, line_problem(file, root->place.line, "is no file of measurements",
                                      "what spineleaf import measurements -o writes"));
    return;
  }
  const JsonNode* schema = root->find("schema");
  const std::int64_t number = schema == nullptr ? 0 : to_integer(schema->text).value_or(0);
  if (number > kCollectionSchema) {
    append(out.problems, line_problem(file, schema->place.line,
                                      "schema " + std::to_string(number) + " is newer than " +
                                          std::to_string(kCollectionSchema) +
                                          ": what is not known here is left out",
                                      "", Severity::Warning));
  }
  CollectionReader(file, out).take(*root);
}

}  // namespace spineleaf
