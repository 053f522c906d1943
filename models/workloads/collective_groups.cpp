#include "models/workloads/collective_groups.hpp"

#include <algorithm>
#include <map>

namespace spineleaf {
namespace {

/// NICs of a node's outputs into the switches, in the order in which connections are listed.
std::vector<std::uint32_t> outlets(const Schedule& schedule, std::uint32_t node) {
  std::vector<std::uint32_t> nics;
  each_machine(schedule, node, [&](const MachineId& place) {
    for (const Peer& peer : schedule.links(place).out) {
      if (peer.aggregated) nics.push_back(peer.from_nic);
    }
  });
  return nics;
}

}  // namespace

CollectiveGroups::CollectiveGroups(const WorkloadContext& context, const HostTable& table,
                                   const CollectivePlan& plan)
    : joined_(plan.hosts.size()) {
  if (context.aggregation == nullptr) {
    grant_.refusal = "no manager";
    return;
  }
  const Schedule& schedule = *plan.schedule;
  AggregationRequest request;
  request.job = context.job;
  request.traffic_class = plan.traffic_class;
  const std::int64_t slice = schedule.slicing().slice_size(schedule.slicing().chunk);
  const bool streams =
      slice >= context.params.sharp.sat_threshold.count &&
      AggregationManager::lacks(context.params.sharp, AggregationMode::Sat).empty();
  request.mode = streams ? AggregationMode::Sat : AggregationMode::Llt;
  // Outputs on one NIC of the first node share a rail, and so the tree and the job's quota on it.
  std::map<std::uint32_t, std::vector<std::size_t>> rails;
  std::vector<std::vector<std::uint32_t>> nics;
  for (std::uint32_t n = 0; n < plan.hosts.size(); ++n) nics.push_back(outlets(schedule, n));
  for (std::size_t k = 0; k < nics[0].size(); ++k) rails[nics[0][k]].push_back(k);
  for (const auto& [nic, outs] : rails) {
    request.groups_per_rail =
        std::max(request.groups_per_rail, static_cast<std::uint32_t>(outs.size()));
    std::vector<AggregationMember> members;
    for (std::uint32_t n = 0; n < plan.hosts.size(); ++n) {
      members.push_back({table.nic_endpoint(plan.hosts[n], nics[n][outs.front()], 0)});
    }
    request.rails.push_back(std::move(members));
  }
  grant_ = context.aggregation->allocate(request);
  group_of_.resize(nics[0].size());
  std::uint32_t first = 0;
  for (const auto& [nic, outs] : rails) {
    for (std::size_t i = 0; i < outs.size(); ++i) {
      group_of_[outs[i]] = first + static_cast<std::uint32_t>(i);
    }
    first += request.groups_per_rail;
  }
}

MemberRow CollectiveGroups::join(std::uint32_t node, std::uint32_t sent_cookie,
                                 std::uint32_t received_cookie) {
  const std::uint32_t group = group_of_[joined_[node]++];
  AggregationMember& member = grant_.groups[group].members[node];
  member.sent_cookie = sent_cookie;
  member.received_cookie = received_cookie;
  return grant_.rows[group][node];
}

}  // namespace spineleaf
