#pragma once
// Recorder: collects the History of a run at its samples. Bounded: the bins of time double in
// length when there are too many, few connections and ranks are followed. It only reads; no result
// of a run depends on it.

#include <cstdint>
#include <memory>
#include <vector>

#include "models/host/dcqcn.hpp"
#include "scenarios/history.hpp"
#include "scenarios/run.hpp"

namespace spineleaf {

class Recorder {
 public:
  /// Attaches to the apps of collectives; the workloads of `world` must not have been used up yet.
  explicit Recorder(World& world);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// To be called at every sample, `every` apart.
  void sample(Fabric& fabric, Time at);
  History take(const World& world);

 private:
  struct Row {  ///< one port
    std::uint32_t node = 0;
    std::uint32_t port = 0;
    std::vector<float> queue;
    std::vector<std::int64_t> held_ps;
    std::vector<Time> held_before;  ///< by class
  };
  struct Connection {
    std::uint32_t host = 0;
    SenderRow row{};
    RateHistory history;
  };
  struct StepLog;

  void follow_steps(World& world);
  void follow_rates(const World& world);
  void make_rows(Fabric& fabric);
  void fold();
  std::size_t bin_of_next();
  std::vector<float> mean_held(bool nics, std::uint32_t hosts, std::size_t bins) const;
  std::vector<std::size_t> chosen() const;

  DcqcnConfig dcqcn_;
  Time every_;
  std::uint64_t samples_ = 0;
  std::uint32_t shift_ = 0;  ///< a bin holds 2^shift samples
  std::vector<Row> rows_;
  std::vector<Connection> connections_;
  std::vector<std::unique_ptr<StepLog>> logs_;
  bool steps_cut_ = false;
};

}  // namespace spineleaf
