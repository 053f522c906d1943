// The tree with places, and what is said about broken JSON.

#include "scenarios/input/json_source.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/scenarios/reading.hpp"

namespace spineleaf {
namespace {

std::string first_problem(const std::string& text) {
  std::vector<InputProblem> problems;
  const JsonSource source("s.json", text, problems);
  return problems.empty() ? "" : to_string(problems.front());
}

TEST(JsonSource, EveryKeyAndValueHasItsPlace) {
  std::vector<InputProblem> problems;
  const JsonSource source("s.json",
                          "\xEF\xBB\xBF{\n  \"a\" : [1, \"x\\u0041\",\n\t{\"b\":true}],\n"
                          "  \"c\": {\"d\": -1.5e3, \"e\": null}\n}\n",
                          problems);
  ASSERT_TRUE(problems.empty()) << to_string(problems.front());
  const JsonNode& root = *source.root();
  EXPECT_EQ(root.place.line, 1);
  EXPECT_EQ(root.place.column, 1) << "a byte order mark is no column";
  const JsonNode& a = *root.find("a");
  EXPECT_EQ(a.key_place.line, 2);
  EXPECT_EQ(a.key_place.column, 3);
  EXPECT_EQ(a.place.column, 9);
  EXPECT_EQ(a.children[1].text, "xA");
  EXPECT_EQ(a.children[1].place.column, 13);
  EXPECT_EQ(a.children[2].place.line, 3);
  EXPECT_EQ(a.children[2].children[0].text, "true");
  EXPECT_EQ(a.children[2].children[0].place.column, 7);
  const JsonNode& d = *root.find("c")->find("d");
  EXPECT_EQ(d.text, "-1.5e3");
  EXPECT_EQ(d.place.line, 4);
  EXPECT_EQ(d.place.column, 14);
}

TEST(JsonSource, BrokenTextIsExplained) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"a":1,})", "s.json:1:7: a comma before '}'. Remove the comma."},
      {"[1,\n 2,\n]", "s.json:2:3: a comma before ']'. Remove the comma."},
      {"[1,,2]", "s.json:1:4: a ',' too many."},
      {R"({"a":1 "b":2})", "s.json:1:8: a value follows another"},
      {R"({"a":01})", "s.json:1:6: \"01\" is not JSON."},
      {R"({"a":NaN})", "s.json:1:6: \"NaN\" does not fit here"},
      {R"({"a":Infinity})", "\"Infinity\" does not fit here"},
      {R"({"a":1e400})", "s.json:1:6: \"1e400\" does not fit a double."},
      {R"({'a':1})", "s.json:1:2: single quotes; expected double quotes."},
      {"{\"a\":1} // why", "s.json:1:9: text follows after the end"},
      {"{ // why\n}", "s.json:1:3: JSON has no comments"},
      {R"({"a":"b)", "s.json:1:6: invalid string: missing closing quote."},
      {R"({"a":"\x"})", "s.json:1:8: invalid string: forbidden character after backslash."},
      {"{\"a\":\"\xff\"}", "s.json:1:7: invalid string: ill-formed UTF-8 byte."},
      {"{", "s.json:1:2: the text ends too early"},
      {R"({"a":1}})", "s.json:1:8: text follows after the end"},
      {R"({"a":1,"b":2,"a":3})",
       "s.json:1:14: the key \"a\" is given twice. It was first given in line 1."},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_NE(first_problem(text).find(message), std::string::npos)
        << text << "\n  said: " << first_problem(text);
  }
}

std::string first_problem_with_comments(const std::string& text) {
  std::vector<InputProblem> problems;
  const JsonSource source("s.json", text, problems, JsonComments::Allowed);
  return problems.empty() ? "" : to_string(problems.front());
}

TEST(JsonSource, CommentsAreSkippedAndCounted) {
  std::vector<InputProblem> problems;
  const JsonSource source("s.json",
                          "// first\n{ // \"a\": 2,\n  /* two\n lines */ \"a\": 1/**/,\n"
                          "  \"b\"/*:*/: [/*]*/ \"// no comment\" , true// end\n]}// last",
                          problems, JsonComments::Allowed);
  ASSERT_TRUE(problems.empty()) << to_string(problems.front());
  const JsonNode& a = *source.root()->find("a");
  EXPECT_EQ(a.text, "1");
  EXPECT_EQ(a.key_place.line, 4);
  EXPECT_EQ(a.key_place.column, 11);
  const JsonNode& b = *source.root()->find("b");
  ASSERT_EQ(b.children.size(), 2U);
  EXPECT_EQ(b.children[0].text, "// no comment");
  EXPECT_EQ(b.children[1].text, "true");
  EXPECT_EQ(b.children[1].place.line, 5);
  EXPECT_EQ(b.children[1].place.column, 38);
}

TEST(JsonSource, BrokenCommentsAreExplained) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"{ // one\n  # two\n}", "s.json:2:3: no comment begins so; expected // and the comment"},
      {"{ /* one\n}", "s.json:1:3: the comment is never closed; expected */ at its end"},
      {"{\"a\":1, // why\n}", "s.json:1:7: a comma before '}'"},
      {"{\"a\":1 /* b */ \"b\":2}", "s.json:1:16: a value follows another"},
      {"{} // why\n}", "s.json:2:1: text follows after the end"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_NE(first_problem_with_comments(text).find(message), std::string::npos)
        << text << "\n  said: " << first_problem_with_comments(text);
  }
}

TEST(JsonSource, DepthAndNumberOfValuesAreBounded) {
  const std::string deepest = std::string(64, '[') + std::string(64, ']');
  EXPECT_EQ(first_problem(deepest), "");
  const std::string deeper = std::string(65, '[') + std::string(65, ']');
  EXPECT_NE(first_problem(deeper).find("nested too deep; expected at most 64"), std::string::npos);
  EXPECT_NE(first_problem(std::string(1'000'000, '[')).find("nested too deep"), std::string::npos);
  std::string many = "[0";
  for (std::size_t i = 0; i < JsonSource::kMaxValues; ++i) many += ",0";
  EXPECT_NE(first_problem(many + "]").find("too many values"), std::string::npos);
  EXPECT_NE(first_problem(std::string(JsonSource::kMaxBytes + 1, ' ')).find("too long"),
            std::string::npos);
}

TEST(JsonSource, AgreesWithTheParserOnEveryCutOfAText) {
  const std::string text = R"({"a": [1, -2.5e-3, "x\n\u00e9", true, null, {"b": {}}], "c": []})";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    EXPECT_EQ(first_problem(cut).empty(), nlohmann::json::accept(cut)) << cut;
    std::string changed = text;
    if (length < text.size()) changed[length] = ']';
    EXPECT_EQ(first_problem(changed).empty(), nlohmann::json::accept(changed)) << changed;
  }
}

TEST(JsonSource, AgreesWithTheParserOnEveryCutOfACommentedText) {
  const std::string text = "// a\n{\"a\"/* b */: [1/**/, \"/*\"], // c */ \r\"b\": /*/ * /*/ {}}//";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    for (const char c : {']', '/', '*', '\n', '\0'}) {
      std::string changed = text;
      if (length < text.size()) changed[length] = c;
      EXPECT_EQ(first_problem_with_comments(changed).empty(), nlohmann::json::accept(changed, true))
          << changed;
      changed.resize(length);
      EXPECT_EQ(first_problem_with_comments(changed).empty(), nlohmann::json::accept(changed, true))
          << changed;
    }
  }
}

TEST(Set, ReplacesAddsAndIndexes) {
  std::vector<InputProblem> problems;
  JsonSource source("s.json", R"({"a": {"b": 1}, "w": [{"x": 1}, {"x": 2}], "one": [{"y": 1}]})",
                    problems);
  source.set("a.b", "\"4KiB\"", problems);
  source.set("a.c.d", "4KiB", problems);
  source.set("w[1].x", "[3]", problems);
  source.set("one.y", "true", problems);
  ASSERT_TRUE(problems.empty()) << to_string(problems.front());
  const JsonNode& root = *source.root();
  EXPECT_EQ(root.find("a")->find("b")->text, "4KiB");
  EXPECT_EQ(root.find("a")->find("c")->find("d")->text, "4KiB");
  EXPECT_EQ(root.find("a")->find("c")->find("d")->place.line, 0);
  EXPECT_EQ(root.find("w")->children[1].find("x")->kind, JsonNode::Kind::Array);
  EXPECT_EQ(root.find("one")->children[0].find("y")->text, "true");
}

TEST(Set, BadPathsAreRefused) {
  std::vector<InputProblem> problems;
  JsonSource source("s.json", R"({"w": [{"x": 1}, {"x": 2}]})", problems);
  for (const char* path : {"", "a..b", "w[5].x", "w.x", "w[", "w[x].x", "[0]", ".", "a[1]"}) {
    const std::size_t before = problems.size();
    source.set(path, "1", problems);
    EXPECT_EQ(problems.size(), before + 1) << path;
  }
  source.set(std::string(200, 'a') + std::string(1'000'000, '.'), "1", problems);
  source.set("a", "\xff", problems);
  EXPECT_EQ(to_string(problems.back()), "--set: a: the value is not UTF-8.");
}

}  // namespace
}  // namespace spineleaf
