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

[[noreturn, gnu::cold]] void fail_check(const char* condition, const char* file, int line,
                                        const std::string& what);
[[noreturn, gnu::cold]] void fail_check(const char* condition, const char* file, int line,
                                        const char* what, const std::string& where);

}  // namespace spineleaf

// SIM_CHECK(condition, what) or SIM_CHECK(condition, what, where): the texts are read only when the
// check fails; a text and a name apart keep hot functions free of string building.
#define SIM_CHECK(condition, ...)                                           \
  do {                                                                      \
    if (!(condition)) [[unlikely]]                                          \
      ::spineleaf::fail_check(#condition, __FILE__, __LINE__, __VA_ARGS__); \
  } while (false)
