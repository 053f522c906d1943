// Any bytes as a command line of nccl-tests, whole and cut into words: understood or refused; the
// sizes of what is understood ascend.

#include <span>

#include "tests/fuzz/csv_fuzz.hpp"
#include "validation/nccl/command_line.hpp"

namespace {

void check(std::span<const std::string> words) {
  using namespace spineleaf;
  const NcclTestsCommand command = parse_nccl_tests_command(words);
  if (!command.problem.empty()) return;
  fuzz::require(!command.collective.empty() && command.ranks >= 0);
  std::int64_t before = -1;
  for (const std::int64_t bytes : command.sizes()) {
    fuzz::require(bytes > before);
    before = bytes;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  if (size > fuzz::kMostBytes) return 0;
  std::vector<std::string> words{fuzz::text_of(data, size)};
  check(words);
  const std::string text = std::move(words.front());
  words.clear();
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  check(words);
  return 0;
}
