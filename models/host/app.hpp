#pragma once
// The seam between a host's hardware (NICs, transport) and the software that runs on it.
//
// A workload is compiled, before the run, into connections (queue pairs) and one HostApp per host
// and job. During the run an app sees only its own host: it posts messages, sets timers, and is
// told of completions. Everything happens on simulated instants of that host; nothing is shared.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/sharp/group.hpp"
#include "sim/param.hpp"
#include "sim/units.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

/// A queue pair from one endpoint to another, fixed before the run. Messages on it arrive in order.
struct ConnectionSpec {
  EndpointId from{};
  EndpointId to{};
  std::uint32_t job = 0;
  std::uint8_t traffic_class = 0;     ///< dense class number (priority row or VL)
  std::int16_t ack_class = -1;        ///< of what answers; -1 = fabric.ack_class
  std::uint32_t entropy = 0;          ///< UDP source port equivalent: ECMP hash input
  std::int32_t path = -1;             ///< pinned path number in the PathTable; -1 = routed
  std::uint32_t sender_cookie = 0;    ///< handed to the sending app in every callback
  std::uint32_t receiver_cookie = 0;  ///< handed to the receiving app in every callback
  Rate rate_limit{};                  ///< injection rate of payload + headers; 0 = line rate
};

/// Local number of a connection's sending half on its host: the order in which Workload lists the
/// connections that start on that host (per host, all jobs together).
enum class SenderRow : std::uint32_t {};

/// What an app may ask of its host, at the current instant.
class HostServices {
 public:
  virtual Time now() const = 0;
  virtual std::uint64_t seed() const = 0;
  /// Queues a message of `bytes` >= 1 on a connection that starts here. `tag` comes back in on_sent
  /// (last ACK) here; the peer is told the message's number on the connection (0, 1, 2, ...), since
  /// messages of a connection complete in order.
  virtual void post(SenderRow connection, Bytes bytes, std::uint32_t tag) = 0;
  /// Takes part in the next operation of a group of SHARP: sends `bytes` >= 0 to the switch, or
  /// takes part without data, as its member says. When the result is here, the app gets on_sent
  /// with `tag`, then on_received. All members give the same bytes in the same order.
  virtual void aggregate(MemberRow member, Bytes bytes, std::uint32_t tag) = 0;
  /// (Re)arms timer `row` (< 65,536, per app) for `at` > now; one deadline per row.
  virtual void wake(std::uint32_t row, Time at) = 0;
  /// The app's job is complete on this host: all jobs complete everywhere ends the run.
  virtual void done() = 0;

 protected:
  ~HostServices() = default;
};

struct FlowRecord {
  std::uint32_t job = 0;
  std::uint32_t flow = 0;  ///< number within the job
  EndpointId from{};
  EndpointId to{};
  std::uint8_t traffic_class = 0;
  Bytes bytes;
  Time start{-1};     ///< when the message was posted; -1 = never
  Time received{-1};  ///< receiver's last byte in memory
  Time acked{-1};     ///< sender's last ACK
};

struct CollectiveRecord {
  std::uint32_t job = 0;
  std::uint32_t host = 0;
  std::uint32_t iteration = 0;
  std::string collective;  ///< "all_reduce"
  std::string algorithm;   ///< "ring"
  std::string protocol;    ///< "simple"
  std::int64_t channels = 0;
  std::int64_t ranks = 0;
  Bytes bytes;  ///< nccl-tests size
  Time start{-1};
  Time end{-1};  ///< last rank of this host; -1 = unfinished
};

/// What apps hand over after the run, host by host. Flow halves (sender: start, acked; receiver:
/// received) are merged by (job, flow) afterwards.
struct JobReport {
  std::vector<FlowRecord> sender_flows;
  std::vector<FlowRecord> receiver_flows;
  std::vector<CollectiveRecord> collectives;
};

class HostApp {
 public:
  virtual ~HostApp() = default;
  /// Called at time zero, before anything else.
  virtual void start(HostServices& host) = 0;
  virtual void on_wake(HostServices& host, std::uint32_t row) = 0;
  virtual void on_sent(HostServices& host, std::uint32_t cookie, std::uint32_t tag) = 0;
  /// `number` counts the messages of this connection from 0, in the order of posting.
  virtual void on_received(HostServices& host, std::uint32_t cookie, std::uint32_t number,
                           Bytes bytes) = 0;
  virtual void collect(JobReport& report) const = 0;
  /// Work done and work planned in bytes to send, for progress and ETA.
  virtual std::int64_t bytes_planned() const = 0;
};

/// One job compiled for a topology: its connections and its apps.
struct Workload {
  struct App {
    std::uint32_t host = 0;  ///< node index of the host
    std::unique_ptr<HostApp> app;
  };
  std::string name;
  std::vector<ConnectionSpec> connections;
  std::vector<App> apps;                 ///< at most one per host and job; ascending host
  std::vector<AggregationGroup> groups;  ///< of SHARP, with their members
  std::vector<std::string> problems;     ///< non-empty: the workload can't be built; says why
  std::vector<std::string> warnings;     ///< what it does otherwise than it was asked to
};

}  // namespace spineleaf
