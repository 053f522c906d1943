#include "validation/probe/cuda.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace spineleaf::probe {
namespace {

constexpr const char* kHow =
    "install NVIDIA's driver (nvidia-smi shows whether it works), then run the probe again";

/// CUDA prints "00000000:17:00.0" or "0000:17:00.0", in capitals or not.
std::string as_in_sysfs(std::string id) {
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::size_t colon = id.find(':');
  if (colon != std::string::npos && colon > 4) id.erase(0, colon - 4);
  return id;
}

}  // namespace

Cuda::Cuda(const Options& options, Progress& progress)
    : library_(options, {"libcuda.so.1", "libcuda.so"}, "CUDA driver", kHow), progress_(progress) {
  CudaApi& api = api_;
  library_.need(api.init, {"cuInit"});
  library_.need(api.driver_version, {"cuDriverGetVersion"});
  library_.need(api.device_count, {"cuDeviceGetCount"});
  library_.need(api.device_get, {"cuDeviceGet"});
  library_.need(api.device_name, {"cuDeviceGetName"});
  library_.need(api.device_memory, {"cuDeviceTotalMem_v2", "cuDeviceTotalMem"});
  library_.need(api.device_attribute, {"cuDeviceGetAttribute"});
  library_.need(api.device_bus_id, {"cuDeviceGetPCIBusId"});
  library_.need(api.context_retain, {"cuDevicePrimaryCtxRetain"});
  library_.need(api.context_set, {"cuCtxSetCurrent"});
  library_.need(api.allocate, {"cuMemAlloc_v2", "cuMemAlloc"});
  library_.need(api.free, {"cuMemFree_v2", "cuMemFree"});
  library_.need(api.allocate_host, {"cuMemHostAlloc"});
  library_.need(api.free_host, {"cuMemFreeHost"});
  library_.need(api.to_device, {"cuMemcpyHtoDAsync_v2", "cuMemcpyHtoDAsync"});
  library_.need(api.to_host, {"cuMemcpyDtoHAsync_v2", "cuMemcpyDtoHAsync"});
  library_.need(api.on_device, {"cuMemcpyDtoDAsync_v2", "cuMemcpyDtoDAsync"});
  library_.need(api.to_peer, {"cuMemcpyPeerAsync"});
  library_.need(api.can_access_peer, {"cuDeviceCanAccessPeer"});
  library_.need(api.enable_peer, {"cuCtxEnablePeerAccess"});
  library_.need(api.stream_create, {"cuStreamCreate"});
  library_.need(api.stream_wait, {"cuStreamSynchronize"});
  library_.need(api.event_create, {"cuEventCreate"});
  library_.need(api.event_record, {"cuEventRecord"});
  library_.need(api.event_wait, {"cuEventSynchronize"});
  library_.need(api.event_elapsed, {"cuEventElapsedTime"});
  library_.need(api.module_load, {"cuModuleLoadData"});
  library_.need(api.module_function, {"cuModuleGetFunction"});
  library_.need(api.launch, {"cuLaunchKernel"});
  library_.want(api.error_text, {"cuGetErrorString"});
  library_.want(api.range_handle, {"cuMemGetHandleForAddressRange"});
  call("cuInit", api.init, 0U);
  call("cuDeviceGetCount", api.device_count, &count_);
  if (count_ < 1) throw Unavailable("the CUDA driver counts no GPU", kHow);
}

void Cuda::check(const char* name, int result) const {
  if (result == 0) return;
  std::string reason = std::string(name) + ": error " + std::to_string(result);
  const char* words = nullptr;
  if (api_.error_text != nullptr && api_.error_text(result, &words) == 0 && words != nullptr) {
    reason += std::string(" (") + words + ")";
  }
  throw Unavailable(reason, "nvidia-smi and dmesg may say more");
}

std::string Cuda::name(int device) {
  std::array<char, 256> text{};
  call("cuDeviceGetName", api_.device_name, text.data(), 255, device);
  return text.data();
}

std::string Cuda::bus_id(int device) {
  std::array<char, 64> text{};
  call("cuDeviceGetPCIBusId", api_.device_bus_id, text.data(), 63, device);
  return as_in_sysfs(text.data());
}

int Cuda::attribute(int device, int which) {
  int value = -1;
  progress_.step("cuDeviceGetAttribute");
  return api_.device_attribute(&value, which, device) == 0 ? value : -1;
}

int Cuda::version() {
  int value = 0;
  call("cuDriverGetVersion", api_.driver_version, &value);
  return value;
}

void* Cuda::use(int device) {
  void* context = nullptr;
  call("cuDevicePrimaryCtxRetain", api_.context_retain, &context, device);
  call("cuCtxSetCurrent", api_.context_set, context);
  return context;
}

CudaApi::Address Cuda::memory(std::size_t bytes) {
  CudaApi::Address address = 0;
  call("cuMemAlloc", api_.allocate, &address, bytes);
  return address;
}

Timing timing_of(std::vector<double> us) {
  std::sort(us.begin(), us.end());
  Timing timing;
  timing.repeats = static_cast<int>(us.size());
  if (us.empty()) return timing;
  timing.us = us[us.size() / 2];
  if (timing.us > 0) timing.spread_pct = (us.back() - us.front()) / timing.us * 100;
  return timing;
}

Json Timing::json(double bytes) const {
  const auto rounded = [](double value) { return std::round(value * 1000) / 1000; };
  Json out;
  if (bytes > 0) out["bytes"] = static_cast<std::int64_t>(bytes);
  out["us"] = rounded(us);
  if (bytes > 0 && us > 0) out["GBps"] = rounded(bytes / us / 1e3);
  out["spread_pct"] = rounded(spread_pct);
  out["repeats"] = repeats;
  return out;
}

Stopwatch::Stopwatch(Cuda& cuda) : cuda_(cuda) {
  cuda.call("cuStreamCreate", cuda.api().stream_create, &stream_, 1U);
  cuda.call("cuEventCreate", cuda.api().event_create, &begin_, 0U);
  cuda.call("cuEventCreate", cuda.api().event_create, &end_, 0U);
}

int Stopwatch::operations_for(double one_us) {
  constexpr double kRepeatUs = 8000;
  return std::clamp(static_cast<int>(kRepeatUs / std::max(one_us, 1.0)), 1, 500);
}

double Stopwatch::elapsed_us() {
  float milliseconds = 0;
  cuda_.call("cuEventSynchronize", cuda_.api().event_wait, end_);
  cuda_.call("cuEventElapsedTime", cuda_.api().event_elapsed, &milliseconds, begin_, end_);
  return static_cast<double>(milliseconds) * 1e3;
}

}  // namespace spineleaf::probe
