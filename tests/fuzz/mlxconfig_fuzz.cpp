// Any bytes as a dump of mlxconfig: what can be read changes a scenario, or is refused with
// reasons.

#include <algorithm>

#include "scenarios/import/mlxconfig.hpp"
#include "tests/fuzz/csv_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  if (size > fuzz::kMostBytes) return 0;
  std::vector<InputProblem> problems;
  ReadOptions options;
  options.overrides = read_mlxconfig(
      {"dump.txt", std::string(reinterpret_cast<const char*>(data), size)}, 1, problems);
  fuzz::check_problems(problems);
  if (has_errors(problems)) return 0;
  const std::string base = R"({"topology": {"kind": "single_switch", "hosts": 2}, )"
                           R"("workload": {"kind": "incast", "bytes": "64KiB"}})";
  const ValidateResult result = read_scenario(base, "s.json", options);
  fuzz::require(result.spec.has_value() || has_errors(result.problems));
  return 0;
}
