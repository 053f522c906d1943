// Every kind: help text, defaults that agree with the declared text, and problems for bad values.

#include "topologies/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "tests/topologies/walk.hpp"
#include "topologies/audit.hpp"

namespace spineleaf {
namespace {

/// The canonical number of a default text such as "400Gbps", "3m", "0ns", "true".
double parse(const std::string& text) {
  if (text == "true" || text == "false") return text == "true" ? 1 : 0;
  std::size_t used = 0;
  const double value = std::stod(text, &used);
  const std::string unit = text.substr(used);
  if (unit == "Gbps") return value * 1e9;
  if (unit == "ns") return value * 1e3;
  EXPECT_TRUE(unit.empty() || unit == "m") << text;
  return value;
}

double number(const ParamDecl& decl, const ParamValue& value) {
  const bool real = decl.unit == Unit::Ratio || decl.unit == Unit::Length;
  return real ? value.real : static_cast<double>(value.integer);
}

TEST(TopologyRegistry, KindsHaveNamesTextsAndSoundTables) {
  std::set<std::string_view> names;
  for (const TopologyKind& kind : topology_kinds()) {
    SCOPED_TRACE(kind.name);
    EXPECT_TRUE(names.insert(kind.name).second);
    EXPECT_FALSE(kind.text.empty());
    EXPECT_EQ(kind.params.name, kind.name);
    EXPECT_EQ(find_topology_kind(kind.name), &kind);
    std::set<std::string_view> params;
    for (const ParamDecl& decl : kind.params.params) {
      SCOPED_TRACE(decl.name);
      EXPECT_TRUE(params.insert(decl.name).second);
      EXPECT_FALSE(decl.text.empty());
      EXPECT_FALSE(decl.source.empty());
      EXPECT_LE(decl.min, decl.max);
    }
  }
  EXPECT_EQ(names.size(), 11U);
  EXPECT_EQ(find_topology_kind("torus"), nullptr);
}

TEST(TopologyRegistry, DefaultsOfTheStructAreTheDeclaredOnes) {
  for (const TopologyKind& kind : topology_kinds()) {
    const auto params = kind.make_params();
    for (const ParamDecl& decl : kind.params.params) {
      SCOPED_TRACE(std::string{kind.name} + "." + std::string{decl.name});
      if (decl.unit == Unit::Text) {
        EXPECT_EQ(decl.get(params.get()).text, decl.default_text);
        continue;
      }
      EXPECT_EQ(number(decl, decl.get(params.get())), parse(std::string{decl.default_text}));
    }
  }
}

TEST(TopologyRegistry, DefaultsBuildAFabricWithoutAFlaw) {
  for (const TopologyKind& kind : topology_kinds()) {
    if (kind.name == "custom" || kind.name == "dump") continue;  // nothing to build by default
    SCOPED_TRACE(kind.name);
    const BuildResult result = kind.build(kind.make_params().get());
    ASSERT_TRUE(result.ok());
    const AuditReport report = audit(result.topology);
    EXPECT_TRUE(report.connected);
    for (const Problem& problem : report.problems) ADD_FAILURE() << to_string(problem);
  }
}

TEST(TopologyRegistry, EveryParameterRefusesWhatLiesOutsideItsRange) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const TopologyKind& kind : topology_kinds()) {
    for (const ParamDecl& decl : kind.params.params) {
      const bool real = decl.unit == Unit::Ratio || decl.unit == Unit::Length;
      for (const double value : {decl.min - 1, decl.max * 2 + 1, 9.3e18, kNan}) {
        const auto params = kind.make_params();
        if (!real && std::isnan(value)) continue;
        ParamValue canonical;
        canonical.real = value;
        canonical.integer = value < 9e18 ? static_cast<std::int64_t>(value) : INT64_MAX;
        if (decl.unit == Unit::Flag) continue;  // a bool holds nothing else
        decl.set(params.get(), canonical);
        const BuildResult result = kind.build(params.get());
        ASSERT_FALSE(result.ok()) << kind.name << "." << decl.name << " = " << value;
        EXPECT_TRUE(result.topology.nodes.empty());
        EXPECT_EQ(result.problems.front().where, decl.name);
      }
    }
  }
}

TEST(TopologyRegistry, ImpossibleFabricsAreRefusedWithTheParameterAndTheBound) {
  using test::refusal;
  EXPECT_EQ(refusal("fat_tree", {{"hosts", 1e9}}),
            "hosts: is out of range (found 1000000000, expected 1 to 1048576)\n");
  EXPECT_EQ(refusal("fat_tree", {{"hosts", 0}}),
            "hosts: is out of range (found 0, expected 1 to 1048576)\n");
  EXPECT_EQ(refusal("fat_tree", {{"speed", 0}}),
            "speed: is out of range (found 0Gbps, expected 0.001Gbps to 100000Gbps)\n");
  EXPECT_EQ(refusal("single_switch", {{"cable", 0}}),
            "cable: a cable must take some time (found 0 m with 0 ns, expected a length or a "
            "latency above zero). Give the cable's length, for example \"3m\"\n");
  EXPECT_EQ(refusal("single_switch", {{"hosts", 65}}),
            "radix: the switch has too few ports (found 64, expected at least 65). Use fewer "
            "hosts, a larger radix or the kind \"fat_tree\"\n");
  EXPECT_NE(refusal("fat_tree", {{"hosts", 4096}, {"radix", 64}}).find("Use 3 tiers"),
            std::string::npos);
  EXPECT_NE(refusal("fat_tree", {{"hosts", 70000}, {"tiers", 3}}).find("pods"), std::string::npos);
  EXPECT_NE(refusal("fat_tree", {{"links_per_cage", 3}}).find("1, 2 or 4"), std::string::npos);
  EXPECT_NE(refusal("fat_tree", {{"parallel", 5}}).find("a divisor of 32"), std::string::npos);
  EXPECT_NE(refusal("dragonfly", {{"groups", 34}}).find("at most 33"), std::string::npos);
  EXPECT_NE(refusal("torus", {}).find("one of single_switch"), std::string::npos);
  EXPECT_NE(refusal("fat_tree", {{"hots", 3}}).find("no such parameter"), std::string::npos);
}

TEST(TopologyRegistry, HugeFabricsAreRefusedBeforeAnythingIsAllocated) {
  const std::string text = test::refusal(
      "dragonfly", {{"switches_per_group", 400}, {"global_links", 100}, {"radix", 510}});
  EXPECT_NE(text.find("MiB"), std::string::npos) << text;
}

}  // namespace
}  // namespace spineleaf
