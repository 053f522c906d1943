#include "validation/nccl/sets.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "scenarios/input/csv_table.hpp"
#include "scenarios/input/json_source.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::string_view kSplits[] = {"calibrate", "calibrate-multinode", "validate", "explain",
                                        "pathology"};
constexpr std::size_t kMostSets = 10'000;

std::string text(const JsonNode& node, std::string_view key) {
  const JsonNode* member = node.find(key);
  return member == nullptr ? std::string() : std::string(member->text);
}

/// A path that stays inside the folder.
bool inside(const std::string& name) {
  const std::filesystem::path path(name);
  return !name.empty() && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

class IndexReader {
 public:
  explicit IndexReader(const std::string& file) : file_(file) {}

  NcclIndexResult read(std::string_view index) {
    const JsonSource source(file_, std::string(index), out_.problems);
    const JsonNode* root = source.root();
    if (root == nullptr || has_errors(out_.problems)) return std::move(out_);
    if (root->kind != JsonNode::Kind::Array) {
      problem(*root, "is no list of sets", "[{\"id\": ..., \"file\": \"sweeps/....csv\"}, ...]");
      return std::move(out_);
    }
    for (const JsonNode& node : root->children) {
      if (out_.entries.size() < kMostSets) take(node);
    }
    return std::move(out_);
  }

 private:
  void problem(const JsonNode& node, std::string what, std::string expected,
               Severity severity = Severity::Error) {
    InputProblem out =
        line_problem(file_, node.place.line, std::move(what), std::move(expected), severity);
    out.place = node.place;
    append(out_.problems, std::move(out));
  }

  void take(const JsonNode& node) {
    if (node.kind != JsonNode::Kind::Object) {
      return problem(node, "is no set", "an object with id and file");
    }
    NcclSetEntry entry;
    entry.file = text(node, "file");
    if (!inside(entry.file)) {
      return problem(node, "names no file of its folder", "\"sweeps/NAME.csv\"");
    }
    MeasuredSweep& sweep = entry.set.sweep;
    sweep.id = text(node, "id");
    sweep.gpu = text(node, "gpu");
    sweep.nic = text(node, "nic");
    sweep.fabric = text(node, "fabric");
    sweep.nccl_version = text(node, "nccl");
    sweep.flags = text(node, "flags");
    sweep.source = text(node, "source");
    entry.set.status = text(node, "status");
    entry.set.note = text(node, "note");
    if (const JsonNode* split = node.find("split")) {
      const auto* it = std::find(std::begin(kSplits), std::end(kSplits), split->text);
      if (it == std::end(kSplits)) {
        problem(*split, in_quotes(split->text) + " is no split: the set is one to predict",
                "calibrate, calibrate-multinode, validate, explain or pathology",
                Severity::Warning);
      } else {
        entry.set.split = static_cast<SetSplit>(it - std::begin(kSplits));
      }
    }
    out_.entries.push_back(std::move(entry));
  }

  const std::string& file_;
  NcclIndexResult out_;
};

/// The index knows more of the system than a row of the sweep has room for.
void prefer(std::string& field, std::string&& told) {
  if (!told.empty()) field = std::move(told);
}

}  // namespace

std::string_view to_text(SetSplit split) { return kSplits[static_cast<std::size_t>(split)]; }

NcclIndexResult read_nccl_index(std::string_view index, const std::string& file) {
  return IndexReader(file).read(index);
}

NcclSetsResult read_nccl_sets(const std::string& folder) {
  NcclSetsResult out;
  const std::string path = folder + "/sets.json";
  FileText file = read_file(path);
  out.problems = std::move(file.problems);
  if (has_errors(out.problems)) return out;
  NcclIndexResult index = read_nccl_index(file.text, path);
  out.problems = std::move(index.problems);
  for (NcclSetEntry& entry : index.entries) {
    MeasuredSweepResult read = read_nccl_sweep_file(folder + "/" + entry.file);
    const bool bad = has_errors(read.problems);
    for (InputProblem& found : read.problems) {
      if (found.severity == Severity::Error) append(out.problems, std::move(found));
    }
    if (bad) continue;
    NcclSet set = std::move(entry.set);
    MeasuredSweep told = std::exchange(set.sweep, std::move(read.sweep));
    prefer(set.sweep.id, std::move(told.id));
    prefer(set.sweep.gpu, std::move(told.gpu));
    prefer(set.sweep.nic, std::move(told.nic));
    prefer(set.sweep.fabric, std::move(told.fabric));
    prefer(set.sweep.nccl_version, std::move(told.nccl_version));
    prefer(set.sweep.flags, std::move(told.flags));
    prefer(set.sweep.source, std::move(told.source));
    set.best = best_per_size(set.sweep);
    if (set.best.empty()) {
      append(out.problems, line_problem(folder + "/" + entry.file, 0, "no row has a time"));
      continue;
    }
    out.sets.push_back(std::move(set));
  }
  return out;
}

}  // namespace spineleaf
