// Any bytes as the index of measured sets, and as the flags of one: read or refused; no entry
// leaves its folder.

#include "models/collectives/nccl_system.hpp"
#include "scenarios/nccl_catalog.hpp"
#include "tests/fuzz/csv_fuzz.hpp"
#include "validation/nccl/sets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  if (size > fuzz::kMostBytes) return 0;
  const std::string text = fuzz::text_of(data, size);
  const NcclIndexResult read = read_nccl_index(text, "sets.json");
  fuzz::check_problems(read.problems);
  for (const NcclSetEntry& entry : read.entries) {
    fuzz::require(!entry.file.empty() && entry.file.front() != '/');
  }
  const NcclSetup setup = make_nccl_setup({}, 2, nccl_settings(text), 226);
  fuzz::require(setup.system.channels >= 1 && setup.nvls_channels >= 1);
  (void)nccl_version_in_words(text);
  fuzz::check_problems(read_nccl_catalog(text, "t.json", text, "n.json").problems);
  return 0;
}
