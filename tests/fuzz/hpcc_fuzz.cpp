// Any bytes as an HPCC set, its files parted by 0xff bytes: what can be read becomes a scenario
// that the reader takes or refuses.

#include "scenarios/import/hpcc.hpp"
#include "scenarios/input/read.hpp"
#include "tests/fuzz/csv_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  if (size > fuzz::kMostBytes) return 0;
  const std::vector<std::string> parts = fuzz::parts_of(data, size, 4);
  std::vector<InputProblem> problems;
  const HpccSet set = read_hpcc({"topology.txt", parts[0]}, {"flow.txt", parts[1]},
                                {"config.txt", parts[2]}, {"trace.txt", parts[3]}, problems);
  fuzz::check_problems(problems);
  // Nodes that no line speaks of would only make the scenario long.
  if (has_errors(problems) || set.nodes > 10'000) return 0;
  const std::string text = hpcc_scenario(set, "config.txt", problems);
  fuzz::check_problems(problems);
  fuzz::require(parse_scenario(text, "made.json").spec.has_value());
  return 0;
}
