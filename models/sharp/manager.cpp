#include "models/sharp/manager.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace spineleaf {
namespace {
constexpr std::uint32_t kFar = UINT32_MAX;
/// Roots that are tried before a job is refused.
constexpr std::size_t kMostRoots = 256;
}  // namespace

void AggregationManager::look_at_fabric() {
  const Topology& topology = topology_;
  const std::size_t switches = topology.nodes.size() - topology.host_count;
  edges_.resize(switches);
  places_.resize(topology.endpoints.size());
  uses_.resize(switches);
  rooted_.resize(switches);
  crossing_.resize(topology.cables.size());
  next_row_.resize(topology.host_count);
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> endpoint_at;
  for (std::uint32_t e = 0; e < topology.endpoints.size(); ++e) {
    endpoint_at[{index(topology.endpoints[e].host), topology.endpoints[e].port}] = e;
  }
  for (std::uint32_t i = 0; i < topology.cables.size(); ++i) {
    const Cable& cable = topology.cables[i];
    if (!cable.up) continue;
    for (const bool forward : {true, false}) {
      const PortRef& from = forward ? cable.a : cable.b;
      const PortRef& to = forward ? cable.b : cable.a;
      if (topology.is_host(to.node)) continue;
      const std::uint32_t sw = index(to.node) - topology.host_count;
      if (topology.is_host(from.node)) {
        places_[endpoint_at.at({index(from.node), from.port})] = {sw, to.port};
      } else {
        const std::uint32_t own = index(from.node) - topology.host_count;
        edges_[own].push_back({sw, from.port, to.port, i});
      }
    }
  }
}

Bytes AggregationManager::llt_payload(const SharpParams& params) {
  if (params.payload_per_ost.count > 0) return params.payload_per_ost;
  return Bytes{params.generation == SharpGeneration::V1 ? 256 : 1024};
}

std::string AggregationManager::lacks(const SharpParams& params, AggregationMode mode) {
  if (params.generation == SharpGeneration::None) {
    return "the switches aggregate nothing (sharp.generation is none)";
  }
  if (params.generation == SharpGeneration::V1 && mode == AggregationMode::Sat) {
    return "sharp.generation v1 can't stream";
  }
  return "";
}

std::string AggregationManager::name(std::uint32_t sw) const {
  return topology_.nodes[topology_.host_count + sw].name;
}

std::vector<std::uint32_t> AggregationManager::distances(std::uint32_t from) const {
  std::vector<std::uint32_t> far(edges_.size(), kFar);
  std::vector<std::uint32_t> queue = {from};
  far[from] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Edge& edge : edges_[queue[i]]) {
      if (far[edge.to] != kFar) continue;
      far[edge.to] = far[queue[i]] + 1;
      queue.push_back(edge.to);
    }
  }
  return far;
}

/// Switches from which all members' own switches are near enough, best first.
std::vector<std::uint32_t> AggregationManager::roots(const Members& members,
                                                     std::string& refusal) const {
  std::vector<std::uint32_t> leaves;
  for (const AggregationMember& member : members) {
    const Place& place = places_[index(member.endpoint)];
    if (place.sw == kFar) {
      refusal = "a NIC of " +
                topology_.node(topology_.endpoints[index(member.endpoint)].host).name +
                " is cabled to no switch";
      return {};
    }
    leaves.push_back(place.sw);
  }
  std::sort(leaves.begin(), leaves.end());
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  std::vector<std::uint32_t> height(edges_.size(), 0);
  for (const std::uint32_t leaf : leaves) {
    const std::vector<std::uint32_t> far = distances(leaf);
    for (std::size_t s = 0; s < far.size(); ++s) height[s] = std::max(height[s], far[s]);
  }
  std::vector<std::uint32_t> found;
  for (std::uint32_t s = 0; s < height.size(); ++s) {
    const bool deep = params_.sharp.max_depth > 0 && height[s] >= params_.sharp.max_depth;
    if (height[s] != kFar && !deep) found.push_back(s);
  }
  if (found.empty()) refusal = "no switch reaches all NICs within sharp.max_depth levels";
  std::sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(height[a], rooted_[a], a) < std::tie(height[b], rooted_[b], b);
  });
  if (found.size() > kMostRoots) found.resize(kMostRoots);
  return found;
}

/// Walks from each leaf to the root by the shortest way: through nodes that are in the tree
/// already, else over the cable with the fewest trees. False: a member is cut off.
bool AggregationManager::join(std::uint32_t root, const Members& members,
                              AggregationTree& tree) const {
  const std::vector<std::uint32_t> far = distances(root);
  std::map<std::uint32_t, std::size_t> at;  // switch -> node of the tree
  const auto node_of = [&](std::uint32_t sw) {
    const auto [found, fresh] = at.emplace(sw, tree.nodes.size());
    if (fresh)
      tree.nodes.push_back({NodeId{topology_.host_count + sw}, AggregationNode::kRoot, {}});
    return found->second;
  };
  tree = {};
  node_of(root);
  for (const AggregationMember& member : members) {
    const Place& place = places_[index(member.endpoint)];
    if (far[place.sw] == kFar) return false;
    tree.depth = std::max(tree.depth, far[place.sw] + 1);
    AggregationNode::Child child{place.port, member.receives};
    std::uint32_t sw = place.sw;
    for (;;) {
      const std::size_t node = node_of(sw);
      std::vector<AggregationNode::Child>& children = tree.nodes[node].children;
      const auto same = std::find_if(children.begin(), children.end(),
                                     [&](const auto& other) { return other.port == child.port; });
      if (same == children.end()) {
        children.push_back(child);
      } else {
        same->receives = same->receives || child.receives;
      }
      if (sw == root) break;
      const auto rank = [&](const Edge& edge) {
        return std::tuple(at.count(edge.to) == 0, crossing_[edge.cable], edge.port);
      };
      const Edge* up = nullptr;
      for (const Edge& edge : edges_[sw]) {
        const bool own = tree.nodes[node].parent_port == edge.port;
        if (own) up = &edge;
        if (own) break;
        if (far[edge.to] + 1 != far[sw]) continue;
        if (up == nullptr || rank(edge) < rank(*up)) up = &edge;
      }
      tree.nodes[node].parent_port = up->port;
      child = {up->peer_port, child.receives};
      sw = up->to;
    }
  }
  return true;
}

/// Why the tree can't be had; empty = it can.
std::string AggregationManager::unfit(const AggregationTree& tree, const Need& need) const {
  const SharpParams& sharp = params_.sharp;
  const auto short_of = [](std::int64_t left, std::int64_t all, const char* what) {
    return " has " + std::to_string(left) + " of " + std::to_string(all) + " " + what + " left";
  };
  for (const AggregationNode& node : tree.nodes) {
    const std::uint32_t sw = index(node.node) - topology_.host_count;
    const Use& use = uses_[sw];
    if (sharp.radix > 0 && static_cast<std::int64_t>(node.children.size()) > sharp.radix) {
      return name(sw) + " would need " + std::to_string(node.children.size()) +
             " children, sharp.radix is " + std::to_string(sharp.radix);
    }
    if (use.groups + need.groups > sharp.groups) {
      return name(sw) + short_of(sharp.groups - use.groups, sharp.groups, "groups");
    }
    if (use.osts + need.osts > sharp.osts) {
      return name(sw) + short_of(sharp.osts - use.osts, sharp.osts, "operation slots");
    }
    if (use.bytes + need.bytes > sharp.sat_buffer.count) {
      return name(sw) +
             short_of(sharp.sat_buffer.count - use.bytes, sharp.sat_buffer.count, "B of memory");
    }
    std::int64_t most = sharp.sat_jobs;
    if (most == 0 && sharp.generation == SharpGeneration::V2) most = 1;
    const std::vector<std::uint32_t>& jobs = use.streaming_jobs;
    const bool known = std::find(jobs.begin(), jobs.end(), need.job) != jobs.end();
    if (need.streams && !known && most > 0 && static_cast<std::int64_t>(jobs.size()) >= most) {
      return name(sw) + " is locked by " +
             (jobs.size() == 1 ? "another job's stream" : "other jobs' streams");
    }
  }
  return "";
}

bool AggregationManager::find_tree(const Members& members, const Need& need, AggregationTree& tree,
                                   std::string& refusal) const {
  for (const std::uint32_t root : roots(members, refusal)) {
    if (!join(root, members, tree)) continue;
    const std::string reason = unfit(tree, need);
    if (reason.empty()) return true;
    if (refusal.empty()) refusal = reason;
  }
  return false;
}

void AggregationManager::take(const AggregationTree& tree, const Need& need) {
  ++rooted_[index(tree.nodes.front().node) - topology_.host_count];
  for (const AggregationNode& node : tree.nodes) {
    const std::uint32_t sw = index(node.node) - topology_.host_count;
    Use& use = uses_[sw];
    use.groups += need.groups;
    use.osts += need.osts;
    use.bytes += need.bytes;
    std::vector<std::uint32_t>& jobs = use.streaming_jobs;
    if (need.streams && std::find(jobs.begin(), jobs.end(), need.job) == jobs.end()) {
      jobs.push_back(need.job);
    }
    for (const Edge& edge : edges_[sw]) {
      if (edge.port == node.parent_port) ++crossing_[edge.cable];
    }
  }
}

AggregationGrant AggregationManager::allocate(const AggregationRequest& request) {
  const SharpParams& sharp = params_.sharp;
  AggregationGrant grant;
  grant.refusal = lacks(sharp, request.mode);
  if (!grant.refusal.empty()) return grant;
  if (edges_.empty()) look_at_fabric();
  const bool streams = request.mode == AggregationMode::Sat;
  const std::int64_t each = request.groups_per_rail;
  const std::int64_t mtu = params_.fabric.mtu.count;
  const std::int64_t payload = streams ? mtu : std::min(mtu, llt_payload(sharp).count);
  const std::int64_t window =
      streams ? sharp.sat_buffer.count * sharp.sat_quota / 100 / each / mtu
              : std::min(sharp.osts_per_group, sharp.osts * sharp.llt_quota / 100 / each);
  if (window < 1) {
    grant.refusal = streams ? "sharp.sat_quota of sharp.sat_buffer is less than a packet a group"
                            : "sharp.llt_quota of sharp.osts is less than a slot a group";
    return grant;
  }
  Need need{request.job, each, streams ? 0 : window * each, streams ? window * each * mtu : 0,
            streams};
  const auto before = std::tuple(uses_, rooted_, crossing_);
  std::vector<AggregationTree> trees(request.rails.size());
  for (std::size_t rail = 0; rail < trees.size(); ++rail) {
    if (find_tree(request.rails[rail], need, trees[rail], grant.refusal)) {
      grant.refusal.clear();
      take(trees[rail], need);
      continue;
    }
    std::tie(uses_, rooted_, crossing_) = before;  // all trees or none
    return grant;
  }
  for (std::size_t rail = 0; rail < trees.size(); ++rail) {
    for (std::uint32_t g = 0; g < request.groups_per_rail; ++g) {
      std::vector<MemberRow> rows;
      for (const AggregationMember& member : request.rails[rail]) {
        const std::uint32_t host = index(topology_.endpoints[index(member.endpoint)].host);
        rows.push_back(MemberRow{next_row_[host]++});
      }
      grant.groups.push_back({request.job, next_group_++, request.traffic_class, request.mode,
                              static_cast<std::int32_t>(payload),
                              static_cast<std::uint32_t>(std::min<std::int64_t>(window, 65'535)),
                              trees[rail], request.rails[rail]});
      grant.rows.push_back(std::move(rows));
    }
  }
  return grant;
}

}  // namespace spineleaf
