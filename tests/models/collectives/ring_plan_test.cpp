// The cutting of a ring collective: chunks, slices, shares of channels, totals of an edge.

#include "models/collectives/ring_plan.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace spineleaf {
namespace {

RingShape shape_of(Collective collective, std::uint32_t ranks,
                   Protocol protocol = Protocol::Simple) {
  return make_ring_shape(collective, protocol, ranks, default_model_params().host, {});
}

TEST(RingPlan, SimpleUsesMebibyteSlices) {
  const RingShape shape = shape_of(Collective::AllReduce, 16);
  EXPECT_EQ(shape.chunk, 2 << 20);
  EXPECT_EQ(shape.slices, 2U);
  EXPECT_EQ(shape.depth, 4U);
  EXPECT_EQ(shape.slice_size(2 << 20), 1 << 20);
  EXPECT_EQ(shape.slice_size(43'000), 32'768);
  EXPECT_EQ(shape.slice_count(43'000), 2U);
  EXPECT_EQ(shape.slice_count(30'000), 1U);
  EXPECT_EQ(shape.slice_size(1'000'000), 500'032);  // rounded up to 16 floats
  EXPECT_EQ(shape.slice_count(0), 0U);
}

TEST(RingPlan, Ll128CarriesFlags) {
  const RingShape shape = shape_of(Collective::AllReduce, 16, Protocol::Ll128);
  EXPECT_EQ(shape.chunk, 576'000);
  EXPECT_EQ(shape.slices, 1U);
  EXPECT_EQ(shape.depth, 8U);
  EXPECT_EQ(shape.wire_bytes(576'000), 614'400);
  EXPECT_EQ(shape.wire_bytes(1), 128);
  EXPECT_EQ(shape.slice_count(576'000), 1U);
  EXPECT_EQ(shape.slice_count(10), 1U);
}

TEST(RingPlan, ChunksFollowNcclKernels) {
  const RingShape reduce = shape_of(Collective::AllReduce, 4);
  const std::vector<std::uint32_t> expected{1, 0, 3, 2, 1, 0, 3};
  for (std::uint32_t k = 0; k < reduce.operations(); ++k) {
    EXPECT_EQ(reduce.chunk_at(2, k), expected[k]);
  }
  const RingShape gather = shape_of(Collective::AllGather, 4);
  EXPECT_EQ(gather.operations(), 4U);
  EXPECT_EQ(gather.chunk_at(2, 0), 2U);
  EXPECT_EQ(gather.chunk_at(2, 3), 3U);
  EXPECT_EQ(shape_of(Collective::ReduceScatter, 4).chunk_at(2, 3), 2U);
}

TEST(RingPlan, LoopsAndChunksCoverTheShareOnce) {
  for (const std::uint32_t ranks : {2U, 3U, 16U}) {
    const RingShape shape = shape_of(Collective::AllReduce, ranks);
    for (const std::int64_t bytes : {1LL, 15LL, 16LL, 100LL, 4'097LL, 1LL << 20,
                                     (2LL << 20) * ranks, (2LL << 20) * ranks + 4, 777'777'777LL}) {
      const ChannelShare share(shape, bytes);
      std::int64_t sum = 0;
      for (std::uint32_t loop = 0; loop < share.loops; ++loop) {
        for (std::uint32_t c = 0; c < ranks; ++c) sum += share.chunk_bytes(shape, loop, c);
      }
      EXPECT_EQ(sum, bytes);
    }
  }
}

TEST(RingPlan, LinkTotalsCountWhatTheOperationsSend) {
  for (const Collective collective :
       {Collective::AllReduce, Collective::AllGather, Collective::ReduceScatter}) {
    for (const Protocol protocol : {Protocol::Simple, Protocol::Ll128}) {
      const RingShape shape = shape_of(collective, 5, protocol);
      for (const std::int64_t bytes : {7LL, 70'000LL, 700'000LL, 50'000'000LL}) {
        const ChannelShare share(shape, bytes);
        for (std::uint32_t rank = 0; rank < 5; ++rank) {
          LinkTotals sum;
          for (std::uint32_t loop = 0; loop < share.loops; ++loop) {
            for (std::uint32_t k = 0; k + 1 < shape.operations(); ++k) {
              const std::int64_t chunk = share.chunk_bytes(shape, loop, shape.chunk_at(rank, k));
              sum.payload += chunk;
              sum.messages += shape.slice_count(chunk);
            }
          }
          const LinkTotals totals = edge_totals(shape, share, rank);
          EXPECT_EQ(totals.payload, sum.payload);
          EXPECT_EQ(totals.messages, sum.messages);
          EXPECT_GE(totals.wire, totals.payload);
        }
      }
    }
  }
}

TEST(RingPlan, ChannelsShareTheDataInCells) {
  const RingShape shape = shape_of(Collective::AllReduce, 16);
  const auto large = split_channels(shape, 8LL << 30, 24);
  EXPECT_EQ(large.size(), 24U);
  EXPECT_EQ(std::accumulate(large.begin(), large.end(), std::int64_t{0}), 8LL << 30);
  EXPECT_LE(large.front() - large.back(), 24 * 8192);
  EXPECT_EQ(split_channels(shape, 1, 24), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(split_channels(shape, 1 << 20, 24).size(), 22U);  // 6 of 128 cells each
  const RingShape gather = shape_of(Collective::AllGather, 16);
  EXPECT_EQ(split_channels(gather, 1 << 20, 4), (std::vector<std::int64_t>(4, 16384)));
}

TEST(RingPlan, ChannelCountsFollowTheStatedRule) {
  EXPECT_EQ(default_channels(2, 8), 16U);
  EXPECT_EQ(default_channels(2, 4), 16U);
  EXPECT_EQ(default_channels(2, 1), 4U);
  EXPECT_EQ(default_channels(1, 8), 24U);
  EXPECT_EQ(reduced_channels(24, 24 * 32768, Protocol::Simple), 24U);
  EXPECT_EQ(reduced_channels(24, 24 * 32768 - 1, Protocol::Simple), 23U);
  EXPECT_EQ(reduced_channels(24, 8, Protocol::Ll128), 1U);
}

TEST(RingPlan, ClosedFormCost) {
  EXPECT_EQ(ring_cost(Collective::AllReduce, 4, Bytes{4000}, Time{1000}, Rate{8'000'000'000}).ps,
            6 * (1000 + 1'000'000));
  EXPECT_EQ(ring_cost(Collective::AllGather, 4, Bytes{4000}, Time{0}, Rate{8'000'000'000}).ps,
            3 * 1'000'000);
}

}  // namespace
}  // namespace spineleaf
