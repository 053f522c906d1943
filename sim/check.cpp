#include "sim/check.hpp"

#include <string_view>

namespace spineleaf {

void fail_check(const char* condition, const char* file, int line, const std::string& what) {
  std::string_view path(file);
  const std::size_t slash = path.find_last_of('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  throw InvariantBroken(what + " (" + condition + ", " + std::string(path) + ":" +
                        std::to_string(line) + ")");
}

void fail_check(const char* condition, const char* file, int line, const char* what,
                const std::string& where) {
  fail_check(condition, file, line, std::string(what) + " at " + where);
}

}  // namespace spineleaf
