// What is recorded over time, and what is written from it: report, trace, counters.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "scenarios/input/read.hpp"
#include "scenarios/output/prometheus.hpp"
#include "scenarios/output/report_html.hpp"
#include "scenarios/output/summary_json.hpp"
#include "scenarios/output/trace_json.hpp"
#include "scenarios/run.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::json;

struct Recorded {
  ValidSpec spec;
  Result result;
};

ValidSpec spec_of(const std::string& text) {
  ValidateResult read = read_scenario(text, "s.json", {});
  EXPECT_TRUE(read.spec) << (read.problems.empty() ? "" : to_string(read.problems.front()));
  return std::move(*read.spec);
}

Result run(const ValidSpec& spec, bool record, unsigned threads = 1) {
  RunOptions options;
  options.record = record;
  options.threads = threads;
  return run_world(spec, options);
}

Recorded recorded(const std::string& text) {
  ValidSpec spec = spec_of(text);
  Result result = run(spec, true);
  return {std::move(spec), std::move(result)};
}

constexpr const char* kIncast = R"({"preset": "roce-400g",
  "topology": {"kind": "single_switch", "hosts": 9}, "pfc": {"alpha": 0.002},
  "workload": {"kind": "incast", "senders": 8, "bytes": "1MiB"}, "run": {"sample_every": "2us"}})";
constexpr const char* kRing = R"({"preset": "ib-ndr",
  "topology": {"kind": "rail_optimised", "hosts": 2, "rails": 8},
  "workload": {"kind": "collective", "collective": "all_reduce", "algorithm": "ring",
               "protocol": "simple", "bytes": "4MiB", "channels": 8}})";

TEST(Recorded, ChangesNothing) {
  for (const char* text : {kIncast, kRing}) {
    const ValidSpec spec = spec_of(text);
    const Result with = run(spec, true);
    const Result without = run(spec, false);
    EXPECT_EQ(with.fingerprint, without.fingerprint);
    EXPECT_EQ(with.simulated, without.simulated);
    EXPECT_TRUE(without.history.empty());
    EXPECT_FALSE(with.history.empty());
  }
}

TEST(Recorded, QueuesAndPausesAgreeWithTheCountersOfTheWholeRun) {
  const Recorded run = recorded(kIncast);
  const History& history = run.result.history;
  ASSERT_GT(run.result.totals.pauses, 0);
  ASSERT_FALSE(history.ports.empty());
  EXPECT_EQ(history.ports_of_all, 18U);
  for (const PortHistory& port : history.ports) {
    const std::size_t colon = port.name.find(':');
    double largest = 0;
    double held_us = 0;
    for (const PortClassRow& row : run.result.port_classes) {
      if (row.node != port.name.substr(0, colon) ||
          row.port != std::stoi(port.name.substr(colon + 1))) {
        continue;
      }
      largest = std::max(largest, static_cast<double>(row.max_queue.count));
      held_us += static_cast<double>((row.paused + row.credit_stalled).ps) / 1e6;
    }
    double held = 0;
    for (const float share : port.held) {
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
      held += share * static_cast<double>(history.bin.ps) / 1e6;
    }
    // The last sample comes before the run's end.
    EXPECT_LE(held, held_us + 0.01) << port.name;
    EXPECT_GE(held, held_us - 2 * static_cast<double>(history.bin.ps) / 1e6) << port.name;
    EXPECT_LE(*std::max_element(port.queue_bytes.begin(), port.queue_bytes.end()), largest);
  }
  ASSERT_EQ(history.rates.size(), 8U);
  const auto lowest = [](const RateHistory& rate) {
    return *std::min_element(rate.gbps.begin(), rate.gbps.end());
  };
  EXPECT_TRUE(std::any_of(history.rates.begin(), history.rates.end(),
                          [&](const RateHistory& rate) { return lowest(rate) < 390; }));
}

TEST(Recorded, BinsDoubleInsteadOfGrowing) {
  std::string text = kIncast;
  text.replace(text.find("\"2us\""), 5, "\"100ns\"");
  const Recorded run = recorded(text);
  const std::size_t bins = run.result.history.ports.at(0).queue_bytes.size();
  EXPECT_LE(bins, 160U);
  EXPECT_GT(bins, 60U);
  const double covered = static_cast<double>(run.result.history.bin.ps) * static_cast<double>(bins);
  EXPECT_GE(covered * 1.02, static_cast<double>(run.result.simulated.ps));
}

TEST(Recorded, NoFlowIsFasterThanItsBound) {
  const Recorded run = recorded(kIncast);
  ASSERT_EQ(run.result.history.flow_bounds.size(), run.result.flows.size());
  for (std::size_t i = 0; i < run.result.flows.size(); ++i) {
    const FlowRecord& flow = run.result.flows[i];
    const Time bound = run.result.history.flow_bounds[i];
    // 1 MiB at 400 Gb/s takes 20.97 us, the two links some 100 ns each more.
    EXPECT_GT(bound, Time::from_us(21));
    EXPECT_LT(bound, Time::from_us(23));
    EXPECT_GE(flow.received - flow.start, bound);
  }
}

// Two NICs on different leaves, and a cable without a switch.
TEST(Recorded, ABoundIsTheLatencyOfTheFlowsOwnPathAndItsBytes) {
  const auto bound = [](const std::string& topology, const std::string& shift) {
    const Recorded run = recorded(R"({"preset": "roce-400g", "topology": )" + topology + R"(,
      "workload": {"kind": "permutation", "pattern": "shift", "shift": )" +
                                  shift + R"(, "bytes": "500KB"}})");
    EXPECT_FALSE(run.result.history.flow_bounds.empty());
    for (const Time at : run.result.history.flow_bounds) {
      EXPECT_EQ(at, run.result.history.flow_bounds.front());
    }
    return run.result.history.flow_bounds.front();
  };
  const Time bytes = Time::from_us(10);
  const Time fec = Time::from_ns(100);   // of each link, and
  const Time core = Time::from_ns(800);  // of each switch: the preset's
  const Time direct = bound(R"({"kind": "direct", "latency": "700ns"})", "1");
  EXPECT_EQ(direct, bytes + Time::from_ns(700) + fec);
  const Time tree = bound(R"({"kind": "fat_tree", "tiers": 2, "hosts": 4, "radix": 4,
      "host_latency": "100ns", "spine_latency": "300ns"})",
                          "2");
  EXPECT_EQ(tree, bytes + Time::from_ns(800) + 4 * fec + 3 * core);
}

TEST(Recorded, BoundsOfARing) {
  const Recorded two = recorded(kRing);
  ASSERT_EQ(two.result.ring_bounds.size(), 1U);
  EXPECT_DOUBLE_EQ(two.result.ring_bounds[0].nics, 400);  // 8 x 400 Gb/s
  EXPECT_DOUBLE_EQ(two.result.ring_bounds[0].nvlink, 450.0 * 8 / 7);
  const CurveSet curves = simulated_curves({"ring"}, {{&two.result}});
  const RingBounds& bounds = curves.curves.at(0).bounds;
  EXPECT_EQ(bounds.nics, 400);
  EXPECT_LT(busbw_gbytes(curves, curves.curves[0].points.at(0)), bounds.nics);
  std::string tree = kRing;
  tree.replace(tree.find("\"ring\""), 6, "\"tree\"");
  EXPECT_TRUE(recorded(tree).result.ring_bounds.empty());
  std::string one = kRing;
  one.replace(one.find("\"hosts\": 2"), 10, "\"hosts\": 1");
  const Recorded alone = recorded(one);
  EXPECT_EQ(alone.result.ring_bounds.at(0).nics, 0) << "no NIC is used";
  EXPECT_DOUBLE_EQ(alone.result.ring_bounds.at(0).nvlink, 450);
}

TEST(Recorded, EveryRankHasItsStepsOnAnyNumberOfThreads) {
  const Recorded run = recorded(kRing);
  std::map<std::uint32_t, std::size_t> steps;
  for (const StepRecord& step : run.result.history.steps) {
    EXPECT_LE(step.start, step.end);
    EXPECT_TRUE(step.sends || step.receives);
    ++steps[step.rank];
  }
  EXPECT_EQ(steps.size(), 16U);
  EXPECT_EQ(spineleaf::run(spec_of(kRing), true, 2).history.steps.size(),
            run.result.history.steps.size());
}

TEST(Recorded, TheReportShowsIt) {
  const Recorded incast = recorded(kIncast);
  const Recorded ring = recorded(kRing);
  const auto report = [](const Recorded& run) {
    ReportInput input;
    input.runs = {&run.result};
    return report_html(input);
  };
  const std::string first = report(incast);
  for (const char* text : {"Queues over time", "Held over time", "Share of ports held by pauses",
                           "Rates that DCQCN allows"}) {
    EXPECT_NE(first.find(text), std::string::npos) << text;
  }
  EXPECT_NE(report(ring).find("Steps of collectives on each rank"), std::string::npos);
}

/// What is wrong with a trace, by the rules of its format; "" if nothing.
std::string trace_problem(const Json& trace) {
  static const std::set<std::string> kPhases{"M", "C", "X", "s", "f"};
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> slices;
  std::set<int> processes;
  std::map<std::int64_t, int> arrows;
  for (const Json& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    if (kPhases.count(phase) == 0) return "phase " + phase;
    const int pid = event.at("pid");
    if (phase == "M" && event.at("name") == "process_name") processes.insert(pid);
    if (processes.count(pid) == 0) return "a process without a name: " + event.dump();
    if (phase == "M") continue;
    if (event.at("ts").get<double>() < 0) return "before time zero: " + event.dump();
    if (phase == "C" && !event.at("args").begin()->is_number()) return "counter: " + event.dump();
    if (phase == "s") ++arrows[event.at("id")];
    if (phase == "f") --arrows[event.at("id")];
    if (phase != "X") continue;
    const double from = event.at("ts");
    const double length = event.at("dur");
    if (length < 0) return "ends before it begins: " + event.dump();
    slices[{pid, event.at("tid")}].push_back({from, from + length});
  }
  for (const auto& [id, open] : arrows) {
    if (open != 0) return "arrow " + std::to_string(id) + " has one end";
  }
  for (auto& [thread, list] : slices) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 1; i < list.size(); ++i) {
      if (list[i].first < list[i - 1].second - 1e-6) return "slices of one thread overlap";
    }
  }
  return {};
}

TEST(Trace, HasWhatItsViewersExpect) {
  for (const char* text : {kIncast, kRing}) {
    const Recorded run = recorded(text);
    const Json trace = Json::parse(trace_json(run.result, *run.spec.graph));
    EXPECT_EQ(trace_problem(trace), "");
    std::map<std::string, int> categories;
    for (const Json& event : trace["traceEvents"]) {
      if (event["ph"] == "X") ++categories[event["cat"].get<std::string>()];
      if (event["ph"] == "C") ++categories["counter"];
    }
    EXPECT_GT(categories["counter"], 10);
    if (text == kIncast) {
      EXPECT_EQ(categories["message"], 16) << "one at the sender, one at the receiver";
      EXPECT_GT(categories["held"], 0);
    } else {
      EXPECT_GT(categories["step"], 50);
      EXPECT_GT(categories["collective"], 0);
    }
  }
}

TEST(Trace, TheCheckFindsMistakes) {
  const auto problem = [](const char* events) {
    const std::string named = R"({"ph":"M","name":"process_name","pid":1,"args":{}},)";
    return trace_problem(Json::parse("{\"traceEvents\":[" + named + events + "]}"));
  };
  EXPECT_EQ(problem(R"({"ph":"X","pid":1,"tid":1,"ts":0,"dur":1})"), "");
  EXPECT_NE(problem(R"({"ph":"X","pid":2,"tid":1,"ts":0,"dur":1})"), "");
  EXPECT_NE(problem(R"({"ph":"s","pid":1,"tid":1,"ts":0,"id":4})"), "");
  EXPECT_NE(problem(R"({"ph":"X","pid":1,"tid":1,"ts":0,"dur":2},
                       {"ph":"X","pid":1,"tid":1,"ts":1,"dur":2})"),
            "");
}

TEST(Trace, IsBoundedAndSaysSo) {
  const Recorded run = recorded(kIncast);
  const Json trace = Json::parse(trace_json(run.result, *run.spec.graph, 3));
  EXPECT_EQ(trace_problem(trace), "");
  std::set<std::int64_t> arrows;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "s") arrows.insert(event["id"].get<std::int64_t>());
  }
  EXPECT_LE(arrows.size(), 3U);
  EXPECT_GE(arrows.size(), 2U);
  EXPECT_NE(trace["otherData"]["sampling"].dump().find("messages: each 3. of 8"),
            std::string::npos);
}

/// Samples of a Prometheus text by name and labels; fails on a line that breaks the format.
std::map<std::string, double> samples_of(const std::string& text) {
  std::map<std::string, double> samples;
  std::set<std::string> closed;
  std::string open;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("# HELP ", 0) == 0) {
      if (!open.empty()) closed.insert(open);
      open = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_EQ(closed.count(open), 0U) << "samples of " << open << " stand apart";
    }
    if (line.empty() || line[0] == '#') continue;
    const std::size_t brace = line.find('{');
    EXPECT_EQ(line.substr(0, brace), open) << line;
    const std::size_t end = line.rfind("} ");
    EXPECT_TRUE(samples.emplace(line.substr(0, end + 1), std::stod(line.substr(end + 2))).second)
        << "twice: " << line;
  }
  return samples;
}

TEST(Prometheus, CountersHaveTheDevicesNames) {
  const Recorded run = recorded(kIncast);
  const std::string text = prometheus_text(run.result, *run.spec.graph);
  EXPECT_EQ(text.back(), '\n');
  const std::map<std::string, double> samples = samples_of(text);
  double sent = 0;
  double paused_us = 0;
  std::int64_t row_pauses = 0;
  for (const auto& [name, value] : samples) {
    if (name.rfind("SAI_PORT_STAT_PFC_0_TX_PKTS{", 0) == 0) sent += value;
    if (name.rfind("rx_prio0_pause_duration{", 0) == 0) paused_us += value;
  }
  for (const PortClassRow& row : run.result.port_classes) {
    if (row.traffic_class == 0) row_pauses += row.pauses_sent;
  }
  EXPECT_GT(row_pauses, 0);
  EXPECT_EQ(sent, static_cast<double>(row_pauses));
  EXPECT_GT(paused_us, 0);
}

TEST(Prometheus, InfiniBandHasItsOwn) {
  const Recorded run = recorded(kRing);
  const std::string text = prometheus_text(run.result, *run.spec.graph);
  EXPECT_FALSE(samples_of(text).empty());
  EXPECT_NE(text.find("port_xmit_data{"), std::string::npos);
  EXPECT_EQ(text.find("pause"), std::string::npos);
}

}  // namespace
}  // namespace spineleaf
