// Any bytes as what a tool printed about a node: every reader of facts takes or refuses them, and
// the doctor's checks survive what they made of it.

#include "tests/fuzz/csv_fuzz.hpp"
#include "validation/doctor/doctor.hpp"
#include "validation/measurements/facts.hpp"
#include "validation/readers/text_lines.hpp"

namespace {

using namespace spineleaf;
using fuzz::require;

void check(const FactsResult& read) {
  fuzz::check_problems(read.problems);
  require(read.facts.all().size() <= Facts::kMost);
  for (const Fact& fact : read.facts.all()) {
    require(fact.line >= 0 && fact.name.size() <= 256 && fact.value.size() <= 256);
  }
  Collection collection;
  collection.facts.push_back({read.format, read.facts, {"node-before.txt", 0}});
  collection.facts.push_back({read.format, read.facts, {"node-after.txt", 0}});
  for (const Check& one : examine(collection).checks) require(!one.text.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > fuzz::kMostBytes) return 0;
  const std::string text = fuzz::text_of(data, size);
  check(read_facts(text, "fuzz"));
  check(read_probe_json(text, "fuzz"));
  // Measurements written once are read back the same, whatever a file of them held.
  Collection imported;
  read_collection_json(text, "fuzz", imported);
  fuzz::check_problems(imported.problems);
  Collection again;
  read_collection_json(collection_json(imported), "fuzz", again);
  require(again.sweeps.size() == imported.sweeps.size());
  require(again.perftests.size() == imported.perftests.size());
  require(!examine(again).checks.empty());
  // The same lines to every other reader, whatever they look like.
  for (const char* head : {"hca_id:", "CA '' CA type:", "/sys/class/infiniband/ counters/",
                           "NIC statistics:", "DCBX mode", "Module Used by", "x mtu >",
                           "Attached GPUs", "nvbandwidth Version", "LnkCap:"}) {
    const FactFormat* format = fact_format_of(head);
    require(format != nullptr);
    FactsResult read;
    const auto reader = format->reader();
    for_each_line(
        text, [&](std::string_view line, int number) { reader->take(line, number, read.facts); });
    check(read);
  }
  return 0;
}
