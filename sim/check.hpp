#pragma once
// SIM_CHECK: an invariant that holds in every run, release builds included.
//
// A failed check throws InvariantBroken; the executor ends that run with the reason and marks its
// result invalid. It never aborts the process.

#include <stdexcept>
#include <string>

namespace spineleaf {

class InvariantBroken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail_check(const char* condition, const char* file, int line,
                             const std::string& detail);

}  // namespace spineleaf

// `detail` is evaluated only when the check fails.
#define SIM_CHECK(condition, detail)                                     \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::spineleaf::fail_check(#condition, __FILE__, __LINE__, (detail)); \
  } while (false)
