#include "scenarios/window.hpp"

#include <string>

namespace spineleaf {

void keep_window(Result& result, const RunParams& run) {
  if (run.warmup == Time{} && run.window == Time{}) return;
  const auto outside = [&](const auto& record) {
    return record.start < run.warmup ||
           (run.window > Time{} && record.start >= run.warmup + run.window);
  };
  const std::size_t dropped =
      std::erase_if(result.flows, outside) + std::erase_if(result.collectives, outside);
  if (dropped == 0) return;
  result.warnings.push_back("records that start outside the measurement window are left out: " +
                            std::to_string(dropped));
}

}  // namespace spineleaf
