#pragma once
// What a fake library is to do wrong, from the environment: FAKE_FAIL, FAKE_HANG and FAKE_CRASH
// each name a function; FAKE_GPUS is how many GPUs there are.

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace fake {

inline std::string_view setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

inline int gpus() {
  const char* value = std::getenv("FAKE_GPUS");
  return value == nullptr ? 1 : std::atoi(value);
}

/// At the begin of every function: hangs, crashes, or says that it is to fail.
inline bool fails(const char* function) {
  if (setting("FAKE_HANG") == function) {
    for (;;) ::sleep(1000);
  }
  if (setting("FAKE_CRASH") == function) std::abort();
  return setting("FAKE_FAIL") == function;
}

}  // namespace fake

#define FAKE_API extern "C" __attribute__((visibility("default")))
