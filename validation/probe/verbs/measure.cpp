// What a message costs at a NIC, by size, messages in flight and queue pairs: RDMA writes of a port
// to itself, from host memory and from GPU memory. Both directions share the NIC's PCIe link, so
// that a rate here may lie below that between two machines; the cost of a message is what counts.

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <memory>

#include "validation/probe/cuda.hpp"
#include "validation/probe/pci.hpp"
#include "validation/probe/sections.hpp"
#include "validation/probe/verbs/verbs.hpp"

namespace spineleaf::probe {
namespace {

constexpr std::int64_t kSizes[] = {8, 4 << 10, 16 << 10, 128 << 10, 1 << 20, 8 << 20};
constexpr int kDepths[] = {1, 8, 128};
constexpr int kQueuePairs[] = {1, 4, 8};
constexpr std::size_t kBytes = 8 << 20;
constexpr std::int64_t kMostInFlight = 64 << 20;
constexpr double kSecondsEach = 0.01;
constexpr int kRepeats = 3;
constexpr int kDmaBufDescriptor = 1;  ///< CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD

Json rows_of(Loopback& loopback, const ibv_mr& from, const ibv_mr& to, bool many_pairs) {
  Json rows = Json::array();
  for (const std::int64_t bytes : kSizes) {
    for (const int depth : kDepths) {
      for (const int qps : kQueuePairs) {
        if ((qps > 1 && !many_pairs) || bytes * depth * qps > kMostInFlight) continue;
        std::vector<double> us;
        for (int i = 0; i < kRepeats; ++i) {
          us.push_back(loopback.us_per_message({bytes, depth, qps}, from, to, kSecondsEach));
        }
        const Timing timing = timing_of(us);
        Json row;
        row["bytes"] = bytes;
        row["depth"] = depth;
        row["qps"] = qps;
        row["us_per_message"] = std::round(timing.us * 1000) / 1000;
        row["Gbps"] = std::round(static_cast<double>(bytes) * 8 / timing.us / 1e3 * 100) / 100;
        row["spread_pct"] = std::round(timing.spread_pct * 10) / 10;
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

ibv_mr* register_host(Verbs& verbs, ibv_pd* domain) {
  void* memory =
      ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) verbs_trouble("mmap", errno);
  verbs.step("ibv_reg_mr");
  ibv_mr* region = verbs.api().register_memory(domain, memory, kBytes,
                                               IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  if (region == nullptr) {
    verbs_trouble("ibv_reg_mr", errno, "raise the limit of locked memory: ulimit -l unlimited");
  }
  return region;
}

/// The GPU that is nearest to the NIC.
int nearest_gpu(Cuda& cuda, const Options& options, const std::string& nic) {
  const Sysfs sysfs(options.root);
  const PciTree tree = read_pci_tree(sysfs);
  const std::string place = sysfs.resolved("/sys/class/infiniband/" + nic + "/device");
  const PciDevice* own = tree.find(place.substr(place.rfind('/') + 1));
  int best = 0;
  int best_rank = 99;
  for (int gpu = 0; gpu < cuda.count(); ++gpu) {
    const PciDevice* device = tree.find(cuda.bus_id(gpu));
    if (device == nullptr || own == nullptr) continue;
    const int rank = pci_rank(pci_path(*device, *own));
    if (rank < best_rank) best = gpu, best_rank = rank;
  }
  return best;
}

/// By dma-buf where driver and NIC can, else through a peer module.
ibv_mr* register_gpu(Verbs& verbs, Cuda& cuda, ibv_pd* domain, Json& out) {
  const CudaApi::Address address = cuda.memory(kBytes);
  const int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
  int descriptor = -1;
  if (verbs.api().register_dmabuf != nullptr && cuda.api().range_handle != nullptr) {
    verbs.step("cuMemGetHandleForAddressRange");
    if (cuda.api().range_handle(&descriptor, address, kBytes, kDmaBufDescriptor, 0) == 0) {
      verbs.step("ibv_reg_dmabuf_mr");
      ibv_mr* region = verbs.api().register_dmabuf(domain, 0, kBytes, address, descriptor, access);
      ::close(descriptor);
      if (region != nullptr) {
        region->addr = reinterpret_cast<void*>(address);
        out["path"] = "dma-buf";
        return region;
      }
    }
  }
  verbs.step("ibv_reg_mr of GPU memory");
  ibv_mr* region =
      verbs.api().register_memory(domain, reinterpret_cast<void*>(address), kBytes, access);
  if (region == nullptr) {
    verbs_trouble(
        "ibv_reg_mr of GPU memory", errno,
        "GPU Direct RDMA needs the module nvidia_peermem, or dma-buf (open kernel modules "
        "of the driver, kernel 5.12 or later)");
  }
  out["path"] = "peermem";
  return region;
}

void measure_gpu_memory(Verbs& verbs, const Options& options, Progress& progress,
                        const std::string& nic, Loopback& loopback, Json& out) {
  Json gpu;
  try {
    Cuda cuda(options, progress);
    const int device = nearest_gpu(cuda, options, nic);
    gpu["gpu"] = cuda.bus_id(device);
    cuda.use(device);
    const ibv_mr* from = register_gpu(verbs, cuda, loopback.domain(), gpu);
    const ibv_mr* to = register_gpu(verbs, cuda, loopback.domain(), gpu);
    gpu["rows"] = rows_of(loopback, *from, *to, false);
    gpu["available"] = true;
  } catch (const Unavailable& trouble) {
    gpu["available"] = false;
    gpu["reason"] = trouble.what();
    gpu["how_to_get_it"] = trouble.how_to_get_it();
  }
  out["gpu_memory"] = std::move(gpu);
}

}  // namespace

void measure_verbs(const Options& options, int nic, Json& out, Progress& progress) {
  Verbs verbs(options, progress);
  const auto names = verbs.names();
  const auto index = static_cast<std::size_t>(nic);
  if (index >= names.size()) {
    throw Unavailable("libibverbs lists " + std::to_string(names.size()) +
                          " devices, sysfs more: no provider for the others",
                      "ibv_devices lists them; install rdma-core's providers");
  }
  out["nic"] = names[index];
  Loopback loopback(verbs, options, index);
  const ibv_port_attr& port = loopback.port();
  out["port"] = loopback.port_number();
  out["link_layer"] = port.link_layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet" : "InfiniBand";
  out["active_mtu"] = 128 << port.active_mtu;
  out["max_mtu"] = 128 << port.max_mtu;
  out["active_speed"] = port.active_speed;
  out["active_width"] = port.active_width;
  out["gid_index"] = loopback.gid_index();
  progress.publish(out);
  const ibv_mr* from = register_host(verbs, loopback.domain());
  const ibv_mr* to = register_host(verbs, loopback.domain());
  out["host_memory"] = {{"rows", rows_of(loopback, *from, *to, true)}};
  progress.publish(out);
  measure_gpu_memory(verbs, options, progress, names[index], loopback, out);
}

Json dmabuf_support(const Options& options, Progress& progress) {
  Json out = Json::array();
  Verbs verbs(options, progress);
  const auto names = verbs.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    Json one;
    one["nic"] = names[i];
    ibv_pd* domain = verbs.api().allocate_domain(verbs.open(i));
    if (domain == nullptr || verbs.api().register_dmabuf == nullptr) {
      one["dmabuf"] = verbs.api().register_dmabuf == nullptr ? "unsupported" : "unknown";
    } else {
      // No descriptor: a kernel that knows dma-buf complains about that, another about the call.
      errno = 0;
      verbs.step("ibv_reg_dmabuf_mr");
      verbs.api().register_dmabuf(domain, 0, 0, 0, -1, 0);
      const bool lacking = errno == EOPNOTSUPP || errno == EPROTONOSUPPORT;
      one["dmabuf"] = lacking ? "unsupported" : errno == EBADF ? "supported" : "unknown";
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace spineleaf::probe
