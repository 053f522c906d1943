#pragma once
// TableReader: walks an object of a scenario along a parameter table. Knows no parameter by name.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/json_source.hpp"
#include "scenarios/input/tables.hpp"
#include "sim/param.hpp"

namespace spineleaf {

class TableReader {
 public:
  TableReader(const std::string& file, std::vector<InputProblem>& problems)
      : file_(file), problems_(problems) {}

  /// Sets in `object` what `node` gives for `table`. Keys in `others` are left to the caller; any
  /// other key is a problem.
  void read(const JsonNode& node, const ParamTable& table, void* object, const std::string& path,
            std::span<const std::string_view> others = {});

  /// One value; false and a problem if it can't be had.
  bool read_value(const JsonNode& node, const ParamDecl& decl, void* object,
                  const std::string& path);

  /// A list of objects, each appended to `entries` with defaults set first. `visit(entry, node,
  /// path)` reads what the table does not cover.
  template <class Entry, class Visit>
  void read_entries(const JsonNode& node, const EntryTable& entries, const std::string& path,
                    std::span<const std::string_view> others, std::vector<Entry>& out,
                    Visit visit) {
    if (!expect(node, JsonNode::Kind::Array, path, "a list of objects")) return;
    out.reserve(node.children.size());
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const JsonNode& child = node.children[i];
      const std::string at = path + "[" + std::to_string(i) + "]";
      Entry& entry = out.emplace_back();
      set_defaults(entries.table, &entry);
      if (!expect(child, JsonNode::Kind::Object, at, "an object")) continue;
      read(child, entries.table, &entry, at, others);
      for (const std::string_view key : entries.required) {
        if (child.find(key) == nullptr) missing(child, at, key);
      }
      visit(entry, child, at);
    }
  }

  /// False and a problem if `node` is of another kind.
  bool expect(const JsonNode& node, JsonNode::Kind kind, const std::string& path,
              std::string_view expected);

  void missing(const JsonNode& object, const std::string& path, std::string_view key,
               std::string expected = {});
  void unknown_key(const JsonNode& member, const std::string& path, std::string_view owner,
                   std::span<const std::string_view> known);
  void add(Place place, std::string path, std::string what, std::string expected = {},
           std::string hint = {});

  static void set_defaults(const ParamTable& table, void* object);

 private:
  const std::string& file_;
  std::vector<InputProblem>& problems_;
};

/// "fabric.mtu" where a section declares `key`, for a key that was put in the wrong place; or "".
std::string section_of_key(std::string_view key);

}  // namespace spineleaf
