#pragma once
// CongestionControl: the controls that act on acknowledgements. Each is one file here: its state,
// its arithmetic, its parameters with their sources, and a line in registry.cpp. (DCQCN acts on
// notifications and on clocks of its own: models/host/dcqcn.hpp.)
//
// A control sees what its sender sees: when packets left, and what their ACKs bring back. What it
// decides is an Allowance per connection; the host paces and holds back by it.

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "models/params.hpp"
#include "models/parts/telemetry.hpp"
#include "sim/units.hpp"

namespace spineleaf {

/// One connection as a control sees it before the run.
struct ControlledConnection {
  double line_rate = 0;    ///< bit/s of its NIC port
  Time base_rtt;           ///< without queues, a full packet out and an ACK back
  std::uint32_t hops = 0;  ///< switches on the way
};

struct ControlSetup {
  const ModelParams* params = nullptr;
  std::int64_t packet = 0;  ///< bytes on the wire of a full packet
  Time base_rtt;            ///< transport.base_rtt, or the longest of all connections
  std::vector<ControlledConnection> connections;  ///< by sender row
};

/// What one ACK or NAK tells.
struct AckSignal {
  Time now;
  Time rtt{-1};             ///< of the newest packet acknowledged; negative: it was sent twice
  std::uint32_t newly = 0;  ///< packets acknowledged for the first time
  std::uint32_t outstanding = 0;         ///< packets in flight before it
  std::uint32_t una = 0;                 ///< oldest packet not yet acknowledged
  std::uint32_t next_seq = 0;            ///< next packet to be sent
  bool congestion = false;               ///< a marked packet is among those acknowledged
  bool lost = false;                     ///< a NAK, or a timeout
  const Telemetry* telemetry = nullptr;  ///< what switches wrote into the packet (INT)
};

/// What a connection may do now.
struct Allowance {
  static constexpr double kNoRate = 1e18;
  double rate = kNoRate;                                           ///< bit/s on the wire
  std::int64_t window = std::numeric_limits<std::int64_t>::max();  ///< payload bytes in flight
};

class CongestionControl {
 public:
  explicit CongestionControl(std::size_t connections) : allowed_(connections) {}
  virtual ~CongestionControl() = default;
  virtual void on_ack(std::uint32_t row, const AckSignal& ack) = 0;
  /// Its estimate of congestion, for tests and pictures: alpha, U, round trip over target.
  virtual double estimate(std::uint32_t row) const = 0;

  const Allowance& allowed(std::uint32_t row) const { return allowed_[row]; }

 protected:
  Allowance& set(std::uint32_t row) { return allowed_[row]; }

 private:
  std::vector<Allowance> allowed_;
};

/// When the packets in flight of a connection left: a ring by sequence number.
class SendTimes {
 public:
  void sent(std::uint32_t seq, std::uint32_t una, bool again, Time at);
  /// When packet `seq` left; negative: unknown, or sent more than once (Karn's rule).
  Time of(std::uint32_t seq) const { return ring_.empty() ? Time{-1} : ring_[seq & mask()]; }

 private:
  std::uint32_t mask() const { return static_cast<std::uint32_t>(ring_.size() - 1); }
  std::vector<Time> ring_;  // a power of two
};

/// Null for kinds that do not act on acknowledgements.
std::unique_ptr<CongestionControl> make_congestion_control(const ControlSetup& setup);

std::unique_ptr<CongestionControl> make_dctcp(const ControlSetup& setup);
std::unique_ptr<CongestionControl> make_timely(const ControlSetup& setup);
std::unique_ptr<CongestionControl> make_swift(const ControlSetup& setup);
std::unique_ptr<CongestionControl> make_hpcc(const ControlSetup& setup);

}  // namespace spineleaf
