// Claims about the bandwidth of collectives and NICs.

#include <cmath>

#include "scenarios/output/text.hpp"
#include "validation/claims/evaluators.hpp"
#include "validation/oracles/goodput_forms.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;
constexpr std::int64_t kMib = std::int64_t{1} << 20;

std::string gbytes_text(double gbytes) { return fixed_text(gbytes, 1) + " GB/s"; }

/// busbw where `algorithm` is forced; 0 where it can't run.
double forced_busbw(const ExpectRow& row, std::string_view algorithm) {
  for (const ExpectAlgorithm& forced : row.algorithms) {
    if (forced.name.starts_with(std::string(algorithm) + "/")) return forced.busbw;
  }
  return 0;
}

ClaimTrials nvlink() {
  struct Node {
    const char* name;
    double direction;  ///< GB/s, half of what is claimed
  };
  ClaimTrials trials;
  for (const Node& node : {Node{"hgx-h100", 450}, Node{"hgx-b200", 900}}) {
    ExpectQuery query;
    query.node = node.name;
    query.nodes = 1;
    const ExpectRow row = row_of_size(claims_expect(query), 4 * kGib);
    const double ring = forced_busbw(row, "Ring");
    trials.push_back(
        {std::string(node.name) + ", 4 GiB all_reduce, Ring: busbw is over half of " +
             fixed_text(node.direction, 0) + " GB/s, and not above",
         gbytes_text(ring) + "; as chosen, " + row.choice + ", " + gbytes_text(row.busbw),
         ring > node.direction / 2 && ring <= node.direction});
  }
  return trials;
}

ClaimTrials healthy_busbw() {
  ClaimTrials trials;
  for (const std::int64_t nodes : {1, 2, 4, 8, 16}) {
    ExpectQuery query;
    query.nodes = nodes;
    query.nics = "8x400";
    const ExpectRow row = row_of_size(claims_expect(query), 4 * kGib);
    trials.push_back({std::to_string(nodes) + " x 8 H100, NICs 8x400, 4 GiB, " + row.choice +
                          "; 340 to the NICs' 400 is in the healthy band",
                      gbytes_text(row.busbw) + ", band " + fixed_text(row.low, 0) + " to " +
                          fixed_text(row.high, 0),
                      row.low <= 400 && row.high >= 340});
  }
  return trials;
}

ClaimTrials rail_rate() {
  ClaimTrials trials;
  for (const auto& [name, wire] :
       {std::pair{"RoCEv2", WireFormat::RoceV2}, std::pair{"InfiniBand", WireFormat::InfiniBand}}) {
    const double gbytes = middle_goodput(wire, Bytes{4096}, Rate::from_gbps(400)) / 8;
    trials.push_back({std::string(name) + ", MTU 4096: payload of a NIC of 400 Gb/s, within 2 %",
                      gbytes_text(gbytes) + ", of a node with 8 " + gbytes_text(8 * gbytes),
                      std::abs(gbytes / 50 - 1) <= 0.02});
  }
  return trials;
}

ClaimTrials scaling() {
  ClaimTrials trials;
  for (const auto& [bytes, label] :
       {std::pair{4 * kGib, "4 GiB"}, std::pair{16 * kMib, "16 MiB"}}) {
    ExpectQuery query;
    query.nodes = 4;
    const double few = row_of_size(claims_expect(query), bytes).busbw;
    for (const std::int64_t nodes : {16, 128}) {
      query.nodes = nodes;
      const ExpectRow row = row_of_size(claims_expect(query), bytes);
      const double share = row.busbw / few;
      trials.push_back({std::string(label) + " on " + std::to_string(nodes) +
                            " x 8 H100, idle fabric: at least 90 % of the busbw of 4 nodes",
                        gbytes_text(row.busbw) + " with " + row.choice + ", " +
                            fixed_text(share * 100, 0) + " %; Ring alone " +
                            gbytes_text(forced_busbw(row, "Ring")),
                        share >= 0.9});
    }
  }
  return trials;
}

constexpr ClaimEvaluator kCollectiveClaims[] = {
    {"S1", nvlink, "expect --node hgx-b200 --nodes 1"},
    {"S17", healthy_busbw, "expect --node hgx-h100 --nics 8x400 --nodes 4"},
    {"S18", rail_rate, "run two-hosts-roce"},
    {"S50", scaling, "expect --node hgx-h100 --nodes 128"},
};

}  // namespace

std::span<const ClaimEvaluator> collective_claims() { return kCollectiveClaims; }

}  // namespace spineleaf
