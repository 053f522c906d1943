// The way of a slice between hosts: proxy thread, clear-to-send, message, proxy thread.

#include <algorithm>

#include "models/collectives/ring.hpp"
#include "sim/check.hpp"
#include "sim/random.hpp"

namespace spineleaf {

/// What the proxy threads see of a step: they poll, so it takes effect when the step ends.
void RingApp::end_step(HostServices& host, std::uint32_t machine) {
  Machine& m = machines_[machine];
  const std::uint32_t channel = channel_of(machine);
  m.end_due = Time{-1};
  if (m.end_sends) {
    m.end_sends = false;
    // The proxy thread sees the slot filled as late as a neighbour GPU would.
    push(ranks_[gpu_of(machine)].filled, {host.now() + hop_, channel, 0});
    flush_filled(host, gpu_of(machine));
  }
  if (m.end_receives) {
    m.end_receives = false;
    grant(host, channel);
  }
}

/// A proxy thread serves its channels one job after the other, in the order in which they came up.
Time RingApp::proxy_job(Time now, std::uint32_t gpu, Time cost) {
  Time& free = ranks_[gpu].proxy_free;
  free = std::max(free, now) + cost;
  return free;
}

void RingApp::queue_post(HostServices& host, std::uint32_t gpu, Post post, Time cost) {
  post.at = proxy_job(host.now(), gpu, cost);
  push(ranks_[gpu].posts, post);
  flush_posts(host, gpu);
}

void RingApp::hand_to_proxy(HostServices& host, std::uint32_t channel) {
  Edge& edge = edges_[channel];
  const HostParams& params = setup_.params;
  while (edge.handed < std::min(edge.filled, edge.cleared)) {
    Time cost = params.proxy_send;
    if (params.noise.ps > 0) {
      cost += exponential(params.noise, draw(host.seed(), Purpose::HostNoise, setup_.job,
                                             setup_.host, channel, edge.handed));
    }
    queue_post(host, gpu_of(exit_machine(channel)), {Time{0}, channel, edge.handed++}, cost);
  }
}

void RingApp::grant(HostServices& host, std::uint32_t channel) {
  Edge& edge = edges_[channel];
  if (edge.granted >= setup_.channels[channel].expected) return;
  ++edge.granted;
  queue_post(host, setup_.channels[channel].entry, {Time{0}, channel, kGrant},
             setup_.params.clear_to_send);
}

void RingApp::push(Fifo& fifo, const Post& post) {
  SIM_CHECK(fifo.count < fifo.capacity, "a proxy thread has more to do than slots exist");
  fifos_[fifo.base + (fifo.first + fifo.count) % fifo.capacity] = post;
  ++fifo.count;
}

/// Takes the head of a queue if it is due; otherwise sees to it that its timer is set.
bool RingApp::pop_due(HostServices& host, Fifo& fifo, std::uint32_t row, Post& post) {
  if (fifo.count == 0) return false;
  post = fifos_[fifo.base + fifo.first];
  if (post.at > host.now()) {
    if (fifo.armed != post.at) host.wake(row, post.at);
    fifo.armed = post.at;
    return false;
  }
  fifo.first = (fifo.first + 1) % fifo.capacity;
  --fifo.count;
  return true;
}

void RingApp::flush_filled(HostServices& host, std::uint32_t gpu) {
  Post post;
  while (pop_due(host, ranks_[gpu].filled, first_proxy_row() + 2 * gpu, post)) {
    ++edges_[post.channel].filled;
    hand_to_proxy(host, post.channel);
  }
}

void RingApp::flush_posts(HostServices& host, std::uint32_t gpu) {
  Post post;
  while (pop_due(host, ranks_[gpu].posts, first_proxy_row() + 2 * gpu + 1, post)) {
    const RingChannel& channel = setup_.channels[post.channel];
    if (post.slice == kGrant) {
      host.post(channel.clear_row, kClearToSendBytes, 0);
      continue;
    }
    const std::uint32_t slot = post.slice % depth_;
    const auto first = static_cast<std::uint32_t>(channel.first_data_row);
    host.post(SenderRow{first + post.slice % setup_.connections},
              Bytes{wire_[post.channel * depth_ + slot]}, slot);
  }
}

void RingApp::on_sent(HostServices& host, std::uint32_t cookie, std::uint32_t tag) {
  if ((cookie & kClearToSendCookie) != 0) return;
  const std::uint32_t machine = exit_machine(cookie);
  free_[machine * depth_ + tag] = host.now();
  look_at(machine);
  settle(host);
}

void RingApp::on_received(HostServices& host, std::uint32_t cookie, std::uint32_t number, Bytes) {
  if ((cookie & kClearToSendCookie) != 0) {
    const std::uint32_t channel = cookie & ~kClearToSendCookie;
    ++edges_[channel].cleared;
    hand_to_proxy(host, channel);
    return;
  }
  const std::uint32_t channel = cookie / setup_.connections;
  const std::uint32_t slice = number * setup_.connections + cookie % setup_.connections;
  const std::uint32_t machine = entry_machine(channel);
  Time& visible = visible_[machine * depth_ + slice % depth_];
  SIM_CHECK(visible == Time::max(), "a slice arrived in a slot that is in use");
  visible =
      proxy_job(host.now(), setup_.channels[channel].entry, setup_.params.proxy_receive) + hop_;
  look_at(machine);
  settle(host);
}

}  // namespace spineleaf
