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
  result.warnings.push_back(std::to_string(dropped) +
                            " flows or collectives that start outside the measurement window are "
                            "left out of tables and percentiles");
}

}  // namespace spineleaf
