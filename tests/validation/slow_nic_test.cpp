// A node with one slow NIC: the ring's closed form, and the end-point model's.

#include <gtest/gtest.h>

#include "scenarios/input/read.hpp"
#include "scenarios/run.hpp"
#include "validation/compare.hpp"
#include "validation/nccl/expect.hpp"
#include "validation/oracles/goodput_forms.hpp"

namespace spineleaf {
namespace {

// All channels carry the same bytes, 2 (n-1)/n of the message over 8 NICs, so that each goes at the
// slow one's rate: busbw is 8 times its payload rate.
TEST(SlowNic, ARingRunsAtItsRate) {
  for (const int gbps : {50, 100, 200}) {
    ReadOptions options;
    options.overrides.push_back({"faults[0].rate", std::to_string(gbps) + "Gbps"});
    const ValidateResult read =
        read_scenario_file(SPINELEAF_SOURCE_DIR "/scenarios/library/slow-nic-h100.json", options);
    const ValidSpec& spec = read.spec.value();
    const Result result = run_world(spec, {});
    ASSERT_EQ(result.verdict, Verdict::Ok) << result.verdict_text;
    const Bytes slice{1 << 20};
    const FabricParams& fabric = spec.models.fabric;
    const double goodput =
        message_goodput(fabric.wire, slice, fabric.mtu, true, Rate::from_gbps(gbps));
    const CurveSet curves = simulated_curves({"simulated"}, {{&result}});
    const Bytes size{512 * kMebibyte};
    const double busbw = algbw_gbytes(size, time_at(curves.curves.at(0), size.count)) *
                         busbw_factor("all_reduce", 16);
    EXPECT_LT(busbw, goodput);  // 8 NICs of 8 bits a byte
    EXPECT_NEAR(busbw, goodput, 0.015 * goodput);
  }
}

TEST(SlowNic, ExpectCountsTheSlowestForAll) {
  ExpectQuery query;
  query.nodes = 4;
  query.flags = "NCCL_ALGO=Ring NCCL_MIN_CTAS=32";
  query.nics = "7x400,1x100";
  const Expectation mixed = expect(query);
  query.nics = "8x100";
  const Expectation slow = expect(query);
  ASSERT_EQ(mixed.problem, "");
  ASSERT_EQ(mixed.rows.size(), slow.rows.size());
  EXPECT_EQ(mixed.rows.back().busbw, slow.rows.back().busbw);
  EXPECT_NEAR(mixed.rows.back().busbw, 98, 3);  // 8 x 12.5 GB/s less headers and software
  EXPECT_EQ(mixed.remarks.size(), slow.remarks.size() + 1);
  for (const char* wrong : {"7x400,", ",7x400", "7x400 1x100", "1000x400,1000x400", "7x400,1x0"}) {
    query.nics = wrong;
    EXPECT_NE(expect(query).problem, "") << wrong;
  }
}

}  // namespace
}  // namespace spineleaf
