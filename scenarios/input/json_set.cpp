// --set: a value from the command line put into the tree of a scenario.

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/input/json_source.hpp"

namespace spineleaf {

namespace {

/// A file is checked by the parser; what a shell hands over may be any bytes.
bool is_utf8(std::string_view text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
  return true;
}

/// One step of "workload[1].bytes": a key and, where one is given, an index.
struct KeyStep {
  std::string_view key;
  std::optional<std::size_t> index;
};

std::optional<KeyStep> parse_step(std::string_view text) {
  const std::size_t bracket = text.find('[');
  KeyStep step{text.substr(0, bracket), {}};
  if (step.key.empty()) return std::nullopt;
  if (bracket == std::string_view::npos) return step;
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + bracket + 1, end, number);
  if (error != std::errc{} || rest + 1 != end || *rest != ']') return std::nullopt;
  step.index = number;
  return step;
}

std::optional<std::vector<KeyStep>> parse_path(std::string_view path) {
  std::vector<KeyStep> steps;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const auto step = parse_step(path.substr(begin, end - begin));
    if (!step) return std::nullopt;
    steps.push_back(*step);
    begin = end + 1;
  }
  return steps;
}

/// The member `key` of `object`, made where there is none. A value that cannot have members is
/// replaced: it could only have been wrong.
JsonNode& member(JsonNode& object, std::string_view key) {
  if (object.kind != JsonNode::Kind::Object) {
    object.kind = JsonNode::Kind::Object;
    object.children.clear();
  }
  if (JsonNode* known = object.find(key)) return *known;
  JsonNode& fresh = object.children.emplace_back();
  fresh.key = key;
  return fresh;
}

/// Takes over the value of a one-value document; its text must outlive the tree.
void copy_value(const JsonNode& from, JsonNode& to, JsonSource& source) {
  to.kind = from.kind;
  to.text = source.keep(std::string{from.text});
  to.place = {};
  to.children.clear();
  for (const JsonNode& child : from.children) {
    JsonNode& copy = to.children.emplace_back();
    copy.key = source.keep(std::string{child.key});
    copy_value(child, copy, source);
  }
}

}  // namespace

void JsonSource::set(std::string_view path, std::string_view value,
                     std::vector<InputProblem>& problems) {
  const auto refuse = [&](std::string what, std::string hint) {
    problems.push_back({Severity::Error,
                        "--set",
                        {},
                        std::string{path.substr(0, 200)},
                        std::move(what),
                        {},
                        std::move(hint),
                        false});
  };
  if (std::count(path.begin(), path.end(), '.') >= static_cast<std::ptrdiff_t>(kMaxDepth)) {
    return refuse("this path is too deep", {});
  }
  if (!root_) root_.emplace().kind = JsonNode::Kind::Object;
  const auto steps = parse_path(keep(std::string{path}));
  if (!steps) return refuse("this is no path to a key", "Write for example fabric.mtu=4KiB.");
  JsonNode* node = &*root_;
  for (const KeyStep& step : *steps) {
    node = &member(*node, step.key);
    const std::size_t row = step.index.value_or(0);
    if (node->kind != JsonNode::Kind::Array) {
      if (row == 0) continue;
      return refuse("there is no such element", "It is not a list of several.");
    }
    const std::size_t size = node->children.size();
    // The last step without an index replaces the list as a whole.
    if (!step.index && &step == &steps->back()) continue;
    if (!step.index && size != 1) {
      return refuse(in_quotes(step.key) + " is a list of " + std::to_string(size),
                    "Say which, for example " + std::string{step.key} + "[0].");
    }
    if (row >= size) {
      return refuse("there is no such element", "The list has " + std::to_string(size) + ".");
    }
    node = &node->children[row];
  }
  if (!is_utf8(value)) return refuse("the value is not UTF-8", {});
  std::vector<InputProblem> unread;
  const JsonSource parsed("--set", std::string{value}, unread);
  if (parsed.root() != nullptr && unread.empty()) {
    copy_value(*parsed.root(), *node, *this);
  } else {
    copy_value({JsonNode::Kind::String, {}, {}, {}, value, {}}, *node, *this);
  }
}

}  // namespace spineleaf
