// libibverbs with two NICs of one port each. A write takes 2 us and its bytes at 50 GB/s, one after
// the other, by the machine's own clock. States of queue pairs, keys and ranges are checked.

#include <infiniband/verbs.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <deque>
#include <map>

#include "tests/probe/fakes/plan.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMessageUs = 2;
constexpr double kBytesPerUs = 50'000;

struct Completion {
  std::uint64_t id;
  ibv_wc_status status;
  Clock::time_point at;
};

struct Queue {
  ibv_cq cq{};
  std::deque<Completion> completions;
};

struct Nic {
  ibv_device device{};
  ibv_context context{};
  Clock::time_point free_at;
};

Nic nics[2];
ibv_device* listed[] = {&nics[0].device, &nics[1].device, nullptr};
std::map<std::uint32_t, ibv_mr*> regions;
std::map<std::uint32_t, ibv_qp*> pairs;
std::uint32_t next_key = 1;
std::uint32_t next_number = 100;

bool inside(std::uint32_t key, std::uint64_t address, std::uint64_t bytes) {
  const auto it = regions.find(key);
  if (it == regions.end()) return false;
  const auto begin = reinterpret_cast<std::uint64_t>(it->second->addr);
  return address >= begin && address + bytes <= begin + it->second->length;
}

int post(ibv_qp* qp, ibv_send_wr* work, ibv_send_wr** bad) {
  *bad = work;
  if (qp->state != IBV_QPS_RTS) return EINVAL;
  const ibv_sge& part = work->sg_list[0];
  const bool good = inside(part.lkey, part.addr, part.length) &&
                    inside(work->wr.rdma.rkey, work->wr.rdma.remote_addr, part.length);
  auto* queue = reinterpret_cast<Queue*>(qp->send_cq);
  if (static_cast<int>(queue->completions.size()) >= queue->cq.cqe) return ENOMEM;
  Nic* nic = qp->context == &nics[0].context ? &nics[0] : &nics[1];
  const auto begin = std::max(nic->free_at, Clock::now());
  const auto wire =
      std::chrono::nanoseconds(static_cast<std::int64_t>(part.length / kBytesPerUs * 1e3));
  nic->free_at = begin + wire;
  const auto done =
      nic->free_at + std::chrono::nanoseconds(static_cast<std::int64_t>(kMessageUs * 1e3));
  queue->completions.push_back({work->wr_id, good ? IBV_WC_SUCCESS : IBV_WC_LOC_PROT_ERR, done});
  *bad = nullptr;
  return 0;
}

int poll(ibv_cq* cq, int most, ibv_wc* out) {
  auto* queue = reinterpret_cast<Queue*>(cq);
  if (fake::fails("ibv_poll_cq")) return -1;
  int n = 0;
  while (n < most && !queue->completions.empty() && queue->completions.front().at <= Clock::now()) {
    out[n] = {};
    out[n].wr_id = queue->completions.front().id;
    out[n++].status = queue->completions.front().status;
    queue->completions.pop_front();
  }
  return n;
}

ibv_mr* add_region(ibv_pd* domain, void* address, std::size_t bytes) {
  auto* region = new ibv_mr{};
  region->context = domain->context;
  region->pd = domain;
  region->addr = address;
  region->length = bytes;
  region->lkey = region->rkey = next_key++;
  return regions[region->lkey] = region;
}

}  // namespace

#undef ibv_query_port
#undef ibv_reg_mr

FAKE_API ibv_device** ibv_get_device_list(int* count) {
  if (fake::fails("ibv_get_device_list")) return errno = ENOSYS, nullptr;
  *count = 2;
  for (int i = 0; i < 2; ++i) {
    std::snprintf(nics[i].device.name, sizeof nics[i].device.name, "mlx5_%d", i);
  }
  return listed;
}
FAKE_API const char* ibv_get_device_name(ibv_device* device) { return device->name; }
FAKE_API ibv_context* ibv_open_device(ibv_device* device) {
  if (fake::fails("ibv_open_device")) return errno = EACCES, nullptr;
  ibv_context& context = device == listed[0] ? nics[0].context : nics[1].context;
  context.device = device;
  context.ops.post_send = post;
  context.ops.poll_cq = poll;
  return &context;
}
FAKE_API int ibv_query_device(ibv_context*, ibv_device_attr* attributes) {
  *attributes = {};
  attributes->phys_port_cnt = 1;
  return 0;
}
FAKE_API int ibv_query_port(ibv_context*, std::uint8_t, _compat_ibv_port_attr* compat) {
  auto* port = reinterpret_cast<ibv_port_attr*>(compat);
  port->state = fake::setting("FAKE_PORT_DOWN").empty() ? IBV_PORT_ACTIVE : IBV_PORT_DOWN;
  port->max_mtu = IBV_MTU_4096;
  port->active_mtu = fake::setting("FAKE_MTU_1024").empty() ? IBV_MTU_4096 : IBV_MTU_1024;
  port->active_speed = 128;
  port->active_width = 2;
  port->link_layer = IBV_LINK_LAYER_ETHERNET;
  return 0;
}
FAKE_API int ibv_query_gid(ibv_context*, std::uint8_t, int, ibv_gid*) { return 0; }
FAKE_API ibv_pd* ibv_alloc_pd(ibv_context* context) {
  auto* domain = new ibv_pd{};
  domain->context = context;
  return domain;
}
FAKE_API ibv_mr* ibv_reg_mr(ibv_pd* domain, void* address, std::size_t bytes, int) {
  if (fake::fails("ibv_reg_mr")) return errno = ENOMEM, nullptr;
  return add_region(domain, address, bytes);
}
FAKE_API ibv_mr* ibv_reg_dmabuf_mr(ibv_pd* domain, std::uint64_t, std::size_t bytes,
                                   std::uint64_t address, int descriptor, int) {
  if (fake::fails("ibv_reg_dmabuf_mr")) return errno = EOPNOTSUPP, nullptr;
  if (descriptor < 0) return errno = EBADF, nullptr;
  return add_region(domain, reinterpret_cast<void*>(address), bytes);
}
FAKE_API ibv_cq* ibv_create_cq(ibv_context* context, int entries, void*, ibv_comp_channel*, int) {
  auto* queue = new Queue;
  queue->cq.context = context;
  queue->cq.cqe = entries;
  return &queue->cq;
}
FAKE_API int ibv_destroy_cq(ibv_cq* cq) { return delete reinterpret_cast<Queue*>(cq), 0; }
FAKE_API ibv_qp* ibv_create_qp(ibv_pd* domain, ibv_qp_init_attr* wanted) {
  if (fake::fails("ibv_create_qp")) return errno = ENOMEM, nullptr;
  auto* qp = new ibv_qp{};
  qp->context = domain->context;
  qp->pd = domain;
  qp->send_cq = wanted->send_cq;
  qp->qp_num = next_number++;
  qp->state = IBV_QPS_RESET;
  return pairs[qp->qp_num] = qp;
}
FAKE_API int ibv_modify_qp(ibv_qp* qp, ibv_qp_attr* wanted, int) {
  const bool next = (qp->state == IBV_QPS_RESET && wanted->qp_state == IBV_QPS_INIT) ||
                    (qp->state == IBV_QPS_INIT && wanted->qp_state == IBV_QPS_RTR) ||
                    (qp->state == IBV_QPS_RTR && wanted->qp_state == IBV_QPS_RTS);
  if (!next) return EINVAL;
  if (wanted->qp_state == IBV_QPS_RTR && pairs.count(wanted->dest_qp_num) == 0) return EINVAL;
  qp->state = wanted->qp_state;
  return 0;
}
FAKE_API int ibv_destroy_qp(ibv_qp* qp) {
  pairs.erase(qp->qp_num);
  return delete qp, 0;
}
