// Any bytes as a CSV table: every cell can be read, as text and as a number, and numbers keep to
// their range.

#include "scenarios/input/csv_table.hpp"
#include "tests/fuzz/csv_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  using fuzz::require;
  if (size > fuzz::kMostBytes) return 0;
  CsvLimits limits;
  limits.rows = 200;
  limits.columns = 20;
  CsvTable table("fuzz.csv", fuzz::text_of(data, size), limits);
  require(table.rows() <= limits.rows && table.header().size() <= limits.columns);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (int column = -1; column < static_cast<int>(table.header().size()); ++column) {
      require(table.text(row, column).size() <= size);
      const std::int64_t integer = table.integer(row, column, -7, 1'000'000);
      require(integer >= -7 && integer <= 1'000'000);
      const double number = table.number(row, column, 0, 1e6);
      require(number >= 0 && number <= 1e6);  // false for a NaN
    }
  }
  for (const std::string& name : table.header()) {
    require(name.empty() || table.column(name) >= 0);
  }
  table.required("size_bytes");
  fuzz::check_problems(table.problems());
  return 0;
}
