// Any bytes as a scenario: parse and validate must return, with bounded memory, and a scenario that
// is valid must survive its own lock file.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "scenarios/input/json_source.hpp"
#include "scenarios/input/read.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/lock.hpp"

namespace spineleaf {
namespace {

/// Whether building the topology stays small enough for millions of tries: every count is small,
/// and no more than three count for much.
bool small_topology(const TopologySpec& topology) {
  const TopologyKind* kind = find_topology_kind(topology.kind);
  if (kind == nullptr) return false;
  double product = 1;
  for (const ParamDecl& decl : kind->params.params) {
    if (decl.unit != Unit::Count) continue;
    const auto count = static_cast<double>(decl.get(topology.params.get()).integer);
    if (count > 1 && decl.name.find("radix") == std::string_view::npos) product *= count;
  }
  if (topology.kind == "custom") {
    for (const CustomLink& link : static_cast<const CustomSpec*>(topology.params.get())->links) {
      product += static_cast<double>(link.count);
    }
  }
  return product <= 1e5;
}

void try_scenario(const std::string& text, const ReadOptions& options) {
  const ParseResult parsed = parse_scenario(text, "fuzz.json", options);
  if (!parsed.spec) return;
  ValidateOptions validation;
  validation.build_topology = small_topology(parsed.spec->topology);
  const ValidateResult result = read_scenario(text, "fuzz.json", options, validation);
  for (const InputProblem& problem : result.problems) {
    if (to_string(problem).size() > 20'000) std::abort();
  }
  if (!result.spec || !validation.build_topology) return;
  const std::string lock = lock_text(*result.spec);
  const ValidateResult again = read_scenario(lock, "scenario.lock.json", {}, validation);
  if (!again.spec || lock_text(*again.spec) != lock) std::abort();
}

}  // namespace
}  // namespace spineleaf

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  constexpr std::size_t kMostBytes = 1 << 16;
  if (size > kMostBytes) return 0;
  std::string text(reinterpret_cast<const char*>(data), size);
  ReadOptions options;
  // What follows a zero byte is taken for a `--set`: path, '=', value.
  const std::size_t zero = text.find('\0');
  if (zero != std::string::npos) {
    const std::string set = text.substr(zero + 1);
    const std::size_t equal = set.find('=');
    if (equal != std::string::npos) {
      options.overrides.push_back({set.substr(0, equal), set.substr(equal + 1)});
    }
    text.resize(zero);
  }
  try_scenario(text, options);
  return 0;
}
