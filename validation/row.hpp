#pragma once
// One line of `spineleaf validate SUBJECT`: what must come out, what came out.

#include <string>
#include <vector>

namespace spineleaf {

struct ValidationRow {
  std::string id;  ///< "deadlock.DL0.22G"
  std::string expected;
  std::string got;
  std::string tolerance;
  bool pass = false;
  bool report_only = false;  ///< no verdict: the case depends on what the literature leaves open
  std::string source;
};

std::string rows_text(const std::vector<ValidationRow>& rows);
/// An array of objects with id, expected, got, tolerance, pass (null if report only), source.
std::string rows_json(const std::vector<ValidationRow>& rows);

}  // namespace spineleaf
