#include "scenarios/run_ticks.hpp"

#include <algorithm>
#include <string>

#include "scenarios/recorder.hpp"
#include "sim/check.hpp"

namespace spineleaf {

RunTicks::RunTicks(const World& world, Fabric& fabric, const RunOptions& options,
                   Recorder* recorder)
    : world_(world),
      fabric_(fabric),
      options_(options),
      recorder_(recorder),
      next_check_(world.limits.check_every > Time{0} ? world.limits.check_every : Time::max()),
      next_sample_(world.limits.sample_every > Time{0} ? world.limits.sample_every : Time::max()),
      next_deadlock_(fabric.loses_nothing() && world.limits.deadlock_every > Time{0}
                         ? world.limits.deadlock_every
                         : Time::max()),
      deadlock_test_(fabric, world.topology),
      began_(std::chrono::steady_clock::now()),
      last_report_(began_) {
  if (next_sample_ != Time::max()) {
    series_ = {{"delivered", "Gb/s", {}},
               {"queued", "B", {}},
               {"largest_queue", "B", {}},
               {"paused_ports", "1", {}},
               {"credit_blocked_ports", "1", {}}};
  }
  make_watchdogs();
  for (const Fault& fault : world.faults) {
    if (is_host_fault(fault.action)) continue;
    const Cable& cable = world.topology.cables[index(fault.cable)];
    fabric.ports_of(index(cable.a.node)).expect_faults();
    fabric.ports_of(index(cable.b.node)).expect_faults();
  }
  for (const Host* host : fabric.hosts) planned_bytes_ += host->bytes_planned();
}

void RunTicks::make_watchdogs() {
  const ModelParams& params = world_.params;
  if (params.watchdog.detection == Time{0}) return;
  if (params.fabric.flow_control != FlowControlKind::Pfc) return;
  next_poll_ = params.watchdog.poll;
  for (Switch* sw : fabric_.switches) {
    watchdogs_.emplace_back(*sw, params.watchdog, sw->ports().config().lossless);
  }
}

Time RunTicks::next() const {
  Time at = std::min({next_check_, next_sample_, next_deadlock_, next_poll_});
  if (next_fault_ < world_.faults.size()) at = std::min(at, world_.faults[next_fault_].at);
  if (world_.limits.deadline > Time{0}) at = std::min(at, world_.limits.deadline);
  return at;
}

// Observers first, then changes, in the order of the scenario (rules of time, rule 10).
bool RunTicks::on_tick(Time at) {
  if (at == next_sample_) {
    sample(at);
    if (recorder_ != nullptr) recorder_->sample(fabric_, at);
    if (options_.observe) show_links(at);
    next_sample_ += world_.limits.sample_every;
  }
  bool go_on = true;
  if (at == next_check_) {
    next_check_ += world_.limits.check_every;
    sent_before_ = std::move(sent_now_);
    sent_now_ = packets_sent_by_port(fabric_, world_.topology);
    if (all_done()) {
      reason_ = StopReason::Finished;
      go_on = false;
    } else if (world_.limits.no_progress > Time{0} &&
               at - last_progress() > world_.limits.no_progress) {
      reason_ = StopReason::NoProgress;
      go_on = false;
    } else if (world_.limits.hop_budget > 0 && packet_hops() > world_.limits.hop_budget) {
      reason_ = StopReason::EventBudget;
      go_on = false;
    }
  }
  if (at == next_deadlock_) {
    next_deadlock_ += world_.limits.deadlock_every;
    look_for_deadlock(at);
    if (go_on && deadlock_.found && world_.limits.until_deadlock) {
      reason_ = StopReason::Deadlock;
      go_on = false;
    }
  }
  if (go_on && world_.limits.deadline > Time{0} && at >= world_.limits.deadline) {
    reason_ = StopReason::Deadline;
    go_on = false;
  }
  if (at == next_poll_) {
    next_poll_ += world_.params.watchdog.poll;
    for (PfcWatchdog& watchdog : watchdogs_) watchdog.poll(at, watchdog_events_);
  }
  while (next_fault_ < world_.faults.size() && world_.faults[next_fault_].at == at) {
    apply(world_.faults[next_fault_++], at);
  }
  return go_on;
}

void RunTicks::look_for_deadlock(Time at) {
  const bool stands = deadlock_test_.stands(at);
  const bool stood = deadlock_.found && deadlock_.ended.ps < 0;
  if (stands == stood) return;
  if (!stands) {
    deadlock_.ended = at;
    return;
  }
  ++deadlock_.times;
  if (deadlock_.found) {
    deadlock_.ended = Time{-1};
  } else {
    const std::int64_t times = deadlock_.times;
    deadlock_ = deadlock_test_.describe(at);
    deadlock_.times = times;
  }
}

void RunTicks::apply_to_host(const Fault& fault, Time at) {
  Host& host = *fabric_.hosts[fault.host];
  if (fault.action == FaultAction::SlowReceiver) return host.set_memory_rate(fault.rate);
  Ports& ports = host.ports();
  const std::uint32_t lossless = ports.config().lossless;
  for (std::uint32_t port = 0; port < ports.count(); ++port) {
    for (std::uint32_t c = 0; c < ports.classes(); ++c) {
      if ((lossless >> c & 1U) == 0) continue;
      ports.set_storm(port, c, fault.action == FaultAction::Storm, at);
    }
  }
}

void RunTicks::apply(const Fault& fault, Time at) {
  if (is_host_fault(fault.action)) return apply_to_host(fault, at);
  const Cable& cable = world_.topology.cables[index(fault.cable)];
  Ports& a = fabric_.ports_of(index(cable.a.node));
  Ports& b = fabric_.ports_of(index(cable.b.node));
  if (fault.action == FaultAction::Degrade) {
    SIM_CHECK(!a.up(cable.a.port) && !b.up(cable.b.port),
              "cable " + std::to_string(index(fault.cable)) + " changes its rate while it is up");
    a.set_link_rate(cable.a.port, fault.rate, fault.rate);
    b.set_link_rate(cable.b.port, fault.rate, fault.rate);
    return;
  }
  Ports::set_link(a, cable.a.port, b, cable.b.port, fault.action == FaultAction::Up, at);
}

bool RunTicks::all_done() const {
  std::size_t apps = 0;
  for (const Host* host : fabric_.hosts) {
    if (host->counters().apps_done < static_cast<std::int64_t>(host->app_count())) return false;
    apps += host->app_count();
  }
  return apps > 0;
}

// A host whose message is still in software counts as progress only when packets are delivered.
Time RunTicks::last_progress() const {
  Time last{0};
  for (const Host* host : fabric_.hosts) last = std::max(last, host->last_progress());
  return last;
}

std::int64_t RunTicks::packet_hops() const {
  std::int64_t hops = 0;
  for (const std::int64_t sent : sent_now_) hops += sent;
  return hops;
}

void RunTicks::sample(Time at) {
  std::int64_t delivered = 0, queued = 0, largest = 0, paused = 0, blocked = 0;
  for (const Host* host : fabric_.hosts) delivered += host->counters().payload_accepted;
  for (std::uint32_t n = 0; n < world_.topology.nodes.size(); ++n) {
    const Ports& ports = fabric_.ports_of(n);
    queued += ports.total_queued_bytes();
    for (std::uint32_t p = 0; p < ports.count(); ++p) {
      for (std::uint32_t c = 0; c < ports.classes(); ++c) {
        largest = std::max(largest, ports.queued_bytes(p, c));
        paused += ports.paused(p, c, at) ? 1 : 0;
        blocked += ports.credit_blocked(p, c) ? 1 : 0;
      }
    }
  }
  const double seconds = (at - sampled_before_).seconds();
  series_[0].points.push_back(
      {at, static_cast<double>(delivered - delivered_before_) * 8e-9 / seconds});
  series_[1].points.push_back({at, static_cast<double>(queued)});
  series_[2].points.push_back({at, static_cast<double>(largest)});
  series_[3].points.push_back({at, static_cast<double>(paused)});
  series_[4].points.push_back({at, static_cast<double>(blocked)});
  delivered_before_ = delivered;
  sampled_before_ = at;
}

// In the order of collect_links().
void RunTicks::show_links(Time at) {
  link_samples_.clear();
  for (const Cable& cable : world_.topology.cables) {
    for (const PortRef& from : {cable.a, cable.b}) {
      const Ports& ports = fabric_.ports_of(index(from.node));
      LinkSample sample;
      sample.sent = ports.bytes_sent(from.port);
      for (std::uint32_t c = 0; c < ports.classes(); ++c) {
        sample.queued += ports.queued_bytes(from.port, c);
        sample.held |= ports.paused(from.port, c, at) || ports.credit_blocked(from.port, c);
      }
      link_samples_.push_back(sample);
    }
  }
  options_.observe(at, link_samples_);
}

double RunTicks::wall_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

bool RunTicks::poll(Time now) {
  if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) {
    interrupted_ = true;
    return false;
  }
  const auto clock = std::chrono::steady_clock::now();
  if (!options_.progress || clock - last_report_ < std::chrono::milliseconds(500)) return true;
  last_report_ = clock;
  std::int64_t delivered = 0;
  for (const Host* host : fabric_.hosts) delivered += host->counters().payload_accepted;
  Progress progress;
  progress.simulated = now;
  progress.wall_seconds = wall_seconds();
  progress.eta_seconds = -1;
  if (planned_bytes_ > 0) {
    progress.share =
        std::min(1.0, static_cast<double>(delivered) / static_cast<double>(planned_bytes_));
    if (progress.share > 0.01) {
      progress.eta_seconds = progress.wall_seconds * (1 - progress.share) / progress.share;
    }
  }
  options_.progress(progress);
  return true;
}

}  // namespace spineleaf
