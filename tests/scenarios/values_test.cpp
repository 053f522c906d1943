// Units: exact reading, messages, and text that reads back bit for bit.

#include "scenarios/input/values.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <optional>
#include <random>

#include "scenarios/input/tables.hpp"

namespace spineleaf {
namespace {

constexpr std::array<std::string_view, 3> kWords{"ecmp", "spray", "adaptive"};

ParamDecl decl_of(Unit unit, double min = 0, double max = 9.3e18) {
  ParamDecl decl;
  decl.name = "x";
  decl.unit = unit;
  decl.default_text = "0ns";
  decl.min = min;
  decl.max = max;
  decl.choices = kWords;
  return decl;
}

struct Reading {
  ParamValue value;
  std::string what, expected, hint;
};

Reading read(Unit unit, JsonNode::Kind kind, std::string_view text, double min = 0,
             double max = 9.3e18) {
  JsonNode node;
  node.kind = kind;
  node.text = text;
  node.place = {1, 1};
  Reading reading;
  const ParamDecl decl = decl_of(unit, min, max);
  if (auto error = read_value(decl, node, reading.value)) {
    reading.what = error->what;
    reading.expected = error->expected;
    reading.hint = error->hint;
  }
  return reading;
}

std::int64_t integer(Unit unit, std::string_view text) {
  const Reading reading = read(unit, JsonNode::Kind::String, text);
  EXPECT_EQ(reading.what, "") << text;
  return reading.value.integer;
}

std::string refusal(Unit unit, std::string_view text) {
  return read(unit, JsonNode::Kind::String, text).what;
}

TEST(Values, UnitsAreExact) {
  EXPECT_EQ(integer(Unit::Time, "0.256us"), 256'000);
  EXPECT_EQ(integer(Unit::Time, "83.56ns"), 83'560);
  EXPECT_EQ(integer(Unit::Time, "9000000.000000000001s"), 9'000'000'000'000'000'001);
  EXPECT_EQ(integer(Unit::Time, "1e-6 s"), 1'000'000);
  EXPECT_EQ(integer(Unit::Time, "1.5 \u00b5s"), 1'500'000);
  EXPECT_EQ(integer(Unit::Bytes, "4KiB"), 4096);
  EXPECT_EQ(integer(Unit::Bytes, "9.5MB"), 9'500'000);
  EXPECT_EQ(integer(Unit::Bytes, "0.5KiB"), 512);
  EXPECT_EQ(integer(Unit::Bytes, "8TiB"), std::int64_t{8} << 40);
  EXPECT_EQ(integer(Unit::Rate, "400Gbps"), 400'000'000'000);
  EXPECT_EQ(integer(Unit::Rate, "1.6Tbps"), 1'600'000'000'000);
  EXPECT_EQ(integer(Unit::Rate, "400 Gb/s"), 400'000'000'000);
}

TEST(Values, NearestCanonicalUnitCountsForFinerText) {
  EXPECT_EQ(integer(Unit::Time, "1.4ps"), 1);
  EXPECT_EQ(integer(Unit::Time, "1.5ps"), 2);
  EXPECT_EQ(integer(Unit::Rate, "33.3333333333Gbps"), 33'333'333'333);
}

TEST(Values, RefusalsSayWhat) {
  EXPECT_EQ(refusal(Unit::Rate, "400"), "\"400\" has no unit");
  EXPECT_EQ(refusal(Unit::Rate, "nan"), "\"nan\" is not a finite number");
  EXPECT_EQ(refusal(Unit::Rate, "-inf Gbps"), "\"-inf Gbps\" is not a finite number");
  EXPECT_EQ(refusal(Unit::Rate, ""), "\"\" is not a rate");
  EXPECT_EQ(refusal(Unit::Rate, "fast"), "\"fast\" is not a rate");
  EXPECT_EQ(refusal(Unit::Time, "5km"), "\"5km\" is a length");
  EXPECT_EQ(refusal(Unit::Time, "5parsec"), "\"5parsec\" has no known unit");
  EXPECT_EQ(refusal(Unit::Bytes, "1.5B"), "\"1.5B\" is not a whole number of bytes");
  EXPECT_EQ(refusal(Unit::Time, "0.1ps"), "\"0.1ps\" is finer than 1 ps");
  EXPECT_EQ(refusal(Unit::Bytes, "9223372036854775808B"),
            "\"9223372036854775808B\" does not fit 64 bits");
  EXPECT_EQ(refusal(Unit::Bytes, "1e99999999999GiB"), "\"1e99999999999GiB\" does not fit 64 bits");
  EXPECT_EQ(refusal(Unit::Time, "-1ns"), "\"-1ns\" is out of range");
  EXPECT_EQ(read(Unit::Rate, JsonNode::Kind::Boolean, "true").what, "true is not a rate");
}

TEST(Values, HintsSayWhatWasMeant) {
  const auto hint = [](Unit unit, JsonNode::Kind kind, std::string_view text) {
    return read(unit, kind, text).hint;
  };
  using Kind = JsonNode::Kind;
  EXPECT_EQ(hint(Unit::Rate, Kind::String, "400"), "Did you mean \"400Gbps\"?");
  EXPECT_EQ(hint(Unit::Rate, Kind::Number, "400"), "Did you mean \"400Gbps\"?");
  EXPECT_EQ(hint(Unit::Rate, Kind::Number, "400000000000"), "Did you mean \"400000000000bps\"?");
  EXPECT_EQ(hint(Unit::Bytes, Kind::Number, "4096"), "Did you mean \"4096B\"?");
  EXPECT_EQ(hint(Unit::Length, Kind::Number, "5"), "Did you mean \"5m\"?");
  EXPECT_EQ(hint(Unit::Time, Kind::Number, "5"), "Did you mean \"5ns\"?");
  EXPECT_EQ(hint(Unit::Rate, Kind::String, "400gbps"), "Did you mean \"400Gbps\"?");
  EXPECT_EQ(hint(Unit::Rate, Kind::String, "50GB/s"), "Did you mean \"400Gbps\"?");
  EXPECT_EQ(hint(Unit::Choice, Kind::String, "adaptiv"), "Did you mean \"adaptive\"?");
  EXPECT_EQ(hint(Unit::Count, Kind::String, "8"), "Remove the quotes.");
  EXPECT_EQ(hint(Unit::Flag, Kind::String, "true"), "Remove the quotes.");
  EXPECT_EQ(hint(Unit::Text, Kind::Number, "0"), "Did you mean \"0\"?");
  EXPECT_EQ(hint(Unit::Ratio, Kind::String, "0.5"), "Did you mean 0.5 without quotes?");
}

TEST(Values, RatiosReadAsNumbersPercentagesAndFractions) {
  const auto ratio = [](JsonNode::Kind kind, std::string_view text) {
    return read(Unit::Ratio, kind, text, 0, 1e6).value.real;
  };
  EXPECT_EQ(ratio(JsonNode::Kind::Number, "0.125"), 0.125);
  EXPECT_EQ(ratio(JsonNode::Kind::String, "20%"), 0.2);
  EXPECT_EQ(ratio(JsonNode::Kind::String, "7%"), 0.07);
  EXPECT_EQ(ratio(JsonNode::Kind::String, "1/256"), 1.0 / 256);
  EXPECT_EQ(read(Unit::Ratio, JsonNode::Kind::String, "1/0").what, "\"1/0\" is not a number");
  EXPECT_EQ(read(Unit::Ratio, JsonNode::Kind::Number, "20", 0, 1).expected, "0 to 1");
}

TEST(Values, CountsAreWhole) {
  const auto count = [](std::string_view text) {
    return read(Unit::Count, JsonNode::Kind::Number, text, -1, 9.3e18);
  };
  EXPECT_EQ(count("1e3").value.integer, 1000);
  EXPECT_EQ(count("9223372036854775807").value.integer, INT64_MAX);
  EXPECT_EQ(count("9223372036854775808").what, "9223372036854775808 does not fit 64 bits");
  EXPECT_EQ(count("2.5").what, "2.5 is not a whole number");
  EXPECT_EQ(count("-1").value.integer, -1);
  EXPECT_EQ(count("-2").what, "-2 is out of range");
}

TEST(Values, TheLargestUnitThatDividesIsWritten) {
  EXPECT_EQ(to_text(Time{256'000}), "256ns");
  EXPECT_EQ(to_text(Time{83'560}), "83560ps");
  EXPECT_EQ(to_text(Time{0}), "0ns");
  EXPECT_EQ(to_text(Bytes{4096}), "4KiB");
  EXPECT_EQ(to_text(Bytes{9'500'000}), "9500KB");
  EXPECT_EQ(to_text(Bytes{1'000'000'000'000}), "1TB");
  EXPECT_EQ(to_text(Rate::from_gbps(400)), "400Gbps");
}

TEST(Values, WrittenTextReadsBackBitForBit) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = static_cast<std::int64_t>(random() >> (1 + random() % 63));
    for (const Unit unit : {Unit::Time, Unit::Bytes, Unit::Rate}) {
      const ParamDecl decl = decl_of(unit);
      const std::string text = format_value(decl, {number, 0, {}});
      EXPECT_EQ(integer(unit, text), number) << text;
    }
    const double real = std::bit_cast<double>(random() >> 2);  // positive and finite
    const std::string length = format_value(decl_of(Unit::Length), {0, real, {}});
    EXPECT_EQ(read(Unit::Length, JsonNode::Kind::String, length, 0, 1e308).value.real, real);
    const std::string ratio = format_value(decl_of(Unit::Ratio), {0, real, {}});
    EXPECT_EQ(read(Unit::Ratio, JsonNode::Kind::Number, ratio, 0, 1e308).value.real, real);
  }
}

TEST(Values, EveryDeclaredDefaultAndRangeIsInOrder) {
  const auto check = [](const ParamTable& table) {
    for (const ParamDecl& decl : table.params) {
      const std::string name = std::string{table.name} + "." + std::string{decl.name};
      const ParamValue value = default_value(decl);
      JsonNode node;
      node.place = {1, 1};
      const std::string token = format_value(decl, value);
      node.text = token;
      node.kind = JsonNode::Kind::String;
      if (decl.unit == Unit::Count || decl.unit == Unit::Ratio) node.kind = JsonNode::Kind::Number;
      if (decl.unit == Unit::Flag) node.kind = JsonNode::Kind::Boolean;
      ParamValue again;
      const auto error = read_value(decl, node, again);
      EXPECT_FALSE(error.has_value()) << name << ": " << error->what;
      EXPECT_EQ(again.integer, value.integer) << name;
      EXPECT_EQ(again.real, value.real) << name;
      EXPECT_FALSE(decl.text.empty()) << name;
      EXPECT_FALSE(decl.source.empty()) << name;
    }
  };
  for (const ParamTable& table : model_param_tables()) check(table);
  for (const TopologyKind& kind : topology_kinds()) check(kind.params);
  for (const WorkloadKind& kind : workload_kinds()) check(kind.table);
  for (const EntryTable* e :
       {&node_entries(), &link_entries(), &flow_entries(), &fault_entries()}) {
    check(e->table);
  }
  check(subnet_table());
  check(run_table());
}

}  // namespace
}  // namespace spineleaf
