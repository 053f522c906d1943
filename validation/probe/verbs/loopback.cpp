// Queue pairs of one port, connected with themselves, and how long messages take through them.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "validation/probe/sysfs.hpp"
#include "validation/probe/verbs/verbs.hpp"

namespace spineleaf::probe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLongestWait = 5;  ///< seconds without any completion

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

Loopback::Loopback(Verbs& verbs, const Options& options, std::size_t device)
    : verbs_(verbs), context_(verbs.open(device)) {
  choose_port(options, verbs.names()[device]);
  verbs.step("ibv_alloc_pd");
  domain_ = verbs.api().allocate_domain(context_);
  if (domain_ == nullptr) verbs_trouble("ibv_alloc_pd", errno);
}

void Loopback::choose_port(const Options& options, const std::string& name) {
  ibv_device_attr device{};
  verbs_.step("ibv_query_device");
  if (const int error = verbs_.api().query_device(context_, &device); error != 0) {
    verbs_trouble("ibv_query_device", error);
  }
  for (std::uint8_t number = 1; number <= device.phys_port_cnt && port_number_ == 0; ++number) {
    verbs_.step("ibv_query_port");
    port_ = {};
    if (verbs_.api().query_port(context_, number, &port_) != 0) continue;
    if (port_.state == IBV_PORT_ACTIVE) port_number_ = number;
  }
  if (port_number_ == 0) {
    throw Unavailable("no port of " + name + " is active",
                      "connect it; ibstat shows why it is not");
  }
  // RoCE v2 where the port is Ethernet: sysfs tells which of the GIDs are.
  const Sysfs sysfs(options.root);
  const std::string types = "/sys/class/infiniband/" + name + "/ports/" +
                            std::to_string(port_number_) + "/gid_attrs/types";
  for (const std::string& index : sysfs.list(types)) {
    if (sysfs.text(types + "/" + index) != "RoCE v2") continue;
    gid_index_ = std::atoi(index.c_str());
    break;
  }
  verbs_.step("ibv_query_gid");
  if (verbs_.api().query_gid(context_, port_number_, gid_index_, &gid_) != 0) {
    verbs_trouble("ibv_query_gid", errno);
  }
}

ibv_qp* Loopback::create(ibv_cq* cq, int depth) {
  ibv_qp_init_attr wanted{};
  wanted.send_cq = cq;
  wanted.recv_cq = cq;
  wanted.qp_type = IBV_QPT_RC;
  wanted.cap.max_send_wr = static_cast<std::uint32_t>(depth);
  wanted.cap.max_recv_wr = 1;
  wanted.cap.max_send_sge = 1;
  wanted.cap.max_recv_sge = 1;
  verbs_.step("ibv_create_qp");
  ibv_qp* qp = verbs_.api().create_qp(domain_, &wanted);
  if (qp == nullptr) verbs_trouble("ibv_create_qp", errno);
  return qp;
}

void Loopback::to_ready(ibv_qp* qp, std::uint32_t peer) {
  const auto modify = [&](ibv_qp_attr attributes, int mask) {
    verbs_.step("ibv_modify_qp");
    const int error = verbs_.api().modify_qp(qp, &attributes, mask);
    if (error != 0) verbs_trouble("ibv_modify_qp", error);
  };
  ibv_qp_attr init{};
  init.qp_state = IBV_QPS_INIT;
  init.port_num = port_number_;
  init.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
  modify(init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  ibv_qp_attr receive{};
  receive.qp_state = IBV_QPS_RTR;
  receive.path_mtu = port_.active_mtu;
  receive.dest_qp_num = peer;
  receive.max_dest_rd_atomic = 1;
  receive.min_rnr_timer = 12;
  receive.ah_attr.port_num = port_number_;
  receive.ah_attr.dlid = port_.lid;
  if (port_.link_layer == IBV_LINK_LAYER_ETHERNET) {
    receive.ah_attr.is_global = 1;
    receive.ah_attr.grh.dgid = gid_;
    receive.ah_attr.grh.sgid_index = static_cast<std::uint8_t>(gid_index_);
    receive.ah_attr.grh.hop_limit = 64;
  }
  modify(receive, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                      IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  ibv_qp_attr ready{};
  ready.qp_state = IBV_QPS_RTS;
  ready.timeout = 14;
  ready.retry_cnt = 7;
  ready.rnr_retry = 7;
  ready.max_rd_atomic = 1;
  modify(ready, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                    IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

Loopback::Pair Loopback::connect(ibv_cq* cq, int depth) {
  const Pair pair{create(cq, depth), create(cq, 1)};
  to_ready(pair.receive, pair.send->qp_num);
  to_ready(pair.send, pair.receive->qp_num);
  return pair;
}

double Loopback::run(const std::vector<Pair>& pairs, ibv_cq* cq, const LoopbackCase& one,
                     const ibv_mr& from, const ibv_mr& to, std::int64_t messages) {
  ibv_sge part{};
  part.addr = reinterpret_cast<std::uint64_t>(from.addr);
  part.length = static_cast<std::uint32_t>(one.bytes);
  part.lkey = from.lkey;
  ibv_send_wr work{};
  work.sg_list = &part;
  work.num_sge = 1;
  work.opcode = IBV_WR_RDMA_WRITE;
  work.send_flags = IBV_SEND_SIGNALED;
  work.wr.rdma.remote_addr = reinterpret_cast<std::uint64_t>(to.addr);
  work.wr.rdma.rkey = to.rkey;
  std::vector<std::int64_t> left(pairs.size(), messages);
  const auto post = [&](std::size_t pair) {
    ibv_send_wr* bad = nullptr;
    work.wr_id = pair;
    --left[pair];
    const int error = ibv_post_send(pairs[pair].send, &work, &bad);
    if (error != 0) verbs_trouble("ibv_post_send", error);
  };
  verbs_.step("ibv_post_send and ibv_poll_cq");
  const auto begin = Clock::now();
  auto moved = begin;
  for (int turn = 0; turn < one.depth; ++turn) {
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
      if (left[pair] > 0) post(pair);
    }
  }
  std::int64_t done = 0;
  const std::int64_t all = messages * static_cast<std::int64_t>(pairs.size());
  for (std::int64_t polls = 0; done < all; ++polls) {
    ibv_wc completions[16];
    const int n = ibv_poll_cq(cq, 16, completions);
    if (n < 0) verbs_trouble("ibv_poll_cq", 0);
    for (int i = 0; i < n; ++i) {
      if (completions[i].status != IBV_WC_SUCCESS) {
        throw Unavailable(
            "an RDMA write ended with status " + std::to_string(completions[i].status),
            "ibv_rc_pingpong shows whether the port can reach itself");
      }
      if (left[completions[i].wr_id] > 0) post(completions[i].wr_id);
    }
    done += n;
    if (n > 0) moved = Clock::now();
    if (n == 0 && polls % 1024 == 0 && seconds_since(moved) > kLongestWait) {
      throw Unavailable("an RDMA write did not complete within 5 s", "");
    }
  }
  return seconds_since(begin) * 1e6 / static_cast<double>(all);
}

double Loopback::us_per_message(const LoopbackCase& one, const ibv_mr& from, const ibv_mr& to,
                                double seconds) {
  verbs_.step("ibv_create_cq");
  ibv_cq* cq = verbs_.api().create_cq(context_, one.depth * one.qps, nullptr, nullptr, 0);
  if (cq == nullptr) verbs_trouble("ibv_create_cq", errno);
  std::vector<Pair> pairs;
  for (int i = 0; i < one.qps; ++i) pairs.push_back(connect(cq, one.depth));
  const double warm = run(pairs, cq, one, from, to, one.depth);
  const double wanted = seconds * 1e6 / std::max(warm, 0.05) / one.qps;
  const auto messages = std::clamp(static_cast<std::int64_t>(wanted),
                                   static_cast<std::int64_t>(2) * one.depth, std::int64_t{200'000});
  const double us = run(pairs, cq, one, from, to, messages);
  for (const Pair& pair : pairs) {
    verbs_.api().destroy_qp(pair.send);
    verbs_.api().destroy_qp(pair.receive);
  }
  verbs_.api().destroy_cq(cq);
  return us;
}

}  // namespace spineleaf::probe
