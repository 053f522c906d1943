// NCCL whose operations take 10 us and bytes at 100 GB/s on the clock of the fake CUDA driver.

#include <dlfcn.h>

#include <string>

#include "tests/probe/fakes/plan.hpp"

namespace {

constexpr std::size_t kBytesEach = 4;
std::size_t largest = 0;

void advance(double us) {
  Dl_info own{};
  ::dladdr(reinterpret_cast<void*>(&advance), &own);
  std::string driver(own.dli_fname);
  driver.replace(driver.rfind('/') + 1, std::string::npos, "libcuda.so.1");
  void* library = ::dlopen(driver.c_str(), RTLD_NOW | RTLD_NOLOAD);
  using Advance = void(double);
  if (library == nullptr) return;
  reinterpret_cast<Advance*>(::dlsym(library, "spineleaf_fake_advance"))(us);
}

int note(std::size_t count) {
  if (count * kBytesEach > largest) largest = count * kBytesEach;
  return 0;
}

}  // namespace

FAKE_API int ncclGetVersion(int* code) { return *code = 22602, 0; }
FAKE_API int ncclCommInitAll(void** comms, int count, const int*) {
  if (fake::fails("ncclCommInitAll")) return 2;
  for (int i = 0; i < count; ++i) comms[i] = comms;
  return 0;
}
FAKE_API int ncclCommDestroy(void*) { return 0; }
FAKE_API int ncclAllReduce(const void*, void*, std::size_t count, int, int, void*, void*) {
  return fake::fails("ncclAllReduce") ? 3 : note(count);
}
FAKE_API int ncclAllGather(const void*, void*, std::size_t count, int, void*, void*) {
  return note(count);
}
FAKE_API int ncclReduceScatter(const void*, void*, std::size_t count, int, int, void*, void*) {
  return note(count);
}
FAKE_API int ncclSend(const void*, std::size_t count, int, int, void*, void*) {
  return note(count);
}
FAKE_API int ncclRecv(void*, std::size_t count, int, int, void*, void*) { return note(count); }
FAKE_API int ncclGroupStart() { return largest = 0, 0; }
FAKE_API int ncclGroupEnd() {
  advance(10 + static_cast<double>(largest) / 1e5);
  return 0;
}
FAKE_API const char* ncclGetErrorString(int) { return "unhandled system error"; }
