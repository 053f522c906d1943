// Every command in the documents works as it stands there, and every file that they name exists.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "tests/cli/command.hpp"
#include "tests/cli/documents.hpp"

namespace spineleaf {
namespace {

std::string document_text(const std::string& name) {
  return file_text(std::filesystem::path(SPINELEAF_SOURCE_DIR) / name);
}

class Documents : public ::testing::TestWithParam<std::string> {};

TEST_P(Documents, CommandsWork) {
  EXPECT_EQ(ProjectMirror().problems_of_commands(document_text(GetParam())), "");
}

TEST_P(Documents, NamesExist) {
  EXPECT_EQ(ProjectMirror().problems_of_names(document_text(GetParam())), "");
  EXPECT_EQ(problems_of_links(GetParam(), document_text(GetParam())), "");
}

std::string test_name(const ::testing::TestParamInfo<std::string>& document) {
  std::string name = document.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(, Documents, ::testing::ValuesIn(documents()), test_name);

// The commands that a newcomer types first must be among those that ran.
TEST(DocumentsTest, TheReadmeHasItsCommands) {
  std::string commands;
  for (const FencedBlock& block : fenced_blocks(document_text("README.md"))) {
    if (block.language == "sh") commands += block.text;
  }
  for (const char* part : {"scripts/quickstart.sh", "scripts/test.sh", "cmake --preset release",
                           "spineleaf run incast.json"}) {
    EXPECT_NE(commands.find(part), std::string::npos) << part;
  }
}

// What `spineleaf VERB --help` shows as an example works as well.
TEST(DocumentsTest, TheExamplesOfEveryVerbWork) {
  const auto lines_with = [](const std::string& text, const std::string& start) {
    std::vector<std::string> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind(start, 0) == 0) found.push_back(line.substr(start.size()));
    }
    return found;
  };
  std::size_t verbs = 0;
  std::string commands = "```sh\nPATH=$PWD/build/release:$PATH\n";
  for (const std::string& line : lines_with(spineleaf_command("--help").output, "  ")) {
    const std::string verb = line.substr(0, line.find(' '));
    if (verb.empty() || verb[0] == '-') continue;
    ++verbs;
    const std::string help = spineleaf_command(verb + " --help").output;
    const std::vector<std::string> examples = lines_with(help, "  spineleaf ");
    EXPECT_FALSE(examples.empty()) << verb;
    for (const std::string& example : examples) commands += "spineleaf " + example + "\n";
  }
  EXPECT_GE(verbs, 8U);
  EXPECT_EQ(ProjectMirror().problems_of_commands(commands + "```\n"), "");
}

TEST(DocumentsTest, MistakesAreFound) {
  const ProjectMirror mirror;
  const auto problems = [&](const std::string& block) {
    return mirror.problems_of_commands("words\n\n" + block + "```\n");
  };
  EXPECT_EQ(problems("```sh\nbuild/release/spineleaf version\n"), "");
  for (const char* wrong : {
           "```sh\nbuild/release/spineleaf fly\n",
           "```sh\nbuild/release/spineleaf version --colour\n",
           "```sh\nbuild/release/spineleaf fly\nbuild/release/spineleaf version\n",
           "```sh\nscripts/quikstart.sh\n",
           "```sh\ncmake --preset releese\n",
           "```sh\ncmake --build --preset release --target no_such_target\n",
           "```\nbuild/release/spineleaf version\n",
           "```json\n{\"topology\": {}}\n",
           "```json\n{\"name\": \"x\"}\n```\n```sh\nbuild/release/spineleaf run x.json\n",
       }) {
    EXPECT_NE(problems(wrong), "") << wrong;
  }
  EXPECT_EQ(mirror.problems_of_names("See `sim/record.hpp`, `models/host/dcqcn.*`."), "");
  EXPECT_NE(mirror.problems_of_names("See `sim/records.hpp`."), "");
  EXPECT_EQ(mirror.problems_of_names("Then `Host::post()`, `Actor::send`, `std::span`."), "");
  EXPECT_NE(mirror.problems_of_names("Then `Host::no_such_thing`."), "");
  EXPECT_NE(mirror.problems_of_names("Say `spineleaf fly`."), "");
  EXPECT_EQ(problems_of_links("docs/x.md", "[a](design.md#b) ![c](../README.md)"), "");
  EXPECT_NE(problems_of_links("docs/x.md", "[a](README.md)"), "");
}

}  // namespace
}  // namespace spineleaf
