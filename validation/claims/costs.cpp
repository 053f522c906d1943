// Claims about buffers and money, as far as formulas go.

#include <cmath>

#include "scenarios/headroom.hpp"
#include "scenarios/nccl_catalog.hpp"
#include "scenarios/output/text.hpp"
#include "topologies/audit.hpp"
#include "topologies/registry.hpp"
#include "validation/claims/evaluators.hpp"

namespace spineleaf {
namespace {

/// Headroom of 64 ports of 400 Gb/s against the lossless pool that SONiC ships for a switch of that
/// class: 158,229,504 B (sonic-buildimage, device/mellanox SN5600, buffers_defaults_t1.j2).
ClaimTrials deep_buffers() {
  constexpr double kPool = 158'229'504;
  ClaimTrials trials;
  for (const double metres : {5.0, 20.0, 300.0}) {
    HeadroomQuestion question;
    question.rate = Rate::from_gbps(400);
    question.cable = metres;
    question.frame = 4198;
    question.pause_frame = 84;
    question.small_packets = 1;
    question.asic = *find_headroom_asic("spectrum-4");
    const double bytes = 64.0 * static_cast<double>(headroom(question)->xoff);
    trials.push_back(
        {"64 ports of 400 Gb/s, cables of " + fixed_text(metres, 0) +
             " m, one lossless class, SONiC's formula with nothing but packets of 64 "
             "bytes: headroom does not fit into the 158 MB of a switch on one chip",
         fixed_text(bytes / 1e6, 1) + " MB, " + fixed_text(bytes / kPool * 100, 0) + " % of it",
         bytes > kPool});
  }
  return trials;
}

ClaimTrials tenth_of_a_cluster() {
  constexpr double kCluster = 10e6, kHit = 0.1;
  const auto money = [](double dollars) {
    return count_text(static_cast<std::int64_t>(std::llround(dollars))) + " $";
  };
  const double share = kCluster * kHit;
  const double longer = kCluster / (1 - kHit) - kCluster;
  return {{"a tenth of the capital", money(share), std::llround(share) == 1'000'000},
          {"the same work at nine tenths of the speed takes " +
               fixed_text((1 / (1 - kHit) - 1) * 100, 1) + " % more of it",
           money(longer), longer >= 1e6}};
}

/// A step moves the parameters of a model of 70 billion in bf16 three times (two gathers, one
/// scatter of gradients) out of and into each of two nodes.
ClaimTrials tcp_efficiency() {
  constexpr double kBytes = 3 * 140e9;
  ClaimTrials trials;
  for (const double gbps : {25.0, 100.0}) {
    const double seconds = kBytes / (gbps / 8 * 1e9);
    for (const double compute : {4.0, 16.0, 64.0}) {
      const double share = compute / (compute + seconds);
      trials.push_back({"70B, FSDP on 2 nodes, one NIC of " + fixed_text(gbps, 0) + " Gb/s, " +
                            fixed_text(compute, 0) + " s of compute a step, nothing hidden",
                        fixed_text(seconds, 0) + " s on the wire, efficiency " +
                            fixed_text(share * 100, 0) + " %",
                        share < 0.2});
    }
  }
  return trials;
}

ClaimTrials node_rate() {
  const NcclCatalogResult catalog = shipped_nccl_catalog();
  const NcclNodePreset* preset = catalog.catalog.node_named("hgx-h100");
  if (preset == nullptr) throw std::runtime_error("the catalog has no hgx-h100");
  const double gbps = static_cast<double>(preset->node.nics) * preset->node.nic_gbps;
  return {{"hgx-h100 of the catalog, a NIC for each GPU",
           std::to_string(preset->node.nics) + " NICs for " + std::to_string(preset->node.gpus) +
               " GPUs, " + fixed_text(gbps / 1000, 1) + " Tb/s",
           preset->node.nics == preset->node.gpus && gbps == 3200}};
}

ClaimTrials bisections() {
  ClaimTrials trials;
  struct Shape {
    const char* name;
    double radix, oversubscription, share;
  };
  for (const Shape& shape : {Shape{"1:1", 32, 1, 1}, Shape{"2:1", 48, 2, 0.5}}) {
    const BuildResult built =
        build_topology("fat_tree", {{"tiers", 2},
                                    {"hosts", 128},
                                    {"radix", shape.radix},
                                    {"oversubscription", shape.oversubscription}});
    const double wanted = 64 * 400 * shape.share;
    const double gbps = built.ok() ? bisection(built.topology).gbps : 0;
    trials.push_back({std::string("fat tree of 128 hosts at 400 Gb/s, ") + shape.name +
                          ": maximum flow between halves is the closed form",
                      fixed_text(gbps / 1000, 1) + " of " + fixed_text(wanted / 1000, 1) + " Tb/s",
                      gbps == wanted});
  }
  return trials;
}

constexpr ClaimEvaluator kCostClaims[] = {
    {"S3", tcp_efficiency, ""},
    {"S4", node_rate, "expect --node hgx-h100"},
    {"S60", bisections, "topology quickstart-permutation-ndr"},
    {"S56", deep_buffers, "headroom --speed 400Gbps --cable 5m 20m 300m"},
    {"S67", tenth_of_a_cluster, ""},
};

}  // namespace

std::span<const ClaimEvaluator> cost_claims() { return kCostClaims; }

}  // namespace spineleaf
