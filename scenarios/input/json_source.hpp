#pragma once
// JsonSource: JSON text as a tree in which every key and value knows its line and column.
//
// Any bytes are survived: size, depth and the number of values are bounded, and what is wrong comes
// back as problems. Accepts RFC 8259 and, where allowed, comments (// to the end of the line, and
// between /* and */): no trailing commas, no duplicate keys.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

struct JsonNode {
  enum class Kind : std::uint8_t { Null, Boolean, Number, String, Array, Object };

  Kind kind = Kind::Null;
  Place place;                     ///< of the value
  Place key_place;                 ///< of its key, where it is a member
  std::string_view key;            ///< decoded
  std::string_view text;           ///< a string decoded; a number, true, false or null as written
  std::vector<JsonNode> children;  ///< members or elements, in order

  /// The member named `name`, or null. For objects only.
  const JsonNode* find(std::string_view name) const;
  JsonNode* find(std::string_view name);
};

/// Whether a text may have comments: what people write may, what programs print has none.
enum class JsonComments : std::uint8_t { Refused, Allowed };

/// "a number", "text", "an object", ... for messages.
std::string_view kind_name(JsonNode::Kind kind);

/// The value as a person would write it in a message: short, quoted where it is text.
std::string shown(const JsonNode& node);

class JsonSource {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
  static constexpr std::size_t kMaxDepth = 64;
  static constexpr std::size_t kMaxValues = 4'000'000;

  /// Parses `text`; the source owns all strings that its tree refers to. Problems are appended.
  JsonSource(std::string file, std::string text, std::vector<InputProblem>& problems,
             JsonComments comments = JsonComments::Refused);
  JsonSource(const JsonSource&) = delete;
  JsonSource& operator=(const JsonSource&) = delete;

  const std::string& file() const { return file_; }
  /// Null where the text could not be read at all.
  const JsonNode* root() const { return root_ ? &*root_ : nullptr; }

  /// `--set path=value`: puts the value into the tree, over what the file says. A value that is
  /// no JSON by itself is text. "workload.bytes" means the only workload; of several,
  /// "workload[1].bytes".
  void set(std::string_view path, std::string_view value, std::vector<InputProblem>& problems);

  /// Keeps `text` for as long as the source lives.
  std::string_view keep(std::string text);

 private:
  friend class JsonTreeBuilder;

  std::string file_;
  std::string text_;
  JsonComments comments_;
  std::deque<std::string> kept_;
  std::optional<JsonNode> root_;
};

}  // namespace spineleaf
