// Any bytes as a SONiC configuration, its neighbours and its headroom rows, parted by 0xff bytes:
// what can be read is linted and written as a scenario that the reader takes or refuses.

#include "scenarios/import/sonic.hpp"
#include "scenarios/input/read.hpp"
#include "tests/fuzz/csv_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  if (size > fuzz::kMostBytes) return 0;
  const std::vector<std::string> parts = fuzz::parts_of(data, size, 4);
  std::vector<InputProblem> problems;
  const SonicFabric fabric = read_sonic({{"a.json", parts[0]}, {"b.json", parts[3]}},
                                        {"lldp.json", parts[1]}, {"p.ini", parts[2]}, problems);
  fuzz::check_problems(problems);
  fuzz::check_problems(lint_sonic(fabric));
  std::vector<std::string> notes;
  ReadOptions options;
  const ParseResult read = parse_scenario(sonic_scenario(fabric, notes), "made.json", options);
  fuzz::require(read.spec.has_value());
  return 0;
}
