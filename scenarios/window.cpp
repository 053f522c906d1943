#include "scenarios/window.hpp"

#include <string>
#include <vector>

namespace spineleaf {

void keep_window(Result& result, const MeasurementWindow& window) {
  if (window.warmup == Time{} && window.length == Time{}) return;
  const auto outside = [&](const auto& record) {
    return record.start < window.warmup ||
           (window.length > Time{} && record.start - window.warmup >= window.length);
  };
  const std::size_t dropped =
      std::erase_if(result.flows, outside) + std::erase_if(result.collectives, outside);
  if (dropped == 0) return;
  result.warnings.push_back("records that start outside the measurement window are left out: " +
                            std::to_string(dropped));
}

}  // namespace spineleaf
