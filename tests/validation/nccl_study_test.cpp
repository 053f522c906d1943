// The end-point model and its calibration on the shipped measurements: what is claimed in the
// documents holds, and what a fit must refuse is refused.

#include <gtest/gtest.h>

#include <cmath>

#include "scenarios/input/read.hpp"
#include "scenarios/output/curve.hpp"
#include "scenarios/run.hpp"
#include "validation/compare.hpp"
#include "validation/nccl/expect.hpp"
#include "validation/nccl/study.hpp"

namespace spineleaf {
namespace {

const std::string kSets = SPINELEAF_SOURCE_DIR "/validation/data/nccl";

const Study& study() {
  static const Study result = run_study(kSets, {});
  return result;
}

const StudySet& set_named(const Study& in, const std::string& id) {
  for (const StudySet& set : in.sets) {
    if (set.set.sweep.id == id) return set;
  }
  throw std::runtime_error("no set " + id);
}

ErrorBands model_bands(const Study& in, const std::string& id) {
  return in.bands(Predictor::Model, [&](const StudySet& set) { return set.set.sweep.id == id; });
}

TEST(NcclStudy, PredictsWhatItWasNotFittedOn) {
  for (const InputProblem& problem : study().problems) ADD_FAILURE() << to_string(problem);
  EXPECT_EQ(study().sets.size(), 36u);
  const ErrorBands bands = study().bands_of(Predictor::Model, study().to_predict());
  EXPECT_EQ(bands[0].n, 216u);
  EXPECT_LE(bands[0].median_abs, 6);
  EXPECT_LE(bands[1].median_abs, 6) << "below 1 MiB";
  EXPECT_LE(bands[1].p90_abs, 40);
  EXPECT_LE(bands[2].median_abs, 10) << "1 to 64 MiB";
  EXPECT_LE(bands[2].p90_abs, 40);
  EXPECT_LE(bands[3].median_abs, 4) << "from 64 MiB on";
  EXPECT_LE(bands[3].p90_abs, 13);
}

TEST(NcclStudy, TheShippedFitIsThatOfTheShippedSets) {
  const CalibrationResult shipped = shipped_calibration();
  for (const InputProblem& problem : shipped.problems) ADD_FAILURE() << to_string(problem);
  const Calibration& fresh = study().calibration;
  EXPECT_EQ(shipped.calibration.points, fresh.points);
  EXPECT_EQ(shipped.calibration.warnings, fresh.warnings);
  ASSERT_EQ(shipped.calibration.costs.size(), fresh.costs.size());
  for (std::size_t i = 0; i < fresh.costs.size(); ++i) {
    const FittedCost& read = shipped.calibration.costs[i];
    EXPECT_EQ(read.key, fresh.costs[i].key);
    EXPECT_NEAR(read.value, fresh.costs[i].value, 0.002 * fresh.costs[i].value)
        << to_text(read.key) << ": write the file anew with spineleaf calibrate --starts 1 -o";
    EXPECT_EQ(read.identified, fresh.costs[i].identified) << to_text(read.key);
    EXPECT_EQ(read.at_bound, fresh.costs[i].at_bound) << to_text(read.key);
  }
}

TEST(NcclStudy, AFitThatIsNoneIsSaid) {
  const auto first = [](const std::string& text) {
    const CalibrationResult read = read_calibration("costs.json", text);
    return read.problems.empty() ? "" : to_string(read.problems.front());
  };
  const std::string cost = R"("owner": "ib", "cost": "net_ll", "low_90": 1, "high_90": 9)";
  EXPECT_NE(first("[]").find("costs.json:1:1: has no list of costs"), std::string::npos);
  EXPECT_NE(first(R"({"points": 1, "costs": [3]})").find("is no cost"), std::string::npos);
  EXPECT_NE(first(R"({"points": 1, "costs": [{"owner": "ib", "cost": "x"}]})").find("one of"),
            std::string::npos);
  EXPECT_NE(first(R"({"points": 1, "costs": [{)" + cost + "}]}").find("value is missing"),
            std::string::npos);
  EXPECT_NE(first(R"({"points": 1, "costs": [{)" + cost + R"(, "value": 1e9}]})").find("physical"),
            std::string::npos);
}

TEST(NcclStudy, BeatsTheBaselinesOnMediansInEveryBand) {
  const ErrorBands model = study().bands_of(Predictor::Model, study().to_predict());
  for (const Predictor other :
       {Predictor::LineRate, Predictor::AlphaBeta, Predictor::NcclCostModel}) {
    const ErrorBands bands = study().bands_of(other, study().to_predict());
    for (std::size_t i = 0; i < bands.size(); ++i) {
      EXPECT_LT(model[i].median_abs, bands[i].median_abs)
          << kBandNames[i] << " against " << kPredictorNames[static_cast<std::size_t>(other)];
    }
  }
}

TEST(NcclStudy, LargeSizesOfEverySetButOne) {
  int above = 0;
  for (std::size_t i = 0; i < study().sets.size(); ++i) {
    if (!study().to_predict()[i]) continue;
    std::vector<bool> only(study().sets.size(), false);
    only[i] = true;
    if (study().bands_of(Predictor::Model, only)[3].median_abs > 10) ++above;
  }
  EXPECT_LE(above, 1);
}

double predicted(const std::string& flags, std::int64_t bytes) {
  const NcclCatalogResult catalog = shipped_nccl_catalog();
  MeasuredSweep sweep = set_named(study(), "h100-8n-ibndr-b-cta24").set.sweep;
  sweep.flags = flags;
  std::string problem;
  const auto platform = platform_of(catalog.catalog, sweep, {}, problem);
  return platform_time(*platform, study().calibration.costs_of(*platform, nullptr), bytes).time_us;
}

// Nothing is fitted on either: 24 CTAs win where Ring runs and lose where NVLSTree does, because a
// loop grows by half.
TEST(NcclStudy, MoreChannelsWinOnlyWhereRingsRun) {
  const std::string more = "NCCL_MIN_CTAS=24";
  for (std::int64_t bytes = 16 * kMebibyte; bytes <= 256 * kMebibyte; bytes *= 2) {
    EXPECT_GT(predicted(more, bytes), predicted("", bytes)) << bytes;
  }
  for (const auto& [flags, measured] : {std::pair{std::string(), 52733.0}, {more, 43211.0}}) {
    EXPECT_NEAR(predicted(flags, 8192 * kMebibyte) / measured, 1, 0.05) << flags;
  }
}

TEST(NcclStudy, TheVersionsThatNobodyTold) {
  const StudySet& eight = set_named(study(), "h100-8n-ibndr-b-cta24");
  EXPECT_EQ(eight.platform.tuning->tuning.versions, "2.19-2.27");
  ASSERT_FALSE(eight.remarks.empty());
  EXPECT_NE(eight.remarks.front().find("version of NCCL is not told"), std::string::npos);
}

TEST(NcclStudy, OneMultinodeSetIsAColumnOfItsOwn) {
  StudyOptions options;
  options.multinode = true;
  const Study more = run_study(kSets, options);
  EXPECT_TRUE(set_named(more, "h100-8n-ibndr-b").fitted);
  EXPECT_FALSE(set_named(study(), "h100-8n-ibndr-b").fitted);
  EXPECT_LE(model_bands(more, "h100-8n-ibndr-b-cta24")[3].median_abs, 5);
}

CalibrationSet synthetic(const EndpointCosts& truth) {
  MeasuredSweep sweep;
  sweep.collective = "all_reduce";
  sweep.gpu = "H100";
  sweep.nodes = 2;
  sweep.gpus_per_node = 8;
  sweep.nics_per_node = 8;
  sweep.nic_gbps = 400;
  sweep.fabric = "IB NDR";
  sweep.nccl_version = "2.26.2";
  sweep.flags = "NCCL_ALGO=Ring NCCL_PROTO=Simple";
  static const NcclCatalogResult catalog = shipped_nccl_catalog();
  std::string problem;
  CalibrationSet set{"made", *platform_of(catalog.catalog, sweep, {}, problem), {}};
  for (std::int64_t bytes = 1024; bytes <= 4096 * kMebibyte; bytes *= 2) {
    set.points.push_back({bytes, platform_time(set.platform, truth, bytes).time_us, 0, 0, false});
  }
  return set;
}

const FittedCost& fitted(const Calibration& calibration, Cost cost) {
  for (const FittedCost& found : calibration.costs) {
    if (found.key.second == cost) return found;
  }
  throw std::runtime_error("not fitted");
}

TEST(NcclCalibration, FindsCostsThatMadeTheData) {
  EndpointCosts truth = prior_costs();
  truth[Cost::ChannelRate] = 17;
  const Calibration found = calibrate({synthetic(truth)}, {3, 1});
  EXPECT_NEAR(fitted(found, Cost::ChannelRate).value, 17, 0.4);
  EXPECT_TRUE(fitted(found, Cost::ChannelRate).identified);
  EXPECT_LT(fitted(found, Cost::ChannelRate).low, 17);
  EXPECT_GT(fitted(found, Cost::ChannelRate).high, 17);
  EXPECT_FALSE(fitted(found, Cost::NvlsRate).identified) << "no size ran NVLS";
  EXPECT_LT(found.start_spread, 0.01) << "several starts agree";
}

// Verbs say what a NIC gives; a collective at half of it has another cause, and no fit may hide it.
TEST(NcclCalibration, AGoodputBeyondTheBoundsIsRefused) {
  EndpointCosts truth = prior_costs();
  truth[Cost::NicGoodput] = 0.5;  // a path at half rate
  truth[Cost::ChannelRate] = 60;
  const Calibration found = calibrate({synthetic(truth)}, {1, 1});
  EXPECT_GE(fitted(found, Cost::NicGoodput).value, 0.93);
  bool warned = false;
  for (const std::string& warning : found.warnings) {
    warned = warned || warning.find("hopper.channel_rate ends far") != std::string::npos;
  }
  EXPECT_TRUE(warned);
}

TEST(NcclExpect, AnswersWithoutARun) {
  ExpectQuery query;
  query.nodes = 4;
  query.nics = "8x400";
  const Expectation answer = expect(query);
  ASSERT_EQ(answer.problem, "");
  const ExpectRow& last = answer.rows.back();
  EXPECT_GT(last.busbw, 280);
  EXPECT_LT(last.busbw, 400) << "a ring can't pass the wire";
  EXPECT_LT(last.low, last.busbw);
  EXPECT_GE(last.algorithms.size(), 3u);
  query.node = "abacus";
  EXPECT_NE(expect(query).problem.find("\"abacus\" is none of"), std::string::npos);
  query.node = "hgx-h100";
  query.nics = "many";
  EXPECT_NE(expect(query).problem.find("8x400"), std::string::npos);
}

/// The costs of the quick start's server in the model's terms; the rest of a network step is the
/// fabric's: 1.5 us through one leaf.
EndpointCosts costs_of_preset(const HostParams& host) {
  EndpointCosts costs = prior_costs();
  const auto us = [](Time time) { return static_cast<double>(time.ps) / 1e6; };
  const auto gbytes = [](Rate rate) { return static_cast<double>(rate.bits_per_second) / 8e9; };
  costs[Cost::Launch] = us(host.launch);
  costs[Cost::Hop] = 1;
  costs[Cost::HopSimple] = us(host.step_overhead) + us(host.intra_hop);
  costs[Cost::ChannelRate] = gbytes(host.channel_rate);
  costs[Cost::NvlinkShare] = gbytes(host.nvlink_rate) * host.nvlink_efficiency / 370.8;
  costs[Cost::NetSimple] =
      2 * us(host.intra_hop) + us(host.proxy_send) + us(host.proxy_receive) + 1.5;
  costs[Cost::NicMessage] = 0;
  costs[Cost::ProxyStep] = us(host.proxy_send);
  return costs;
}

TEST(NcclModel, TheRingIsThePacketEnginesOnAnIdleFabric) {
  CalibrationSet set = synthetic(prior_costs());
  set.platform.system.setup.system.channels = 24;
  for (const std::int64_t mib : {64, 256}) {
    ReadOptions options;
    options.overrides.push_back({"workload.bytes", std::to_string(mib) + "MiB"});
    const ValidateResult read = read_scenario_file(
        SPINELEAF_SOURCE_DIR "/scenarios/library/quickstart-ring-ndr.json", options);
    ASSERT_TRUE(read.spec.has_value());
    const Result result = run_world(*read.spec, {});
    const double packets =
        time_at(simulated_curves({"ring"}, {{&result}}).curves.at(0), mib * kMebibyte);
    const double model =
        platform_time(set.platform, costs_of_preset(read.spec->models.host), mib * kMebibyte)
            .time_us;
    EXPECT_NEAR(model / packets, 1, 0.01) << mib << " MiB";
  }
}

TEST(NcclSets, AnIndexIsReadOrRefusedWithItsPlace) {
  const NcclIndexResult read = read_nccl_index(
      "[{\"id\": \"a\", \"file\": \"sweeps/a.csv\", \"split\": \"holdout\"},\n"
      " {\"id\": \"b\", \"file\": \"../b.csv\"}, 7]",
      "sets.json");
  ASSERT_EQ(read.problems.size(), 3u);
  EXPECT_EQ(read.problems[0].severity, Severity::Warning);
  EXPECT_EQ(to_string(read.problems[1]),
            "sets.json:2:2: names no file of its folder; expected \"sweeps/NAME.csv\".");
  ASSERT_EQ(read.entries.size(), 1u);
  EXPECT_EQ(read.entries[0].set.split, SetSplit::Validate);
}

}  // namespace
}  // namespace spineleaf
