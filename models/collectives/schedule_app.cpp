#include "models/collectives/schedule_app.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace spineleaf {
namespace {

constexpr Time kUnknown = Time::max();

Rate scaled(Rate rate, double factor) {
  return {static_cast<std::int64_t>(static_cast<double>(rate.bits_per_second) * factor)};
}

}  // namespace

ScheduleApp::ScheduleApp(ScheduleSetup setup)
    : setup_(std::move(setup)),
      schedule_(*setup_.schedule),
      channels_(schedule_.channels()),
      roles_(schedule_.roles()),
      machines_per_gpu_(channels_ * roles_),
      depth_(schedule_.slicing().depth),
      cut_through_(schedule_.slicing().protocol == Protocol::Ll) {
  lay_out();
  setup_.ins = {};
  setup_.outs = {};
}

/// What one machine gets of a GPU's NVLink when all that leave the GPU over it copy at once, which
/// in a full pipeline they do. The link is shared by stores of many thread blocks, a fine grain, so
/// each gets an equal part. In payload terms: flags take their share of the link.
Rate ScheduleApp::nvlink_share() const {
  const double leaving = channels() * schedule_.leaving();
  if (leaving <= 0) return kMaxRate;
  const HostParams& host = setup_.params;
  return scaled(host.nvlink_rate,
                host.nvlink_efficiency / (leaving * schedule_.slicing().expansion()));
}

std::uint8_t ScheduleApp::cost_of(std::uint32_t machine) {
  const MachineCost step = schedule_.cost(place_of(machine));
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    if (costs_[i].step == step) return static_cast<std::uint8_t>(i);
  }
  Cost cost;
  cost.step = step;
  cost.nic.rate = step.rate;
  cost.nvlink.rate = std::min(step.rate, nvlink_share());
  costs_.push_back(cost);
  return static_cast<std::uint8_t>(costs_.size() - 1);
}

void ScheduleApp::lay_out() {
  ranks_.resize(schedule_.communicator().gpus);
  machines_.resize(std::size_t{gpus()} * machines_per_gpu_);
  look_.reserve(machines_.size());
  ins_.reserve(setup_.ins.size());
  for (const ScheduleIn& in : setup_.ins) {
    const std::int64_t limit = schedule_.clears_late() ? 0 : in.expected * total_iterations();
    ins_.push_back({in.machine, in.other, 0, in.clear_row, 0, limit, in.expected, in.source});
  }
  std::uint32_t network_outs = 0;
  outs_.reserve(setup_.outs.size());
  for (const ScheduleOut& out : setup_.outs) {
    outs_.push_back({out.machine, out.other, 0, 0, 0, 0, out.first_data_row, out.proxy, out.number,
                     out.aggregated, out.member});
    if (out.other == kOverNetwork) network_outs = std::max(network_outs, out.number + 1);
  }
  visible_.assign(ins_.size() * depth_, kUnknown);
  if (cut_through_) whole_.assign(ins_.size() * depth_, Time{0});
  free_.assign(outs_.size() * depth_, Time{0});
  wire_.resize(std::size_t{network_outs} * depth_);
  lay_out_machines();
}

void ScheduleApp::lay_out_machines() {
  std::uint32_t in = 0, out = 0;
  for (std::uint32_t machine = 0; machine < machines_.size(); ++machine) {
    Machine& m = machines_[machine];
    m.first_in = in;
    m.first_out = out;
    while (in < ins_.size() && ins_[in].machine == machine) ++in;
    while (out < outs_.size() && outs_[out].machine == machine) ++out;
    m.cost = cost_of(machine);
  }
}

MachineId ScheduleApp::place_of(std::uint32_t machine) const {
  return {setup_.node * gpus() + gpu_of(machine), machine / roles_ % channels_, machine % roles_};
}

void ScheduleApp::start(HostServices& host) {
  iterations_.assign(total_iterations(), {Time{0}, gpus()});
  last_end_ = setup_.start;
  if (setup_.start > host.now()) {
    host.wake(end_row(), setup_.start);
  } else {
    begin(host);
  }
}

void ScheduleApp::begin(HostServices& host) {
  begun_ = true;
  if (!schedule_.clears_late()) {
    for (const std::uint32_t in : setup_.inlets) {
      for (std::uint32_t slot = 0; slot < depth_; ++slot) grant(host, in);
    }
  }
  for (std::uint32_t gpu = 0; gpu < gpus(); ++gpu) begin_iteration(host, gpu, host.now());
  settle(host);
}

void ScheduleApp::begin_iteration(HostServices& host, std::uint32_t gpu, Time at) {
  ranks_[gpu].open = 1;  // held open until all its machines have begun
  const std::uint32_t first = gpu * machines_per_gpu_;
  for (std::uint32_t machine = first; machine < first + machines_per_gpu_; ++machine) {
    Machine& m = machines_[machine];
    m.ready = at + setup_.params.launch;
    m.cursor = {};
    m.slice = 0;
    m.active = find_chunk(host, m, machine);
    if (!m.active) continue;
    ++ranks_[gpu].open;
    look_at(machine);
  }
  ranks_[gpu].finish = at + setup_.params.launch;
  close_rank(host, gpu);
}

void ScheduleApp::on_wake(HostServices& host, std::uint32_t row) {
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

void ScheduleApp::look_at(std::uint32_t machine) {
  if (machines_[machine].queued) return;
  machines_[machine].queued = true;
  look_.push_back(machine);
}

/// Steps of zero cost can follow each other at one instant, so this goes on until nothing is due.
void ScheduleApp::settle(HostServices& host) {
  for (std::size_t i = 0; i < look_.size(); ++i) {
    const std::uint32_t machine = look_[i];
    machines_[machine].queued = false;
    consider(host, machine);
  }
  look_.clear();
  if (ended_ < total_iterations() && iterations_[ended_].open_ranks == 0) note_iteration_end(host);
}

void ScheduleApp::consider(HostServices& host, std::uint32_t machine) {
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
    due = next_start(m);
    if (due == kUnknown) return;
  }
  if (due > now) {
    m.armed = true;
    host.wake(machine, due);
    return;
  }
  run_step(host, machine);
}

/// When the next step can start, or kUnknown while an input or an output slot is not known.
Time ScheduleApp::next_start(const Machine& m) const {
  Time start = m.ready;
  for (std::uint32_t i = m.now.first_in; i < m.now.first_in + m.now.ins; ++i) {
    start = std::max(start, visible_[i * depth_ + ins_[i].received % depth_]);
  }
  for (std::uint32_t o = m.now.first_out; o < m.now.first_out + m.now.outs; ++o) {
    start = std::max(start, free_[o * depth_ + outs_[o].sent % depth_]);
  }
  return start;
}

void ScheduleApp::run_step(HostServices& host, std::uint32_t machine) {
  Machine& m = machines_[machine];
  const Time now = host.now();
  const std::int64_t bytes =
      std::min(m.slice_bytes, m.chunk_bytes - m.slice_bytes * std::int64_t{m.slice});
  const std::int64_t share = m.now.outs > 0 && m.now.ins > 0 ? 1 : 2;
  Cost& cost = costs_[m.cost];
  const Time overhead{cost.step.overhead.ps / share};
  CopyRate& copy = leaves_gpu(m, machine) ? cost.nvlink : cost.nic;
  const Time finish = after_inputs(m, now + overhead + Time{copy.time(bytes).ps / share});
  bool network = false;
  for (std::uint32_t o = 0; o < m.now.outs; ++o) {
    network |= hand_over(m.now.first_out + o, now + overhead, finish, bytes);
  }
  for (std::uint32_t i = 0; i < m.now.ins; ++i) network |= take_in(m.now.first_in + i, finish);
  if (network) {
    m.end_due = finish;
    m.ended = m.now;
  }
  m.ready = finish;
  ++steps_run_;
  if (setup_.observer.step != nullptr) observe(m, machine, bytes, now, finish);
  next_slice(host, m, machine);
  look_at(machine);
}

/// A step does not end before the last of its inputs is there.
Time ScheduleApp::after_inputs(const Machine& m, Time finish) const {
  if (!cut_through_) return finish;
  for (std::uint32_t i = m.now.first_in; i < m.now.first_in + m.now.ins; ++i) {
    finish = std::max(finish, whole_[i * depth_ + ins_[i].received % depth_]);
  }
  return finish;
}

/// Whether the copy goes over NVLink: to another GPU of the host, or to one whose proxy sends on.
bool ScheduleApp::leaves_gpu(const Machine& m, std::uint32_t machine) const {
  for (std::uint32_t o = m.now.first_out; o < m.now.first_out + m.now.outs; ++o) {
    if (outs_[o].other != kOverNetwork || outs_[o].proxy != gpu_of(machine)) return true;
  }
  return false;
}

/// One output of a step: into the next GPU's slot over NVLink, or into a slot for the proxy (true).
bool ScheduleApp::hand_over(std::uint32_t out, Time first, Time finish, std::int64_t bytes) {
  Out& o = outs_[out];
  const std::uint32_t slot = o.sent++ % depth_;
  free_[out * depth_ + slot] = kUnknown;
  if (o.other == kOverNetwork) {
    wire_[o.number * depth_ + slot] = schedule_.slicing().wire_bytes(bytes);
    return true;
  }
  const Time hop = schedule_.slicing().hop;
  if (cut_through_) whole_[o.other * depth_ + slot] = finish + hop;
  visible_[o.other * depth_ + slot] = (cut_through_ ? first : finish) + hop;
  look_at(ins_[o.other].machine);
  return false;
}

/// An input of a step is used up when the step ends: its slot is free for the sender, which the
/// proxy must be told if the sender is on another node (true).
bool ScheduleApp::take_in(std::uint32_t in, Time finish) {
  In& i = ins_[in];
  const std::uint32_t slot = i.received++ % depth_;
  visible_[in * depth_ + slot] = kUnknown;
  if (i.other == kOverNetwork) return true;
  free_[i.other * depth_ + slot] = finish;
  look_at(outs_[i.other].machine);
  return false;
}

void ScheduleApp::observe(const Machine& m, std::uint32_t machine, std::int64_t bytes, Time start,
                          Time finish) const {
  ScheduleStep step;
  step.place = place_of(machine);
  step.iteration = ranks_[gpu_of(machine)].iteration;
  step.cursor = m.cursor;
  ScheduleCursor cursor = m.cursor;
  schedule_.find(step.place, cursor, step.chunk);
  step.slice = m.slice;
  step.bytes = bytes;
  step.start = start;
  step.finish = finish;
  setup_.observer.step(setup_.observer.context, step);
}

void ScheduleApp::next_slice(HostServices& host, Machine& m, std::uint32_t machine) {
  if (++m.slice < m.slices) return;
  m.slice = 0;
  ++m.cursor.operation;
  if (!find_chunk(host, m, machine)) machine_through(host, m, machine);
}

/// Goes on to the next chunk with data, from the cursor on; false at the iteration's end.
bool ScheduleApp::find_chunk(HostServices& host, Machine& m, std::uint32_t machine) {
  ChunkStep chunk;
  if (!schedule_.find(place_of(machine), m.cursor, chunk)) return false;
  m.chunk_bytes = chunk.bytes;
  m.slice_bytes = schedule_.slicing().slice_size(chunk.bytes);
  m.slices = schedule_.slicing().slice_count(chunk.bytes);
  m.now = {m.first_in + chunk.first_in, m.first_out + chunk.first_out, chunk.ins, chunk.outs};
  if (schedule_.clears_late()) open_inlets(host, m);
  return true;
}

void ScheduleApp::machine_through(HostServices& host, Machine& m, std::uint32_t machine) {
  const std::uint32_t gpu = gpu_of(machine);
  m.active = false;
  ranks_[gpu].finish = std::max(ranks_[gpu].finish, m.ready);
  close_rank(host, gpu);
}

/// A kernel ends with its last channel; the next one of this GPU is launched right after.
void ScheduleApp::close_rank(HostServices& host, std::uint32_t gpu) {
  Rank& rank = ranks_[gpu];
  if (--rank.open > 0) return;
  Iteration& iteration = iterations_[rank.iteration];
  iteration.end = std::max(iteration.end, rank.finish);
  --iteration.open_ranks;
  if (++rank.iteration < total_iterations()) begin_iteration(host, gpu, rank.finish);
}

void ScheduleApp::note_iteration_end(HostServices& host) {
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

CollectiveRecord ScheduleApp::record_of(std::uint32_t iteration, Time end) const {
  CollectiveRecord record;
  record.job = setup_.job;
  record.host = setup_.host;
  record.iteration = iteration - setup_.warm_up;
  record.collective = name_of(setup_.collective);
  record.algorithm = schedule_.algorithm();
  record.protocol = name_of(schedule_.slicing().protocol);
  record.channels = channels();
  record.ranks = schedule_.communicator().ranks();
  record.bytes = setup_.bytes;
  record.start = last_end_;
  record.end = end;
  return record;
}

void ScheduleApp::collect(JobReport& report) const {
  report.collectives.insert(report.collectives.end(), records_.begin(), records_.end());
  if (begun_ && ended_ < total_iterations() && ended_ >= setup_.warm_up) {
    report.collectives.push_back(record_of(ended_, Time{-1}));
  }
}

Time ScheduleApp::CopyRate::time(std::int64_t bytes) {
  if (bytes != last_bytes) {
    last_bytes = bytes;
    last_time = serialisation(Bytes{bytes}, rate);
  }
  return last_time;
}

std::size_t ScheduleApp::memory_bytes() const {
  std::size_t posts = 0;
  for (const Rank& rank : ranks_) {
    posts += rank.filled.cells.capacity() + rank.posts.cells.capacity();
  }
  return machines_.capacity() * sizeof(Machine) + ins_.capacity() * sizeof(In) +
         outs_.capacity() * sizeof(Out) +
         (visible_.capacity() + free_.capacity() + whole_.capacity()) * sizeof(Time) +
         wire_.capacity() * sizeof(std::int64_t) + ranks_.capacity() * sizeof(Rank) +
         posts * sizeof(Post) + look_.capacity() * sizeof(std::uint32_t) +
         iterations_.capacity() * sizeof(Iteration) +
         records_.capacity() * sizeof(CollectiveRecord) +
         setup_.ins.capacity() * sizeof(ScheduleIn) + setup_.outs.capacity() * sizeof(ScheduleOut);
}

}  // namespace spineleaf
