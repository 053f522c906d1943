// NCCL on the GPUs of this machine, in one process: how long it takes to begin, and how long its
// collectives take by size. With one GPU there is nothing to send: what is left is the launch
// floor.

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "validation/probe/cuda.hpp"
#include "validation/probe/sections.hpp"

namespace spineleaf::probe {
namespace {

// Signatures and enumerations as in nccl.h of 2.7 and later.
constexpr int kFloat = 7;
constexpr int kSum = 0;
constexpr std::size_t kMostBytes = 128 << 20;
constexpr std::int64_t kSizes[] = {8,         1 << 10, 8 << 10,  64 << 10,
                                   512 << 10, 4 << 20, 32 << 20, 128 << 20};
constexpr int kMostGpus = 16;

struct NcclApi {
  int (*version)(int*) = nullptr;
  int (*begin_all)(void**, int, const int*) = nullptr;
  int (*end)(void*) = nullptr;
  int (*all_reduce)(const void*, void*, std::size_t, int, int, void*, void*) = nullptr;
  int (*all_gather)(const void*, void*, std::size_t, int, void*, void*) = nullptr;
  int (*reduce_scatter)(const void*, void*, std::size_t, int, int, void*, void*) = nullptr;
  int (*send)(const void*, std::size_t, int, int, void*, void*) = nullptr;
  int (*receive)(void*, std::size_t, int, int, void*, void*) = nullptr;
  int (*group_begin)() = nullptr;
  int (*group_end)() = nullptr;
  const char* (*error_text)(int) = nullptr;
};

class Nccl {
 public:
  Nccl(const Options& options, Cuda& cuda, Progress& progress)
      : library_(options, {"libnccl.so.2"}, "NCCL",
                 "install libnccl2, or give the folder of libnccl.so.2 to --libraries or "
                 "LD_LIBRARY_PATH"),
        cuda_(cuda),
        progress_(progress) {
    library_.need(api_.version, {"ncclGetVersion"});
    library_.need(api_.begin_all, {"ncclCommInitAll"});
    library_.need(api_.end, {"ncclCommDestroy"});
    library_.need(api_.all_reduce, {"ncclAllReduce"});
    library_.need(api_.all_gather, {"ncclAllGather"});
    library_.need(api_.reduce_scatter, {"ncclReduceScatter"});
    library_.want(api_.send, {"ncclSend"});
    library_.want(api_.receive, {"ncclRecv"});
    library_.need(api_.group_begin, {"ncclGroupStart"});
    library_.need(api_.group_end, {"ncclGroupEnd"});
    library_.want(api_.error_text, {"ncclGetErrorString"});
  }

  int version() {
    int code = 0;
    check("ncclGetVersion", api_.version(&code));
    return code;
  }

  /// Seconds that making the communicators took.
  double begin() {
    gpus_ = std::min(cuda_.count(), kMostGpus);
    std::vector<int> devices;
    for (int gpu = 0; gpu < gpus_; ++gpu) devices.push_back(gpu);
    comms_.resize(devices.size());
    const auto start = std::chrono::steady_clock::now();
    check("ncclCommInitAll", api_.begin_all(comms_.data(), gpus_, devices.data()));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    for (int gpu = 0; gpu < gpus_; ++gpu) {
      cuda_.use(gpu);
      from_.push_back(cuda_.memory(kMostBytes));
      to_.push_back(cuda_.memory(kMostBytes));
      watches_.emplace_back(cuda_);
    }
    return took.count();
  }

  int gpus() const { return gpus_; }
  bool has_sends() const { return api_.send != nullptr && api_.receive != nullptr; }

  /// Times of one collective by size; the clock is that of GPU 0.
  Json sweep(const char* name) {
    Json rows = Json::array();
    const std::string collective(name);
    for (const std::int64_t bytes : kSizes) {
      cuda_.use(0);
      const Timing timing = watches_[0].measure([&] { enqueue(collective, bytes); });
      Json row;
      row["collective"] = name;
      row["ranks"] = gpus_;
      row.update(timing.json(static_cast<double>(bytes)));
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  /// On all GPUs; `bytes` as nccl-tests counts them.
  void enqueue(const std::string& collective, std::int64_t bytes) {
    const std::size_t all = static_cast<std::size_t>(std::max<std::int64_t>(bytes / 4, 1));
    const auto n = static_cast<std::size_t>(gpus_);
    const std::size_t part = std::max<std::size_t>(all / n, 1);
    check("ncclGroupStart", api_.group_begin());
    for (std::size_t i = 0; i < n; ++i) {
      const auto* from = reinterpret_cast<const char*>(from_[i]);
      auto* to = reinterpret_cast<char*>(to_[i]);
      void* stream = watches_[i].stream();
      if (collective == "all_reduce") {
        check("ncclAllReduce", api_.all_reduce(from, to, all, kFloat, kSum, comms_[i], stream));
      } else if (collective == "all_gather") {
        check("ncclAllGather", api_.all_gather(from, to, part, kFloat, comms_[i], stream));
      } else if (collective == "reduce_scatter") {
        check("ncclReduceScatter",
              api_.reduce_scatter(from, to, part, kFloat, kSum, comms_[i], stream));
      } else {
        for (std::size_t peer = 0; peer < n; ++peer) {
          const int other = static_cast<int>(peer);
          check("ncclSend",
                api_.send(from + peer * part * 4, part, kFloat, other, comms_[i], stream));
          check("ncclRecv",
                api_.receive(to + peer * part * 4, part, kFloat, other, comms_[i], stream));
        }
      }
    }
    check("ncclGroupEnd", api_.group_end());
  }

  void check(const char* name, int result) {
    progress_.step(name);
    if (result == 0) return;
    std::string reason = std::string(name) + ": error " + std::to_string(result);
    if (api_.error_text != nullptr) reason += std::string(" (") + api_.error_text(result) + ")";
    throw Unavailable(reason, "NCCL_DEBUG=WARN in the environment lets NCCL say more");
  }

  Library library_;
  Cuda& cuda_;
  Progress& progress_;
  NcclApi api_;
  int gpus_ = 0;
  std::vector<void*> comms_;
  std::vector<CudaApi::Address> from_, to_;
  std::vector<Stopwatch> watches_;
};

}  // namespace

void measure_nccl(const Options& options, Json& out, Progress& progress) {
  Cuda cuda(options, progress);
  Nccl nccl(options, cuda, progress);
  out["nccl"] = nccl.version();
  progress.step("ncclCommInitAll");
  out["init_s"] = nccl.begin();
  out["ranks"] = nccl.gpus();
  out["rows"] = Json::array();
  progress.publish(out);
  std::vector<const char*> collectives = {"all_reduce", "all_gather", "reduce_scatter"};
  if (nccl.has_sends()) collectives.push_back("alltoall");
  for (const char* collective : collectives) {
    for (Json& row : nccl.sweep(collective)) out["rows"].push_back(std::move(row));
    progress.publish(out);
  }
}

}  // namespace spineleaf::probe
