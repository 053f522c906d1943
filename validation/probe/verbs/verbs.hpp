#pragma once
// The part of libibverbs that the probe calls, found at run time; structures from its headers.

#include <infiniband/verbs.h>

#include <string>
#include <vector>

#include "validation/probe/library.hpp"
#include "validation/probe/section.hpp"

namespace spineleaf::probe {

struct VerbsApi {
  ibv_device** (*list)(int*) = nullptr;
  const char* (*name)(ibv_device*) = nullptr;
  ibv_context* (*open)(ibv_device*) = nullptr;
  int (*query_device)(ibv_context*, ibv_device_attr*) = nullptr;
  int (*query_port)(ibv_context*, std::uint8_t, void*) = nullptr;
  int (*query_gid)(ibv_context*, std::uint8_t, int, ibv_gid*) = nullptr;
  ibv_pd* (*allocate_domain)(ibv_context*) = nullptr;
  ibv_mr* (*register_memory)(ibv_pd*, void*, std::size_t, int) = nullptr;
  ibv_mr* (*register_dmabuf)(ibv_pd*, std::uint64_t, std::size_t, std::uint64_t, int,
                             int) = nullptr;  ///< rdma-core 34 and later
  ibv_cq* (*create_cq)(ibv_context*, int, void*, ibv_comp_channel*, int) = nullptr;
  int (*destroy_cq)(ibv_cq*) = nullptr;
  ibv_qp* (*create_qp)(ibv_pd*, ibv_qp_init_attr*) = nullptr;
  int (*modify_qp)(ibv_qp*, ibv_qp_attr*, int) = nullptr;
  int (*destroy_qp)(ibv_qp*) = nullptr;
};

/// The library, with its devices listed. Throws Unavailable where there is none, or no device.
class Verbs {
 public:
  Verbs(const Options& options, Progress& progress);

  const VerbsApi& api() const { return api_; }
  void step(const char* name) { progress_.step(name); }
  std::vector<std::string> names() const;
  ibv_context* open(std::size_t device);

 private:
  Library library_;
  Progress& progress_;
  VerbsApi api_;
  std::vector<ibv_device*> devices_;  ///< in the natural order of their names
};

/// Throws Unavailable: "ibv_create_qp: Cannot allocate memory".
[[noreturn]] void verbs_trouble(const std::string& call, int error, const std::string& how = {});

/// Connections of one port with itself.
struct LoopbackCase {
  std::int64_t bytes = 0;
  int depth = 1;  ///< messages in flight on each queue pair
  int qps = 1;
};

class Loopback {
 public:
  Loopback(Verbs& verbs, const Options& options, std::size_t device);

  const ibv_port_attr& port() const { return port_; }
  int port_number() const { return port_number_; }
  int gid_index() const { return gid_index_; }
  ibv_pd* domain() const { return domain_; }
  /// Microseconds for each message: RDMA writes from `from` to `to`, `depth` of them in flight on
  /// each queue pair, every one with a completion.
  double us_per_message(const LoopbackCase& one, const ibv_mr& from, const ibv_mr& to,
                        double seconds);

 private:
  struct Pair {
    ibv_qp* send = nullptr;
    ibv_qp* receive = nullptr;
  };
  void choose_port(const Options& options, const std::string& name);
  Pair connect(ibv_cq* cq, int depth);
  ibv_qp* create(ibv_cq* cq, int depth);
  void to_ready(ibv_qp* qp, std::uint32_t peer);
  double run(const std::vector<Pair>& pairs, ibv_cq* cq, const LoopbackCase& one,
             const ibv_mr& from, const ibv_mr& to, std::int64_t messages);

  Verbs& verbs_;
  ibv_context* context_ = nullptr;
  ibv_pd* domain_ = nullptr;
  ibv_port_attr port_{};
  ibv_gid gid_{};
  std::uint8_t port_number_ = 0;
  int gid_index_ = 0;
};

}  // namespace spineleaf::probe
