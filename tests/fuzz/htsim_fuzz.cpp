// Any bytes as an htsim fat tree and a connection matrix, parted by a 0xff byte: what can be read
// becomes a scenario that the reader takes or refuses.

#include <algorithm>

#include "scenarios/import/htsim.hpp"
#include "scenarios/input/read.hpp"
#include "tests/fuzz/csv_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  if (size > fuzz::kMostBytes) return 0;
  const std::vector<std::string> parts = fuzz::parts_of(data, size, 2);
  std::vector<InputProblem> problems;
  const HtsimTree tree = read_htsim_tree({"a.topo", parts[0]}, problems);
  const HtsimMatrix matrix = read_htsim_matrix({"a.cm", parts[1]}, problems);
  fuzz::check_problems(problems);
  static_cast<void>(htsim_depth(matrix));
  if (has_errors(problems) || tree.hosts + tree.tors * tree.aggs > 100'000) return 0;
  const std::string scenario = htsim_scenario(tree, matrix, "a.cm", problems);
  fuzz::require(parse_scenario(scenario, "made.json").spec.has_value());
  return 0;
}
