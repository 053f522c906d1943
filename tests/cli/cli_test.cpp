// The command as a user meets it: exit codes, what is printed, files, repeatability, interruption.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "scenarios/input/json_source.hpp"
#include "tests/cli/command.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;

/// An empty folder that goes away with the test.
class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("spineleaf-cli-" + std::string(info->name()) + "-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

  fs::path folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string fingerprint_in(const fs::path& out) {
  std::vector<InputProblem> problems;
  const JsonSource summary("summary.json", file_text(out / "summary.json"), problems);
  const JsonNode* node = summary.root() != nullptr ? summary.root()->find("fingerprint") : nullptr;
  EXPECT_NE(node, nullptr);
  return node != nullptr ? std::string{node->text} : "";
}

TEST_F(Cli, HelpGroupsTheVerbs) {
  const CommandResult help = spineleaf_command("--help");
  EXPECT_EQ(help.exit_code, 0);
  for (const char* part : {"Run:", "Check:", "Measure:", "run ", "topology ", "explain "}) {
    EXPECT_TRUE(contains(help.output, part)) << part << "\n" << help.output;
  }
  EXPECT_EQ(spineleaf_command("run --help").exit_code, 0);
  EXPECT_EQ(spineleaf_command("").exit_code, 2);
  EXPECT_EQ(spineleaf_command("fly").exit_code, 2);
  const CommandResult misspelt = spineleaf_command("quikstart");
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_TRUE(contains(misspelt.output, "Did you mean \"quickstart\"?")) << misspelt.output;
  const CommandResult seed = spineleaf_command("run two-hosts-ndr --seed -1");
  EXPECT_EQ(seed.exit_code, 2);
  EXPECT_TRUE(contains(seed.output, "0 to 9007199254740992")) << seed.output;
  EXPECT_EQ(spineleaf_command("run two-hosts-ndr --sed 3").exit_code, 2);
}

TEST_F(Cli, AScenarioRunsAndItsLockRunsAlike) {
  const std::string out = path("out");
  const CommandResult run =
      spineleaf_command("run link-down-and-up --set workload.bytes=1MiB --seed 5 --out " + out);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  for (const char* file : {"summary.json", "scenario.lock.json", "flows.csv", "links.csv",
                           "port_classes.csv", "series.csv", "collectives.csv", "report.html"}) {
    EXPECT_TRUE(fs::exists(fs::path(out) / file)) << file;
  }
  const std::string again = path("again");
  const CommandResult locked =
      spineleaf_command("run " + out + "/scenario.lock.json --out " + again + " --threads 2");
  EXPECT_EQ(locked.exit_code, 0) << locked.output;
  EXPECT_EQ(fingerprint_in(out), fingerprint_in(again));
  EXPECT_EQ(file_text(fs::path(out) / "flows.csv"), file_text(fs::path(again) / "flows.csv"));
  EXPECT_EQ(file_text(fs::path(out) / "scenario.lock.json"),
            file_text(fs::path(again) / "scenario.lock.json"));
}

TEST_F(Cli, ExitCodesTellWhatHappened) {
  EXPECT_EQ(spineleaf_command("run two-hosts-roce").exit_code, 0);
  EXPECT_EQ(spineleaf_command("run pfc-deadlock-ring").exit_code, 0) << "expected deadlock";
  EXPECT_EQ(spineleaf_command("run pfc-deadlock-ring --set expect=ok").exit_code, 3);
  EXPECT_EQ(spineleaf_command("run headroom-too-small --set expect=ok").exit_code, 3);
  EXPECT_EQ(spineleaf_command("run two-hosts-roce --set run.deadline=1us").exit_code, 4);
  EXPECT_EQ(
      spineleaf_command("run quickstart-permutation-roce --set run.time_budget=1ms").exit_code, 4);
  EXPECT_EQ(spineleaf_command("run two-hosts-roce --set fabric.mtu=4096").exit_code, 2);
}

TEST_F(Cli, EveryShippedScenarioEndsAsItSays) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(SPINELEAF_SOURCE_DIR "/scenarios/library")) {
    const CommandResult run = spineleaf_command("run " + entry.path().stem().string());
    EXPECT_EQ(run.exit_code, 0) << entry.path() << "\n" << run.output;
    ++count;
  }
  EXPECT_GE(count, 20);
}

TEST_F(Cli, ProblemsGoToTheUserAllAtOnce) {
  const std::string file = write("s.json",
                                 "{\n  \"fabrik\": {},\n  \"topology\": {\"kind\": "
                                 "\"direct\", \"speed\": 400},\n"
                                 "  \"workload\": {\"kind\": \"incast\"}\n}\n");
  const CommandResult run = spineleaf_command("run " + file);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.output, file + ":2:3: fabrik: ")) << run.output;
  EXPECT_TRUE(contains(run.output, file + ":3:43: topology.speed: 400 has no unit")) << run.output;
  EXPECT_TRUE(contains(run.output, "2 errors")) << run.output;
  EXPECT_FALSE(contains(run.output, "\033[")) << "no colour into a pipe";
  const CommandResult missing = spineleaf_command("run two-host-roce");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(contains(missing.output, "Did you mean \"two-hosts-roce\"?")) << missing.output;
}

TEST_F(Cli, SeveralSeedsHaveATable) {
  const CommandResult run =
      spineleaf_command("run dragonfly --seeds 3 --seed 4 --out " + path("out"));
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_TRUE(contains(run.output, "+- (95 %)")) << run.output;
  EXPECT_TRUE(fs::exists(folder_ / "out" / "seeds.csv"));
  for (const char* seed : {"seed-4", "seed-5", "seed-6"}) {
    EXPECT_TRUE(fs::exists(folder_ / "out" / seed / "summary.json")) << seed;
  }
  EXPECT_NE(fingerprint_in(folder_ / "out" / "seed-4"), fingerprint_in(folder_ / "out" / "seed-5"));
}

TEST_F(Cli, CtrlCKeepsWhatThereIs) {
  // A run of half a minute, interrupted after two seconds.
  const std::string out = path("out");
  const CommandResult run =
      spineleaf_command("run quickstart-permutation-roce --set workload.bytes=1GiB --out " + out,
                        "timeout --preserve-status --signal=INT 2");
  EXPECT_EQ(run.exit_code, 1) << run.output;
  EXPECT_TRUE(contains(run.output, "INCOMPLETE: interrupted")) << run.output;
  const std::string summary = file_text(fs::path(out) / "summary.json");
  EXPECT_TRUE(contains(summary, "\"verdict\": \"incomplete\"")) << summary;
  EXPECT_FALSE(contains(summary, "\"payload_delivered_bytes\": 0,")) << "packets had arrived";
}

TEST_F(Cli, CtrlCLeavesTheSeedThatItCutOutOfTheMean) {
  const CommandResult run =
      spineleaf_command("run quickstart-permutation-roce --set workload.bytes=1GiB --seeds 3",
                        "timeout --preserve-status --signal=INT 2");
  EXPECT_EQ(run.exit_code, 1) << run.output;
  EXPECT_TRUE(contains(run.output, "left out of mean and interval: seed 1 (incomplete)"))
      << run.output;
  EXPECT_THAT(run.output, ::testing::ContainsRegex("\nmean +-"));
}

TEST_F(Cli, CtrlCEndsTheQuickStartWithAReportOfWhatWasDone) {
  const CommandResult run = spineleaf_command("quickstart --out " + path("out"),
                                              "timeout --preserve-status --signal=INT 1");
  EXPECT_EQ(run.exit_code, 1) << run.output;
  EXPECT_TRUE(contains(run.output, "INCOMPLETE: interrupted")) << run.output;
  EXPECT_TRUE(contains(file_text(folder_ / "out" / "report.html"), "INCOMPLETE: interrupted"));
}

TEST_F(Cli, ATerminalShowsProgressAndTheTimeLeft) {
  const CommandResult run = spineleaf_on_terminal(
      {"run", "quickstart-permutation-roce", "--set", "workload.bytes=1GiB"}, " left");
  EXPECT_TRUE(contains(run.output, "\rpermutation, 400G RoCEv2: ")) << run.output;
  EXPECT_TRUE(contains(run.output, " ms simulated, ")) << run.output;
  EXPECT_TRUE(contains(run.output, " left")) << run.output;
  EXPECT_TRUE(contains(run.output, "INCOMPLETE: interrupted")) << run.output;
  EXPECT_EQ(run.exit_code, 1);
  // A pipe gets neither progress nor colour.
  const CommandResult piped = spineleaf_command(
      "run quickstart-permutation-roce --set workload.bytes=1GiB", "timeout --signal=INT 2");
  EXPECT_FALSE(contains(piped.output, "simulated, ")) << piped.output;
  EXPECT_FALSE(contains(piped.output, "\r")) << piped.output;
}

TEST_F(Cli, TopologyAuditsAndDraws) {
  const CommandResult audit = spineleaf_command("topology dual-tor --svg " + path("t.svg"));
  EXPECT_EQ(audit.exit_code, 0) << audit.output;
  for (const char* part : {"16 hosts", "bisection", "every host reaches every other"}) {
    EXPECT_TRUE(contains(audit.output, part)) << audit.output;
  }
  EXPECT_TRUE(contains(file_text(path("t.svg")), "<svg"));
  const std::string bare =
      write("bare.json", R"({"topology": {"kind": "fat_tree", "hosts": 8, "radix": 4}})");
  EXPECT_EQ(spineleaf_command("topology " + bare).exit_code, 0) << "needs no workload";
}

TEST_F(Cli, AFabricThatFillsNoSubnetIsAuditedAllTheSame) {
  const std::string big =
      write("big.json", R"({"topology": {"kind": "fat_tree", "tiers": 3, "hosts": 65536}})");
  const CommandResult audit = spineleaf_command("topology " + big);
  EXPECT_EQ(audit.exit_code, 0) << audit.output;
  const CommandResult dump =
      spineleaf_command("topology " + big + " --ibnetdiscover " + path("big.txt"));
  EXPECT_EQ(dump.exit_code, 2);
  EXPECT_TRUE(contains(dump.output, "more LIDs than there are")) << dump.output;
  EXPECT_EQ(spineleaf_command("routes " + big).exit_code, 2);
}

TEST_F(Cli, SchemaExplainVersionBench) {
  const CommandResult schema = spineleaf_command("schema");
  EXPECT_EQ(schema.exit_code, 0);
  std::vector<InputProblem> problems;
  const JsonSource parsed("schema", schema.output, problems);
  EXPECT_TRUE(parsed.root() != nullptr && problems.empty());
  EXPECT_EQ(spineleaf_command("explain pfc.alpha").exit_code, 0);
  EXPECT_EQ(spineleaf_command("explain pfc.alhpa").exit_code, 2);
  const std::string action = spineleaf_command("explain faults.action").output;
  EXPECT_TRUE(contains(action, "default:  (required)")) << action;
  EXPECT_TRUE(contains(spineleaf_command("version").output, "spineleaf "));
  EXPECT_EQ(spineleaf_command("bench --list").exit_code, 0);
  EXPECT_EQ(spineleaf_command("bench --case nothing").exit_code, 2);
}

TEST_F(Cli, AFullDiskOrAForbiddenFolderIsReported) {
  const std::string file = write("file", "in the way");
  for (const std::string verb :
       {"run two-hosts-ndr", "run two-hosts-ndr --seeds 2", "quickstart"}) {
    const CommandResult run = spineleaf_command(verb + " --out " + file + "/out");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_TRUE(run.output.starts_with("--out: can't write " + file + "/out: ")) << run.output;
    EXPECT_EQ(run.output.find('\n'), run.output.size() - 1) << "one line, before any run\n"
                                                            << run.output;
  }
}

}  // namespace
}  // namespace spineleaf
