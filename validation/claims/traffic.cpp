// Claims about loss, marking, load and stragglers.

#include <algorithm>
#include <cmath>

#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"
#include "validation/claims/evaluators.hpp"
#include "validation/roce/case.hpp"

namespace spineleaf {
namespace {

std::string percent_text(double share) { return fixed_text(share * 100, 1) + " %"; }

/// Completion time of a percent of the flows, in microseconds; infinite where one does not end.
double completion_us(const Result& result, int percent) {
  std::vector<double> times;
  for (const FlowRecord& flow : result.flows) {
    const bool ended = flow.received.ps >= 0;
    times.push_back(ended ? (flow.received - flow.start).seconds() * 1e6 : INFINITY);
  }
  std::sort(times.begin(), times.end());
  return percentile(std::span<const double>(times), percent);
}

ClaimTrials what_roce_uses() {
  ClaimTrials trials;
  const auto run = [&](const char* what, std::vector<Override> sets, bool needed_if_drops) {
    const Result result = run_case(roce_case("quickstart-incast-roce", sets), 1);
    const bool lost = result.totals.drops_total > 0;
    trials.push_back({what,
                      count_text(result.totals.drops_total) + " drops, " +
                          count_text(result.totals.pauses) + " pauses, " +
                          count_text(result.totals.marks) + " marks, last flow ends after " +
                          fixed_text(completion_us(result, 100), 0) + " us",
                      lost == needed_if_drops});
  };
  run("PFC and DCQCN: nothing is lost in a 32:1 incast", {}, false);
  run("DCQCN without PFC loses: it takes both", {{"fabric.flow_control", "none"}}, true);
  run("PFC without DCQCN loses: it takes both", {{"transport.congestion_control", "none"}}, true);
  return trials;
}

ClaimTrials stragglers() {
  ClaimTrials trials;
  for (const char* fabric : {"ndr", "roce"}) {
    const auto p99 = [&](const char* rule) {
      return completion_us(run_case(roce_case(std::string("quickstart-permutation-") + fabric,
                                              {{"switch.forwarding", rule}}),
                                    1),
                           99);
    };
    const double hashed = p99("ecmp"), adaptive = p99("adaptive");
    trials.push_back(
        {std::string("permutation of 128 hosts, ") + fabric +
             ": adaptive routing brings the slowest hundredth down by a tenth or more",
         fixed_text(hashed, 0) + " us hashed, " + fixed_text(adaptive, 0) + " us adaptive",
         adaptive <= 0.9 * hashed});
  }
  const auto ring = [](const char* rule) {
    const Result result =
        run_case(roce_case("quickstart-ring-ndr", {{"switch.forwarding", rule}}), 1);
    const CollectiveRecord& record = result.collectives.front();
    return (record.end - record.start).seconds() * 1e6;
  };
  const double hashed = ring("ecmp"), adaptive = ring("adaptive");
  trials.push_back(
      {"Ring on rails, where nothing collides: it makes a tenth or more",
       fixed_text(hashed, 1) + " us hashed, " + fixed_text(adaptive, 1) + " us adaptive",
       adaptive <= 0.9 * hashed});
  return trials;
}

/// Payload delivered with bit errors over that without.
double lossy_share(const char* recovery, const char* errors) {
  const auto delivered = [&](const char* rate) {
    return static_cast<double>(
        run_case(roce_case("lossy-link-goodput",
                           {{"transport.recovery", recovery}, {"fabric.bit_error_rate", rate}}),
                 1)
            .totals.payload_delivered.count);
  };
  return delivered(errors) / delivered("0");
}

/// Packets of a kilobyte over two links: a bit error rate of 5.8e-9 loses one in ten thousand.
ClaimTrials loss_is_catastrophic() {
  ClaimTrials trials;
  const auto run = [&](const char* recovery, const char* loss, const char* errors) {
    const double share = lossy_share(recovery, errors);
    trials.push_back(
        {std::string("a loss of ") + loss + " halves the goodput under " + plain_words(recovery),
         percent_text(share) + " is left", share <= 0.5});
  };
  run("selective_repeat", "1e-4", "5.8e-9");
  run("go_back_n", "1e-4", "5.8e-9");
  run("go_back_n", "1e-3", "5.8e-8");
  run("go_back_0", "1e-4", "5.8e-9");
  run("go_back_0", "1e-2", "6e-7");
  return trials;
}

ClaimTrials small_loss_hurts() {
  ClaimTrials trials;
  for (const auto& [loss, errors] : {std::pair{"1e-5", "5.8e-10"}, std::pair{"1e-4", "5.8e-9"}}) {
    const double share = lossy_share("go_back_n", errors);
    trials.push_back({std::string("a loss of ") + loss + " costs a hundredth or more, go-back-N",
                      percent_text(share) + " is left", share <= 0.99});
  }
  const Result burst = run_case(roce_case("quickstart-incast-roce"), 1);
  Bytes most{};
  for (const PortClassRow& row : burst.port_classes) most = std::max(most, row.max_queue);
  const double alone = 1.05e6 * 8 / 400e3;  // us: 1 MiB at 400 Gb/s
  trials.push_back({"a burst of 32 x 1 MiB into one port: a message takes ten times its time alone",
                    "queue of " + bytes_text(most) + ", slowest message " +
                        fixed_text(completion_us(burst, 100) / alone, 0) + " times",
                    completion_us(burst, 100) >= 10 * alone});
  return trials;
}

ClaimTrials infiniband_loses() {
  ClaimTrials trials;
  for (const char* errors : {"0", "1e-8"}) {
    const Result result =
        run_case(roce_case("quickstart-permutation-ndr", {{"fabric.bit_error_rate", errors}}), 1);
    trials.push_back({std::string("InfiniBand, bit error rate ") + errors + ": no packet is lost",
                      count_text(result.totals.drops_total) + " lost, " +
                          count_text(result.totals.retransmissions) + " sent again",
                      result.totals.drops_total == 0});
  }
  return trials;
}

ClaimTrials loss_row_of_the_table() {
  ClaimTrials trials = infiniband_loses();
  for (const char* errors : {"0", "1e-8"}) {
    const Result result =
        run_case(roce_case("quickstart-permutation-roce", {{"fabric.bit_error_rate", errors}}), 1);
    trials.push_back({std::string("RoCE with PFC, bit error rate ") + errors + ": packets are lost",
                      count_text(result.totals.drops_total) + " lost",
                      result.totals.drops_total > 0});
  }
  return trials;
}

ClaimTrials marking() {
  const auto run = [](const char* enabled) {
    return run_case(roce_case("incast-dcqcn-paper", {{"ecn.enabled", enabled}}), 1);
  };
  const auto queue = [](const Result& result) {
    return mean_after(result, "largest_queue", Time::from_ms(1));
  };
  const Result with = run("true"), without = run("false");
  return {
      {"16:1 incast, DCQCN: marks, no drop, and a fifth at most of the queue without marking",
       count_text(with.totals.marks) + " marks, " + count_text(with.totals.drops_total) +
           " drops, mean queue " + fixed_text(queue(with) / 1e6, 2) + " MB; without marking " +
           fixed_text(queue(without) / 1e6, 2) + " MB",
       with.totals.marks > 0 && with.totals.drops_total == 0 && queue(with) <= queue(without) / 5}};
}

ClaimTrials under_load() {
  std::vector<double> slow;
  std::string found;
  for (const char* load : {"0.3", "0.6", "0.9"}) {
    const Result result = run_case(roce_case("poisson-load", {{"workload.load", load},
                                                              {"workload.duration", "300us"},
                                                              {"run.warmup", "60us"},
                                                              {"run.sample_every", "0us"}}),
                                   1);
    slow.push_back(completion_us(result, 99));
    found += (found.empty() ? "" : ", ") + fixed_text(slow.back(), 1) + " us at " + load;
  }
  return {
      {"Poisson arrivals of 64 KiB, RoCE: the slowest hundredth grows faster from 0.6 to 0.9 of "
       "the links' rate than from 0.3 to 0.6",
       found, slow[2] - slow[1] > slow[1] - slow[0]}};
}

ClaimTrials sustained() {
  const auto ring = [](const char* workload) {
    ReadOptions options;
    const std::string collective =
        R"({"kind": "collective", "collective": "all_reduce", "algorithm": "ring", )"
        R"("protocol": "simple", "bytes": "16MiB", "channels": 8})";
    ValidateResult read = read_scenario(
        R"({"preset": "roce-400g", "topology": {"kind": "fat_tree", "tiers": 2, "hosts": 32, )"
        R"("radix": 16}, "host": {"gpus": 1}, "workload": [)" +
            collective + workload + "]}",
        "claims", options);
    if (!read.spec) throw std::runtime_error(to_string(read.problems.front()));
    const CollectiveRecord record = run_world(*read.spec, {}).collectives.front();
    return (record.end - record.start).seconds() * 1e6;
  };
  const double idle = ring("");
  const double loaded = ring(R"(, {"kind": "permutation", "pattern": "random", "bytes": "64MiB"})");
  return {
      {"ring all_reduce of 16 MiB beside a permutation of 64 MiB loses a tenth or more of what "
       "it has on an idle fabric",
       fixed_text(idle, 0) + " us idle, " + fixed_text(loaded, 0) + " us under load",
       loaded >= 1.1 * idle}};
}

ClaimTrials oversubscription() {
  const auto run = [](const char* ratio) {
    return completion_us(
        run_case(roce_case("quickstart-permutation-ndr", {{"topology.oversubscription", ratio},
                                                          {"switch.forwarding", "adaptive"}}),
                 1),
        100);
  };
  const double even = run("1"), two = run("2");
  return {{"permutation of 128 hosts, adaptive routing: more oversubscription does not slow it",
           fixed_text(even, 0) + " us at 1:1, " + fixed_text(two, 0) + " us at 2:1",
           two <= 1.05 * even}};
}

constexpr ClaimEvaluator kTrafficClaims[] = {
    {"S8", what_roce_uses, "run quickstart-incast-roce --set transport.congestion_control=none"},
    {"S28", stragglers, "run quickstart-permutation-ndr --set switch.forwarding=adaptive"},
    {"S32", sustained, ""},
    {"S35", infiniband_loses, "run quickstart-permutation-ndr --set fabric.bit_error_rate=1e-8"},
    {"S38", loss_is_catastrophic, "validate roce --only loss --quick"},
    {"S40", marking, "run incast-dcqcn-paper"},
    {"S46", small_loss_hurts, "run lossy-link-goodput"},
    {"S51", under_load, "run poisson-load --set workload.load=0.9"},
    {"S53", loss_row_of_the_table, ""},
    {"S61", oversubscription, "run quickstart-permutation-ndr --set topology.oversubscription=2"},
};

}  // namespace

std::span<const ClaimEvaluator> traffic_claims() { return kTrafficClaims; }

}  // namespace spineleaf
