#include "models/lossless.hpp"

#include <charconv>
#include <stdexcept>

namespace spineleaf {

std::uint32_t lossless_mask(const std::string& text, std::int64_t classes) {
  const std::uint32_t all = (1U << classes) - 1;
  if (text == "all") return all;
  std::uint32_t mask = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    unsigned c = 0;
    const auto [next, error] = std::from_chars(at, end, c);
    if (error != std::errc{} || c >= 16) {
      throw std::invalid_argument("pfc.lossless_classes: \"" + text +
                                  "\" is neither \"all\" nor a list such as \"0,2\"");
    }
    mask |= 1U << c;
    at = next < end ? next + 1 : next;
  }
  return mask & all;
}

}  // namespace spineleaf
