#pragma once
// Which classes flow control keeps from losing packets.

#include <cstdint>
#include <string>

namespace spineleaf {

/// The mask that pfc.lossless_classes writes as "0,2" or "all"; throws std::invalid_argument on
/// anything else.
std::uint32_t lossless_mask(const std::string& text, std::int64_t classes);

}  // namespace spineleaf
