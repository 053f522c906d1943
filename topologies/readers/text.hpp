#pragma once
// What the readers of text files share: lines with numbers, a cursor along a line, and a list of
// problems that know their place and stop growing.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/problem.hpp"

namespace spineleaf {

/// Walks over a text line by line. Lines end with LF or CRLF; a byte order mark is skipped.
class Lines {
 public:
  explicit Lines(std::string_view text);

  /// The next line without its end; false after the last.
  bool next(std::string_view& line);
  int number() const { return number_; }  ///< of the line that next() gave, from 1

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// A place in a line, moved along by taking pieces. What does not match is not taken.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line) {}

  bool at_end() const { return at_ == line_.size(); }
  int column() const { return static_cast<int>(at_) + 1; }  ///< in bytes, from 1
  std::string_view rest() const { return line_.substr(at_); }

  void skip_blanks();
  bool take(char c);
  bool take(std::string_view text);
  /// Digits of base 10 or 16 ("0x" is taken with base 16); nothing if there are none or the number
  /// is above `most`.
  std::optional<std::uint64_t> number(int base, std::uint64_t most = UINT64_MAX);
  /// Text between two `mark`s; nothing if the line does not go on like that.
  std::optional<std::string_view> quoted(char mark = '"');
  /// Everything up to `mark`, which is taken but not returned.
  std::optional<std::string_view> until(std::string_view mark);
  /// Everything up to the next blank.
  std::string_view word();

 private:
  std::string_view line_;
  std::size_t at_ = 0;
};

std::string_view without_blanks(std::string_view text);

/// "a2" before "a10": runs of digits compare as numbers, everything else byte by byte.
bool natural_less(std::string_view a, std::string_view b);

/// Lower case, of ASCII letters only.
std::string lowered(std::string_view text);

/// "0x200c0de00100000".
std::string hex_text(std::uint64_t number);

/// Problems of one file: "fabric.txt:12:5: what". At most kMostListed are kept; the last then says
/// that there are more.
class FileProblems {
 public:
  static constexpr std::size_t kMostListed = 100;

  explicit FileProblems(std::string file) : file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  /// Column 0: the whole line; line 0: the whole file.
  std::string at(int line, int column = 0) const;
  void add(Problem problem);
  /// An error at the cursor: what stands there is what was found.
  void add_error(int line, const Cursor& at, std::string what, std::string expected = {},
                 std::string hint = {});
  bool has_errors() const { return has_errors_; }
  std::vector<Problem> take() { return std::move(problems_); }

 private:
  std::string file_;
  std::vector<Problem> problems_;
  bool has_errors_ = false;
};

}  // namespace spineleaf
