#include "scenarios/output/text.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/output/sample_result.hpp"

namespace spineleaf {
namespace {

TEST(Text, NumbersReadBackExactly) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(400), "400");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "");
}

TEST(Text, FixedDecimals) {
  EXPECT_EQ(fixed_text(2.25, 1), "2.2");  // exactly between two: to the even digit
  EXPECT_EQ(fixed_text(-0.04, 1), "0.0");
  EXPECT_EQ(fixed_text(1e20, 0), "100000000000000000000");
  EXPECT_EQ(fixed_text(-1.26, 1), "-1.3");
  EXPECT_EQ(fixed_text(std::numeric_limits<double>::infinity(), 1), "-");
}

TEST(Text, ShortNumbers) {
  EXPECT_EQ(short_text(0), "0");
  EXPECT_EQ(short_text(1234.5), "1234");
  EXPECT_EQ(short_text(123.45), "123.5");
  EXPECT_EQ(short_text(99.99), "100");
  EXPECT_EQ(short_text(12.0), "12");
  EXPECT_EQ(short_text(0.123456), "0.12346");
  EXPECT_EQ(short_text(-2.5), "-2.5");
}

TEST(Text, Rates) {
  EXPECT_EQ(gbps_text(397.284), "397.3 Gb/s");
  EXPECT_EQ(gbps_text(45044.2), "45,044 Gb/s");
  EXPECT_EQ(gbps_text(0), "0 Gb/s");
}

TEST(Text, Counts) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(-1234567), "-1,234,567");
  EXPECT_EQ(count_text(INT64_MIN), "-9,223,372,036,854,775,808");
}

TEST(Text, BytesAndTimes) {
  EXPECT_EQ(bytes_text(Bytes{712}), "712 B");
  EXPECT_EQ(bytes_text(Bytes{8 << 20}), "8 MiB");
  EXPECT_EQ(bytes_text(Bytes{1536}), "1.50 KiB");
  EXPECT_EQ(bytes_text(Bytes{INT64_MAX}), "8192.00 PiB");
  EXPECT_EQ(time_text(Time{0}), "0 us");
  EXPECT_EQ(time_text(Time{83'560}), "83.56 ns");
  EXPECT_EQ(time_text(Time{1'234'000'000}), "1.234 ms");
  EXPECT_EQ(time_text(Time{-1}), "-");
}

TEST(Text, FingerprintHasSixteenDigits) {
  EXPECT_EQ(fingerprint_text(0), "0000000000000000");
  EXPECT_EQ(fingerprint_text(0xFEDCBA9876543210), "fedcba9876543210");
}

TEST(Text, MarkupIsEscapedAndBrokenUtf8Replaced) {
  EXPECT_EQ(escape_markup("<a href=\"x\">'&'"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;");
  EXPECT_EQ(escape_markup("h\xC3\xA4user \xE2\x82\xAC"), "h\xC3\xA4user \xE2\x82\xAC");
  EXPECT_EQ(escape_markup("\xC3("), "\xEF\xBF\xBD(");
  EXPECT_EQ(escape_markup("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // overlong slash
  EXPECT_EQ(escape_markup("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(escape_markup(std::string_view("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(escape_markup("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Text, RunsAreNamedByWhatTellsThemApart) {
  Result roce = test::sample_result();
  Result infiniband = test::sample_result("InfiniBand (credits)");
  EXPECT_EQ(run_labels({&roce, &infiniband}),
            (std::vector<std::string>{"RoCEv2 (PFC)", "InfiniBand (credits)"}));
  Result other = roce;
  other.name = "incast";
  EXPECT_EQ(run_labels({&roce, &other}), (std::vector<std::string>{"permutation-128", "incast"}));
  Result seeded = roce;
  seeded.seed = 8;
  EXPECT_EQ(run_labels({&roce, &seeded})[1], "permutation-128, RoCEv2 (PFC), seed 8");
  EXPECT_EQ(run_labels({&roce, &roce})[1], "permutation-128, RoCEv2 (PFC), seed 7 #2");
  EXPECT_TRUE(run_labels({}).empty());
}

}  // namespace
}  // namespace spineleaf
