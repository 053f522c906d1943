// Rate against cable length under credits: one loop per window of packets.

#include <gtest/gtest.h>

#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/credit_forms.hpp"

namespace spineleaf::credit_rates {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

constexpr Rate kLine = Rate::from_gbps(400);
constexpr std::int64_t kPacket = 4096 + 26;

CreditLoop loop_of(const ModelParams& params, std::int64_t metres) {
  return {kLine, Time::from_ns(5 * metres) + params.fabric.fec, params.sw.core_latency, kPacket,
          params.credit.buffer.count};
}

/// Wire rate of data packets on a cable of that length, in Gb/s over 3 ms.
double measured(const ModelParams& params, std::int64_t metres, bool reverse_busy) {
  std::vector<FlowEntry> flows{flow("host0", "host1", 1 << 28)};
  if (reverse_busy) flows.push_back(flow("host1", "host0", 1 << 28));
  Rig rig(test::chain({{kLine, Time::from_ns(5 * metres)}, {kLine, Time::from_ns(25)}}), params,
          flows);
  const Time from = Time::from_us(200), to = from + Time::from_ms(3);
  std::int64_t before = 0, after = 0;
  rig.at(from, [&](Time) { before = rig.host(0).ports().packets_sent(0); });
  rig.at(to, [&](Time) { after = rig.host(0).ports().packets_sent(0); });
  rig.run(to + Time{1});
  return static_cast<double>((after - before) * kPacket * 8) * 1e-9 / (to - from).seconds();
}

ModelParams params_of(std::string_view buffer, std::string_view mode) {
  return wire_only("ib-ndr", {{"credit.buffer", buffer},
                              {"credit.mode", mode},
                              {"nic.receive_buffer", "1MiB"},
                              {"transport.ack_every", "1024"}});
}

constexpr std::int64_t kMetres[] = {5, 100, 200, 500};

TEST(CreditRate, ImmediateUpdatesFollowTheLoopWithinOnePercent) {
  for (const std::string_view buffer : {"32KiB", "64KiB", "128KiB"}) {
    const ModelParams params = params_of(buffer, "immediate");
    for (const std::int64_t metres : kMetres) {
      const CreditLoop loop = loop_of(params, metres);
      const double expected = credit_rate(loop, credit_loop_time(loop));
      EXPECT_NEAR(measured(params, metres, false), expected, 0.01 * expected)
          << buffer << " " << metres << " m";
    }
  }
}

TEST(CreditRate, SpacedUpdatesStayInTheirInterval) {
  for (const bool busy : {false, true}) {
    for (const std::string_view buffer : {"64KiB", "128KiB"}) {
      const ModelParams params = params_of(buffer, "min_spacing");
      for (const std::int64_t metres : kMetres) {
        const CreditLoop loop = loop_of(params, metres);
        const Time least = credit_loop_time(loop);
        const Time wait =
            params.credit.min_spacing + (busy ? serialisation(Bytes{kPacket}, kLine) : Time{0});
        const double rate = measured(params, metres, busy);
        EXPECT_LE(rate, credit_rate(loop, least) * 1.005) << buffer << " " << metres << " m";
        EXPECT_GE(rate, credit_rate(loop, least + wait) * 0.995) << buffer << " " << metres << " m";
      }
    }
  }
}

// Values measured with an independent model, immediate updates.
TEST(CreditRate, KnownPoints) {
  const ModelParams small = params_of("64KiB", "immediate");
  EXPECT_NEAR(measured(small, 100, false), 345.3, 3.4);
  EXPECT_NEAR(measured(small, 200, false), 203.4, 2.0);
  EXPECT_NEAR(measured(small, 500, false), 91.0, 0.9);
  const ModelParams large = params_of("128KiB", "immediate");
  EXPECT_NEAR(measured(large, 300, false), 297.8, 2.9);
  EXPECT_NEAR(measured(large, 500, false), 188.1, 1.8);
}

// More than 2,048 blocks can't be offered at once, but are offered again as packets arrive.
TEST(CreditRate, BuffersBeyond2048BlocksAreNotSlower) {
  for (const std::int64_t metres : {300, 500}) {
    EXPECT_GE(measured(params_of("256KiB", "immediate"), metres, false),
              measured(params_of("128KiB", "immediate"), metres, false));
  }
}

}  // namespace
}  // namespace spineleaf::credit_rates
