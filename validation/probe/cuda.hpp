#pragma once
// The part of the CUDA driver's interface that the probe calls, declared here and found at run
// time. Source: cuda.h of CUDA 13.0; all of these symbols have been in libcuda since CUDA 11 or
// longer.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "validation/probe/library.hpp"
#include "validation/probe/section.hpp"

namespace spineleaf::probe {

struct CudaApi {
  using Address = unsigned long long;

  int (*init)(unsigned) = nullptr;
  int (*driver_version)(int*) = nullptr;
  int (*device_count)(int*) = nullptr;
  int (*device_get)(int*, int) = nullptr;
  int (*device_name)(char*, int, int) = nullptr;
  int (*device_memory)(std::size_t*, int) = nullptr;
  int (*device_attribute)(int*, int, int) = nullptr;
  int (*device_bus_id)(char*, int, int) = nullptr;
  int (*context_retain)(void**, int) = nullptr;
  int (*context_set)(void*) = nullptr;
  int (*allocate)(Address*, std::size_t) = nullptr;
  int (*free)(Address) = nullptr;
  int (*allocate_host)(void**, std::size_t, unsigned) = nullptr;
  int (*free_host)(void*) = nullptr;
  int (*to_device)(Address, const void*, std::size_t, void*) = nullptr;
  int (*to_host)(void*, Address, std::size_t, void*) = nullptr;
  int (*on_device)(Address, Address, std::size_t, void*) = nullptr;
  int (*to_peer)(Address, void*, Address, void*, std::size_t, void*) = nullptr;
  int (*can_access_peer)(int*, int, int) = nullptr;
  int (*enable_peer)(void*, unsigned) = nullptr;
  int (*stream_create)(void**, unsigned) = nullptr;
  int (*stream_wait)(void*) = nullptr;
  int (*event_create)(void**, unsigned) = nullptr;
  int (*event_record)(void*, void*) = nullptr;
  int (*event_wait)(void*) = nullptr;
  int (*event_elapsed)(float*, void*, void*) = nullptr;
  int (*module_load)(void**, const void*) = nullptr;
  int (*module_function)(void**, void*, const char*) = nullptr;
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                void**, void**) = nullptr;
  int (*error_text)(int, const char**) = nullptr;
  int (*range_handle)(void*, Address, std::size_t, int, unsigned long long) = nullptr;  ///< 11.7 on
};

/// CUdevice_attribute, by its numbers in cuda.h.
inline constexpr int kComputeMajor = 75;
inline constexpr int kComputeMinor = 76;
inline constexpr int kMultiprocessors = 16;
inline constexpr int kGpuDirectRdma = 116;
inline constexpr int kDmaBuf = 124;

/// The driver, initialised. Throws Unavailable where there is none, or it counts no GPU.
class Cuda {
 public:
  Cuda(const Options& options, Progress& progress);

  /// Calls a function of the driver; throws Unavailable with its name and the driver's own words.
  template <typename Function, typename... Arguments>
  void call(const char* name, Function* function, Arguments... arguments) {
    progress_.step(name);
    check(name, function(arguments...));
  }
  const CudaApi& api() const { return api_; }
  int count() const { return count_; }
  std::string name(int device);
  std::string bus_id(int device);        ///< "0000:17:00.0", as sysfs has it
  int attribute(int device, int which);  ///< -1 where the driver does not know it
  int version();
  /// Makes the GPU's own context the current one.
  void* use(int device);
  CudaApi::Address memory(std::size_t bytes);

 private:
  void check(const char* name, int result) const;

  Library library_;
  Progress& progress_;
  CudaApi api_;
  int count_ = 0;
};

/// Repeated timing by the GPU's own clock.
struct Timing {
  double us = 0;          ///< of one operation: the median over repeats
  double spread_pct = 0;  ///< (largest - smallest) / median of the repeats
  int repeats = 0;
  Json json(double bytes = 0) const;  ///< with GBps = bytes / us / 1000 where bytes are told
};
Timing timing_of(std::vector<double> us);

class Stopwatch {
 public:
  explicit Stopwatch(Cuda& cuda);
  void* stream() const { return stream_; }
  /// `enqueue()` puts one operation on the stream. Each of five repeats lasts some milliseconds.
  template <typename Enqueue>
  Timing measure(Enqueue enqueue) {
    enqueue();
    const double one = batch(1, enqueue);
    const int count = operations_for(one);
    std::vector<double> us;
    for (int repeat = 0; repeat < 5; ++repeat) us.push_back(batch(count, enqueue) / count);
    return timing_of(std::move(us));
  }

 private:
  template <typename Enqueue>
  double batch(int count, Enqueue enqueue) {
    cuda_.call("cuEventRecord", cuda_.api().event_record, begin_, stream_);
    for (int i = 0; i < count; ++i) enqueue();
    cuda_.call("cuEventRecord", cuda_.api().event_record, end_, stream_);
    return elapsed_us();
  }
  static int operations_for(double one_us);
  double elapsed_us();

  Cuda& cuda_;
  void* stream_ = nullptr;
  void* begin_ = nullptr;
  void* end_ = nullptr;
};

}  // namespace spineleaf::probe
