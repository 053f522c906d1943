#include "models/host/dcqcn.hpp"

#include <algorithm>

namespace spineleaf {

DcqcnConfig::DcqcnConfig(const DcqcnParams& p, CongestionControlKind k)
    : kind(k),
      g(p.g),
      min_rate(static_cast<double>(p.rpg_min_rate.bits_per_second)),
      ai(static_cast<double>(p.rpg_ai_rate.bits_per_second)),
      hai(static_cast<double>(p.rpg_hai_rate.bits_per_second)),
      min_dec_fac(p.rpg_min_dec_fac),
      initial_alpha(p.initial_alpha),
      threshold(p.rpg_threshold),
      byte_reset(p.rpg_byte_reset.count),
      alpha_timer(p.alpha_timer),
      cut_period(p.rate_reduce_monitor_period),
      increase_period(p.rpg_time_reset),
      clamp(p.clamp_tgt_rate),
      clamp_after_increase(p.clamp_tgt_rate_after_time_inc) {}

void Dcqcn::on_cnp(const DcqcnConfig& config, Time t) {
  cnp_for_alpha_ = 1;
  cnp_for_cut_ = 1;
  if (!started_) {
    started_ = 1;
    alpha_ = config.initial_alpha;
    target_ = rate_;
    if (config.kind != CongestionControlKind::DcqcnPaper) {
      const bool ns3 = config.kind == CongestionControlKind::DcqcnNs3;
      if (ns3) cnp_for_alpha_ = 0;  // there the first notification only sets alpha
      alpha_at_ = t + config.alpha_timer;
      cut_at_ = t + config.cut_period + (ns3 ? Time{1000} : Time{0});
    }
  }
  if (config.kind != CongestionControlKind::DcqcnPaper) return;
  // Paper: cut with the present alpha, then raise alpha (section 3.2, RP algorithm).
  target_ = rate_;
  rate_ = std::max(config.min_rate, rate_ * (1 - alpha_ / 2));
  alpha_ = (1 - config.g) * alpha_ + config.g;
  restart_stages();
  alpha_at_ = t + config.alpha_timer;
  increase_at_ = t + config.increase_period;
}

void Dcqcn::fire_alpha(const DcqcnConfig& config) {
  alpha_ *= 1 - config.g;
  if (config.kind != CongestionControlKind::DcqcnPaper && cnp_for_alpha_) alpha_ += config.g;
  cnp_for_alpha_ = 0;
  if (alpha_ < 1e-9) alpha_ = 0;
  alpha_at_ += config.alpha_timer;
}

void Dcqcn::cut(const DcqcnConfig& config, Time t) {
  cut_at_ += config.cut_period;
  if (!cnp_for_cut_) return;
  cnp_for_cut_ = 0;
  if (config.clamp || (config.clamp_after_increase && time_stage_ + byte_stage_ > 0)) {
    target_ = rate_;
  }
  rate_ = std::max({config.min_rate, rate_ * (1 - alpha_ / 2), rate_ * config.min_dec_fac});
  restart_stages();
  increase_at_ = t + config.increase_period;
}

void Dcqcn::restart_stages() {
  time_stage_ = 0;
  byte_stage_ = 0;
  bytes_ = 0;
}

void Dcqcn::next_stage(bool by_time) {
  if (by_time && time_stage_ < kMostStages) ++time_stage_;
  if (!by_time && byte_stage_ < kMostStages) ++byte_stage_;
}

void Dcqcn::increase(const DcqcnConfig& config, bool by_time) {
  // Paper: stages count the event at hand; max < F recovers, min > F is hyper, between is additive.
  // Firmware: the event at hand counts from the next on.
  const bool paper = config.kind == CongestionControlKind::DcqcnPaper;
  if (paper) next_stage(by_time);
  const std::int64_t most = std::max<std::uint32_t>(time_stage_, byte_stage_);
  const std::int64_t least = std::min<std::uint32_t>(time_stage_, byte_stage_);
  const bool timer_only = config.byte_reset == 0;
  if ((timer_only ? most : least) > config.threshold) {
    target_ = std::min(line_, target_ + config.hai);
  } else if (most >= config.threshold) {
    target_ = std::min(line_, target_ + config.ai);
  }
  if (!paper) next_stage(by_time);
  rate_ = std::min(line_, (rate_ + target_) / 2);
}

void Dcqcn::on_bytes_sent(const DcqcnConfig& config, std::int64_t bytes) {
  if (!started_ || config.byte_reset == 0) return;
  std::int64_t sum = bytes_ + bytes;
  for (; sum >= config.byte_reset; sum -= config.byte_reset) increase(config, false);
  bytes_ = static_cast<std::uint32_t>(sum);
}

// With alpha spent, nothing to cut and the rate at its ceiling, further firings change only when
// the clocks fire next; whole periods are skipped. The stages saturate far above the threshold.
void Dcqcn::skip_idle(const DcqcnConfig& config, Time t) {
  const auto skip = [t](Time& at, Time period) {
    if (at != Time::max() && t - at > period) at += period * ((t - at) / period - 1);
  };
  if (alpha_ == 0 && !cnp_for_alpha_) skip(alpha_at_, config.alpha_timer);
  if (!cnp_for_cut_) skip(cut_at_, config.cut_period);
}

void Dcqcn::catch_up(const DcqcnConfig& config, Time t, bool inclusive) {
  if (!started_) return;
  const auto due = [&](Time at) { return inclusive ? at <= t : at < t; };
  skip_idle(config, t);
  for (;;) {
    // Order at one instant: alpha, cut, increase.
    const Time first = std::min({alpha_at_, cut_at_, increase_at_});
    if (!due(first)) return;
    if (alpha_at_ == first) {
      fire_alpha(config);
    } else if (cut_at_ == first) {
      cut(config, first);
    } else {
      increase_at_ += config.increase_period;
      increase(config, true);
    }
  }
}

}  // namespace spineleaf
