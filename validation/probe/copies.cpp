// What a GPU can copy and reduce: launch floor, copies from and to pinned host memory, on the GPU,
// to its peers, and the rate of one to 32 blocks, which is what NCCL's channels are made of.

#include <algorithm>
#include <chrono>
#include <cmath>

#include "validation/probe/cuda.hpp"
#include "validation/probe/kernels_ptx.hpp"
#include "validation/probe/sections.hpp"

namespace spineleaf::probe {
namespace {

// Three buffers on the GPU and two at the host: 480 MiB, under the promised GiB for each GPU.
constexpr std::size_t kBytes = 128 << 20;
constexpr std::size_t kHostBytes = 32 << 20;
constexpr std::size_t kPeerBytes = 32 << 20;
constexpr unsigned kBlocks[] = {1, 2, 4, 8, 16, 32};
constexpr unsigned kThreads = 512;
constexpr int kMostPeers = 15;

class Bench {
 public:
  Bench(Cuda& cuda, int gpu, Progress& progress)
      : cuda_(cuda), progress_(progress), gpu_(gpu), context_(cuda.use(gpu)), watch_(cuda) {
    for (auto& buffer : device_) buffer = cuda.memory(kBytes);
    void* module = nullptr;
    cuda.call("cuModuleLoadData", cuda.api().module_load, &module,
              static_cast<const void*>(kernels_ptx()));
    const auto load = [&](void*& function, const char* name) {
      cuda_.call("cuModuleGetFunction", cuda_.api().module_function, &function, module, name);
    };
    load(empty_, "spineleaf_empty");
    load(copy_, "spineleaf_copy");
    load(reduce_, "spineleaf_reduce");
  }

  /// From the call to the kernel's end as the host sees it, and the rate of launches alone.
  Json launch_floor() {
    Json out;
    const auto launch = [&] { this->launch(empty_, 1, nullptr); };
    std::vector<double> us;
    for (int repeat = 0; repeat < 6; ++repeat) {
      constexpr int kTimes = 200;
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kTimes; ++i) {
        launch();
        cuda_.call("cuStreamSynchronize", cuda_.api().stream_wait, watch_.stream());
      }
      const std::chrono::duration<double, std::micro> all =
          std::chrono::steady_clock::now() - begin;
      if (repeat > 0) us.push_back(all.count() / kTimes);
    }
    out["to_host"] = timing_of(us).json();
    out["back_to_back"] = watch_.measure(launch).json();
    return out;
  }

  Json host_copies() {
    const CudaApi& api = cuda_.api();
    void* host = nullptr;
    cuda_.call("cuMemHostAlloc", api.allocate_host, &host, kHostBytes, 0U);
    const auto to_device = [&](std::size_t bytes) {
      return watch_.measure([&] {
        cuda_.call("cuMemcpyHtoDAsync", api.to_device, device_[0], static_cast<const void*>(host),
                   bytes, watch_.stream());
      });
    };
    const auto to_host = [&](std::size_t bytes) {
      return watch_.measure([&] {
        cuda_.call("cuMemcpyDtoHAsync", api.to_host, host, device_[0], bytes, watch_.stream());
      });
    };
    Json out;
    out["to_device"] = to_device(kHostBytes).json(static_cast<double>(kHostBytes));
    out["to_host"] = to_host(kHostBytes).json(static_cast<double>(kHostBytes));
    out["to_device_small"] = to_device(8).json(8);
    out["to_host_small"] = to_host(8).json(8);
    cuda_.call("cuMemFreeHost", api.free_host, host);
    return out;
  }

  Json device_copy() {
    return watch_
        .measure([&] {
          cuda_.call("cuMemcpyDtoDAsync", cuda_.api().on_device, device_[0], device_[1], kBytes,
                     watch_.stream());
        })
        .json(static_cast<double>(kBytes));
  }

  /// Bytes copied, or reduced from two inputs to one output, by so many blocks.
  Json by_blocks(bool reduce) {
    Json rows = Json::array();
    for (const unsigned blocks : kBlocks) {
      const std::size_t bytes = std::min(kBytes, std::size_t{blocks} << 22);
      unsigned long long count = bytes / 16;
      void* copy_arguments[] = {&device_[0], &device_[1], &count};
      void* reduce_arguments[] = {&device_[0], &device_[1], &device_[2], &count};
      const Timing timing = watch_.measure([&] {
        launch(reduce ? reduce_ : copy_, blocks, reduce ? reduce_arguments : copy_arguments);
      });
      Json row;
      row["blocks"] = blocks;
      row.update(timing.json(static_cast<double>(bytes)));
      rows.push_back(std::move(row));
    }
    return rows;
  }

  Json peers() {
    const CudaApi& api = cuda_.api();
    Json rows = Json::array();
    for (int peer = 0; peer < std::min(cuda_.count(), kMostPeers + 1); ++peer) {
      if (peer == gpu_) continue;
      int can = 0;
      cuda_.call("cuDeviceCanAccessPeer", api.can_access_peer, &can, gpu_, peer);
      void* other = cuda_.use(peer);
      const CudaApi::Address target = cuda_.memory(kPeerBytes);
      cuda_.call("cuCtxSetCurrent", api.context_set, context_);
      progress_.step("cuCtxEnablePeerAccess");
      // Concerns this process alone; without it the copy goes through the host, as NCCL's would.
      if (can != 0) api.enable_peer(other, 0);
      Json row;
      row["to"] = peer;
      row["peer_access"] = can != 0;
      row.update(watch_
                     .measure([&] {
                       cuda_.call("cuMemcpyPeerAsync", api.to_peer, target, other, device_[0],
                                  context_, kPeerBytes, watch_.stream());
                     })
                     .json(static_cast<double>(kPeerBytes)));
      cuda_.call("cuMemFree", api.free, target);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  void launch(void* function, unsigned blocks, void** arguments) {
    cuda_.call("cuLaunchKernel", cuda_.api().launch, function, blocks, 1U, 1U, kThreads, 1U, 1U, 0U,
               watch_.stream(), arguments, static_cast<void**>(nullptr));
  }

  Cuda& cuda_;
  Progress& progress_;
  int gpu_;
  void* context_;
  Stopwatch watch_;
  CudaApi::Address device_[3] = {};
  void* empty_ = nullptr;
  void* copy_ = nullptr;
  void* reduce_ = nullptr;
};

}  // namespace

void measure_copies(const Options& options, int gpu, Json& out, Progress& progress) {
  Cuda cuda(options, progress);
  if (gpu >= cuda.count()) {
    throw Unavailable("the CUDA driver counts " + std::to_string(cuda.count()) + " GPUs", "");
  }
  const int version = cuda.version();
  Json head;
  head["gpu"] = gpu;
  head["name"] = cuda.name(gpu);
  head["pci"] = cuda.bus_id(gpu);
  head["cuda"] = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  head["compute"] = std::to_string(cuda.attribute(gpu, kComputeMajor)) + "." +
                    std::to_string(cuda.attribute(gpu, kComputeMinor));
  head["multiprocessors"] = cuda.attribute(gpu, kMultiprocessors);
  Bench bench(cuda, gpu, progress);
  out = std::move(head);
  const auto keep = [&](const char* key, Json value) {
    out[key] = std::move(value);
    progress.publish(out);
  };
  keep("launch", bench.launch_floor());
  keep("host", bench.host_copies());
  keep("device_copy", bench.device_copy());
  keep("copy_by_blocks", bench.by_blocks(false));
  keep("reduce_by_blocks", bench.by_blocks(true));
  keep("peers", bench.peers());
}

}  // namespace spineleaf::probe
