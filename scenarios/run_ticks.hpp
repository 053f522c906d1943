#pragma once
// RunTicks: everything that looks at a whole run, or changes it, at set simulated instants:
// completion, progress, deadline, samples, faults.

#include <chrono>
#include <vector>

#include "scenarios/run.hpp"
#include "scenarios/waits.hpp"

namespace spineleaf {

class RunTicks final : public Ticks {
 public:
  RunTicks(const World& world, Fabric& fabric, const RunOptions& options);

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
  double wall_seconds() const;

 private:
  void sample(Time at);
  void apply(const Fault& fault, Time at);
  Time last_progress() const;
  std::int64_t packet_hops() const;

  const World& world_;
  Fabric& fabric_;
  const RunOptions& options_;
  Time next_check_;
  Time next_sample_;
  std::size_t next_fault_ = 0;
  StopReason reason_ = StopReason::Finished;
  bool interrupted_ = false;
  std::vector<std::int64_t> sent_now_;
  std::vector<std::int64_t> sent_before_;
  std::vector<Series> series_;
  std::int64_t delivered_before_ = 0;
  Time sampled_before_;
  std::int64_t planned_bytes_ = 0;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point last_report_;
};

}  // namespace spineleaf
