// mlxconfig dumps as changes of a scenario.

#include "scenarios/import/mlxconfig.hpp"

#include "scenarios/input/csv_table.hpp"
#include "tests/scenarios/reading.hpp"

namespace spineleaf {
namespace {

std::vector<Override> read_dump(const std::string& text, std::vector<InputProblem>& problems,
                                int port = 1) {
  return read_mlxconfig({"dump.txt", text}, port, problems);
}

std::string value_of(const std::vector<Override>& overrides, const std::string& key) {
  for (const Override& set : overrides) {
    if (set.path == key) return set.value;
  }
  return "";
}

TEST(Mlxconfig, ShippedDumpIsThePresetOfConnectx) {
  const FileText file =
      read_file(SPINELEAF_SOURCE_DIR "/scenarios/samples/mlxconfig/connectx-defaults.txt");
  std::vector<InputProblem> problems;
  const std::vector<Override> sets = read_dump(file.text, problems);
  EXPECT_TRUE(problems.empty()) << joined(messages_of(problems));
  const ValidateResult imported = read(small(""), sets);
  ASSERT_TRUE(imported.spec.has_value()) << joined(messages_of(imported.problems));
  ReadOptions options;
  const ValidateResult preset = read(small("\"preset\": \"dcqcn-connectx\""));
  const DcqcnParams& a = imported.spec->models.dcqcn;
  const DcqcnParams& b = preset.spec->models.dcqcn;
  EXPECT_DOUBLE_EQ(a.g, b.g);
  EXPECT_EQ(a.rpg_time_reset, b.rpg_time_reset);
  EXPECT_EQ(a.rpg_ai_rate, b.rpg_ai_rate);
  EXPECT_EQ(a.rpg_hai_rate, b.rpg_hai_rate);
  EXPECT_DOUBLE_EQ(a.rpg_min_dec_fac, b.rpg_min_dec_fac);
  EXPECT_EQ(a.min_time_between_cnps, b.min_time_between_cnps);
  EXPECT_EQ(imported.spec->models.transport.congestion_control,
            CongestionControlKind::DcqcnConnectx);
}

TEST(Mlxconfig, FormsOfLines) {
  std::vector<InputProblem> problems;
  const auto sets = read_dump(
      "*  RPG_AI_RATE_P1  5  20  20\nCLAMP_TGT_RATE True(1)\n"
      "RPG_HAI_RATE_P2 99\n",
      problems);
  EXPECT_TRUE(problems.empty()) << joined(messages_of(problems));
  EXPECT_EQ(value_of(sets, "dcqcn.rpg_ai_rate"), "20Mbps") << "the column of what is in force";
  EXPECT_EQ(value_of(sets, "dcqcn.clamp_tgt_rate"), "true");
  EXPECT_EQ(value_of(sets, "dcqcn.rpg_hai_rate"), "");
  EXPECT_EQ(value_of(read_dump("RPG_HAI_RATE_P2 99\n", problems, 2), "dcqcn.rpg_hai_rate"),
            "99Mbps");
}

TEST(Mlxconfig, SaysWhatItCannotUse) {
  const auto message = [](const std::string& text) {
    std::vector<InputProblem> problems;
    read_dump(text, problems);
    return joined(messages_of(problems));
  };
  EXPECT_NE(message("RPG_GD_P1 8\n").find("dump.txt:1:11: "), std::string::npos);
  EXPECT_NE(message("RPG_GD_P1 8\n").find("not modelled"), std::string::npos);
  EXPECT_NE(message("RPG_AI_RATE_P1 many\n").find("\"many\""), std::string::npos);
  EXPECT_NE(message("RPG_AI_RATE_P1 5\nRPG_AI_RATE_P2 6\n").find("another port has 6"),
            std::string::npos);
  EXPECT_NE(message("SRIOV_EN True(1)\n").find("nothing here"), std::string::npos);
}

}  // namespace
}  // namespace spineleaf
