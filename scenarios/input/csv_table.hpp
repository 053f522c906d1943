#pragma once
// CSV with a header row, read with a place for every cell: the common part of the CSV readers.
//
// Tolerated: byte order mark, CRLF, blank lines, lines that begin with '#', blanks around cells,
// columns in any order, columns nobody asks for, quoted cells. Everything else is a problem with
// file, line and column, and input of any size and content is safe to read.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

struct CsvLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t rows = 2'000'000;
  std::size_t columns = 4096;
};

/// A whole file, or a problem that names path and reason. At most `limit` bytes.
struct FileText {
  std::string text;
  std::vector<InputProblem> problems;
};
FileText read_file(const std::string& path, std::size_t limit = CsvLimits{}.bytes);

class CsvTable {
 public:
  /// `file` is only for messages.
  CsvTable(std::string file, std::string_view text, const CsvLimits& limits = {});

  std::size_t rows() const { return rows_.size(); }
  const std::vector<std::string>& header() const { return header_; }

  /// Number of the column, or -1.
  int column(std::string_view name) const;
  /// The same; a missing column is a problem, with the nearest name that is there.
  int required(std::string_view name);

  /// A table of a header alone is a problem.
  void require_rows();

  /// A cell; "" for column -1.
  const std::string& text(std::size_t row, int column) const;
  /// A number in [lowest, highest]. What is none is a problem, and `lowest` the answer.
  std::int64_t integer(std::size_t row, int column, std::int64_t lowest, std::int64_t highest);
  double number(std::size_t row, int column, double lowest, double highest);

  /// Reports something about a cell, or about a whole row with column -1.
  void problem(std::size_t row, int column, std::string what, std::string expected = {},
               Severity severity = Severity::Error);

  const std::vector<InputProblem>& problems() const { return problems_; }

 private:
  struct Cell {
    std::string text;
    int column = 1;  ///< place in the line, from 1
  };
  struct Row {
    int line = 0;
    std::vector<Cell> cells;
  };

  std::vector<Cell> split(std::string_view line, int number, std::size_t most_columns);
  void take_header(const std::vector<Cell>& cells, int line);
  void add(Place place, std::string path, std::string what, std::string expected,
           Severity severity);

  std::string file_;
  std::vector<std::string> header_;
  int header_line_ = 1;
  std::vector<Row> rows_;
  std::vector<InputProblem> problems_;
};

}  // namespace spineleaf
