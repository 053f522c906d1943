// Sweeps as a user meets them: killed, interrupted, resumed, out of time, looked at.

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "tests/cli/command.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string kGrid =
    "sweep incast-dcqcn-paper --grid kmin=5KB:80KB:log4 kmax=x4 pmax=1%:20%:log4 "
    "rpg_ai_rate=10Mbps,"
    "40Mbps --workers 2";

class SweepCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("spineleaf-" + std::string(info->name()) + "-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string out(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> lines(const std::string& name, const char* file) const {
    std::istringstream text(file_text(folder_ / name / file));
    std::vector<std::string> found;
    for (std::string line; std::getline(text, line);) found.push_back(line);
    return found;
  }

  fs::path folder_;
};

/// Starts `spineleaf` with these words, without waiting.
::pid_t start(const std::string& words) {
  const ::pid_t child = ::fork();
  if (child != 0) return child;
  std::istringstream text(words);
  std::vector<std::string> list;
  for (std::string word; text >> word;) list.push_back(word);
  std::vector<char*> line{const_cast<char*>(SPINELEAF_EXECUTABLE)};
  for (std::string& word : list) line.push_back(word.data());
  line.push_back(nullptr);
  const int none = ::open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) ::dup2(none, stream);
  ::execv(line[0], line.data());
  ::_exit(127);
}

TEST_F(SweepCommand, AKilledSweepLosesNoMoreThanWhatWasInFlight) {
  const ::pid_t child = start(kGrid + " --out " + out("killed"));
  ASSERT_GT(child, 0);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (lines("killed", "results.csv").size() < 6 && std::chrono::steady_clock::now() < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it was to be killed on its way";
  const std::size_t kept = lines("killed", "results.csv").size() - 1;
  ASSERT_GE(kept, 5U);
  ASSERT_LT(kept, 32U);

  const CommandResult resumed = spineleaf_command(kGrid + " --resume --out " + out("killed"));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.output;
  EXPECT_THAT(resumed.output, HasSubstr(std::to_string(32 - kept) + " of 32 runs done"));
  EXPECT_THAT(resumed.output, HasSubstr(std::to_string(kept) + " were there already"));
  const CommandResult whole = spineleaf_command(kGrid + " --out " + out("whole"));
  EXPECT_EQ(whole.exit_code, 0) << whole.output;
  EXPECT_EQ(lines("killed", "results.csv").size(), 33U);
  EXPECT_EQ(lines("killed", "points.csv"), lines("whole", "points.csv"));
}

TEST_F(SweepCommand, CtrlCKeepsWhatIsDone) {
  std::vector<std::string> words;
  std::istringstream text(kGrid + " --seeds 40 --out " + out("stopped"));
  for (std::string word; text >> word;) words.push_back(word);
  const CommandResult stopped = spineleaf_on_terminal(words, " left");
  EXPECT_EQ(stopped.exit_code, 1) << stopped.output;
  EXPECT_THAT(stopped.output, HasSubstr("of 1280 runs"));
  EXPECT_THAT(stopped.output, HasSubstr("missing, because the sweep was stopped: "));
  EXPECT_THAT(stopped.output, HasSubstr("--resume runs them"));
  EXPECT_GT(lines("stopped", "results.csv").size(), 1U);
  EXPECT_GT(lines("stopped", "points.csv").size(), 1U);
}

TEST_F(SweepCommand, ABudgetEndsItAndSaysWhatIsMissing) {
  const CommandResult late =
      spineleaf_command(kGrid + " --seeds 40 --budget 0.3s --out " + out("late"));
  EXPECT_EQ(late.exit_code, 4) << late.output;
  EXPECT_THAT(late.output, HasSubstr("missing, because the time was up: "));
  EXPECT_THAT(late.output, HasSubstr("ecn.kmin="));
}

TEST_F(SweepCommand, InvalidPointsStopItBeforeItBegins) {
  const std::string grid = "sweep incast-dcqcn-paper --grid kmin=50KB,8MB kmax=x2 alpha=1/16,1 ";
  const CommandResult asked = spineleaf_command(grid + "--out " + out("a"));
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_THAT(asked.output, HasSubstr("1 of 4 points, for example: --grid: warning: ecn.kmin: 8MB "
                                      "is not below the XOFF threshold"));
  EXPECT_THAT(asked.output, HasSubstr("--drop-invalid"));
  EXPECT_FALSE(fs::exists(folder_ / "a"));
  const CommandResult dropped = spineleaf_command(grid + "--drop-invalid --out " + out("b"));
  EXPECT_EQ(dropped.exit_code, 0) << dropped.output;
  EXPECT_THAT(dropped.output, HasSubstr("1 of 4 points are left out"));
  EXPECT_EQ(lines("b", "points.csv").size(), 4U);
  EXPECT_EQ(spineleaf_command(grid + "--keep-doubtful --out " + out("c")).exit_code, 0);
  EXPECT_EQ(lines("c", "points.csv").size(), 5U);
  const CommandResult dry = spineleaf_command(grid + "--keep-doubtful --dry-run");
  EXPECT_EQ(dry.exit_code, 0);
  EXPECT_THAT(dry.output, HasSubstr("4 points, 1 seed each"));
}

TEST_F(SweepCommand, WrongOptionsAreRefused) {
  const std::string sweep = "sweep two-hosts-roce ";
  for (const char* wrong :
       {"--grid kmin=100 --out x", "--workers 0 --out x", "--budget 5 --out x",
        "--until fct=5% --seeds 9 --out x", "--until goodput=5% --out x", "--set a --out x"}) {
    const CommandResult refused = spineleaf_command(sweep + wrong);
    EXPECT_EQ(refused.exit_code, 2) << wrong << "\n" << refused.output;
    EXPECT_THAT(refused.output, HasSubstr("expected")) << wrong;
  }
  const CommandResult nowhere = spineleaf_command(sweep + "--grid alpha=1/8,1/4");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.output, HasSubstr("--out DIR is needed"));
  EXPECT_THAT(spineleaf_command("sweep two-host-roce --out x").output,
              HasSubstr("Did you mean \"two-hosts-roce\"?"));
}

TEST_F(SweepCommand, TheFrontHasAPictureAndABestPointThatRuns) {
  ASSERT_EQ(spineleaf_command("sweep incast-dcqcn-paper --grid kmin=5KB,50KB,500KB kmax=x4 "
                              "rpg_ai_rate=10Mbps,100Mbps --out " +
                              out("s"))
                .exit_code,
            0);
  const CommandResult front =
      spineleaf_command("pareto " + out("s") + " --x fct_p99 --filter drops==0");
  EXPECT_EQ(front.exit_code, 0) << front.output;
  EXPECT_THAT(front.output, HasSubstr("are on the front"));
  EXPECT_THAT(file_text(folder_ / "s" / "pareto.svg"), HasSubstr("<svg"));
  EXPECT_GT(lines("s", "pareto.csv").size(), 1U);
  const CommandResult best = spineleaf_command("run " + out("s") + "/best.json");
  EXPECT_EQ(best.exit_code, 0) << best.output;
  EXPECT_EQ(spineleaf_command("pareto " + out("s") + " --x speed").exit_code, 2);
  EXPECT_EQ(spineleaf_command("pareto " + out("s") + " --filter drops==7").exit_code, 2);
  const CommandResult nowhere = spineleaf_command("pareto " + out("t"));
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.output, HasSubstr("Name a folder that `spineleaf sweep` has written"));
}

}  // namespace
}  // namespace spineleaf
