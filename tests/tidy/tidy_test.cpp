#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/tidy/rules.hpp"
#include "tests/tidy/source.hpp"

namespace spineleaf::tidy {
namespace {

const std::string kRoot = SPINELEAF_SOURCE_DIR;
const std::string kSamples = kRoot + "/tests/tidy/samples";

std::vector<BannedWord> banned_words() {
  std::ifstream stream(kRoot + "/tests/tidy/banned_words.txt");
  return parse_banned_words(
      std::string((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>()));
}

std::string described(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) text += finding.describe() + "\n";
  return text;
}

/// (line, rule) pairs that a sample expects: "// expect: rule" on the line, "// expect-file: rule"
/// anywhere for findings about the file as a whole.
std::set<std::pair<int, std::string>> expected(const SourceFile& sample) {
  std::set<std::pair<int, std::string>> pairs;
  for (std::size_t i = 0; i < sample.lines.size(); ++i) {
    const std::string& line = sample.lines[i];
    const std::string on_line = "// expect: ";
    const std::string on_file = "// expect-file: ";
    if (const std::size_t at = line.find(on_line); at != std::string::npos) {
      pairs.emplace(static_cast<int>(i) + 1, line.substr(at + on_line.size()));
    } else if (const std::size_t whole = line.find(on_file); whole != std::string::npos) {
      pairs.emplace(0, line.substr(whole + on_file.size()));
    }
  }
  return pairs;
}

const std::vector<std::string> kFolders{"sim",        "topologies", "models", "scenarios",
                                        "validation", "bindings",   "tests"};

TEST(Tidy, SamplesGiveExactlyTheFindingsThatTheyExpect) {
  std::set<std::string> rules;
  for (const SourceFile& sample : load_tree(kSamples, kFolders, {})) {
    std::set<std::pair<int, std::string>> found;
    const Findings findings = check_all({sample}, banned_words());
    for (const Finding& finding : findings) {
      found.emplace(finding.line, finding.rule);
      rules.insert(finding.rule);
    }
    EXPECT_EQ(found, expected(sample)) << sample.path << "\n" << described(findings);
    EXPECT_EQ(found.empty(), sample.path.find("/good_") != std::string::npos) << sample.path;
  }
  // Every rule has a sample that it catches: a rule that catches nothing proves nothing.
  EXPECT_EQ(rules,
            (std::set<std::string>{"banned-word", "file-length", "function-length",
                                   "hash-iteration", "layer", "line-length", "third-party"}));
}

TEST(Tidy, BannedWordListRefusesWhatItDoesNotUnderstand) {
  EXPECT_THROW(parse_banned_words("sometimes | word | reason"), std::runtime_error);
  EXPECT_THROW(parse_banned_words("run | word"), std::runtime_error);
  EXPECT_EQ(parse_banned_words("# comment\n\nrun | a( | b\n").size(), 1U);
}

TEST(Tidy, BlankingKeepsCodeAndDropsProse) {
  const SourceFile file = parse("x.cpp",
                                "int a = 1'000; // one\n"
                                "auto s = \"two \\\" three\"; char c = '\\''; int b;\n"
                                "auto r = R\"x(four \" )\" five)x\"; /* six\n"
                                "seven */ int d;\n");
  ASSERT_EQ(file.code.size(), 4U);
  EXPECT_EQ(file.code[0].substr(0, 14), "int a = 1'000;");
  EXPECT_EQ(file.code[0].find("one"), std::string::npos);
  EXPECT_EQ(file.code[1].find("three"), std::string::npos);
  EXPECT_NE(file.code[1].find("int b;"), std::string::npos);
  EXPECT_EQ(file.code[2].find("five"), std::string::npos);
  EXPECT_EQ(file.code[3].find("seven"), std::string::npos);
  EXPECT_NE(file.code[3].find("int d;"), std::string::npos);
}

TEST(Tidy, TheTreeIsTidy) {
  const std::vector<SourceFile> files = load_tree(kRoot, kFolders, {"tests/tidy/samples/"});
  ASSERT_FALSE(files.empty());
  const Findings findings = check_all(files, banned_words());
  EXPECT_TRUE(findings.empty()) << findings.size() << " findings:\n" << described(findings);
}

}  // namespace
}  // namespace spineleaf::tidy
