#pragma once
// A C++ source file as the tidy rules see it: its lines, and the same lines with comments and
// literals blanked, so that a rule about code never trips over prose.

#include <string>
#include <string_view>
#include <vector>

namespace spineleaf::tidy {

struct SourceFile {
  std::string path;                ///< relative to the tree's root, with '/'
  std::vector<std::string> lines;  ///< as written
  /// Same shape as `lines`: comments, string and character literals replaced by spaces. The file
  /// name of a quoted #include is a literal too; rules about includes read `lines`.
  std::vector<std::string> code;
};

/// Splits `text` and blanks it. Knows raw strings, digit separators and escaped quotes.
SourceFile parse(std::string path, std::string_view text);

/// All *.cpp and *.hpp under `folders` of `root`, sorted by path; paths that begin with one of
/// `skipped` are left out.
std::vector<SourceFile> load_tree(const std::string& root, const std::vector<std::string>& folders,
                                  const std::vector<std::string>& skipped);

/// True for letters, digits and the underscore.
bool is_identifier(char c);

}  // namespace spineleaf::tidy
