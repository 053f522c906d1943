// Trees of aggregation nodes, who gets one, and what goes over them.

#include <gtest/gtest.h>

#include "models/sharp/manager.hpp"
#include "tests/models/fabric/rig.hpp"

namespace spineleaf {
namespace {

ModelParams params_of(std::initializer_list<PresetEntry> settings) {
  ModelParams params = test::wire_only("ib-ndr", {{"sharp.generation", "v3"}});
  for (const PresetEntry& entry : settings) test::set_param(params, entry);
  return params;
}

Topology fat_tree(double tiers, double hosts, double radix) {
  return test::topology_of(
      build_topology("fat_tree", {{"tiers", tiers}, {"hosts", hosts}, {"radix", radix}}));
}

AggregationRequest request_of(const Topology& topology, std::uint32_t job, AggregationMode mode,
                              std::uint32_t first, std::uint32_t last) {
  AggregationRequest request;
  request.job = job;
  request.mode = mode;
  request.rails.emplace_back();
  for (std::uint32_t e = 0; e < topology.endpoints.size(); ++e) {
    const std::uint32_t host = index(topology.endpoints[e].host);
    if (host >= first && host <= last) request.rails[0].push_back({EndpointId{e}});
  }
  return request;
}

TEST(AggregationManager, ATreeJoinsAllMembersByTheFewestLevels) {
  const Topology topology = fat_tree(3, 128, 16);
  const ModelParams params = params_of({});
  AggregationManager manager(topology, params);
  const auto depth = [&](std::uint32_t last) {
    const AggregationGrant grant =
        manager.allocate(request_of(topology, last, AggregationMode::Llt, 0, last));
    EXPECT_EQ(grant.refusal, "");
    const AggregationTree& tree = grant.groups.at(0).tree;
    // Each member hangs below one node, and each node but the root below one other.
    std::size_t children = 0;
    for (const AggregationNode& node : tree.nodes) children += node.children.size();
    EXPECT_EQ(children, last + 1 + tree.nodes.size() - 1);
    EXPECT_EQ(tree.nodes.front().parent_port, AggregationNode::kRoot);
    for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
      EXPECT_NE(tree.nodes[n].parent_port, AggregationNode::kRoot);
    }
    return tree.depth;
  };
  EXPECT_EQ(depth(7), 1U);    // one leaf
  EXPECT_EQ(depth(15), 2U);   // two leaves of a pod
  EXPECT_EQ(depth(127), 3U);  // two pods
}

TEST(AggregationManager, TreesSpreadOverTheRoots) {
  const Topology topology = fat_tree(2, 32, 16);
  const ModelParams params = params_of({});
  AggregationManager manager(topology, params);
  std::map<std::uint32_t, int> roots;
  for (std::uint32_t job = 0; job < 8; ++job) {
    const auto grant = manager.allocate(request_of(topology, job, AggregationMode::Sat, 0, 31));
    ++roots[index(grant.groups.at(0).tree.nodes.front().node)];
  }
  for (const auto& [node, trees] : roots) EXPECT_EQ(trees, 8 / static_cast<int>(roots.size()));
  EXPECT_GT(roots.size(), 1U);
}

TEST(AggregationManager, QuotasRadixDepthAndLocksRefuseAndSayWhy) {
  const Topology topology = fat_tree(2, 32, 16);
  const auto refusal = [&](std::initializer_list<PresetEntry> settings, AggregationMode mode,
                           std::uint32_t jobs) {
    const ModelParams params = params_of(settings);
    AggregationManager manager(topology, params);
    std::string last;
    for (std::uint32_t job = 0; job < jobs; ++job) {
      last = manager.allocate(request_of(topology, job, mode, 0, 7)).refusal;
      if (job + 1 < jobs) {
        EXPECT_EQ(last, "");
      }
    }
    return last;
  };
  constexpr auto kLlt = AggregationMode::Llt;
  constexpr auto kSat = AggregationMode::Sat;
  EXPECT_NE(refusal({{"sharp.generation", "none"}}, kLlt, 1).find("aggregate nothing"),
            std::string::npos);
  EXPECT_NE(refusal({{"sharp.generation", "v1"}}, kSat, 1).find("can't stream"), std::string::npos);
  EXPECT_NE(refusal({{"sharp.groups", "2"}}, kLlt, 3).find("has 0 of 2 groups left"),
            std::string::npos);
  EXPECT_NE(refusal({{"sharp.osts", "32"}, {"sharp.llt_quota", "50"}}, kLlt, 3)
                .find("has 0 of 32 operation slots left"),
            std::string::npos);
  EXPECT_NE(refusal({{"sharp.sat_quota", "50"}}, kSat, 3).find("B of memory left"),
            std::string::npos);
  EXPECT_NE(refusal({{"sharp.generation", "v2"}}, kSat, 2).find("locked by another job's stream"),
            std::string::npos);
  EXPECT_EQ(refusal({{"sharp.generation", "v2"}}, kLlt, 2), "");
  EXPECT_NE(refusal({{"sharp.radix", "4"}}, kLlt, 1).find("would need 8 children"),
            std::string::npos);
  const ModelParams params = params_of({{"sharp.max_depth", "1"}});
  AggregationManager manager(topology, params);
  EXPECT_NE(manager.allocate(request_of(topology, 0, kLlt, 0, 31)).refusal.find("max_depth"),
            std::string::npos);
}

/// A small program: takes part in one operation.
class OneOperation final : public HostApp {
 public:
  OneOperation(MemberRow member, Bytes bytes) : member_(member), bytes_(bytes) {}
  void start(HostServices& host) override { host.aggregate(member_, bytes_, 7); }
  void on_wake(HostServices&, std::uint32_t) override {}
  void on_sent(HostServices&, std::uint32_t, std::uint32_t tag) override { EXPECT_EQ(tag, 7U); }
  void on_received(HostServices& host, std::uint32_t, std::uint32_t number, Bytes bytes) override {
    EXPECT_EQ(number, 0U);
    EXPECT_EQ(bytes, bytes_);
    host.done();
  }
  void collect(JobReport&) const override {}
  std::int64_t bytes_planned() const override { return bytes_.count; }

 private:
  MemberRow member_;
  Bytes bytes_;
};

TEST(Aggregation, EveryNicSendsAndGetsItsBytesOnceAndTheFabricIsIdleAgain) {
  const ModelParams params = params_of({{"sharp.sat_quota", "100"}});
  Topology topology = fat_tree(2, 16, 8);
  constexpr Bytes kBytes{100'003};
  AggregationManager manager(topology, params);
  AggregationGrant grant = manager.allocate(request_of(topology, 0, AggregationMode::Sat, 0, 15));
  Workload workload;
  for (std::uint32_t host = 0; host < 16; ++host) {
    workload.apps.push_back({host, std::make_unique<OneOperation>(grant.rows[0][host], kBytes)});
  }
  workload.groups = std::move(grant.groups);
  test::Rig rig(topology, params, std::move(workload));
  rig.run();
  for (std::uint32_t host = 0; host < 16; ++host) {
    const HostCounters& counters = rig.host(host).counters();
    EXPECT_EQ(counters.contributed, kBytes.count);
    EXPECT_EQ(counters.result_payload, kBytes.count);
    EXPECT_EQ(counters.contributions, counters.results);
    EXPECT_EQ(counters.apps_done, 1);
    EXPECT_EQ(rig.host(host).ports().check_idle(), "");
  }
}

}  // namespace
}  // namespace spineleaf
