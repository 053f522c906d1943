#include "validation/oracles/control_forms.hpp"

#include <cmath>

namespace spineleaf {

DctcpSteady dctcp_steady(double n, double bdp, double k) {
  const double window = (bdp + k) / n;
  return {std::sqrt(2 / window), k + n, std::sqrt(2 * n * (bdp + k)) / 2};
}

double frame_loss(double bit_error_rate, std::int64_t bytes) {
  return -std::expm1(8.0 * static_cast<double>(bytes) * std::log1p(-bit_error_rate));
}

double go_back_n_share(double loss, double packets_in_flight) {
  return (1 - loss) / (1 - loss + loss * packets_in_flight);
}

double go_back_0_share(double loss, double packets_in_flight, double m) {
  if (loss <= 0) return 1;
  const double whole = std::exp(m * std::log1p(-loss));
  const double tries = 1 / whole;
  const double sent = (1 - whole) / (loss * whole);
  return m / (sent + (tries - 1) * packets_in_flight);
}

}  // namespace spineleaf
