#pragma once
// Lines of words with their places: the common part of readers of whitespace-separated text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"
#include "sim/param.hpp"

namespace spineleaf {

struct Word {
  std::string_view text;
  Place place;
};

/// Blanks, tabs and carriage returns part words; '#' begins a comment; lines without words are
/// left out.
std::vector<std::vector<Word>> word_lines(std::string_view text);

/// Reads words of one file as values; what is none is a problem with its place.
class WordReader {
 public:
  WordReader(std::string file, std::vector<InputProblem>& problems)
      : file_(std::move(file)), problems_(problems) {}

  void refuse(const Word& word, std::string path, std::string what, std::string expected = {},
              std::string hint = {}, Severity severity = Severity::Error);

  /// A whole number in [least, most].
  std::optional<std::int64_t> count(const Word& word, const std::string& path, std::int64_t least,
                                    std::int64_t most);
  /// A decimal, scaled by a power of ten to a whole number: seconds to picoseconds by 10^12.
  std::optional<std::int64_t> scaled(const Word& word, const std::string& path, std::int64_t scale);
  /// A real number in [least, most].
  std::optional<double> real(const Word& word, const std::string& path, double least, double most);
  /// With its unit, as scenarios take it.
  std::optional<std::int64_t> united(const Word& word, const std::string& path, Unit unit,
                                     double least, double most);

  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::vector<InputProblem>& problems_;
};

}  // namespace spineleaf
