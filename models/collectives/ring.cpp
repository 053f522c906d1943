#include "models/collectives/ring.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/check.hpp"

namespace spineleaf {
namespace {

constexpr Time kUnknown = Time::max();

Rate scaled(Rate rate, double factor) {
  return {static_cast<std::int64_t>(static_cast<double>(rate.bits_per_second) * factor)};
}

}  // namespace

RingApp::RingApp(RingSetup setup) : setup_(std::move(setup)), depth_(setup_.shape.depth) {
  const HostParams& host = setup_.params;
  const bool simple = setup_.shape.protocol == Protocol::Simple;
  nic_copy_.rate = simple ? host.channel_rate : host.ll128_channel_rate;
  nvlink_copy_.rate = std::min(nic_copy_.rate, nvlink_share());
  overhead_ = simple ? host.step_overhead : host.ll128_overhead;
  // LL128 flags travel with the data, and their delay is part of the fitted overhead.
  hop_ = simple ? host.intra_hop : Time{0};
  lay_out();
}

/// What one channel gets of a GPU's NVLink when all channels that leave the GPU over it copy at
/// once, which in a ring they do. The link is shared by stores of many thread blocks, a fine
/// grain, so each gets an equal part. In payload terms: flags take their share of the link.
Rate RingApp::nvlink_share() const {
  const double nics = setup_.nodes > 1 ? 1.0 / setup_.gpus : 0.0;
  const double leaving = channels() * (1.0 - nics);
  if (leaving <= 0) return kMaxRate;
  const HostParams& host = setup_.params;
  const double flags = setup_.shape.protocol == Protocol::Ll128 ? 128.0 / 120.0 : 1.0;
  return scaled(host.nvlink_rate, host.nvlink_efficiency / (leaving * flags));
}

void RingApp::lay_out() {
  const std::uint32_t gpus = setup_.gpus;
  machines_.resize(std::size_t{gpus} * channels());
  visible_.assign(machines_.size() * depth_, kUnknown);
  free_.assign(machines_.size() * depth_, Time{0});
  wire_.resize(std::size_t{channels()} * depth_);
  edges_.resize(channels());
  ranks_.resize(gpus);
  look_.reserve(machines_.size());
  const bool network = setup_.nodes > 1;
  for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
    for (std::uint32_t c = 0; c < channels(); ++c) {
      const std::uint32_t place = (gpu + gpus - setup_.channels[c].entry) % gpus;
      Machine& m = machines_[gpu * channels() + c];
      m.rank = setup_.node * gpus + place;
      m.up = (gpu + gpus - 1) % gpus * channels() + c;
      m.down = (gpu + 1) % gpus * channels() + c;
      m.network_in = network && place == 0;
      m.network_out = network && place + 1 == gpus;
      // A proxy thread never has more on its hands than its channels have slots.
      ranks_[gpu].filled.capacity += m.network_out ? depth_ : 0;
      ranks_[gpu].posts.capacity += (m.network_in ? depth_ : 0) + (m.network_out ? depth_ : 0);
    }
  }
  std::uint32_t base = 0;
  for (Rank& rank : ranks_) {
    rank.filled.base = base;
    rank.posts.base = base + rank.filled.capacity;
    base = rank.posts.base + rank.posts.capacity;
  }
  fifos_.resize(base);
}

void RingApp::start(HostServices& host) {
  iterations_.assign(total_iterations(), {Time{0}, setup_.gpus});
  last_end_ = setup_.start;
  if (setup_.start > host.now()) {
    host.wake(end_row(), setup_.start);
  } else {
    begin(host);
  }
}

void RingApp::begin(HostServices& host) {
  begun_ = true;
  if (setup_.nodes > 1) {
    for (std::uint32_t c = 0; c < channels(); ++c) {
      for (std::uint32_t slot = 0; slot < depth_; ++slot) grant(host, c);
    }
  }
  for (std::uint32_t gpu = 0; gpu < setup_.gpus; ++gpu) begin_iteration(gpu, host.now());
  settle(host);
}

void RingApp::begin_iteration(std::uint32_t gpu, Time at) {
  ranks_[gpu].open = channels();
  ranks_[gpu].finish = at;
  for (std::uint32_t c = 0; c < channels(); ++c) {
    const std::uint32_t machine = gpu * channels() + c;
    Machine& m = machines_[machine];
    m.ready = at + setup_.params.launch;
    m.loop = m.operation = m.slice = 0;
    m.active = find_chunk(m, machine);
    look_at(machine);
  }
}

void RingApp::on_wake(HostServices& host, std::uint32_t row) {
  if (row < first_proxy_row()) {
    machines_[row].armed = false;
    look_at(row);
    settle(host);
  } else if (row < end_row()) {
    const std::uint32_t gpu = (row - first_proxy_row()) / 2;
    Fifo& fifo = (row - first_proxy_row()) % 2 == 0 ? ranks_[gpu].filled : ranks_[gpu].posts;
    fifo.armed = Time{-1};
    flush_filled(host, gpu);
    flush_posts(host, gpu);
  } else if (!begun_) {
    begin(host);
  } else {
    note_iteration_end(host);
  }
}

void RingApp::look_at(std::uint32_t machine) {
  if (machines_[machine].queued) return;
  machines_[machine].queued = true;
  look_.push_back(machine);
}

/// Steps of zero cost can follow each other at one instant, so this goes on until nothing is due.
void RingApp::settle(HostServices& host) {
  for (std::size_t i = 0; i < look_.size(); ++i) {
    const std::uint32_t machine = look_[i];
    machines_[machine].queued = false;
    consider(host, machine);
  }
  look_.clear();
  if (ended_ < total_iterations() && iterations_[ended_].open_ranks == 0) note_iteration_end(host);
}

void RingApp::consider(HostServices& host, std::uint32_t machine) {
  Machine& m = machines_[machine];
  if (m.armed) return;
  const Time now = host.now();
  Time due = m.end_due;
  if (due.ps >= 0 && due <= now) {
    end_step(host, machine);
    due = Time{-1};
  }
  if (due.ps < 0) {
    if (!m.active) return;
    due = next_start(m, machine);
    if (due == kUnknown) return;
  }
  if (due > now) {
    m.armed = true;
    host.wake(machine, due);
    return;
  }
  run_step(now, machine);
}

/// When the next step can start, or kUnknown while its input or its output slot is not known.
Time RingApp::next_start(const Machine& m, std::uint32_t machine) const {
  Time start = m.ready;
  if (m.operation > 0) {
    start = std::max(start, visible_[machine * depth_ + m.received % depth_]);
  }
  if (m.operation + 1 < setup_.shape.operations()) {
    start = std::max(start, free_[machine * depth_ + m.sent % depth_]);
  }
  return start;
}

void RingApp::run_step(Time now, std::uint32_t machine) {
  Machine& m = machines_[machine];
  const bool sends = m.operation + 1 < setup_.shape.operations();
  const bool receives = m.operation > 0;
  const std::int64_t bytes =
      std::min(m.slice_bytes, m.chunk_bytes - m.slice_bytes * std::int64_t{m.slice});
  const std::int64_t share = sends && receives ? 1 : 2;
  const Time overhead{overhead_.ps / share};
  CopyRate& copy = sends && !m.network_out ? nvlink_copy_ : nic_copy_;
  const Time finish = now + overhead + Time{copy.time(bytes).ps / share};
  if (sends) hand_over(m, machine, finish, bytes);
  if (receives) take_in(m, machine, finish);
  if (m.end_sends || m.end_receives) m.end_due = finish;
  m.ready = finish;
  ++steps_run_;
  if (setup_.observer.step != nullptr) observe(m, machine, bytes, now, finish);
  next_slice(m, machine);
  look_at(machine);
}

/// The output of a step: into the next GPU's slot over NVLink, or into a slot for the proxy.
void RingApp::hand_over(Machine& m, std::uint32_t machine, Time finish, std::int64_t bytes) {
  const std::uint32_t slot = m.sent++ % depth_;
  free_[machine * depth_ + slot] = kUnknown;
  if (m.network_out) {
    wire_[channel_of(machine) * depth_ + slot] = setup_.shape.wire_bytes(bytes);
    m.end_sends = true;
    return;
  }
  visible_[m.down * depth_ + slot] = finish + hop_;
  look_at(m.down);
}

/// The input of a step is used up when the step ends: its slot is free for the previous rank.
void RingApp::take_in(Machine& m, std::uint32_t machine, Time finish) {
  const std::uint32_t slot = m.received++ % depth_;
  visible_[machine * depth_ + slot] = kUnknown;
  if (m.network_in) {
    m.end_receives = true;
    return;
  }
  free_[m.up * depth_ + slot] = finish;
  look_at(m.up);
}

void RingApp::observe(const Machine& m, std::uint32_t machine, std::int64_t bytes, Time start,
                      Time finish) const {
  const RingStep step{m.rank,
                      channel_of(machine),
                      ranks_[gpu_of(machine)].iteration,
                      m.loop,
                      m.operation,
                      m.slice,
                      bytes,
                      start,
                      finish};
  setup_.observer.step(setup_.observer.context, step);
}

void RingApp::next_slice(Machine& m, std::uint32_t machine) {
  if (++m.slice < m.slices) return;
  m.slice = 0;
  ++m.operation;
  if (!find_chunk(m, machine)) machine_through(m, machine);
}

/// Goes on to the next operation with data, from the present one; false at the iteration's end.
bool RingApp::find_chunk(Machine& m, std::uint32_t machine) {
  const RingShape& shape = setup_.shape;
  const ChannelShare& share = setup_.shares[setup_.channels[channel_of(machine)].share];
  for (; m.loop < share.loops; ++m.loop, m.operation = 0) {
    for (; m.operation < shape.operations(); ++m.operation) {
      m.chunk_bytes = share.chunk_bytes(shape, m.loop, shape.chunk_at(m.rank, m.operation));
      if (m.chunk_bytes == 0) continue;
      m.slice_bytes = shape.slice_size(m.chunk_bytes);
      m.slices = shape.slice_count(m.chunk_bytes);
      return true;
    }
  }
  return false;
}

/// A kernel ends with its last channel; the next one of this GPU is launched right after.
void RingApp::machine_through(Machine& m, std::uint32_t machine) {
  const std::uint32_t gpu = gpu_of(machine);
  Rank& rank = ranks_[gpu];
  m.active = false;
  rank.finish = std::max(rank.finish, m.ready);
  if (--rank.open > 0) return;
  Iteration& iteration = iterations_[rank.iteration];
  iteration.end = std::max(iteration.end, rank.finish);
  --iteration.open_ranks;
  if (++rank.iteration < total_iterations()) begin_iteration(gpu, rank.finish);
}

void RingApp::note_iteration_end(HostServices& host) {
  while (ended_ < total_iterations() && iterations_[ended_].open_ranks == 0) {
    const Time end = iterations_[ended_].end;
    if (end > host.now()) {
      host.wake(end_row(), end);
      return;
    }
    if (ended_ >= setup_.warm_up) records_.push_back(record_of(ended_, end));
    last_end_ = end;
    if (++ended_ == total_iterations()) host.done();
  }
}

CollectiveRecord RingApp::record_of(std::uint32_t iteration, Time end) const {
  CollectiveRecord record;
  record.job = setup_.job;
  record.host = setup_.host;
  record.iteration = iteration - setup_.warm_up;
  record.collective = name_of(setup_.shape.collective);
  record.algorithm = "ring";
  record.protocol = name_of(setup_.shape.protocol);
  record.channels = channels();
  record.ranks = setup_.shape.ranks;
  record.bytes = setup_.bytes;
  record.start = last_end_;
  record.end = end;
  return record;
}

void RingApp::collect(JobReport& report) const {
  report.collectives.insert(report.collectives.end(), records_.begin(), records_.end());
  if (begun_ && ended_ < total_iterations() && ended_ >= setup_.warm_up) {
    report.collectives.push_back(record_of(ended_, Time{-1}));
  }
}

Time RingApp::CopyRate::time(std::int64_t bytes) {
  if (bytes != last_bytes) {
    last_bytes = bytes;
    last_time = serialisation(Bytes{bytes}, rate);
  }
  return last_time;
}

std::size_t RingApp::memory_bytes() const {
  return machines_.capacity() * sizeof(Machine) +
         (visible_.capacity() + free_.capacity()) * sizeof(Time) +
         wire_.capacity() * sizeof(std::int64_t) + edges_.capacity() * sizeof(Edge) +
         ranks_.capacity() * sizeof(Rank) + fifos_.capacity() * sizeof(Post) +
         look_.capacity() * sizeof(std::uint32_t) + iterations_.capacity() * sizeof(Iteration) +
         records_.capacity() * sizeof(CollectiveRecord);
}

}  // namespace spineleaf
