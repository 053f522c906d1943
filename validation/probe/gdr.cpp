// What GPU Direct RDMA needs: a peer module, or dma-buf of driver, kernel and NIC.

#include "validation/probe/cuda.hpp"
#include "validation/probe/sections.hpp"
#include "validation/probe/sysfs.hpp"

namespace spineleaf::probe {
namespace {

Json gpus_of(const Options& options, Progress& progress) {
  Json gpus = Json::array();
  Cuda cuda(options, progress);
  for (int i = 0; i < cuda.count(); ++i) {
    Json gpu;
    gpu["pci"] = cuda.bus_id(i);
    const auto fact = [](int value) { return value < 0 ? Json(nullptr) : Json(value != 0); };
    gpu["gpu_direct_rdma"] = fact(cuda.attribute(i, kGpuDirectRdma));
    gpu["dma_buf"] = fact(cuda.attribute(i, kDmaBuf));
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

bool any_is(const Json& list, const char* key, const Json& value) {
  for (const Json& one : list) {
    if (one.value(key, Json(nullptr)) == value) return true;
  }
  return false;
}

}  // namespace

void read_gdr(const Options& options, Json& out, Progress& progress) {
  const Sysfs sysfs(options.root);
  const auto peermem = sysfs.text("/sys/module/nvidia_peermem/version");
  const auto old_module = sysfs.text("/sys/kernel/mm/memory_peers/nv_mem/version");
  const auto no_cache = sysfs.text("/sys/kernel/mm/memory_peers/nv_mem_nc/version");
  const bool module = sysfs.exists("/sys/module/nvidia_peermem") || old_module || no_cache;
  out["peermem"] = module;
  out["peermem_version"] = as_json(peermem ? peermem : old_module ? old_module : no_cache);
  std::string trouble;
  const auto ask = [&](const char* key, Json (*part)(const Options&, Progress&)) {
    try {
      out[key] = part(options, progress);
    } catch (const Unavailable& error) {
      out[key] = Json::array();
      trouble += (trouble.empty() ? "" : "; ") + std::string(error.what());
    }
  };
  ask("gpus", gpus_of);
  ask("nics", dmabuf_support);
  if (!module && out["gpus"].empty() && out["nics"].empty()) {
    out = Json::object();
    throw Unavailable(trouble, "GPU Direct RDMA needs NVIDIA's driver and an RDMA NIC");
  }
  const bool by_gpu = any_is(out["gpus"], "dma_buf", true);
  const bool by_nic = any_is(out["nics"], "dmabuf", "supported");
  out["dmabuf"] = by_gpu && by_nic ? "supported" : !trouble.empty() ? "unknown" : "unsupported";
  out["gdr"] = module || out["dmabuf"] == "supported" ? "possible"
               : !trouble.empty()                     ? "unknown"
                                                      : "missing";
  if (!trouble.empty()) {
    throw Unavailable(trouble, "GPU Direct RDMA needs NVIDIA's driver and an RDMA NIC");
  }
}

}  // namespace spineleaf::probe
