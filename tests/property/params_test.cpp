// Every declared parameter of the models: its default, its range, the field it fills; every preset.

#include <gtest/gtest.h>

#include <set>

#include "models/params.hpp"
#include "models/parts/ports.hpp"
#include "topologies/registry.hpp"

namespace spineleaf {
namespace {

bool is_real(const ParamDecl& decl) {
  return decl.unit == Unit::Ratio || decl.unit == Unit::Length;
}

double number(const ParamDecl& decl, const ParamValue& value) {
  return is_real(decl) ? value.real : static_cast<double>(value.integer);
}

ParamValue value_of(const ParamDecl& decl, double wanted) {
  ParamValue value;
  if (is_real(decl)) {
    value.real = wanted;
  } else {
    value.integer = static_cast<std::int64_t>(wanted);
  }
  return value;
}

void expect_equal(const ParamDecl& decl, const ParamValue& a, const ParamValue& b) {
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(number(decl, a), number(decl, b));
}

void expect_in_range(const ParamDecl& decl, const ParamValue& value) {
  if (decl.unit == Unit::Text) return;
  EXPECT_GE(number(decl, value), decl.min);
  EXPECT_LE(number(decl, value), decl.max);
  if (decl.unit == Unit::Choice) {
    EXPECT_EQ(decl.max + 1, static_cast<double>(decl.choices.size()));
    EXPECT_LT(value.integer, static_cast<std::int64_t>(decl.choices.size()));
  }
}

TEST(ModelParams, EveryDefaultParsesAndIsInItsRange) {
  const ModelParams defaults = default_model_params();
  std::set<std::string> names;
  for (const ParamTable& table : model_param_tables()) {
    const void* object = section_object(defaults, table.name);
    ASSERT_NE(object, nullptr) << table.name;
    for (const ParamDecl& decl : table.params) {
      SCOPED_TRACE(std::string(table.name) + "." + std::string(decl.name));
      EXPECT_TRUE(names.insert(std::string(table.name) + "." + std::string(decl.name)).second);
      EXPECT_FALSE(decl.text.empty());
      EXPECT_FALSE(decl.source.empty());
      const ParamValue parsed = parse_declared(decl, decl.default_text);
      expect_in_range(decl, parsed);
      expect_equal(decl, decl.get(object), parsed);
    }
  }
  EXPECT_GT(names.size(), 80U);
}

/// Another value than `value`, inside the range.
ParamValue another(const ParamDecl& decl, const ParamValue& value) {
  if (decl.unit == Unit::Text) return {.integer = 0, .real = 0, .text = value.text + "!"};
  return value_of(decl, number(decl, value) == decl.max ? decl.min : decl.max);
}

TEST(ModelParams, EachFillsItsOwnFieldAndNoOther) {
  for (const ParamTable& table : model_param_tables()) {
    for (const ParamDecl& decl : table.params) {
      SCOPED_TRACE(std::string(table.name) + "." + std::string(decl.name));
      const ModelParams before = default_model_params();
      ModelParams after = before;
      const ParamValue wanted = another(decl, decl.get(section_object(before, table.name)));
      decl.set(section_object(after, table.name), wanted);
      for (const ParamTable& other_table : model_param_tables()) {
        for (const ParamDecl& other : other_table.params) {
          SCOPED_TRACE(other.name);
          const bool itself = other_table.name == table.name && other.name == decl.name;
          expect_equal(other, other.get(section_object(after, other_table.name)),
                       itself ? wanted : other.get(section_object(before, other_table.name)));
        }
      }
    }
  }
}

TEST(ModelParams, EveryIntegerOfTheRangeSurvives) {
  for (const ParamTable& table : model_param_tables()) {
    for (const ParamDecl& decl : table.params) {
      if (decl.unit == Unit::Text) continue;
      SCOPED_TRACE(std::string(table.name) + "." + std::string(decl.name));
      ModelParams params = default_model_params();
      void* object = section_object(params, table.name);
      for (const double share : {0.0, 0.25, 0.5, 1.0}) {
        const ParamValue value = value_of(decl, decl.min + share * (decl.max - decl.min));
        decl.set(object, value);
        expect_equal(decl, decl.get(object), value);
      }
    }
  }
}

const ParamDecl* find_decl(std::string_view key, std::string_view& section) {
  section = key.substr(0, key.find('.'));
  for (const ParamTable& table : model_param_tables()) {
    if (table.name != section) continue;
    for (const ParamDecl& decl : table.params) {
      if (decl.name == key.substr(section.size() + 1)) return &decl;
    }
  }
  if (section != "topology") return nullptr;
  for (const TopologyKind& kind : topology_kinds()) {
    for (const ParamDecl& decl : kind.params.params) {
      if (decl.name == key.substr(section.size() + 1)) return &decl;
    }
  }
  return nullptr;
}

TEST(Presets, EveryKeyExistsAndEveryValueParsesAndIsInRange) {
  std::set<std::string_view> names;
  for (const Preset& preset : model_presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_TRUE(names.insert(preset.name).second);
    EXPECT_FALSE(preset.text.empty());
    EXPECT_FALSE(preset.source.empty());
    ModelParams params = default_model_params();
    std::set<std::string_view> keys;
    for (const PresetEntry& entry : preset.entries) {
      SCOPED_TRACE(entry.key);
      EXPECT_TRUE(keys.insert(entry.key).second);
      std::string_view section;
      const ParamDecl* decl = find_decl(entry.key, section);
      ASSERT_NE(decl, nullptr);
      const ParamValue value = parse_declared(*decl, entry.value);
      if (decl->unit == Unit::Flag) {
        EXPECT_TRUE(entry.value == "true" || entry.value == "false");
      }
      expect_in_range(*decl, value);
      if (section == "topology") continue;  // no struct of the models
      decl->set(section_object(params, section), value);
      expect_equal(*decl, decl->get(section_object(params, section)), value);
    }
    EXPECT_LT(params.fabric.cnp_class, params.fabric.classes);
    EXPECT_LT(params.fabric.ack_class, params.fabric.classes);
    EXPECT_NO_THROW(parse_schedule(params.sw.scheduler, params.fabric.classes, params.fabric.mtu));
  }
  EXPECT_GE(names.size(), 4U);
}

TEST(Presets, AnUnknownSectionHasNoObject) {
  ModelParams params = default_model_params();
  EXPECT_EQ(section_object(params, "switches"), nullptr);
  EXPECT_THROW(parse_declared(model_param_tables()[0].params[2], "4 KiB"), std::logic_error);
}

}  // namespace
}  // namespace spineleaf
