#include "scenarios/input/csv_table.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

namespace spineleaf {
namespace {

const std::string kNoText;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string shown(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

template <typename Number>
bool whole_number(std::string_view text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && at == end;
}

}  // namespace

FileText read_file(const std::string& path, std::size_t limit) {
  FileText out;
  const auto fail = [&](std::string what) {
    InputProblem problem;
    problem.file = path;
    problem.what = std::move(what);
    out.problems.push_back(std::move(problem));
    out.text.clear();
  };
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    fail("can't be opened: " + std::generic_category().message(errno));
    return out;
  }
  char buffer[65536];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    out.text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (out.text.size() > limit) {
      fail("has more than " + std::to_string(limit) + " bytes");
      return out;
    }
  }
  if (in.bad()) fail("can't be read: " + std::generic_category().message(errno));
  return out;
}

CsvTable::CsvTable(std::string file, std::string_view text, const CsvLimits& limits)
    : file_(std::move(file)) {
  if (text.size() > limits.bytes) {
    add({}, "", "has more than " + std::to_string(limits.bytes) + " bytes", "", Severity::Error);
    return;
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    std::vector<Cell> cells = split(line, number, limits.columns);
    if (cells.empty()) continue;
    if (header_.empty()) {
      take_header(cells, number);
    } else if (cells.size() != header_.size()) {
      add({number, 1}, "",
          "has " + std::to_string(cells.size()) + " cells under a header of " +
              std::to_string(header_.size()),
          "", Severity::Error);
    } else if (rows_.size() == limits.rows) {
      add({number, 1}, "", "has more than " + std::to_string(limits.rows) + " rows", "",
          Severity::Error);
      return;
    } else {
      rows_.push_back({number, std::move(cells)});
    }
  }
  if (header_.empty()) add({1, 1}, "", "has no header row", "names of columns", Severity::Error);
}

std::vector<CsvTable::Cell> CsvTable::split(std::string_view line, int number,
                                            std::size_t most_columns) {
  std::vector<Cell> cells;
  for (std::size_t at = 0;;) {
    if (cells.size() == most_columns) {
      add({number, 1}, "", "has more than " + std::to_string(most_columns) + " columns", "",
          Severity::Error);
      return {};
    }
    Cell cell;
    const std::size_t begin = std::min(line.find_first_not_of(" \t", at), line.size());
    cell.column = static_cast<int>(begin) + 1;
    std::size_t end = 0;
    if (begin < line.size() && line[begin] == '"') {
      std::size_t i = begin + 1;
      for (; i < line.size(); ++i) {
        if (line[i] == '"' && (i + 1 == line.size() || line[i + 1] != '"')) break;
        if (line[i] == '"') ++i;
        cell.text += line[i];
      }
      end = std::min(line.find(',', std::min(i + 1, line.size())), line.size());
      const bool open = i >= line.size();
      if (open || !trimmed(line.substr(i + 1, end - i - 1)).empty()) {
        add({number, cell.column}, "", open ? "the quoted cell has no end" : "text after a quote",
            "a cell in quotes on one line", Severity::Error);
        return {};
      }
    } else {
      end = std::min(line.find(',', at), line.size());
      cell.text = trimmed(line.substr(at, end - at));
    }
    cells.push_back(std::move(cell));
    if (end >= line.size()) return cells;
    at = end + 1;
  }
}

void CsvTable::take_header(const std::vector<Cell>& cells, int line) {
  header_line_ = line;
  for (const Cell& cell : cells) {
    if (std::find(header_.begin(), header_.end(), cell.text) != header_.end()) {
      add({line, cell.column}, "", "column " + in_quotes(cell.text) + " stands twice", "",
          Severity::Error);
    }
    header_.push_back(cell.text);
  }
}

int CsvTable::column(std::string_view name) const {
  const auto at = std::find(header_.begin(), header_.end(), name);
  return at == header_.end() ? -1 : static_cast<int>(at - header_.begin());
}

int CsvTable::required(std::string_view name) {
  const int found = column(name);
  if (found >= 0 || header_.empty()) return found;
  InputProblem problem;
  problem.file = file_;
  problem.place = {header_line_, 1};
  problem.what = "column " + in_quotes(name) + " is missing";
  const std::vector<std::string_view> names(header_.begin(), header_.end());
  problem.hint = did_you_mean(name, names);
  append(problems_, std::move(problem));
  return -1;
}

void CsvTable::require_rows() {
  if (header_.empty() || !rows_.empty()) return;
  add({header_line_, 1}, "", "no row follows the header", "at least one", Severity::Error);
}

const std::string& CsvTable::text(std::size_t row, int column) const {
  return column < 0 ? kNoText : rows_[row].cells[static_cast<std::size_t>(column)].text;
}

std::int64_t CsvTable::integer(std::size_t row, int column, std::int64_t lowest,
                               std::int64_t highest) {
  std::int64_t value = 0;
  if (column < 0) return lowest;
  const std::string& cell = text(row, column);
  if (whole_number(cell, value) && value >= lowest && value <= highest) return value;
  problem(row, column, in_quotes(cell) + " does not fit",
          "a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
  return lowest;
}

double CsvTable::number(std::size_t row, int column, double lowest, double highest) {
  double value = 0;
  if (column < 0) return lowest;
  const std::string& cell = text(row, column);
  const bool fits = whole_number(cell, value) && std::isfinite(value);
  if (fits && value >= lowest && value <= highest) return value;
  problem(row, column, in_quotes(cell) + " does not fit",
          "a number from " + shown(lowest) + " to " + shown(highest));
  return lowest;
}

void CsvTable::problem(std::size_t row, int column, std::string what, std::string expected,
                       Severity severity) {
  const Row& at = rows_[row];
  const auto index = static_cast<std::size_t>(column);
  const int place = column < 0 ? 1 : at.cells[index].column;
  add({at.line, place}, column < 0 ? "" : header_[index], std::move(what), std::move(expected),
      severity);
}

void CsvTable::add(Place place, std::string path, std::string what, std::string expected,
                   Severity severity) {
  InputProblem problem;
  problem.severity = severity;
  problem.file = file_;
  problem.place = place;
  problem.path = std::move(path);
  problem.what = std::move(what);
  problem.expected = std::move(expected);
  append(problems_, std::move(problem));
}

}  // namespace spineleaf
