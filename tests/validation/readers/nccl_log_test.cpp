#include "validation/readers/nccl_log.hpp"

#include <gtest/gtest.h>

#include "scenarios/input/csv_table.hpp"

namespace spineleaf {
namespace {

const std::string kExample = SPINELEAF_SOURCE_DIR "/validation/data/examples/nccl-debug.log";

std::string all(const NcclLog& log) {
  std::string text;
  for (const auto& [severity, line] : verdicts(log)) {
    text += (severity == Severity::Warning ? "! " : "  ") + line + "\n";
  }
  return text;
}

TEST(NcclLog, ReadsTheWholeCommunicator) {
  const NcclLogResult read = read_nccl_log(read_file(kExample).text, "log");
  EXPECT_TRUE(read.problems.empty());
  const NcclLog& log = read.log;
  EXPECT_EQ(log.version, "2.26.2");
  EXPECT_EQ(log.ranks, 8);
  EXPECT_EQ(log.nodes, 2);
  EXPECT_EQ(log.local_ranks, 4);
  ASSERT_EQ(log.hosts.size(), 2u);
  EXPECT_EQ(log.hosts[1].host, "host2");
  EXPECT_EQ(log.hosts[1].network, "IB");
  EXPECT_EQ(log.hosts[1].nics.at(3).name, "mlx5_3");
  EXPECT_EQ(log.hosts[1].nics.at(3).layer, "IB");
  EXPECT_EQ(log.rings.at(1), (std::vector<std::int64_t>{1, 2, 3, 0, 5, 6, 7, 4}));
  ASSERT_EQ(log.trees.size(), 2u);
  EXPECT_EQ(log.trees[0].down, (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(log.trees[1].up, 4);
  EXPECT_EQ(log.transports.at("NET/IB"), 16);
  EXPECT_EQ(log.transports.at("P2P/CUMEM"), 24);
  EXPECT_EQ(log.channels.at("coll channels"), 4);
  EXPECT_EQ(log.channels.at("p2p channels per peer"), 2);
  EXPECT_EQ(log.settings.at("NCCL_IB_HCA"), "=mlx5_0,mlx5_1,mlx5_2,mlx5_3");
  ASSERT_EQ(log.choices.size(), 4u);
  EXPECT_EQ(log.choices[2], (NcclChoice{"AllReduce", 1 << 20, "Ring", "LL128", 4}));
  EXPECT_EQ(all(log),
            "! 3 of 4 rails GDRDMA, mlx5_3 (on host2) missing\n"
            "  AllReduce: Tree/LL from 8 B, Ring/LL128 from 1048576 B, Ring/Simple from 268435456 "
            "B\n");
}

std::string rail(int channel, int nic, const char* direct) {
  const std::string c = std::to_string(channel);
  return "n1:1:2 [0] NCCL INFO Channel 0" + c + "/0 : 7[7] -> 8[0] [send] via NET/IB/" +
         std::to_string(nic) + direct + "\n";
}

TEST(NcclLog, EightRailsOfWhichOneIsStaged) {
  std::string text = "n1:1:2 [0] NCCL INFO NET/IB : Using";
  for (int nic = 0; nic < 8; ++nic) {
    text += " [" + std::to_string(nic) + "]mlx5_" + std::to_string(nic) + ":1/RoCE";
  }
  text += " [RO]; OOB eth0:10.0.0.1<0>\n";
  for (int nic = 0; nic < 8; ++nic) text += rail(nic, nic, nic == 3 ? "" : "/GDRDMA/Shared");
  EXPECT_EQ(all(read_nccl_log(text, "log").log), "! 7 of 8 rails GDRDMA, mlx5_3 missing\n");
}

TEST(NcclLog, ANicThatNobodyUses) {
  const std::string text =
      "n1:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB e:1\n" +
      rail(0, 0, "(5)/GDRDMA");
  EXPECT_EQ(all(read_nccl_log(text, "log").log),
            "  1 of 1 rails GDRDMA\n! no channel uses mlx5_1\n");
}

TEST(NcclLog, FallbacksAreNamed) {
  EXPECT_EQ(all(read_nccl_log("n1:1:2 [0] NCCL INFO Using network Socket\n"
                              "n1:1:2 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/x\n"
                              "n1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via "
                              "NET/Socket/0\n"
                              "n1:1:2 [0] NCCL WARN n1 lost its way\n",
                              "log")
                    .log),
            "! 0 of 1 rails GDRDMA, NIC 0 missing\n"
            "! TCP fallback: NCCL uses network Socket, no RDMA plugin was loaded\n"
            "! 1 connections inside a node go through host memory (SHM): no peer access between "
            "those GPUs\n"
            "! NCCL WARN host1 lost its way\n");
}

TEST(NcclLog, OldVersionsPrintNumbers) {
  const NcclLogResult read = read_nccl_log(
      "[1,0]<stdout>:n1:1:2 [0] NCCL INFO AllReduce: 1048576 Bytes -> Algo 1 proto 2 time 12.3\n"
      "n1:1:2 [0] NCCL INFO AllReduce: many Bytes -> Algo 1 proto 2\n",
      "log");
  ASSERT_EQ(read.log.choices.size(), 1u);
  EXPECT_EQ(read.log.choices[0].algorithm, "Ring");
  EXPECT_EQ(read.log.choices[0].protocol, "Simple");
  EXPECT_EQ(read.log.choices[0].channels, 0);
  EXPECT_EQ(read.problems.size(), 1u);
}

TEST(NcclLog, WhatIsNoLogIsRefused) {
  const NcclLogResult read = read_nccl_log("hello\n", "log");
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(to_string(read.problems[0]),
            "log: holds no lines of NCCL; expected a log made with NCCL_DEBUG=INFO.");
}

}  // namespace
}  // namespace spineleaf
