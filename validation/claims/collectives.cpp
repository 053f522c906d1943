// Claims about the bandwidth of collectives and NICs.

#include <cmath>

#include "scenarios/output/text.hpp"
#include "validation/claims/evaluators.hpp"
#include "validation/oracles/goodput_forms.hpp"
#include "validation/roce/case.hpp"
#include "validation/sharp/rows.hpp"

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

/// Bytes that all NICs sent, acknowledgements and link control left out by their size: none is as
/// large as a chunk.
ClaimTrials beyond_one_node() {
  ClaimTrials trials;
  const ValidSpec spec = roce_case("quickstart-ring-ndr");
  const Result result = run_case(spec, 1);
  const double wanted = 2.0 * 15 / 16 * 64 * kMib;  // once round the ring, out of each node
  double sent = 0;
  for (const LinkRow& link : result.links) {
    if (link.from == spec.graph->nodes[0].name) sent += static_cast<double>(link.bytes.count);
  }
  trials.push_back(
      {"Ring of 64 MiB on 2 x 8 GPUs: the NICs of a node carry 2 (n-1)/n S and headers",
       bytes_text(Bytes{std::llround(sent)}) + " on the wire of " +
           bytes_text(Bytes{std::llround(wanted)}) + " of payload",
       sent >= wanted && sent <= 1.03 * wanted});
  return trials;
}

ClaimTrials one_node_needs_no_fabric() {
  ExpectQuery query;
  query.nodes = 1;
  query.nics = "1x100";
  const double few = row_of_size(claims_expect(query), kGib).busbw;
  query.nics = "8x400";
  const double many = row_of_size(claims_expect(query), kGib).busbw;
  return {{"1 x 8 H100, 1 GiB: NICs make no difference",
           gbytes_text(few) + " with 1x100, " + gbytes_text(many) + " with 8x400", few == many}};
}

ClaimTrials cpu_bypassed() {
  ClaimTrials trials;
  for (const std::int64_t nodes : {1, 2, 4, 16}) {
    ExpectQuery query;
    query.nodes = nodes;
    const Expectation answer = claims_expect(query);
    const ExpectRow row = row_of_size(answer, nodes < 16 ? 64 * kMib : kGib);
    trials.push_back({std::to_string(nodes) + " x 8 H100, " + bytes_text(Bytes{row.bytes}) + ", " +
                          row.choice + ": NCCL's thread on the CPU is not what binds",
                      row.bound + " binds, " + gbytes_text(row.busbw), row.bound != "proxy"});
  }
  return trials;
}

ClaimTrials aggregation() {
  ClaimTrials trials;
  for (const ValidationRow& row : sharp_rows(true)) {
    if (!row.id.starts_with("bytes.")) continue;
    trials.push_back({"SHARP, " + row.id.substr(6) + ": each host link carries " + row.expected,
                      row.got, row.pass});
  }
  return trials;
}

constexpr ClaimEvaluator kCollectiveClaims[] = {
    {"S2", beyond_one_node, "run quickstart-ring-ndr"},
    {"S5", cpu_bypassed, "expect --node hgx-h100 --nodes 4"},
    {"S9", aggregation, "validate sharp --quick"},
    {"S25", one_node_needs_no_fabric, "expect --node hgx-h100 --nodes 1"},
    {"S1", nvlink, "expect --node hgx-b200 --nodes 1"},
    {"S17", healthy_busbw, "expect --node hgx-h100 --nics 8x400 --nodes 4"},
    {"S18", rail_rate, "run two-hosts-roce"},
    {"S50", scaling, "expect --node hgx-h100 --nodes 128"},
};

}  // namespace

std::span<const ClaimEvaluator> collective_claims() { return kCollectiveClaims; }

}  // namespace spineleaf
