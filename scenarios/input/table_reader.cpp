#include "scenarios/input/table_reader.hpp"

#include <algorithm>
#include <utility>

#include "models/params.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {

void TableReader::add(Place place, std::string path, std::string what, std::string expected,
                      std::string hint) {
  append(problems_, {Severity::Error, place.line == 0 ? "--set" : file_, place, std::move(path),
                     std::move(what), std::move(expected), std::move(hint), false});
}

bool TableReader::expect(const JsonNode& node, JsonNode::Kind kind, const std::string& path,
                         std::string_view expected) {
  if (node.kind == kind) return true;
  add(node.place, path, shown(node) + " is not " + std::string{kind_name(kind)},
      std::string{expected});
  return false;
}

void TableReader::missing(const JsonNode& object, const std::string& path, std::string_view key,
                          std::string expected) {
  std::string full = path.empty() ? "" : path + ".";
  add(object.place, full + std::string{key}, "is missing", std::move(expected));
}

void TableReader::unknown_key(const JsonNode& member, const std::string& path,
                              std::string_view owner, std::span<const std::string_view> known) {
  if (problems_.size() >= kMaxProblems) return;
  std::string hint = did_you_mean(member.key, known);
  const std::string elsewhere = section_of_key(member.key);
  if (!elsewhere.empty()) hint = "Did you mean \"" + elsewhere + "\"?";
  std::string expected;
  if (hint.empty() && known.size() <= 16) {
    for (const std::string_view name : known) {
      expected += (expected.empty() ? "one of " : ", ") + std::string{name};
    }
  }
  std::string where = path.empty() ? "" : path + ".";
  where += std::string{member.key.substr(0, 60)};
  add(member.key_place, std::move(where),
      in_quotes(member.key) + " is no key of " + std::string{owner}, std::move(expected),
      std::move(hint));
}

bool TableReader::read_value(const JsonNode& node, const ParamDecl& decl, void* object,
                             const std::string& path) {
  ParamValue value;
  if (auto error = spineleaf::read_value(decl, node, value)) {
    add(node.place, path, std::move(error->what), std::move(error->expected),
        std::move(error->hint));
    return false;
  }
  decl.set(object, value);
  return true;
}

void TableReader::read(const JsonNode& node, const ParamTable& table, void* object,
                       const std::string& path, std::span<const std::string_view> others) {
  if (!expect(node, JsonNode::Kind::Object, path, "an object")) return;
  for (const JsonNode& member : node.children) {
    if (std::find(others.begin(), others.end(), member.key) != others.end()) continue;
    if (const ParamDecl* decl = find_param(table, member.key)) {
      read_value(member, *decl, object, path + "." + std::string{member.key});
      continue;
    }
    std::vector<std::string_view> known(others.begin(), others.end());
    for (const ParamDecl& decl : table.params) known.push_back(decl.name);
    unknown_key(member, path, "\"" + std::string{table.name} + "\"", known);
  }
}

void TableReader::set_defaults(const ParamTable& table, void* object) {
  for (const ParamDecl& decl : table.params) {
    decl.set(object, default_value(decl));
  }
}

std::string section_of_key(std::string_view key) {
  for (const ParamTable& table : model_param_tables()) {
    if (find_param(table, key) != nullptr) return std::string{table.name} + "." + std::string{key};
  }
  if (find_param(run_table(), key) != nullptr) return "run." + std::string{key};
  return {};
}

}  // namespace spineleaf
