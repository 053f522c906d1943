#pragma once
// DCQCN rate control of one connection (reaction point), in three profiles:
//   paper     Zhu et al., SIGCOMM 2015, section 3: cut on each CNP, timer and byte counter.
//   connectx  what ConnectX firmware does: free-running alpha and rate-cut clocks started by the
//             first CNP, increase by timer (names: mlxconfig, DOCA dcqcn-cc-parameters).
//   ns3       connectx as HPCC ns-3 implements it: the cut clock starts 1 ns late, and the first
//             CNP does not count for the alpha clock.
//
// The clocks are evaluated when read (rules of time, rule 11): catch_up(t) composes exactly.

#include "models/params.hpp"
#include "sim/units.hpp"

namespace spineleaf {

/// The parameters in the form the update code wants; one per host.
struct DcqcnConfig {
  DcqcnConfig(const DcqcnParams& params, CongestionControlKind kind);

  CongestionControlKind kind;
  double g;
  double min_rate;
  double ai;
  double hai;
  double min_dec_fac;
  double initial_alpha;
  std::int64_t threshold;
  std::int64_t byte_reset;
  Time alpha_timer;
  Time cut_period;
  Time increase_period;
  bool clamp;
  bool clamp_after_increase;
};

/// One cache line: a packet sent reads it.
class alignas(64) Dcqcn {
 public:
  /// Rates in bit/s.
  explicit Dcqcn(double line_rate = 0) : rate_(line_rate), target_(line_rate), line_(line_rate) {}

  /// Fires all clocks due before `t` (or up to and including it).
  void catch_up(const DcqcnConfig& config, Time t, bool inclusive);
  /// A CNP arrived; the caller has caught up to before `t`.
  void on_cnp(const DcqcnConfig& config, Time t);
  void on_bytes_sent(const DcqcnConfig& config, std::int64_t bytes);

  double rate() const { return rate_; }
  double target() const { return target_; }
  double alpha() const { return alpha_; }
  bool at_line_rate() const { return rate_ >= line_; }
  /// Next instant at which the rate may rise by itself; Time::max() = never.
  Time next_increase() const { return started_ ? increase_at_ : Time::max(); }

 private:
  void cut(const DcqcnConfig& config, Time t);
  void increase(const DcqcnConfig& config, bool by_time);
  void next_stage(bool by_time);
  void restart_stages();
  void fire_alpha(const DcqcnConfig& config);
  void skip_idle(const DcqcnConfig& config, Time t);

  static constexpr std::uint32_t kMostStages = (1U << 14) - 1;  ///< stages stay there

  double rate_;
  double target_;
  double line_;
  double alpha_ = 1;
  Time alpha_at_ = Time::max();
  Time cut_at_ = Time::max();
  Time increase_at_ = Time::max();
  std::uint32_t bytes_ = 0;  ///< since the last increase by volume
  std::uint32_t time_stage_ : 14 = 0;
  std::uint32_t byte_stage_ : 14 = 0;
  std::uint32_t started_ : 1 = 0;
  std::uint32_t cnp_for_alpha_ : 1 = 0;
  std::uint32_t cnp_for_cut_ : 1 = 0;
};
static_assert(sizeof(Dcqcn) == 64);

}  // namespace spineleaf
