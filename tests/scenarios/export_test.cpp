// Settings in the words of devices.

#include "scenarios/export.hpp"

#include <gmock/gmock.h>

namespace spineleaf {
namespace {

using ::testing::HasSubstr;

ModelParams models() {
  ModelParams params = default_model_params();
  params.ecn.enabled = true;
  params.ecn.kmin = Bytes{131'072};
  params.ecn.kmax = Bytes{262'144};
  params.ecn.pmax = 0.05;
  params.transport.congestion_control = CongestionControlKind::DcqcnConnectx;
  return params;
}

Exported write(const ModelParams& params, const char* format, ExportOptions options = {}) {
  return export_settings(params, *find_export_format(format), options);
}

TEST(Export, Sonic) {
  const std::string text = write(models(), "sonic").text;
  for (const char* part :
       {"\"WRED_PROFILE\"", "\"ROCE_ECN\"", "\"ecn\": \"ecn_all\"",
        "\"green_min_threshold\": \"131072\"", "\"red_max_threshold\": \"262144\"",
        "\"yellow_drop_probability\": \"5\"", "\"wred_green_enable\": \"true\""}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(Export, CumulusAndArista) {
  ExportOptions options;
  options.traffic_class = 4;
  EXPECT_THAT(write(models(), "nvue", options).text,
              HasSubstr("nv set qos congestion-control default-global traffic-class 4 "
                        "min-threshold 131072\n"));
  EXPECT_THAT(write(models(), "arista", options).text,
              HasSubstr("uc-tx-queue 4\n      random-detect ecn minimum-threshold 131072 bytes "
                        "maximum-threshold 262144 bytes max-mark-probability 5 weight 0"));
}

TEST(Export, JunosCountsInPercentOfTheQueue) {
  ExportOptions options;
  EXPECT_THAT(write(models(), "junos", options).problem, HasSubstr("--queue-buffer"));
  options.queue_bytes = 1'310'720;
  const Exported good = write(models(), "junos", options);
  EXPECT_EQ(good.problem, "");
  EXPECT_THAT(good.text, HasSubstr("interpolate fill-level 10\n"));
  EXPECT_THAT(good.text, HasSubstr("interpolate fill-level 20\n"));
  EXPECT_THAT(good.text, HasSubstr("explicit-congestion-notification"));
  EXPECT_TRUE(good.warnings.empty());
  options.queue_bytes = 1'000'000;
  EXPECT_FALSE(write(models(), "junos", options).warnings.empty()) << "13.1 % is written as 13";
  options.queue_bytes = 200'000;
  EXPECT_THAT(write(models(), "junos", options).problem, HasSubstr("more than the queue's buffer"));
  options.queue_bytes = 100'000'000;
  EXPECT_THAT(write(models(), "junos", options).problem, HasSubstr("the same percentage"));
}

// The firmware's defaults, as an mlxconfig dump shows them.
TEST(Export, MlxconfigGivesTheDefaultsBack) {
  const Exported out = write(models(), "mlxconfig");
  EXPECT_EQ(out.problem, "");
  for (const char* line :
       {"CLAMP_TGT_RATE_P1=0\n", "CLAMP_TGT_RATE_AFTER_TIME_INC_P1=1\n", "RPG_TIME_RESET_P1=300\n",
        "RPG_BYTE_RESET_P1=32767\n", "RPG_THRESHOLD_P1=1\n", "RPG_AI_RATE_P1=5\n",
        "RPG_HAI_RATE_P1=50\n", "RPG_MIN_DEC_FAC_P1=50\n", "RPG_MIN_RATE_P1=1\n",
        "DCE_TCP_G_P1=1019\n", "DCE_TCP_RTT_P1=1\n", "RATE_REDUCE_MONITOR_PERIOD_P1=4\n",
        "INITIAL_ALPHA_VALUE_P1=1023\n", "MIN_TIME_BETWEEN_CNPS_P1=4\n", "CNP_DSCP_P1=48\n"}) {
    EXPECT_THAT(out.text, HasSubstr(line));
  }
  EXPECT_TRUE(out.warnings.empty());
  ModelParams paper = models();
  paper.transport.congestion_control = CongestionControlKind::DcqcnPaper;
  EXPECT_THAT(write(paper, "mlxconfig").problem, HasSubstr("not dcqcn_connectx"));
}

TEST(Export, WhatCantBeSaidExactlyIsNoted) {
  ModelParams params = models();
  params.ecn.pmax = 0.004;
  const Exported out = write(params, "sonic");
  EXPECT_THAT(out.text, HasSubstr("\"green_drop_probability\": \"1\""));
  ASSERT_FALSE(out.warnings.empty());
  EXPECT_THAT(out.warnings.front(), HasSubstr("ecn.pmax: 0.4 % is written as 1"));
  params.ecn.enabled = false;
  EXPECT_THAT(write(params, "nvue").problem, HasSubstr("ecn.enabled is false"));
}

}  // namespace
}  // namespace spineleaf
