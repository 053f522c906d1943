// What the proxy threads of a ScheduleApp do.

#include <algorithm>

#include "models/collectives/schedule_app.hpp"
#include "sim/check.hpp"
#include "sim/random.hpp"

namespace spineleaf {

/// What the proxy threads see of a step: they poll, so it takes effect when the step ends.
void ScheduleApp::end_step(HostServices& host, std::uint32_t machine) {
  Machine& m = machines_[machine];
  const Ends ended = m.ended;
  m.end_due = Time{-1};
  for (std::uint32_t o = ended.first_out; o < ended.first_out + ended.outs; ++o) {
    if (outs_[o].other != kOverNetwork) continue;
    // The proxy thread sees the slot filled as late as a neighbour GPU would.
    ranks_[outs_[o].proxy].filled.push({host.now() + schedule_.slicing().hop, o, 0});
    flush_filled(host, outs_[o].proxy);
  }
  for (std::uint32_t i = ended.first_in; i < ended.first_in + ended.ins; ++i) {
    if (ins_[i].other == kOverNetwork) grant(host, i);
  }
}

/// A proxy thread serves its channels one job after the other, in the order in which they came up.
Time ScheduleApp::proxy_job(Time now, std::uint32_t gpu, Time cost) {
  Time& free = ranks_[gpu].proxy_free;
  free = std::max(free, now) + cost;
  return free;
}

void ScheduleApp::queue_post(HostServices& host, std::uint32_t gpu, Post post, Time cost) {
  post.at = proxy_job(host.now(), gpu, cost);
  ranks_[gpu].posts.push(post);
  flush_posts(host, gpu);
}

void ScheduleApp::hand_to_proxy(HostServices& host, std::uint32_t out) {
  Out& o = outs_[out];
  const HostParams& params = setup_.params;
  while (o.handed < std::min(o.filled, o.cleared)) {
    Time cost = params.proxy_send;
    if (params.noise.ps > 0) {
      cost += exponential(params.noise, draw(host.seed(), Purpose::HostNoise, setup_.job,
                                             setup_.host, o.number, o.handed));
    }
    queue_post(host, o.proxy, {Time{0}, out, o.handed++}, cost);
  }
}

void ScheduleApp::grant(HostServices& host, std::uint32_t in) {
  In& i = ins_[in];
  if (i.granted >= i.limit) return;
  ++i.granted;
  if (i.source != kOverNetwork) {  // the host's own proxy posts both halves
    ++outs_[i.source].cleared;
    return hand_to_proxy(host, i.source);
  }
  queue_post(host, gpu_of(i.machine), {Time{0}, in, kGrant}, setup_.params.clear_to_send);
}

/// A machine that comes to a peer clears it to send what it has for this iteration.
void ScheduleApp::open_inlets(HostServices& host, const Machine& m) {
  for (std::uint32_t in = m.now.first_in; in < m.now.first_in + m.now.ins; ++in) {
    In& i = ins_[in];
    if (i.other != kOverNetwork || i.limit != i.received) continue;
    i.limit += i.expected;
    for (std::uint32_t slot = 0; slot < depth_; ++slot) grant(host, in);
  }
}

void ScheduleApp::Fifo::push(const Post& post) {
  if (count == cells.size()) {
    std::vector<Post> bigger(std::max<std::size_t>(4, cells.size() * 2));
    for (std::uint32_t i = 0; i < count; ++i) bigger[i] = cells[(first + i) & (cells.size() - 1)];
    cells = std::move(bigger);
    first = 0;
  }
  cells[(first + count++) & (cells.size() - 1)] = post;
}

void ScheduleApp::Fifo::pop() {
  first = static_cast<std::uint32_t>((first + 1) & (cells.size() - 1));
  --count;
}

/// Takes the head of a queue if it is due; otherwise sees to it that its timer is set.
bool ScheduleApp::pop_due(HostServices& host, Fifo& fifo, std::uint32_t row, Post& post) {
  if (fifo.count == 0) return false;
  post = fifo.front();
  if (post.at > host.now()) {
    if (fifo.armed != post.at) host.wake(row, post.at);
    fifo.armed = post.at;
    return false;
  }
  fifo.pop();
  return true;
}

void ScheduleApp::flush_filled(HostServices& host, std::uint32_t gpu) {
  Post post;
  while (pop_due(host, ranks_[gpu].filled, first_proxy_row() + 2 * gpu, post)) {
    ++outs_[post.link].filled;
    hand_to_proxy(host, post.link);
  }
}

void ScheduleApp::flush_posts(HostServices& host, std::uint32_t gpu) {
  Post post;
  while (pop_due(host, ranks_[gpu].posts, first_proxy_row() + 2 * gpu + 1, post)) {
    if (post.slice == kGrant) {
      host.post(ins_[post.link].clear_row, kClearToSendBytes, 0);
      continue;
    }
    const Out& out = outs_[post.link];
    const std::uint32_t slot = post.slice % depth_;
    if (out.aggregated) {
      host.aggregate(out.member, Bytes{wire_[out.number * depth_ + slot]}, slot);
      continue;
    }
    const auto first = static_cast<std::uint32_t>(out.first_data_row);
    host.post(SenderRow{first + post.slice % setup_.connections},
              Bytes{wire_[out.number * depth_ + slot]}, slot);
  }
}

void ScheduleApp::on_sent(HostServices& host, std::uint32_t cookie, std::uint32_t tag) {
  if ((cookie & kClearToSendCookie) != 0) return;
  free_[cookie * depth_ + tag] = host.now();
  look_at(outs_[cookie].machine);
  settle(host);
}

void ScheduleApp::on_received(HostServices& host, std::uint32_t cookie, std::uint32_t number,
                              Bytes) {
  if ((cookie & kClearToSendCookie) != 0) {
    const std::uint32_t out = cookie & ~kClearToSendCookie;
    ++outs_[out].cleared;
    hand_to_proxy(host, out);
    return;
  }
  const std::uint32_t in = cookie / setup_.connections;
  const bool summed = ins_[in].source != kOverNetwork;
  const std::uint32_t slice =
      summed ? number : number * setup_.connections + cookie % setup_.connections;
  const std::uint32_t machine = ins_[in].machine;
  Time& visible = visible_[in * depth_ + slice % depth_];
  SIM_CHECK(visible == Time::max(), "a slice arrived in a slot that is in use");
  visible =
      proxy_job(host.now(), gpu_of(machine), setup_.params.proxy_receive) + schedule_.slicing().hop;
  look_at(machine);
  settle(host);
}

}  // namespace spineleaf
