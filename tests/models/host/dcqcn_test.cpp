// DCQCN of one connection: lazy clocks compose exactly, and each profile's law step by step.

#include "models/host/dcqcn.hpp"

#include <gtest/gtest.h>

#include "sim/hash.hpp"

namespace spineleaf {
namespace {

constexpr double kLine = 400e9;

DcqcnParams connectx() {
  const ModelParams defaults = default_model_params();
  return defaults.dcqcn;
}

DcqcnParams paper() {
  DcqcnParams p = connectx();
  p.g = 1.0 / 256;
  p.alpha_timer = Time::from_us(55);
  p.rpg_time_reset = Time::from_us(55);
  p.rpg_byte_reset = Bytes{10'000'000};
  p.rpg_threshold = 5;
  p.rpg_ai_rate = Rate{40'000'000};
  p.rpg_hai_rate = Rate{200'000'000};
  p.rpg_min_rate = Rate{10'000'000};
  p.rpg_min_dec_fac = 0;
  return p;
}

void expect_same(const Dcqcn& a, const Dcqcn& b) {
  // Exact equality of doubles is meant: composition keeps every bit.
  EXPECT_EQ(a.rate(), b.rate());
  EXPECT_EQ(a.target(), b.target());
  EXPECT_EQ(a.alpha(), b.alpha());
  EXPECT_EQ(a.next_increase().ps, b.next_increase().ps);
}

/// One connection read only where it must be, the other also at random instants in between.
void check_composition(const DcqcnConfig& config, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Dcqcn plain(kLine), cut(kLine);
  Time now{0};
  for (std::uint64_t i = 0; i < 300 && !::testing::Test::HasFailure(); ++i) {
    // Gaps of all sizes, some on a clock's own grid, so that events coincide with firings.
    const std::uint64_t bits = mix64(seed, i);
    const Time grid = bits % 3 == 0 ? config.increase_period : config.cut_period;
    const auto scale = static_cast<std::int64_t>(bits >> 8) & 0x3fffff;
    const Time gap = bits % 2 == 0 ? grid * static_cast<std::int64_t>(1 + bits % 5)
                                   : Time{1 + scale * ((bits >> 40) % 64 == 0 ? 10'000 : 10)};
    for (std::uint64_t k = 0; k < mix64(seed, i, 1) % 6; ++k) {
      const Time between = now + Time{static_cast<std::int64_t>(
                                     mix64(seed, i, k + 2) % static_cast<std::uint64_t>(gap.ps))};
      cut.catch_up(config, between, k % 2 == 0);
    }
    now += gap;
    if (bits % 5 != 0) {
      plain.catch_up(config, now, false);
      cut.catch_up(config, now, false);
      plain.on_cnp(config, now);
      cut.on_cnp(config, now);
    } else {
      cut.catch_up(config, now, false);
      plain.catch_up(config, now, true);
      cut.catch_up(config, now, true);
      const auto bytes = static_cast<std::int64_t>(bits % 30'000'000);
      plain.on_bytes_sent(config, bytes);
      cut.on_bytes_sent(config, bytes);
    }
    expect_same(plain, cut);
  }
}

TEST(DcqcnClocks, CatchUpComposesExactlyUnderRandomCuts) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    check_composition({connectx(), CongestionControlKind::DcqcnConnectx}, seed);
    check_composition({connectx(), CongestionControlKind::DcqcnNs3}, seed);
    check_composition({paper(), CongestionControlKind::DcqcnPaper}, seed);
  }
}

TEST(DcqcnClocks, ALongSilenceIsOneStepAsGoodAsMany) {
  for (const auto kind :
       {CongestionControlKind::DcqcnConnectx, CongestionControlKind::DcqcnPaper}) {
    const DcqcnConfig config(kind == CongestionControlKind::DcqcnPaper ? paper() : connectx(),
                             kind);
    Dcqcn once(kLine), often(kLine);
    for (Dcqcn* d : {&once, &often}) {
      d->on_cnp(config, Time::from_us(1));
    }
    for (std::int64_t us = 2; us <= 200'000; us += 7) {
      often.catch_up(config, Time::from_us(us), true);
    }
    once.catch_up(config, Time::from_us(200'003), true);
    often.catch_up(config, Time::from_us(200'003), true);
    expect_same(once, often);
  }
}

TEST(DcqcnPaper, CutIsHalfAlphaThenAlphaRises) {
  const DcqcnConfig config(paper(), CongestionControlKind::DcqcnPaper);
  Dcqcn d(40e9);
  d.on_cnp(config, Time::from_us(1));
  EXPECT_DOUBLE_EQ(d.rate(), 20e9);  // alpha = 1 at the first notification
  EXPECT_DOUBLE_EQ(d.target(), 40e9);
  EXPECT_DOUBLE_EQ(d.alpha(), 1);
  // Two alpha periods without a notification.
  d.catch_up(config, Time::from_us(111), true);
  EXPECT_DOUBLE_EQ(d.alpha(), (255.0 / 256) * (255.0 / 256));
}

TEST(DcqcnPaper, RecoveryThenAdditiveThenHyper) {
  DcqcnParams p = paper();
  p.rpg_byte_reset = Bytes{0};  // the timer alone drives the stages
  const DcqcnConfig config(p, CongestionControlKind::DcqcnPaper);
  Dcqcn d(40e9);
  d.on_cnp(config, Time{0});
  d.on_cnp(config, Time{1});
  // Target 20 Gb/s, rate 10 Gb/s; increases every 55 us after the last notification.
  double rate = 10e9, target = 20e9;
  for (int k = 1; k <= 12; ++k) {
    if (k == 5) target += 40e6;
    if (k > 5) target += 200e6;
    rate = (rate + target) / 2;
    d.catch_up(config, Time{1} + k * Time::from_us(55), true);
    EXPECT_NEAR(d.rate(), rate, 1) << "increase " << k;
    EXPECT_NEAR(d.target(), target, 1) << "increase " << k;
  }
}

TEST(DcqcnConnectx, CutsOncePerPeriodAndAtMostByTheStatedShare) {
  const DcqcnConfig config(connectx(), CongestionControlKind::DcqcnConnectx);
  Dcqcn d(kLine);
  for (int i = 0; i < 8; ++i) {
    d.catch_up(config, Time::from_us(1) + Time::from_ns(500 * i), false);
    d.on_cnp(config, Time::from_us(1) + Time::from_ns(500 * i));
  }
  EXPECT_DOUBLE_EQ(d.rate(), kLine);  // no cut before the period is over
  d.catch_up(config, Time::from_us(5), true);
  EXPECT_GE(d.rate(), kLine / 2);  // rpg_min_dec_fac 50 %
  EXPECT_LT(d.rate(), 0.6 * kLine);
  const double cut = d.rate();
  d.catch_up(config, Time::from_us(20), true);
  EXPECT_DOUBLE_EQ(d.rate(), cut);  // no notification, no further cut
}

// After a competitor has left, the target rises by HAI a period: 50 Mb/s per 300 us.
TEST(DcqcnConnectx, RecoverySlopeIsHyperIncreaseOverItsPeriod) {
  const DcqcnConfig config(connectx(), CongestionControlKind::DcqcnConnectx);
  Dcqcn d(kLine);
  // An increase between two cuts: the second one lowers the target.
  for (const std::int64_t us : {1, 401, 801}) {
    d.catch_up(config, Time::from_us(us), false);
    d.on_cnp(config, Time::from_us(us));
  }
  d.catch_up(config, Time::from_us(810), true);
  ASSERT_LT(d.target(), 350e9);
  d.catch_up(config, Time::from_ms(20), true);
  const double early = d.rate();
  d.catch_up(config, Time::from_ms(120), true);
  const double slope = (d.rate() - early) / 100e-3;  // bit/s per second
  EXPECT_NEAR(slope, 50e6 / 300e-6, 0.02 * 50e6 / 300e-6);
}

}  // namespace
}  // namespace spineleaf
