#include "validation/oracles/dcqcn_forms.hpp"

#include <cmath>

namespace spineleaf {
namespace {

double packets_per_second(Rate rate, Bytes packet) {
  return static_cast<double>(rate.bits_per_second) / 8 / static_cast<double>(packet.count);
}

/// Left side over right side of the fixed point's equation; grows with p.
double balance(const DcqcnFluid& m, double flows, double p) {
  const double rate = packets_per_second(m.line, m.packet) / flows;
  const double ai = packets_per_second(m.ai_rate, m.packet);
  const double log_miss = std::log1p(-p);  // of a packet that is not marked
  const double counter =
      static_cast<double>(m.byte_counter.count) / static_cast<double>(m.packet.count);
  const double timer = m.rate_timer.seconds() * rate;  // packets in a timer's period
  const double stages = static_cast<double>(m.threshold);
  const double tau = m.cnp_interval.seconds();
  const double a = -std::expm1(tau * rate * log_miss);
  const double alpha = -std::expm1(m.alpha_timer.seconds() * rate * log_miss);
  const double b = p / std::expm1(-counter * log_miss);
  const double c = b * std::exp(stages * counter * log_miss);
  const double d = p / std::expm1(-timer * log_miss);
  const double e = d * std::exp(stages * timer * log_miss);
  return a * a * alpha / ((b + d) * (c + e)) / (tau * tau * ai * rate);
}

}  // namespace

double dcqcn_marking(const DcqcnFluid& model, std::int64_t flows) {
  const double n = static_cast<double>(flows);
  double low = std::log(1e-12);
  double high = std::log(0.999);
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (balance(model, n, std::exp(middle)) < 1 ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

double dcqcn_queue_bytes(const DcqcnFluid& model, std::int64_t flows) {
  const double p = dcqcn_marking(model, flows);
  if (p > model.pmax) return -1;
  const double slope = static_cast<double>((model.kmax - model.kmin).count) / model.pmax;
  return static_cast<double>(model.kmin.count) + slope * p;
}

double dcqcn_marking_approximation(const DcqcnFluid& model, std::int64_t flows) {
  const double n = static_cast<double>(flows);
  const double line = packets_per_second(model.line, model.packet);
  const double ai = packets_per_second(model.ai_rate, model.packet);
  const double counter =
      static_cast<double>(model.byte_counter.count) / static_cast<double>(model.packet.count);
  const double sum = 1 / counter + n / (model.rate_timer.seconds() * line);
  return std::cbrt(ai * n * n / (model.alpha_timer.seconds() * line * line) * sum * sum);
}

double dcqcn_recovery_slope(Rate increase, Time rate_timer) {
  return increase.gbps() / rate_timer.seconds();
}

}  // namespace spineleaf
