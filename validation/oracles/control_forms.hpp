#pragma once
// Closed forms of congestion controls and lossy links.

#include <cstdint>

namespace spineleaf {

/// DCTCP with n synchronised senders at one bottleneck, in packets: the queue swings between
/// most - swing and most. `bdp` = capacity x idle round trip, `k` = marking threshold. Alizadeh et
/// al., SIGCOMM 2010, section 3.3: W* = (C RTT + K)/N, alpha = sqrt(2/W*), Q_max = K + N,
/// A = sqrt(2 N (C RTT + K))/2.
struct DctcpSteady {
  double alpha = 0;
  double most = 0;
  double swing = 0;
};
DctcpSteady dctcp_steady(double n, double bdp, double k);

/// Share of frames of `bytes` with at least one wrong bit: 1 - (1 - rate)^(8 bytes).
double frame_loss(double bit_error_rate, std::int64_t bytes);

/// Share of the link that go-back-N delivers: (1 - p)/(1 - p + p w), where each loss costs the w
/// packets that are in flight until the sender hears of it (textbook; Bertsekas & Gallager, Data
/// Networks, section 2.4).
double go_back_n_share(double loss, double packets_in_flight);

/// Share of the link that go-back-0 delivers with messages of m packets: the expected packets sent
/// until m in a row arrive are (1 - (1-p)^m)/(p (1-p)^m), and each restart costs w more.
double go_back_0_share(double loss, double packets_in_flight, double m);

}  // namespace spineleaf
