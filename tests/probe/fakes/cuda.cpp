// A CUDA driver whose GPUs keep their own clock: every operation takes exactly as long as it is
// told here, so that tests know what the probe must measure. Addresses, ranges and contexts are
// checked.

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

#include "tests/probe/fakes/plan.hpp"

namespace {

using Address = unsigned long long;

// GB/s, which is bytes for each 1000 us and us; and us.
constexpr double kToDevice = 25;
constexpr double kToHost = 24;
constexpr double kOnDevice = 1500;
constexpr double kToPeer = 300;
constexpr double kCopyBlock = 20;
constexpr double kReduceBlock = 15;
constexpr double kSmall = 2;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr int kInvalid = 1;
constexpr int kOutOfMemory = 2;
constexpr int kFailed = 719;

double now_us = 1000;
int current = -1;
char contexts[64];
struct Block {
  std::size_t bytes;
  int gpu;
};
std::map<Address, Block> blocks;
std::map<int, std::size_t> used;
Address next_address = 0x7f0000000000ULL;
double events[64];
std::size_t event_count = 0;

bool inside(Address address, std::size_t bytes, int gpu) {
  auto it = blocks.upper_bound(address);
  if (it == blocks.begin()) return false;
  --it;
  return it->second.gpu == gpu && address + bytes <= it->first + it->second.bytes;
}

int take(double gb_per_s, std::size_t bytes) {
  now_us += kSmall + static_cast<double>(bytes) / gb_per_s / 1e3;
  return 0;
}

}  // namespace

FAKE_API void spineleaf_fake_advance(double us) { now_us += us; }

FAKE_API int cuInit(unsigned) { return fake::fails("cuInit") ? kFailed : 0; }
FAKE_API int cuDriverGetVersion(int* version) { return *version = 12040, 0; }
FAKE_API int cuDeviceGetCount(int* count) { return *count = fake::gpus(), 0; }
FAKE_API int cuDeviceGet(int* device, int index) { return *device = index, 0; }
FAKE_API int cuDeviceGetName(char* name, int size, int) {
  std::snprintf(name, static_cast<std::size_t>(size), "Imaginary GPU");
  return 0;
}
FAKE_API int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = kMostBytes, 0; }
FAKE_API int cuDeviceGetAttribute(int* value, int which, int) {
  *value = which == 75 ? 9 : which == 76 ? 0 : which == 16 ? 132 : 1;
  return 0;
}
FAKE_API int cuDeviceGetPCIBusId(char* id, int size, int device) {
  std::snprintf(id, static_cast<std::size_t>(size), "0000:%02X:00.0", 0x10 + device);
  return 0;
}
FAKE_API int cuDevicePrimaryCtxRetain(void** context, int device) {
  if (fake::fails("cuDevicePrimaryCtxRetain")) return kFailed;
  if (device < 0 || device >= fake::gpus()) return kInvalid;
  *context = &contexts[device];
  return 0;
}
FAKE_API int cuCtxSetCurrent(void* context) {
  current = static_cast<int>(static_cast<char*>(context) - contexts);
  return current >= 0 && current < fake::gpus() ? 0 : kInvalid;
}
FAKE_API int cuMemAlloc_v2(Address* address, std::size_t bytes) {
  if (fake::fails("cuMemAlloc")) return kOutOfMemory;
  if (current < 0) return kInvalid;
  if (used[current] + bytes > kMostBytes) return kOutOfMemory;
  used[current] += bytes;
  *address = next_address;
  blocks[next_address] = {bytes, current};
  next_address += bytes + 4096;
  return 0;
}
FAKE_API int cuMemFree_v2(Address address) {
  const auto it = blocks.find(address);
  if (it == blocks.end()) return kInvalid;
  used[it->second.gpu] -= it->second.bytes;
  blocks.erase(it);
  return 0;
}
FAKE_API int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  *memory = std::calloc(1, bytes);
  return *memory == nullptr ? kOutOfMemory : 0;
}
FAKE_API int cuMemFreeHost(void* memory) { return std::free(memory), 0; }
FAKE_API int cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, void*) {
  if (fake::fails("cuMemcpyHtoDAsync")) return kFailed;
  return from != nullptr && inside(to, bytes, current) ? take(kToDevice, bytes) : kInvalid;
}
FAKE_API int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void*) {
  if (fake::fails("cuMemcpyDtoHAsync")) return kFailed;
  return to != nullptr && inside(from, bytes, current) ? take(kToHost, bytes) : kInvalid;
}
FAKE_API int cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void*) {
  if (fake::fails("cuMemcpyDtoDAsync")) return kFailed;
  if (!inside(to, bytes, current) || !inside(from, bytes, current)) return kInvalid;
  return take(kOnDevice, bytes);
}
FAKE_API int cuDeviceCanAccessPeer(int* can, int, int) { return *can = 1, 0; }
FAKE_API int cuCtxEnablePeerAccess(void*, unsigned) { return 0; }
#ifndef FAKE_WITHOUT_PEER_COPY
FAKE_API int cuMemcpyPeerAsync(Address to, void* to_context, Address from, void* from_context,
                               std::size_t bytes, void*) {
  const auto gpu = [](void* context) {
    return static_cast<int>(static_cast<char*>(context) - contexts);
  };
  if (!inside(to, bytes, gpu(to_context)) || !inside(from, bytes, gpu(from_context))) {
    return kInvalid;
  }
  return take(kToPeer, bytes);
}
#endif
FAKE_API int cuStreamCreate(void** stream, unsigned) { return *stream = contexts, 0; }
FAKE_API int cuStreamSynchronize(void*) { return ::usleep(20), 0; }
FAKE_API int cuEventCreate(void** event, unsigned) {
  if (event_count >= 64) return kInvalid;
  *event = &events[event_count++];
  return 0;
}
FAKE_API int cuEventRecord(void* event, void*) { return *static_cast<double*>(event) = now_us, 0; }
FAKE_API int cuEventSynchronize(void*) { return 0; }
FAKE_API int cuEventElapsedTime(float* ms, void* begin, void* end) {
  *ms = static_cast<float>((*static_cast<double*>(end) - *static_cast<double*>(begin)) / 1e3);
  return 0;
}
FAKE_API int cuModuleLoadData(void** module, const void* text) {
  static std::string kept;
  kept = static_cast<const char*>(text);
  *module = &kept;
  return kept.find(".version") == std::string::npos ? kInvalid : 0;
}
FAKE_API int cuModuleGetFunction(void** function, void* module, const char* name) {
  static std::string names[8];
  static int count = 0;
  if (static_cast<std::string*>(module)->find(name) == std::string::npos || count >= 8) {
    return 500;
  }
  names[count] = name;
  *function = &names[count++];
  return 0;
}
FAKE_API int cuLaunchKernel(void* function, unsigned blocks_x, unsigned, unsigned, unsigned,
                            unsigned, unsigned, unsigned, void*, void** arguments, void**) {
  if (fake::fails("cuLaunchKernel")) return kFailed;
  const std::string& name = *static_cast<std::string*>(function);
  const bool copies = name == "spineleaf_copy";
  if (!copies && name != "spineleaf_reduce") return now_us += kSmall, 0;
  const auto count = *static_cast<unsigned long long*>(arguments[copies ? 2 : 3]);
  for (int i = 0; i < (copies ? 2 : 3); ++i) {
    if (!inside(*static_cast<Address*>(arguments[i]), count * 16, current)) return kInvalid;
  }
  return take((copies ? kCopyBlock : kReduceBlock) * blocks_x, count * 16);
}
FAKE_API int cuGetErrorString(int, const char** text) { return *text = "unspecified failure", 0; }
FAKE_API int cuMemGetHandleForAddressRange(void* handle, Address, std::size_t, int,
                                           unsigned long long) {
  return *static_cast<int*>(handle) = ::dup(0), 0;
}
