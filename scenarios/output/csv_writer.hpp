#pragma once
// CsvWriter: rows of a CSV table (RFC 4180), LF line ends.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"
#include "sim/units.hpp"

namespace spineleaf {

/// A cell is quoted only when it holds a comma, a quote or a line break.
class CsvWriter {
 public:
  CsvWriter() = default;
  explicit CsvWriter(std::string_view header) : text_(header) { text_ += '\n'; }

  CsvWriter& cell(std::string_view value) {
    separate();
    if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
      text_ += value;
      return *this;
    }
    text_ += '"';
    for (const char c : value) {
      if (c == '"') text_ += '"';
      text_ += c;
    }
    text_ += '"';
    return *this;
  }
  CsvWriter& cell(std::int64_t value) { return cell(std::string_view(std::to_string(value))); }
  /// As few digits as read back exactly; empty for what is not finite.
  CsvWriter& cell(double value) { return cell(std::string_view(number_text(value))); }
  CsvWriter& cell(Bytes value) { return cell(value.count); }
  /// In microseconds; empty for "never".
  CsvWriter& cell(Time value) {
    return value.ps < 0 ? cell(std::string_view{}) : cell(to_us(value));
  }
  void end_row() {
    text_ += '\n';
    first_ = true;
  }
  std::string take() { return std::move(text_); }

 private:
  void separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace spineleaf
