#include "tests/tidy/source.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace spineleaf::tidy {
namespace {

namespace fs = std::filesystem;

/// Copies text with literals and comments blanked; line ends stay, so lines keep their numbers.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (next_is("//")) {
        blank_until("\n", false);
      } else if (next_is("/*")) {
        blank_until("*/", true);
      } else if (next_is("R\"") && !after_identifier()) {
        raw_string();
      } else if (text_[at_] == '"') {
        quoted('"');
      } else if (text_[at_] == '\'' && !after_identifier()) {
        quoted('\'');
      } else {
        out_ += text_[at_++];
      }
    }
    return std::move(out_);
  }

 private:
  bool next_is(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  bool after_identifier() const { return at_ > 0 && is_identifier(text_[at_ - 1]); }

  void blank() {
    out_ += text_[at_] == '\n' ? '\n' : ' ';
    ++at_;
  }

  void blank_until(std::string_view end, bool with_end) {
    std::size_t stop = text_.find(end, at_ + 2);
    if (stop == std::string_view::npos) {
      stop = text_.size();
    } else if (with_end) {
      stop += end.size();
    }
    while (at_ < stop) blank();
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return blank();
    const std::string delimiter(text_.substr(at_ + 2, open - at_ - 2));
    blank_until(")" + delimiter + "\"", true);
  }

  void quoted(char quote) {
    blank();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) blank();
      blank();
    }
    if (at_ < text_.size() && text_[at_] == quote) blank();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

SourceFile parse(std::string path, std::string_view text) {
  return {std::move(path), split_lines(text), split_lines(Blanker(text).run())};
}

std::vector<SourceFile> load_tree(const std::string& root, const std::vector<std::string>& folders,
                                  const std::vector<std::string>& skipped) {
  std::vector<std::string> paths;
  for (const std::string& folder : folders) {
    const fs::path top = fs::path(root) / folder;
    if (!fs::is_directory(top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
      paths.push_back(path.lexically_relative(root).generic_string());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<SourceFile> files;
  for (const std::string& path : paths) {
    const auto skips = [&](const std::string& prefix) { return path.starts_with(prefix); };
    if (std::any_of(skipped.begin(), skipped.end(), skips)) continue;
    std::ifstream stream(fs::path(root) / path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)),
                           std::istreambuf_iterator<char>());
    files.push_back(parse(path, text));
  }
  return files;
}

}  // namespace spineleaf::tidy
