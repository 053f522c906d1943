// A scenario as every face runs it: from its text to a Result.

#include "scenarios/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "scenarios/output/summary_json.hpp"
#include "scenarios/version.hpp"
#include "tests/scenarios/reading.hpp"

namespace spineleaf {
namespace {

ValidSpec spec_of(const std::string& text) {
  ValidateResult result = read(text);
  if (!result.spec) throw std::invalid_argument(joined(messages_of(result.problems)));
  return std::move(*result.spec);
}

Result run_text(const std::string& text) { return run_world(spec_of(text), {}); }

/// 16 hosts on one switch, each with about ten flows in the first 100 us; `run` and more keys
/// follow.
std::string poisson(const std::string& run) {
  return R"({"topology": {"kind": "single_switch", "hosts": 16},
             "workload": {"kind": "poisson", "bytes": "256KiB", "duration": "100us"}, "run": {)" +
         run + "}}";
}

TEST(RunScenario, ARingInPlaceOfSwitchesSaysWhatItLeavesOut) {
  const auto warning = [](const std::string& keys) {
    const Result result = run_text(R"({"preset": "ib-ndr", "sharp": {"generation": "none"},
        "topology": {"kind": "single_switch", "hosts": 2},
        "workload": {"kind": "sharp", "bytes": "64KiB")" +
                                   keys + "}}");
    EXPECT_EQ(result.warnings.size(), 1U);
    return result.warnings.front();
  };
  EXPECT_THAT(warning(""), ::testing::EndsWith("the hosts do it themselves on a ring"));
  EXPECT_THAT(warning(R"(, "in_flight": 4, "start_jitter": "1us")"),
              ::testing::EndsWith("on a ring, which takes no in_flight, start_jitter"));
}

TEST(RunScenario, TheMeasurementWindowIsPartOfTheRun) {
  const Result whole = run_text(poisson(""));
  const Result part = run_text(poisson(R"("warmup": "20us", "window": "50us")"));
  const auto inside = [](const FlowRecord& flow) {
    return flow.start >= Time::from_us(20) && flow.start < Time::from_us(70);
  };
  const auto kept = std::count_if(whole.flows.begin(), whole.flows.end(), inside);
  ASSERT_GT(kept, 10);
  ASSERT_LT(kept + 10, static_cast<std::ptrdiff_t>(whole.flows.size()));
  EXPECT_EQ(static_cast<std::ptrdiff_t>(part.flows.size()), kept);
  EXPECT_TRUE(std::all_of(part.flows.begin(), part.flows.end(), inside));
  EXPECT_EQ(part.fingerprint, whole.fingerprint) << "what is measured changes nothing";
  EXPECT_EQ(part.simulated, whole.simulated);
  const std::string left_out = std::to_string(whole.flows.size() - part.flows.size());
  ASSERT_EQ(part.warnings.size(), 1U);
  EXPECT_TRUE(part.warnings[0].starts_with(left_out + " flows")) << part.warnings[0];
  EXPECT_TRUE(whole.warnings.empty());
}

TEST(RunScenario, AWindowAsLongAsTimeItselfKeepsAll) {
  const Result all = run_text(poisson(R"("warmup": "1ps", "window": "8640000s")"));
  EXPECT_EQ(all.flows.size(), run_text(poisson("")).flows.size());
}

// Ports count in 32 bits: what would not fit is refused, in words.
TEST(RunScenario, WhatPortsCannotCountIsRefused) {
  const Result far =
      run_text(R"({"topology": {"kind": "single_switch", "hosts": 2, "cable": "900km"},
      "workload": {"kind": "incast", "bytes": "64KiB"}})");
  EXPECT_NE(far.verdict_text.find("at most 4000 us"), std::string::npos) << far.verdict_text;
  const Result large = run_text(small(R"("pfc": {"buffer": "8GiB", "cell": "1B"})"));
  EXPECT_NE(large.verdict_text.find("over 2^31 cells"), std::string::npos) << large.verdict_text;
}

TEST(RunScenario, TheResultNamesTheVersion) {
  const Result result = run_text(small(""));
  EXPECT_FALSE(program_version().empty());
  EXPECT_NE(program_version(), "unversioned");
  EXPECT_EQ(result.version, program_version());
  EXPECT_EQ(summary_object(result)["version"], program_version());
}

TEST(RunScenario, NothingCompletesAfterTheEndOfTheRun) {
  const std::string collective = R"("topology": {"kind": "single_switch", "hosts": 2},
      "workload": {"kind": "collective", "bytes": "1MiB", "iterations": 2}})";
  for (const char* preset : {"roce-400g", "ib-ndr"}) {
    SCOPED_TRACE(preset);
    const std::string head = std::string(R"({"preset": ")") + preset + R"(", )";
    const Result flows = run_text(head + small("").substr(1));
    ASSERT_EQ(flows.flows.size(), 1U);
    EXPECT_GT(flows.flows[0].acked, flows.flows[0].received);
    EXPECT_EQ(flows.simulated, flows.flows[0].acked);
    const Result ring = run_text(head + collective);
    ASSERT_EQ(ring.collectives.size(), 2U);
    EXPECT_GE(ring.simulated, ring.collectives[1].end);
    EXPECT_LT(ring.simulated, ring.collectives[1].end + Time::from_us(10));
  }
}

/// The largest sample of the series "delivered", in Gb/s.
double peak_of(const Result& result) {
  double peak = 0;
  for (const Series& series : result.series) {
    if (series.name != "delivered") continue;
    for (const SeriesPoint& point : series.points) peak = std::max(peak, point.value);
  }
  return peak;
}

TEST(RunScenario, NoSampleExceedsTheRateOfTheReceivingNic) {
  // One receiver at 400 Gb/s; long messages, of which many complete at once.
  for (const char* preset : {"roce-400g", "ib-ndr"}) {
    for (const char* forwarding : {"ecmp", "spray"}) {
      SCOPED_TRACE(std::string(preset) + ", " + forwarding);
      const Result result =
          run_text(std::string(R"({"preset": ")") + preset + R"(", "switch": {"forwarding": ")" +
                   forwarding +
                   R"("}, "topology": {"kind": "fat_tree", "hosts": 8, "radix": 4},
             "workload": {"kind": "incast", "bytes": "1MiB"}, "run": {"sample_every": "5us"}})");
      EXPECT_EQ(result.verdict, Verdict::Ok) << result.verdict_text;
      EXPECT_LE(peak_of(result), 400);
      EXPECT_GT(peak_of(result), 380);
    }
  }
}

TEST(RunScenario, TheEstimateIsOfTheOrderOfTheRun) {
  for (const char* workload :
       {R"("kind": "permutation", "bytes": "1MiB", "repeat": 2)", R"("kind": "incast")",
        R"("kind": "all_to_all", "bytes": "4KiB")",
        R"("kind": "send_recv", "messages": 5, "qps": 2)",
        R"("kind": "poisson", "load": 0.3, "duration": "200us", "sizes": "fb_hadoop")",
        R"("kind": "collective", "bytes": "8MiB", "iterations": 2)",
        R"("kind": "flows", "flows": [{"from": "host0", "to": "host9", "bytes": "3MB"}])"}) {
    SCOPED_TRACE(workload);
    const ValidSpec spec =
        spec_of(std::string(R"({"topology": {"kind": "fat_tree", "hosts": 16, "radix": 8},
                               "workload": {)") +
                workload + "}}");
    const auto hops = static_cast<double>(run_world(spec, {}).totals.packet_hops);
    EXPECT_GT(spec.estimate.packet_hops, 0.8 * hops);
    EXPECT_LE(spec.estimate.packet_hops, 2 * hops) << "neighbours stay under their leaf";
  }
}

// 10 MB from one host to another; the cable goes from 400 to 100 Gb/s at 50 us.
constexpr const char* kDegraded = R"({"topology": {"kind": "single_switch", "hosts": 2},
    "workload": {"kind": "incast", "bytes": "10MB"},
    "faults": [{"at": "50us", "link": "host1-leaf0", "action": "degrade", "rate": "100Gbps"}]})";

TEST(RunScenario, ADegradedLinkGoesOnAtItsNewRate) {
  const Result result = run_text(kDegraded);
  ASSERT_EQ(result.flows.size(), 1U);
  EXPECT_EQ(result.verdict, Verdict::Ok) << result.verdict_text;
  EXPECT_GT(result.totals.drops[static_cast<int>(DropCause::LinkDown)], 0)
      << "what was on the link is lost";
  // 50 us at 392.1 Gb/s of payload, the rest at 98.0, and a little for what was lost.
  const double first = 50e-6 * 392.1e9 / 8;
  const double expected = 50e-6 + (10e6 - first) * 8 / 98.0e9;
  EXPECT_NEAR(result.flows[0].received.seconds(), expected, 0.05 * expected);
}

TEST(RunScenario, ARateThatChangesWhileTheCableIsUpIsInvalid) {
  World world = build_world(spec_of(kDegraded), 1);
  ASSERT_EQ(world.faults.size(), 3U);
  world.faults = {world.faults[1]};
  const Result result = run_world(std::move(world), {});
  EXPECT_EQ(result.verdict, Verdict::Invalid);
  EXPECT_NE(result.verdict_text.find("changes its rate while it is up"), std::string::npos)
      << result.verdict_text;
}

TEST(RunScenario, ALinkThatStaysDownIsNamedAndIsNoDeadlock) {
  const Result result = run_text(R"({"topology": {"kind": "single_switch", "hosts": 3},
      "workload": {"kind": "incast", "bytes": "10MB"},
      "faults": [{"at": "50us", "link": "host0-leaf0", "action": "down"}], "expect": "stuck"})");
  EXPECT_EQ(result.verdict, Verdict::AsExpected) << result.verdict_text;
  EXPECT_FALSE(result.deadlock);
  ASSERT_FALSE(result.waits.empty());
  const auto down = std::find_if(result.waits.begin(), result.waits.end(),
                                 [](const WaitsFor& w) { return w.reason == "link down"; });
  ASSERT_NE(down, result.waits.end());
  EXPECT_TRUE(down->waiting.starts_with("leaf0 port 0")) << down->waiting;
  EXPECT_TRUE(down->waits_for.starts_with("host0 port 0")) << down->waits_for;
}

}  // namespace
}  // namespace spineleaf
