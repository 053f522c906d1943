#pragma once
// The rules that no compiler knows: which layer may include which, which third-party library may
// appear where, how long things may be, and what words and calls must not appear.

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/tidy/source.hpp"

namespace spineleaf::tidy {

struct Finding {
  std::string path;
  int line = 0;      ///< 1-based; 0 = the file as a whole
  std::string rule;  ///< short name: "layer", "third-party", ...
  std::string text;  ///< what is wrong and what would be right

  std::string describe() const;
  bool operator<(const Finding& o) const {
    return std::tie(path, line, rule) < std::tie(o.path, o.line, o.rule);
  }
};
using Findings = std::vector<Finding>;

/// Longest file and function body in lines, longest line in characters.
inline constexpr int kFileLines = 450;
inline constexpr int kFunctionLines = 80;
inline constexpr int kColumns = 100;

/// Rules "layer" and "third-party": what a file includes.
/// Layers may include themselves and those below: bindings, validation, scenarios, models,
/// topologies, sim. tests/ may include every layer, and the libraries of the layer it mirrors.
void check_includes(const SourceFile& file, Findings& out);

/// Rules "file-length", "line-length" (in characters of UTF-8).
void check_size(const SourceFile& file, Findings& out);

/// Rule "function-length": body from its opening to its closing brace.
void check_functions(const SourceFile& file, Findings& out);

/// One line of banned_words.txt.
struct BannedWord {
  enum class Where {
    Everywhere,  ///< a word in code, comments or file names of all folders
    Product,     ///< a piece of code in the six layers
    Run          ///< a piece of code in sim and models: what decides a run's result
  };
  Where where = Where::Everywhere;
  std::string word;
  std::string reason;
};

/// Lines "where | word | reason"; '#' begins a comment. Throws std::runtime_error on anything else.
std::vector<BannedWord> parse_banned_words(std::string_view text);

/// Rule "banned-word".
void check_words(const SourceFile& file, const std::vector<BannedWord>& words, Findings& out);

/// Rule "hash-iteration": a loop over an unordered container in sim or models. Its order depends on
/// the standard library, so a result that follows it differs between machines.
void check_hash_iteration(const std::vector<SourceFile>& files, Findings& out);

/// All rules over all files; findings sorted by place.
Findings check_all(const std::vector<SourceFile>& files, const std::vector<BannedWord>& words);

}  // namespace spineleaf::tidy
