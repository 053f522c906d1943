// Any bytes as a file of the ns-3 reference runs: the first byte chooses the kind of file.

#include "tests/fuzz/csv_fuzz.hpp"
#include "validation/readers/ns3_reference.hpp"

namespace spineleaf {
namespace {

using fuzz::require;

void check_config(const Ns3Read<Ns3Config>& read) {
  fuzz::check_problems(read.problems);
  if (has_errors(read.problems)) return;
  require(read.value.payload.count > 0 && read.value.buffer.count >= 0);
  for (std::size_t i = 1; i < read.value.marking.size(); ++i) {
    require(read.value.marking[i - 1].rate <= read.value.marking[i].rate);
  }
}

void check_topology(const Ns3Read<std::vector<Ns3Link>>& read) {
  fuzz::check_problems(read.problems);
  if (has_errors(read.problems)) return;
  for (const Ns3Link& link : read.value) {
    require(link.rate.bits_per_second > 0 && link.delay >= Time{});
  }
}

void check_flows(const Ns3Read<std::vector<Ns3Flow>>& read) {
  fuzz::check_problems(read.problems);
  if (has_errors(read.problems)) return;
  for (const Ns3Flow& flow : read.value) require(flow.bytes.count >= 0 && flow.fct >= Time{});
}

void check_series(const Ns3Read<std::vector<Ns3Sample>>& read) {
  fuzz::check_problems(read.problems);
  if (has_errors(read.problems)) return;
  for (const Ns3Sample& sample : read.value) {
    require(sample.goodput_gbps.size() == read.value.front().goodput_gbps.size());
  }
}

}  // namespace
}  // namespace spineleaf

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  if (size == 0 || size > fuzz::kMostBytes) return 0;
  const std::string text = fuzz::text_of(data + 1, size - 1);
  switch (data[0]) {
    case 'c': check_config(read_ns3_config(text, "fuzz.csv")); break;
    case 't': check_topology(read_ns3_topology(text, "fuzz.csv")); break;
    case 'f': check_flows(read_ns3_flows(text, "fuzz.csv")); break;
    case 'p': fuzz::check_problems(read_ns3_pauses(text, "fuzz.csv").problems); break;
    case 's': check_series(read_ns3_series(text, "fuzz.csv")); break;
    default: break;
  }
  return 0;
}
