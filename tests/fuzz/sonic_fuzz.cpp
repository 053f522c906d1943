// Any bytes as a SONiC configuration, its neighbours and its headroom rows, parted by 0xff bytes:
// what can be read is linted and written as a scenario that the reader takes or refuses.

#include "scenarios/import/sonic.hpp"
#include "scenarios/input/read.hpp"
#include "tests/fuzz/csv_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  if (size > fuzz::kMostBytes) return 0;
  std::string rest = fuzz::text_of(data, size);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t end = std::min(rest.find('\xff'), rest.size());
    parts.push_back(rest.substr(0, end));
    rest.erase(0, std::min(end + 1, rest.size()));
  }
  std::vector<InputProblem> problems;
  const SonicFabric fabric = read_sonic({{"a.json", parts[0]}, {"b.json", rest}},
                                        {"lldp.json", parts[1]}, {"p.ini", parts[2]}, problems);
  fuzz::check_problems(problems);
  fuzz::check_problems(lint_sonic(fabric));
  std::vector<std::string> notes;
  ReadOptions options;
  const ParseResult read = parse_scenario(sonic_scenario(fabric, notes), "made.json", options);
  fuzz::require(read.spec.has_value());
  return 0;
}
