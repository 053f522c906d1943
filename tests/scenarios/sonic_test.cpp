// SONiC configurations: both styles give one model, which is the expected one, without findings;
// each mistake is found where it stands.

#include "scenarios/import/sonic.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "scenarios/input/read.hpp"
#include "tests/scenarios/reading.hpp"

namespace spineleaf::sonic {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kSamples = SPINELEAF_SOURCE_DIR "/scenarios/samples/sonic/";

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Files by device, so that a test can spoil one.
using Files = std::map<std::string, std::string>;
Files sample(const std::string& style) {
  Files files;
  for (const char* device : {"leaf1", "leaf2", "spine1"}) {
    files[device] = text_of(kSamples + style + "/" + device + "/config_db.json");
  }
  return files;
}

SonicFabric fabric_of(const Files& files) {
  std::vector<NamedText> configs;
  for (const auto& [device, text] : files) configs.push_back({device + ".json", text});
  std::vector<InputProblem> problems;
  SonicFabric fabric =
      read_sonic(configs, {"lldp.json", text_of(kSamples + "lldp.json")},
                 {"lookup.ini", text_of(kSamples + "pg_profile_lookup.ini")}, problems);
  EXPECT_EQ(joined(messages_of(problems)), "");
  return fabric;
}

std::string scenario_of(const Files& files) {
  std::vector<std::string> notes;
  return sonic_scenario(fabric_of(files), notes);
}

/// Findings after `from` has become `to` in a device's file; `all` = everywhere in it.
std::string findings(const char* device, const std::string& from, const std::string& to,
                     bool all = false, const std::string& style = "new-style") {
  Files files = sample(style);
  std::string& text = files[device];
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  for (; at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
    if (!all) break;
  }
  return joined(messages_of(lint_sonic(fabric_of(files))));
}

TEST(Sonic, BothStylesAreOneModelWithoutFindings) {
  for (const char* style : {"new-style", "old-style"}) {
    EXPECT_EQ(joined(messages_of(lint_sonic(fabric_of(sample(style))))), "") << style;
  }
  EXPECT_EQ(scenario_of(sample("new-style")), scenario_of(sample("old-style")));
}

TEST(Sonic, TheModelIsTheExpectedOne) {
  for (const char* style : {"new-style", "old-style"}) {
    const auto expected =
        nlohmann::json::parse(text_of(kSamples + style + "/expected.json")).at("parse");
    const SonicFabric fabric = fabric_of(sample(style));
    ASSERT_EQ(fabric.devices.size(), expected.at("switches").get<std::size_t>());
    std::map<std::string, const SonicDevice*> devices;
    for (const SonicDevice& device : fabric.devices) {
      devices[device.name] = &device;
      EXPECT_EQ(sonic_headroom_demand(device),
                expected.at("headroom_demand_bytes").at(device.name).get<std::int64_t>());
    }
    std::size_t cables = 0;
    for (const char* list : {"switch_links", "host_links"}) {
      for (const auto& link : expected.at(list)) {
        const SonicDevice& device = *devices.at(link.at("a"));
        const SonicPort& port = device.ports.at(link.at("a_port"));
        EXPECT_EQ(port.speed_mbps, link.at("speed_mbps").get<std::int64_t>());
        EXPECT_EQ(port.cable, link.at("cable_m").get<double>());
        EXPECT_EQ(port.neighbor, link.at("b").get<std::string>());
        EXPECT_EQ(port.neighbor_port, link.at("b_port").get<std::string>());
        const SonicClass roce = device.classify(port.name, 26);
        EXPECT_EQ(roce.tc, expected.at("lossless").at("tc").get<std::int64_t>());
        EXPECT_EQ(roce.queue, expected.at("lossless").at("queue").get<std::int64_t>());
        EXPECT_EQ(roce.pg, expected.at("lossless").at("pg").get<std::int64_t>());
        EXPECT_TRUE(device.lossless(port.name, roce));
        const SonicClass cnp = device.classify(port.name, 48);
        EXPECT_EQ(cnp.queue, expected.at("cnp").at("queue").get<std::int64_t>());
        EXPECT_EQ(device.queue_scheduler(port.name, cnp.queue)->text("type"), "STRICT");
        const auto& want =
            expected.at("pg_profiles").at(std::to_string(static_cast<int>(port.cable)) + "m");
        const SonicRow* profile = device.pg_profile(port.name, roce.pg);
        ASSERT_NE(profile, nullptr);
        EXPECT_EQ(profile->number("xoff"), want.at("xoff").get<std::int64_t>());
        EXPECT_EQ(profile->number("xon"), want.at("xon").get<std::int64_t>());
        EXPECT_EQ(sonic_xoff_point(device, *profile),
                  expected.at("xoff_threshold_one_congested_pg_bytes").get<std::int64_t>());
        EXPECT_EQ(device.queue_wred(port.name, roce.queue)->number("green_min_threshold"),
                  expected.at("ecn").at("kmin_bytes").get<std::int64_t>());
        ++cables;
      }
    }
    EXPECT_EQ(cables, 12U);
  }
}

TEST(Sonic, TheScenarioIsValidAndHasTheFabric) {
  const ValidateResult read = read_scenario(scenario_of(sample("old-style")), "fabric.json");
  EXPECT_EQ(joined(messages_of(read.problems)), "");
  ASSERT_TRUE(read.spec);
  EXPECT_EQ(read.spec->graph->host_count, 8U);
  EXPECT_EQ(read.spec->graph->nodes.size(), 11U);
  EXPECT_EQ(read.spec->graph->cables.size(), 12U);
  EXPECT_EQ(read.spec->models.ecn.kmin.count, 131'072);
  EXPECT_EQ(read.spec->models.ecn.kmax.count, 262'144);
  EXPECT_DOUBLE_EQ(read.spec->models.ecn.pmax, 0.05);
  EXPECT_DOUBLE_EQ(read.spec->models.pfc.alpha, 1.0);
  EXPECT_EQ(read.spec->models.pfc.buffer.count, 52'428'800);
  EXPECT_EQ(read.spec->models.pfc.headroom.count, 283'648);
  EXPECT_EQ(read.spec->models.sw.scheduler, "1,strict");
  EXPECT_EQ(read.spec->graph->cables.front().rate, Rate::from_gbps(400));
}

TEST(SonicLint, EachMistakeIsFoundWhereItStands) {
  // Headroom: the profile of a 5 m cable on one of 40 m, and one below the bound itself.
  EXPECT_THAT(findings("leaf1", "\"pg_lossless_400000_40m_profile\"\n",
                       "\"pg_lossless_400000_5m_profile\"\n"),
              AllOf(HasSubstr("leaf1.json:"), HasSubstr("BUFFER_PG|Ethernet32|3.profile"),
                    HasSubstr("the headroom is too small"), HasSubstr("takes 283648 B")));
  EXPECT_THAT(findings("leaf2", "\"xoff\": \"231424\"", "\"xoff\": \"31424\""),
              AllOf(HasSubstr("leaf2.json:"), HasSubstr("an xoff of 31424 B"),
                    HasSubstr("at least 231424 B")));
  EXPECT_THAT(findings("spine1", "\"green_min_threshold\": \"131072\"",
                       "\"green_min_threshold\": \"27000000\""),
              AllOf(HasSubstr("WRED_PROFILE|ROCE_ECN.green_min_threshold"),
                    HasSubstr("27000000 B is not below XOFF"), HasSubstr("26214400 B")));
  EXPECT_THAT(findings("leaf1", "\"26\": \"3\"", "\"26\": \"1\""),
              AllOf(HasSubstr("DSCP_TO_TC_MAP|ROCE.26"), HasSubstr("TC 1, which is lossy")));
  EXPECT_THAT(findings("leaf1", "\"48\": \"6\"", "\"48\": \"3\""),
              AllOf(HasSubstr("DSCP_TO_TC_MAP|ROCE.48"), HasSubstr("no class for CNPs")));
  EXPECT_THAT(findings("leaf1", "\"type\": \"STRICT\"", "\"type\": \"DWRR\""),
              HasSubstr("which is not served strictly first"));
  EXPECT_THAT(findings("spine1", "\"pfc_enable\": \"3\"", "\"pfc_enable\": \"\"", true),
              AllOf(HasSubstr("PFC is not enabled for the priority"),
                    HasSubstr("priority 3 has PFC at leaf1 Ethernet32, but not at this end")));
  EXPECT_THAT(findings("leaf2", "\"xoff\": \"8388608\"", "\"xoff\": \"1048576\""),
              AllOf(HasSubstr("BUFFER_POOL|ingress_lossless_pool.xoff"),
                    HasSubstr("ask for 1492992 B of headroom, 1048576 B are there")));
  EXPECT_THAT(findings("leaf1", "\"PFC_WD\"", "\"PFC_WD_OFF\""),
              AllOf(HasSubstr("leaf1.json:1:1: warning: PFC_WD: "),
                    HasSubstr("the watchdog is off on every port")));
  EXPECT_THAT(findings("leaf1", "\"Ethernet8\": {\n            \"action\"",
                       "\"Ethernet9\": {\n            \"action\""),
              AllOf(HasSubstr("PFC_WD|Ethernet8: the watchdog is off on a port with PFC"),
                    HasSubstr("there is no port \"Ethernet9\"")));
  EXPECT_THAT(findings("leaf1", "\"pfcwd_sw_enable\": \"3\"", "\"pfcwd_sw_enable\": \"4\""),
              HasSubstr("the watchdog is off for priority 3"));
  EXPECT_THAT(findings("leaf1", "\"wred_profile\": \"ROCE_ECN\"", "\"wred_profile\": \"ROCE_ENC\""),
              AllOf(HasSubstr("QUEUE|Ethernet0|3.wred_profile"),
                    HasSubstr("WRED_PROFILE \"ROCE_ENC\" is referred to but not defined"),
                    HasSubstr("Did you mean \"ROCE_ECN\"?")));
  EXPECT_THAT(
      findings("leaf2", "[DSCP_TO_TC_MAP|ROCE]", "[DSCP_TO_TC_MAP|AZURE]", false, "old-style"),
      HasSubstr("DSCP_TO_TC_MAP \"AZURE\" is referred to but not defined"));
}

// One row for six ports is one mistake.
TEST(SonicLint, ASharedRowIsOneFinding) {
  const std::string found =
      findings("leaf2", "\"xoff\": \"8388608\"", "\"xoff\": \"1\"", false, "old-style");
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1) << found;
}

/// One switch with one port to a host, and these tables.
std::vector<InputProblem> lint_one(const std::string& tables, SonicFabric* out = nullptr) {
  const std::string text = R"({"DEVICE_METADATA": {"localhost": {"hostname": "s"}},
    "PORT": {"Ethernet0": {"speed": "100000"}}, )" +
                           tables + "}";
  std::vector<InputProblem> problems;
  SonicFabric fabric = read_sonic({{"s.json", text}}, {}, {}, problems);
  EXPECT_EQ(joined(messages_of(problems)), "");
  if (out != nullptr) *out = fabric;
  return lint_sonic(fabric);
}

// The default maps of sonic-buildimage qos_config.j2: DSCP 26 is not among the lossless ones.
TEST(SonicLint, TheDefaultMapPutsRoceIntoALossyClass) {
  SonicFabric fabric;
  const auto found = lint_one(R"(
    "DSCP_TO_TC_MAP": {"AZURE": {"3": "3", "4": "4", "8": "0", "26": "1", "48": "6"}},
    "TC_TO_QUEUE_MAP": {"AZURE": {"0": "0", "1": "1", "3": "3", "4": "4", "6": "6"}},
    "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"0": "0", "1": "0", "3": "3", "4": "4", "6": "0"}},
    "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE",
      "tc_to_pg_map": "AZURE", "pfc_enable": "3,4"}})",
                              &fabric);
  const std::map<std::int64_t, std::int64_t> tc{{3, 3}, {4, 4}, {8, 0}, {26, 1}, {48, 6}};
  for (const auto& [dscp, expected] : tc) {
    EXPECT_EQ(fabric.devices[0].classify("Ethernet0", dscp).tc, expected) << dscp;
  }
  EXPECT_THAT(joined(messages_of(found)), HasSubstr("DSCP 26, RoCE, is in TC 1, which is lossy"));
}

// Buffer tables of a Spectrum-1 ToR: alpha is 2 to the power of dynamic_th.
TEST(Sonic, DynamicThresholdsArePowersOfTwo) {
  SonicFabric fabric;
  lint_one(R"("BUFFER_POOL": {"in": {"type": "ingress", "size": "4194304"}},
    "BUFFER_PROFILE": {
      "a": {"pool": "in", "dynamic_th": "0"}, "b": {"pool": "in", "dynamic_th": "3"},
      "c": {"pool": "in", "dynamic_th": "7"}, "d": {"pool": "in", "dynamic_th": "-3"},
      "e": {"pool": "in", "static_th": "1000"}, "f": {"pool": "in"}})",
           &fabric);
  const double pool = 4'194'304;
  const SonicDevice& device = fabric.devices[0];
  const auto point = [&](const char* profile) {
    return sonic_xoff_point(device, *device.row("BUFFER_PROFILE", profile));
  };
  for (const auto& [profile, alpha] :
       std::map<std::string, double>{{"a", 1}, {"b", 8}, {"c", 128}, {"d", 0.125}}) {
    EXPECT_EQ(point(profile.c_str()), static_cast<std::int64_t>(pool * alpha / (1 + alpha)));
  }
  EXPECT_EQ(point("e"), 1000);
  EXPECT_EQ(point("f"), -1);
}

TEST(Sonic, BrokenFilesAreRefusedWithTheirPlace) {
  const auto problems = [](const std::string& config, const std::string& lldp,
                           const std::string& lookup) {
    std::vector<InputProblem> found;
    read_sonic({{"c.json", config}}, {"l.json", lldp}, {"p.ini", lookup}, found);
    return joined(messages_of(found));
  };
  EXPECT_THAT(problems("[]", "", ""), HasSubstr("c.json:1:1: this is no config_db.json"));
  EXPECT_THAT(problems("{}", "", ""),
              AllOf(HasSubstr("no table of ports"), HasSubstr("the device has no name")));
  const std::string good = R"({"DEVICE_METADATA": {"localhost": {"hostname": "s"}},
    "PORT": {"Ethernet0": {"speed": "400000"}}, "CABLE_LENGTH": {"A": {"Ethernet0": "5m"}}})";
  EXPECT_EQ(problems(good, "", ""), "");
  EXPECT_THAT(problems(good, R"({"s": {"Ethernet1": {"neighbor": "h"}}})", ""),
              HasSubstr("the device has no such port"));
  EXPECT_THAT(problems(good, "", "# fine\n400000 5 1 2 3 0\n"),
              HasSubstr("p.ini:2:1: \"400000 5 1 2 3 0\" is no row of headroom"));
  std::string bad = good;
  bad.replace(bad.find("\"5m\""), 4, "\"5 feet\"");
  EXPECT_THAT(problems(bad, "", ""), HasSubstr("\"5 feet\" is no length"));
}

}  // namespace
}  // namespace spineleaf::sonic
