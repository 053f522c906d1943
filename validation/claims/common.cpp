// What several areas of claims use.

#include <stdexcept>

#include "scenarios/data_dir.hpp"
#include "scenarios/output/text.hpp"
#include "sim/units.hpp"
#include "validation/claims/evaluators.hpp"

namespace spineleaf {

const Study& claims_study() {
  static const Study study = run_study(data_file("validation/data/nccl"), {});
  return study;
}

Expectation claims_expect(const ExpectQuery& query) {
  Expectation answer = expect(query, claims_study());
  if (!answer.problem.empty()) throw std::runtime_error(answer.problem);
  return answer;
}

ExpectRow row_of_size(const Expectation& expectation, std::int64_t bytes) {
  for (const ExpectRow& row : expectation.rows) {
    if (row.bytes == bytes) return row;
  }
  throw std::logic_error("no row of " + bytes_text(Bytes{bytes}));
}

}  // namespace spineleaf
