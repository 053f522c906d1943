#pragma once
// Parameters of the congestion controls that act on acknowledgements. Each field's meaning, range,
// default and source stand beside the control that it belongs to, in models/host/control/.

#include <cstdint>

#include "sim/units.hpp"

namespace spineleaf {

/// Section "dctcp".
struct DctcpParams {
  double g = 0;           ///< weight of the newest window in alpha
  Bytes initial_window;   ///< 0 = bandwidth x base round trip
  double min_window = 0;  ///< packets
};

/// Section "timely".
struct TimelyParams {
  double ewma_alpha = 0;
  double beta = 0;
  Rate delta;
  Time t_low;
  Time t_high;
  Time min_rtt;  ///< 0 = the connection's base round trip
  std::int64_t hai_thresh = 0;
  std::int64_t hai_factor = 0;
  Bytes segment;
  Rate min_rate;
};

/// Section "swift".
struct SwiftParams {
  Time base_target;  ///< 0 = 1.5 x the longest base round trip
  Time hop_scale;
  Time fs_range;
  double fs_min_cwnd = 0;
  double fs_max_cwnd = 0;
  double ai = 0;
  double beta = 0;
  double max_mdf = 0;
  double min_cwnd = 0;
  double max_cwnd = 0;
};

/// Section "hpcc".
struct HpccParams {
  double eta = 0;
  std::int64_t max_stage = 0;
  Rate rate_ai;
  Rate min_rate;
  std::int64_t max_hops = 0;
};

}  // namespace spineleaf
