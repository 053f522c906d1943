// What is drawn: marks at a held queue against the binomial distribution, and flows hashed to links
// against balls in bins.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "scenarios/output/text.hpp"
#include "validation/oracles/load_forms.hpp"
#include "validation/roce/case.hpp"
#include "validation/roce/row.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kHeldFrame = 4096 + 62 + 16 + 4;  ///< RETH and immediate, in a buffer
constexpr double k99Percent = 2.576;                     ///< two-sided, standard deviations

double marking_probability(std::int64_t queue, const EcnParams& ecn) {
  if (queue <= ecn.kmin.count) return 0;
  if (queue > ecn.kmax.count) return 1;
  return ecn.pmax * static_cast<double>(queue - ecn.kmin.count) /
         static_cast<double>(ecn.kmax.count - ecn.kmin.count);
}

/// Packets of as many senders queue up behind a paused port, which is then released.
ValidationRow held_row(int packets, const char* point, int seeds) {
  const ValidSpec spec =
      roce_case("ecn-held-queue", {{"topology.hosts", std::to_string(packets + 1)},
                                   {"topology.radix", std::to_string(packets + 1)},
                                   {"ecn.point", point}});
  // The k-th packet to leave, or to join, has all but k of them, or k, in the queue beside it.
  double mean = 0, variance = 0;
  for (std::int64_t k = 0; k < packets; ++k) {
    const double p = marking_probability(k * kHeldFrame, spec.models.ecn);
    mean += p * seeds;
    variance += p * (1 - p) * seeds;
  }
  std::int64_t marks = 0;
  bool held = true;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Result result = run_case(spec, static_cast<std::uint64_t>(seed));
    marks += result.totals.marks;
    std::int64_t deepest = 0;
    for (const PortClassRow& row : result.port_classes) {
      deepest = std::max(deepest, row.max_queue.count);
    }
    held = held && deepest == packets * kHeldFrame;
  }
  const double margin = k99Percent * std::sqrt(variance);
  ValidationRow row;
  row.id = "ecn." + std::string(point) + "." + count_text(packets * kHeldFrame / 1000) + "KB";
  row.expected = fixed_text(mean, 1) + " marks of " + count_text(packets * seeds);
  row.got = count_text(marks) + (held ? " marks" : " marks, the queue was not held");
  row.tolerance = fixed_text(margin, 1) + " (99 %)";
  row.pass = held && std::abs(static_cast<double>(marks) - mean) <= margin;
  row.source = "binomial interval; kmin, kmax and pmax of the queue that a packet leaves or joins";
  return row;
}

struct BinsCase {
  int flows;  ///< of a leaf: hosts x per_nic
  int links;  ///< uplinks of a leaf
  int per_nic;
};

/// The fullest uplink of each of the leaves, all seeds.
ValidationRow bins_row(const BinsCase& wanted, int seeds) {
  constexpr int kLeaves = 8;
  const int hosts = wanted.flows / wanted.per_nic;
  const ValidSpec spec = roce_case(
      "ecmp-bins",
      {{"topology.hosts", std::to_string(hosts * kLeaves)},
       {"topology.radix", std::to_string(hosts + wanted.links)},
       {"topology.oversubscription", fixed_text(static_cast<double>(hosts) / wanted.links, 3)},
       {"workload.flows_per_nic", std::to_string(wanted.per_nic)}});
  double sum = 0;
  int trials = 0;
  std::int64_t packets = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Result result = run_case(spec, static_cast<std::uint64_t>(seed));
    std::map<std::pair<std::string, int>, std::int64_t> loads;  // of data: ACKs are in class 1
    for (const PortClassRow& row : result.port_classes) {
      if (row.traffic_class == 0) loads[{row.node, row.port}] = row.packets;
    }
    std::map<std::string, std::int64_t> fullest;
    for (const LinkRow& link : result.links) {
      if (link.from.rfind("leaf", 0) != 0 || link.to.rfind("spine", 0) != 0) continue;
      const std::int64_t load = loads[{link.from, link.from_port}];
      packets += load;
      fullest[link.from] = std::max(fullest[link.from], load);
    }
    for (const auto& [leaf, load] : fullest) sum += static_cast<double>(load);
    trials += static_cast<int>(fullest.size());
  }
  const LargestLoad exact = largest_load(wanted.flows, wanted.links);
  const double margin = 4 * exact.deviation / std::sqrt(trials);
  ValidationRow row;
  row.id = "ecmp." + std::to_string(wanted.flows) + "-on-" + std::to_string(wanted.links);
  row.expected = fixed_text(exact.mean, 4) + " flows on the fullest link";
  row.got = fixed_text(sum / trials, 4) + " over " + std::to_string(trials) + " leaves";
  row.tolerance = fixed_text(margin, 4) + " (4 sd)";
  row.pass = packets == std::int64_t{wanted.flows} * trials &&
             std::abs(sum / trials - exact.mean) <= margin;
  row.source = "balls in bins, exact by convolution";
  return row;
}

}  // namespace

std::vector<ValidationRow> ecn_rows(const RoceOptions& options) {
  std::vector<ValidationRow> rows;
  for (const char* point : {"dequeue", "enqueue"}) {
    for (const int packets : {95, 200, 300, 380, 450}) {
      rows.push_back(held_row(packets, point, options.quick ? 2 : 10));
    }
  }
  return rows;
}

std::vector<ValidationRow> ecmp_rows(const RoceOptions& options) {
  std::vector<ValidationRow> rows;
  for (const BinsCase& wanted : std::array<BinsCase, 7>{{{4, 4, 1},
                                                         {8, 8, 1},
                                                         {16, 16, 1},
                                                         {32, 8, 1},
                                                         {64, 16, 1},
                                                         {64, 64, 1},
                                                         {128, 8, 16}}}) {
    rows.push_back(bins_row(wanted, options.quick ? 20 : 200));
  }
  return rows;
}

}  // namespace spineleaf
