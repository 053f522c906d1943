// Claims about latency: of switches, of a fabric, of small collectives, and what it adds up to.

#include <array>
#include <cmath>

#include "scenarios/output/text.hpp"
#include "validation/claims/evaluators.hpp"
#include "validation/infiniband/case.hpp"
#include "validation/oracles/sharp_forms.hpp"
#include "validation/ping.hpp"
#include "validation/roce/case.hpp"
#include "validation/sharp/case.hpp"

namespace spineleaf {
namespace {

std::string us_text(double us) { return fixed_text(us, 2) + " us"; }

/// Switches between two hosts of a fabric of three tiers: 1 below one leaf, 3 in a pod, 5 across.
struct Distance {
  int switches;
  const char* to;
};
constexpr std::array kDistances = {Distance{1, "host1"}, Distance{3, "host2"},
                                   Distance{5, "host15"}};

ValidSpec three_tiers(const std::string& preset) {
  ReadOptions options;
  options.workload_required = false;
  ValidateResult read = read_scenario(R"({"preset": ")" + preset +
                                          R"(", "topology": {"kind": "fat_tree", "tiers": 3, )" +
                                          R"("hosts": 16, "radix": 4}})",
                                      "claims", options);
  if (!read.spec) throw std::runtime_error(to_string(read.problems.front()));
  return *std::move(read.spec);
}

/// A message of 8 bytes from memory to memory.
double ping_us(const ValidSpec& spec, const char* to) {
  const PingReport report = ping(spec, "host0", to, Bytes{8});
  if (!report.error.empty()) throw std::runtime_error(report.error);
  return report.simulated.seconds() * 1e6;
}

ClaimTrials fabric_latency() {
  ClaimTrials trials;
  for (const char* preset : {"ib-ndr", "roce-400g"}) {
    const ValidSpec spec = three_tiers(preset);
    for (const Distance& distance : kDistances) {
      const double us = ping_us(spec, distance.to);
      trials.push_back({std::string(preset) + ", 8 bytes over " +
                            std::to_string(distance.switches) +
                            (distance.switches == 1 ? " switch" : " switches") + ", one way",
                        us_text(us), us >= 1.5 && us <= 3.5});
    }
  }
  return trials;
}

ClaimTrials switch_latency() {
  struct Side {
    const char* preset;
    double low, high;  ///< ns, as claimed
  };
  ClaimTrials trials;
  for (const Side& side : {Side{"ib-ndr", 130, 150}, Side{"roce-400g", 400, 700}}) {
    const ValidSpec spec = three_tiers(side.preset);
    const double core = spec.models.sw.core_latency.seconds() * 1e9;
    const double each = (ping_us(spec, "host15") - ping_us(spec, "host1")) * 1e3 / 4;
    trials.push_back({std::string("preset ") + side.preset,
                      fixed_text(core, 0) + " ns in the switch; a further hop adds " +
                          fixed_text(each, 0) + " ns with cable, FEC and serialisation",
                      core >= side.low && core <= side.high});
  }
  return trials;
}

/// All-reduce of the smallest size as NCCL, hosts and switches would do it; the claim is a range.
ClaimTrials small_all_reduce(const char* preset, const char* network, double low, double high) {
  const auto trial = [&](std::string condition, double us) {
    return ClaimTrial{std::move(condition), us_text(us), us >= low && us <= high};
  };
  ClaimTrials trials;
  for (const std::int64_t nodes : {1, 2, 16}) {
    ExpectQuery query;
    query.nodes = nodes;
    query.network = network;
    const ExpectRow row = row_of_size(claims_expect(query), 1024);
    trials.push_back(
        trial("NCCL, 1 KiB on " + std::to_string(nodes) + " x 8 H100, " + row.choice, row.time_us));
  }
  const ValidSpec spec = three_tiers(preset);
  const double near = ping_us(spec, "host1");
  const double far = ping_us(spec, "host15");
  trials.push_back(trial("host memory, 2 hosts below one switch, one exchange of 8 bytes", near));
  trials.push_back(
      trial("host memory, 64 hosts, recursive doubling: 6 exchanges of 8 bytes over 5 switches",
            6 * far));
  return trials;
}

ClaimTrials infiniband_all_reduce() {
  ClaimTrials trials = small_all_reduce("ib-ndr", "IB", 0.6, 0.8);
  SharpCase wanted;
  wanted.levels = 2;
  wanted.mode = "llt";
  wanted.bytes = 8;
  const Result result = run_world(sharp_world(wanted), {});
  const double us = sharp_duration(result).seconds() * 1e6;
  trials.push_back({"SHARP in two levels of switches, 64 hosts, 8 bytes, without NICs and software",
                    us_text(us), us >= 0.6 && us <= 0.8});
  return trials;
}

ClaimTrials roce_all_reduce() { return small_all_reduce("roce-400g", "RoCE", 2, 4); }

ClaimTrials microseconds_add_up() {
  // 5 us an operation, 10^4 operations a step, 10^6 steps; all else of the step hides the rest.
  constexpr double kAllExposed = 5e-6 * 1e4 * 1e6;
  ClaimTrials trials;
  for (const double exposed : {1.0, 0.1, 0.01}) {
    const double hours = kAllExposed * exposed / 3600;
    trials.push_back({"5 us x 10^4 operations x 10^6 steps, " + fixed_text(exposed * 100, 0) +
                          " % of it exposed",
                      fixed_text(hours, 2) + " hours", hours >= 1});
  }
  return trials;
}

constexpr ClaimEvaluator kLatencyClaims[] = {
    {"S6", fabric_latency, "ping quickstart-permutation-ndr"},
    {"S11", switch_latency, "ping quickstart-permutation-ndr"},
    {"S47", infiniband_all_reduce, "expect --node hgx-h100 --nodes 2"},
    {"S48", roce_all_reduce, "expect --node hgx-h100 --nodes 2 --network RoCE"},
    {"S49", microseconds_add_up, ""},
};

}  // namespace

std::span<const ClaimEvaluator> latency_claims() { return kLatencyClaims; }

}  // namespace spineleaf
