#pragma once
// FlowApp: posts a planned list of messages and notes when each was posted, acknowledged and
// received.
//
// The list is cut into lanes. A lane posts its messages in order, each no earlier than its own
// time and with at most `depth` unacknowledged. So one app serves open-loop traffic (unlimited
// depth, times), message streams (depth, no times) and mixtures.

#include <cstdint>
#include <vector>

#include "models/host/app.hpp"

namespace spineleaf {

inline constexpr std::uint32_t kUnlimitedDepth = UINT32_MAX;

/// One message of a plan: 24 bytes while it waits.
struct PlannedMessage {
  Time start;  ///< earliest time; once posted: the time of posting
  std::int64_t bytes = 0;
  std::uint32_t connection = 0;  ///< index in FlowAppPlan::senders
  std::uint32_t flow = 0;        ///< number within the job
};

struct FlowLane {
  std::uint32_t next = 0;  ///< the lane's messages are [next, end) of the plan
  std::uint32_t end = 0;
  std::uint32_t depth = kUnlimitedDepth;
  std::uint32_t in_flight = 0;
};

/// What a host sends and expects. The receiver's cookie is the index in `receivers`; a flow's
/// number there is first_flow + the message's number on the connection.
struct FlowAppPlan {
  struct Sender {
    SenderRow row{};
    EndpointId from{};
    EndpointId to{};
    std::uint8_t traffic_class = 0;
  };
  struct Receiver {
    EndpointId from{};
    EndpointId to{};
    std::uint32_t first_flow = 0;
    std::uint32_t messages = 0;
    std::uint32_t first_slot = 0;  ///< in the app's list of arrival times
    std::uint8_t traffic_class = 0;
  };
  std::uint32_t job = 0;
  std::vector<Sender> senders;
  std::vector<Receiver> receivers;
  std::vector<PlannedMessage> messages;
  std::vector<FlowLane> lanes;  ///< at most 65,536; the sender's cookie is the lane's number
  std::uint32_t expected = 0;   ///< messages to be received
};

class FlowApp final : public HostApp {
 public:
  explicit FlowApp(FlowAppPlan plan) : plan_(std::move(plan)) {}

  void start(HostServices& host) override;
  void on_wake(HostServices& host, std::uint32_t row) override { pump(host, row); }
  void on_sent(HostServices& host, std::uint32_t cookie, std::uint32_t tag) override;
  void on_received(HostServices& host, std::uint32_t cookie, std::uint32_t number,
                   Bytes bytes) override;
  /// Receiver halves carry no byte count: that is the sender's to tell.
  void collect(JobReport& report) const override;
  std::int64_t bytes_planned() const override;

 private:
  void pump(HostServices& host, std::uint32_t lane);
  void count_done(HostServices& host);

  FlowAppPlan plan_;
  std::vector<Time> acked_;  ///< per message
  std::vector<bool> posted_;
  std::vector<Time> received_;  ///< per expected message
  std::uint64_t open_ = 0;      ///< acknowledgements and messages still expected
};

}  // namespace spineleaf
