#pragma once
// RunTicks: everything that looks at a whole run, or changes it, at set simulated instants:
// completion, progress, deadline, samples, faults.

#include <chrono>
#include <vector>

#include "models/switch/pfc_watchdog.hpp"
#include "scenarios/deadlock.hpp"
#include "scenarios/run.hpp"
#include "scenarios/waits.hpp"

namespace spineleaf {

class Recorder;

class RunTicks final : public Ticks {
 public:
  /// `recorder` may be null; it is shown every sample.
  RunTicks(const World& world, Fabric& fabric, const RunOptions& options, Recorder* recorder);

  Time next() const override;
  bool on_tick(Time at) override;
  bool change_pending() const override { return next_fault_ < world_.faults.size(); }
  bool poll(Time now) override;

  /// Why on_tick stopped the run; meaningless if it did not.
  StopReason reason() const { return reason_; }
  bool interrupted() const { return interrupted_; }
  bool all_done() const;
  /// Packets sent per port at the check before the last one.
  const std::vector<std::int64_t>& sent_before() const { return sent_before_; }
  std::vector<Series>& series() { return series_; }
  const std::vector<WatchdogEvent>& watchdog_events() const { return watchdog_events_; }
  const DeadlockReport& deadlock() const { return deadlock_; }
  /// Once more, at the end of a run.
  void look_for_deadlock(Time at);
  double wall_seconds() const;

 private:
  void sample(Time at);
  void show_links(Time at);
  void make_watchdogs();
  void apply_to_host(const Fault& fault, Time at);
  void apply(const Fault& fault, Time at);
  Time last_progress() const;
  std::int64_t packet_hops() const;

  const World& world_;
  Fabric& fabric_;
  const RunOptions& options_;
  Recorder* recorder_;
  Time next_check_;
  Time next_sample_;
  Time next_deadlock_;
  DeadlockTest deadlock_test_;
  DeadlockReport deadlock_;
  Time next_poll_ = Time::max();
  std::vector<PfcWatchdog> watchdogs_;  ///< one a switch, or none
  std::vector<WatchdogEvent> watchdog_events_;
  std::size_t next_fault_ = 0;
  StopReason reason_ = StopReason::Finished;
  bool interrupted_ = false;
  std::vector<std::int64_t> sent_now_;
  std::vector<std::int64_t> sent_before_;
  std::vector<Series> series_;
  std::vector<LinkSample> link_samples_;  ///< for RunOptions::observe
  std::int64_t delivered_before_ = 0;
  Time sampled_before_;
  std::int64_t planned_bytes_ = 0;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point last_report_;
};

}  // namespace spineleaf
