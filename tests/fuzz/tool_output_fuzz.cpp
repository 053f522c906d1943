// Any bytes as output of a tool: every reader of text, JSON and XML takes or refuses them, whatever
// they pretend to be.

#include "tests/fuzz/csv_fuzz.hpp"
#include "topologies/readers/nccl_xml.hpp"
#include "validation/inspect.hpp"
#include "validation/readers/gpu_topo.hpp"
#include "validation/readers/nccl_log.hpp"
#include "validation/readers/nccl_tests.hpp"
#include "validation/readers/osu.hpp"
#include "validation/readers/perftest.hpp"

namespace {

using namespace spineleaf;
using fuzz::require;

void check_nccl_tests(const std::string& text) {
  const NcclTestsResult read = read_nccl_tests(text, "fuzz");
  fuzz::check_problems(read.problems);
  require(!read.runs.empty() || has_errors(read.problems));
  for (const NcclTestsRun& run : read.runs) {
    for (const MeasuredPoint& point : to_sweep(run, "fuzz").points) {
      require(point.bytes > 0 && point.time_us > 0);
    }
  }
}

void check_topo(const std::string& text) {
  const GpuTopoResult read = read_gpu_topo(text, "fuzz");
  fuzz::check_problems(read.problems);
  if (has_errors(read.problems)) return;
  const std::size_t devices = read.topo.devices.size();
  require(devices > 0 && read.topo.paths.size() == devices);
  for (const auto& row : read.topo.paths) require(row.size() == devices);
  require(!findings(read.topo).empty());
}

void check_xml(const std::string& text) {
  const NcclXml read = read_nccl_xml(text);
  const auto devices = static_cast<std::int64_t>(read.topology.pcis.size());
  for (const NcclGpu& gpu : read.topology.gpus) {
    require(gpu.pci < devices);
    for (const NcclNet& net : read.topology.nets) {
      const int distance = pci_distance(read.topology, gpu.pci, net.pci);
      require(distance >= 1 && distance <= 4);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > fuzz::kMostBytes) return 0;
  const std::string text = fuzz::text_of(data, size);
  check_nccl_tests(text);
  check_topo(text);
  check_xml(text);
  fuzz::check_problems(read_perftest(text, "fuzz").problems);
  fuzz::check_problems(read_osu(text, "fuzz").problems);
  const NcclLogResult log = read_nccl_log(text, "fuzz");
  fuzz::check_problems(log.problems);
  require(verdicts(log.log).size() < 100'000);
  const Inspection seen = inspect(text, "fuzz");
  fuzz::check_problems(seen.problems);
  require(!seen.format.empty() || has_errors(seen.problems));
  return 0;
}
