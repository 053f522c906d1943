#pragma once
// FlowPlan: collects connections and messages of a job and compiles them into a Workload.

#include <cstdint>
#include <string>
#include <vector>

#include "models/workloads/flow_app.hpp"
#include "models/workloads/host_table.hpp"
#include "models/workloads/registry.hpp"

namespace spineleaf {

class FlowPlan {
 public:
  FlowPlan(const WorkloadContext& context, const HostTable& hosts, std::string name);

  struct Route {
    EndpointId from{};
    EndpointId to{};
    std::uint8_t traffic_class = 0;
    std::int32_t path = -1;
    Rate rate_limit{};
  };
  /// A new lane on a host. Everything that one connection carries belongs to one lane, so that
  /// the order of messages on a connection is known before the run.
  std::uint32_t lane(std::uint32_t host, std::uint32_t depth);
  /// A new connection of a lane; `route.from` is an endpoint of the lane's host.
  std::uint32_t connect(std::uint32_t lane, const Route& route);
  void message(std::uint32_t connection, Time earliest, Bytes bytes);

  /// Compiles what was collected. Flows are numbered by connection, then by message.
  Workload finish();

 private:
  struct Lane {
    std::uint32_t host = 0;
    std::uint32_t depth = 0;
    std::uint32_t local = 0;  ///< number among the lanes of its host
  };
  struct Connection {
    Route route;
    std::uint32_t lane = 0;
    std::uint32_t messages = 0;
    std::uint32_t first_flow = 0;
    std::uint32_t local = 0;  ///< index among the senders of its host
  };
  std::vector<Problem> problems() const;
  void sort_messages();
  void number_flows();
  std::vector<std::uint32_t> list_apps(Workload& workload, std::vector<FlowAppPlan>& plans);
  void compile_lanes(std::vector<FlowAppPlan>& plans);
  void compile_connections(Workload& workload, std::vector<FlowAppPlan>& plans);
  void compile_messages(std::vector<FlowAppPlan>& plans);

  const WorkloadContext& context_;
  const HostTable& hosts_;
  std::string name_;
  std::vector<Lane> lanes_;
  std::vector<Connection> connections_;
  std::vector<PlannedMessage> messages_;
  std::vector<std::uint32_t> app_of_;  ///< per host: its place among the apps
};

/// ECMP hash input of a connection, spread by seed, job and the connection's number.
std::uint32_t connection_entropy(const WorkloadContext& context, std::uint64_t connection);

/// Uniform in [0, most] by seed, for connection number `connection` of the job.
Time start_jitter(const WorkloadContext& context, Time most, std::uint64_t connection);

}  // namespace spineleaf
