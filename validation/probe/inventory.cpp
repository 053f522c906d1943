// GPUs as NVML knows them: names, PCIe links now and at most, NVLinks, how GPUs reach each other.
//
// Function signatures and constants as NVIDIA documents them for nvml.h (assumed where they could
// not be compared with a header).

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include "validation/probe/library.hpp"
#include "validation/probe/sections.hpp"

namespace spineleaf::probe {
namespace {

constexpr unsigned kMostLinks = 64;
constexpr int kInvalidArgument = 2;
constexpr int kNotSupported = 3;

struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

struct NvmlApi {
  int (*init)() = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, void**) = nullptr;
  int (*name)(void*, char*, unsigned) = nullptr;
  int (*uuid)(void*, char*, unsigned) = nullptr;
  int (*serial)(void*, char*, unsigned) = nullptr;
  int (*pci)(void*, PciInfo*) = nullptr;
  int (*generation)(void*, unsigned*) = nullptr;
  int (*most_generation)(void*, unsigned*) = nullptr;
  int (*width)(void*, unsigned*) = nullptr;
  int (*most_width)(void*, unsigned*) = nullptr;
  int (*link_state)(void*, unsigned, int*) = nullptr;
  int (*ancestor)(void*, void*, int*) = nullptr;
  int (*p2p)(void*, void*, int, int*) = nullptr;
  const char* (*error_text)(int) = nullptr;
};

class Nvml {
 public:
  Nvml(const Options& options, Progress& progress)
      : library_(options, {"libnvidia-ml.so.1", "libnvidia-ml.so"}, "NVML (NVIDIA's driver)",
                 "install NVIDIA's driver; nvidia-smi must work on this machine"),
        progress_(progress) {
    NvmlApi& api = api_;
    library_.need(api.init, {"nvmlInit_v2", "nvmlInit"});
    library_.need(api.driver, {"nvmlSystemGetDriverVersion"});
    library_.need(api.count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
    library_.need(api.handle, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
    library_.need(api.name, {"nvmlDeviceGetName"});
    library_.want(api.uuid, {"nvmlDeviceGetUUID"});
    library_.want(api.serial, {"nvmlDeviceGetSerial"});
    library_.need(api.pci, {"nvmlDeviceGetPciInfo_v3"});
    library_.want(api.generation, {"nvmlDeviceGetCurrPcieLinkGeneration"});
    library_.want(api.most_generation, {"nvmlDeviceGetMaxPcieLinkGeneration"});
    library_.want(api.width, {"nvmlDeviceGetCurrPcieLinkWidth"});
    library_.want(api.most_width, {"nvmlDeviceGetMaxPcieLinkWidth"});
    library_.want(api.link_state, {"nvmlDeviceGetNvLinkState"});
    library_.want(api.ancestor, {"nvmlDeviceGetTopologyCommonAncestor"});
    library_.want(api.p2p, {"nvmlDeviceGetP2PStatus"});
    library_.want(api.error_text, {"nvmlErrorString"});
    must("nvmlInit", api.init());
  }

  const NvmlApi& api() const { return api_; }
  void step(const char* name) { progress_.step(name); }
  void must(const char* name, int result) const {
    if (result == 0) return;
    std::string reason = std::string(name) + ": error " + std::to_string(result);
    if (api_.error_text != nullptr) reason += std::string(" (") + api_.error_text(result) + ")";
    throw Unavailable(reason, "nvidia-smi shows whether the driver works");
  }
  template <typename Function>
  std::string text(const char* name, Function* function, void* device) {
    std::array<char, 128> buffer{};
    step(name);
    if (function == nullptr || function(device, buffer.data(), 127U) != 0) return {};
    return buffer.data();
  }
  /// Null where the GPU does not tell.
  template <typename Function>
  Json number(const char* name, Function* function, void* device) {
    unsigned value = 0;
    step(name);
    if (function == nullptr || function(device, &value) != 0) return nullptr;
    return value;
  }

 private:
  Library library_;
  Progress& progress_;
  NvmlApi api_;
};

std::string lower(const char* text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::size_t colon = out.find(':');
  if (colon != std::string::npos && colon > 4) out.erase(0, colon - 4);
  return out;
}

Json links_of(Nvml& nvml, void* device) {
  Json links;
  int up = 0;
  Json down = Json::array();
  for (unsigned link = 0; nvml.api().link_state != nullptr && link < kMostLinks; ++link) {
    int state = 0;
    nvml.step("nvmlDeviceGetNvLinkState");
    const int result = nvml.api().link_state(device, link, &state);
    if (result == kInvalidArgument) break;
    if (result == kNotSupported) continue;
    nvml.must("nvmlDeviceGetNvLinkState", result);
    if (state != 0)
      ++up;
    else
      down.push_back(link);
  }
  links["up"] = up;
  links["down"] = std::move(down);
  return links;
}

Json gpu_of(Nvml& nvml, unsigned index, void* device) {
  const NvmlApi& api = nvml.api();
  Json gpu;
  gpu["index"] = index;
  gpu["name"] = nvml.text("nvmlDeviceGetName", api.name, device);
  gpu["uuid"] = nvml.text("nvmlDeviceGetUUID", api.uuid, device);
  gpu["serial"] = nvml.text("nvmlDeviceGetSerial", api.serial, device);
  PciInfo pci{};
  nvml.step("nvmlDeviceGetPciInfo");
  nvml.must("nvmlDeviceGetPciInfo", api.pci(device, &pci));
  pci.bus_id[31] = '\0';
  gpu["pci"] = lower(pci.bus_id);
  gpu["pcie_generation"] =
      nvml.number("nvmlDeviceGetCurrPcieLinkGeneration", api.generation, device);
  gpu["pcie_generation_most"] =
      nvml.number("nvmlDeviceGetMaxPcieLinkGeneration", api.most_generation, device);
  gpu["pcie_width"] = nvml.number("nvmlDeviceGetCurrPcieLinkWidth", api.width, device);
  gpu["pcie_width_most"] = nvml.number("nvmlDeviceGetMaxPcieLinkWidth", api.most_width, device);
  gpu["nvlinks"] = links_of(nvml, device);
  return gpu;
}

/// "NV" by NVLink, else the words of nvidia-smi topo -m.
Json path_between(Nvml& nvml, void* a, void* b) {
  constexpr int kNvlink = 2;
  int status = -1;
  nvml.step("nvmlDeviceGetP2PStatus");
  if (nvml.api().p2p != nullptr && nvml.api().p2p(a, b, kNvlink, &status) == 0 && status == 0) {
    return "NV";
  }
  int level = 0;
  nvml.step("nvmlDeviceGetTopologyCommonAncestor");
  if (nvml.api().ancestor == nullptr || nvml.api().ancestor(a, b, &level) != 0) return nullptr;
  constexpr const char* kWords[] = {"X", "PIX", "PXB", "PHB", "NODE", "SYS"};
  const int word = level / 10;
  if (word < 0 || word >= static_cast<int>(std::size(kWords))) return nullptr;
  return kWords[word];
}

}  // namespace

void read_inventory(const Options& options, Json& out, Progress& progress) {
  Nvml nvml(options, progress);
  std::array<char, 128> driver{};
  nvml.must("nvmlSystemGetDriverVersion", nvml.api().driver(driver.data(), 127U));
  unsigned count = 0;
  progress.step("nvmlDeviceGetCount");
  nvml.must("nvmlDeviceGetCount", nvml.api().count(&count));
  if (count == 0) throw Unavailable("NVML counts no GPU", "nvidia-smi -L must list one");
  out["driver"] = driver.data();
  out["gpus"] = Json::array();
  std::vector<void*> handles;
  for (unsigned i = 0; i < std::min(count, 256U); ++i) {
    void* device = nullptr;
    progress.step("nvmlDeviceGetHandleByIndex");
    nvml.must("nvmlDeviceGetHandleByIndex", nvml.api().handle(i, &device));
    handles.push_back(device);
    out["gpus"].push_back(gpu_of(nvml, i, device));
    progress.publish(out);
  }
  Json paths = Json::array();
  for (void* a : handles) {
    Json row = Json::array();
    for (void* b : handles) row.push_back(a == b ? Json("X") : path_between(nvml, a, b));
    paths.push_back(std::move(row));
  }
  out["paths"] = std::move(paths);
}

}  // namespace spineleaf::probe
