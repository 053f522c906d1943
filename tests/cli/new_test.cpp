// Every commented scenario that `spineleaf new` writes runs, and so does every command that it
// shows.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/cli/command.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> kinds() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(SPINELEAF_SOURCE_DIR "/scenarios/templates")) {
    found.push_back(entry.path().stem().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// An empty folder with `spineleaf` in the path.
class NewFolder {
 public:
  NewFolder() {
    std::string pattern = (fs::temp_directory_path() / "spineleaf-new-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
    fs::create_symlink(SPINELEAF_EXECUTABLE, folder_ / "spineleaf");
  }
  ~NewFolder() { fs::remove_all(folder_); }

  CommandResult run(const std::string& lines) const {
    return shell_command("cd '" + folder_.string() + "' && set -e && PATH=$PWD:$PATH\n" + lines);
  }
  std::string text(const std::string& file) const { return file_text(folder_ / file); }

 private:
  fs::path folder_;
};

/// The commands in the comments of a scenario.
std::string commands_in(const std::string& text) {
  const std::string mark = "//   spineleaf ";
  std::string commands;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(mark, 0) == 0) commands += line.substr(5) + "\n";
  }
  return commands;
}

class New : public ::testing::TestWithParam<std::string> {};

TEST_P(New, WhatItWritesRunsAndItsCommandsWork) {
  const NewFolder folder;
  const CommandResult wrote = folder.run("spineleaf new " + GetParam() + " -o mine.json");
  EXPECT_EQ(wrote.exit_code, 0) << wrote.output;
  const std::string commands = commands_in(folder.text("mine.json"));
  EXPECT_NE(commands.find("mine.json"), std::string::npos) << commands;
  EXPECT_EQ(commands.find('@'), std::string::npos) << commands;
  const CommandResult ran = folder.run(commands + "spineleaf run mine.json --quiet");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
}

std::string kind_name(const ::testing::TestParamInfo<std::string>& kind) {
  std::string name = kind.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(, New, ::testing::ValuesIn(kinds()), kind_name);

TEST(NewTest, ListsItsKindsAndNamesTheNearest) {
  const NewFolder folder;
  const std::string list = folder.run("spineleaf new").output;
  for (const std::string& kind : kinds()) EXPECT_NE(list.find(kind + " "), std::string::npos);
  const CommandResult wrong = folder.run("spineleaf new deadlok");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.output.find("Did you mean \"deadlock\"?"), std::string::npos) << wrong.output;
}

TEST(NewTest, NoFileIsLost) {
  const NewFolder folder;
  EXPECT_EQ(folder.run("echo mine > a.json; spineleaf new buy -o a.json").exit_code, 2);
  EXPECT_EQ(folder.text("a.json"), "mine\n");
  EXPECT_EQ(folder.run("spineleaf new buy -o a.json --force").exit_code, 0);
  EXPECT_EQ(folder.text("a.json"),
            folder.run("spineleaf new buy | sed s/buy[.]json/a.json/").output);
}

}  // namespace
}  // namespace spineleaf
