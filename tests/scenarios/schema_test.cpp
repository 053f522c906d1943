// The schema against the shipped scenarios, with a checker of the few keywords that it uses;
// explain.

#include "scenarios/input/schema.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "scenarios/input/explain.hpp"
#include "scenarios/input/tables.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::ordered_json;

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

bool conforms(const Json& schema, const Json& value);

bool object_conforms(const Json& schema, const Json& value) {
  if (schema.contains("required")) {
    for (const Json& key : schema["required"]) {
      if (!value.contains(key.get<std::string>())) return false;
    }
  }
  for (const auto& [key, member] : value.items()) {
    if (schema.contains("properties") && schema["properties"].contains(key)) {
      if (!conforms(schema["properties"][key], member)) return false;
    } else if (schema.contains("additionalProperties")) {
      return false;
    }
  }
  return true;
}

bool conforms(const Json& schema, const Json& value) {
  if (schema.contains("type") && !has_type(value, schema["type"])) return false;
  if (schema.contains("const") && schema["const"] != value) return false;
  if (schema.contains("enum")) {
    const Json& words = schema["enum"];
    if (std::find(words.begin(), words.end(), value) == words.end()) return false;
  }
  if (schema.contains("pattern") &&
      !std::regex_search(value.get<std::string>(),
                         std::regex(schema["pattern"].get<std::string>()))) {
    return false;
  }
  if (schema.contains("minimum") && value < schema["minimum"]) return false;
  if (schema.contains("maximum") && value > schema["maximum"]) return false;
  for (const char* key : {"anyOf", "oneOf"}) {
    if (!schema.contains(key)) continue;
    const auto matches = std::count_if(schema[key].begin(), schema[key].end(),
                                       [&](const Json& s) { return conforms(s, value); });
    if (matches == 0 || (key[0] == 'o' && matches != 1)) return false;
  }
  if (value.is_object() && !object_conforms(schema, value)) return false;
  if (value.is_array() && schema.contains("items")) {
    return std::all_of(value.begin(), value.end(),
                       [&](const Json& item) { return conforms(schema["items"], item); });
  }
  return true;
}

TEST(Schema, ShippedScenariosConform) {
  const Json schema = schema_object();
  for (const auto& entry :
       std::filesystem::directory_iterator(SPINELEAF_SOURCE_DIR "/scenarios/library")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream stream(entry.path());
    EXPECT_TRUE(conforms(schema, Json::parse(stream))) << entry.path();
  }
}

TEST(Schema, WrongScenariosDoNot) {
  const Json schema = schema_object();
  const auto check = [&](const char* more) {
    const std::string text = R"({"topology": {"kind": "direct"}, "workload": {"kind": "incast"})" +
                             std::string{more} + "}";
    return conforms(schema, Json::parse(text));
  };
  EXPECT_TRUE(check(""));
  EXPECT_TRUE(check(R"(, "pfc": {"alpha": "1/8"}, "preset": ["ib-ndr"])"));
  EXPECT_FALSE(check(R"(, "fabric": {"mtu": 4096})"));
  EXPECT_FALSE(check(R"(, "fabric": {"mtu": "4096"})"));
  EXPECT_FALSE(check(R"(, "fabric": {"mut": "4KiB"})"));
  EXPECT_FALSE(check(R"(, "fabrik": {})"));
  EXPECT_FALSE(check(R"(, "expect": "doom")"));
  EXPECT_FALSE(check(R"(, "pfc": {"quanta": 0})"));
}

TEST(Explain, KnowsEveryKey) {
  for (const ParamTable& table : model_param_tables()) {
    EXPECT_TRUE(explain(table.name).found);
    for (const ParamDecl& decl : table.params) {
      const std::string key = std::string{table.name} + "." + std::string{decl.name};
      const Explanation explanation = explain(key);
      EXPECT_TRUE(explanation.found) << key;
      EXPECT_NE(explanation.text.find(decl.source), std::string::npos) << key;
    }
  }
  for (const TopologyKind& kind : topology_kinds()) EXPECT_TRUE(explain(kind.name).found);
  for (const WorkloadKind& kind : workload_kinds()) EXPECT_TRUE(explain(kind.name).found);
  for (const Preset& preset : model_presets()) EXPECT_TRUE(explain(preset.name).found);
  EXPECT_TRUE(explain("").found);
  EXPECT_TRUE(explain("expect").found);
}

TEST(Explain, SaysWhatThereIsToSay) {
  const std::string text = explain("switch.core_latency").text;
  for (const char* part : {"switch.core_latency", "unit:", "300ns", "range:", "0ns to 1ms",
                           "preset:   ib-ndr sets 150ns", "source:"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  EXPECT_NE(explain("topology.fat_tree.hosts").text.find("topology.hosts (kind \"fat_tree\")"),
            std::string::npos);
  EXPECT_NE(explain("topology.links[3].rate").text.find("topology.links[].rate"),
            std::string::npos);
  const Explanation unknown = explain("pfc.alhpa");
  EXPECT_FALSE(unknown.found);
  EXPECT_NE(unknown.text.find("Did you mean \"pfc.alpha\"?"), std::string::npos) << unknown.text;
}

}  // namespace
}  // namespace spineleaf
