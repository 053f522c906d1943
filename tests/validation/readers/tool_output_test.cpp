// perftest, OSU, nvidia-smi topo -m, and what inspect() makes of all formats.

#include <gtest/gtest.h>

#include "scenarios/input/csv_table.hpp"
#include "topologies/readers/nccl_xml.hpp"
#include "validation/inspect.hpp"
#include "validation/readers/gpu_topo.hpp"
#include "validation/readers/osu.hpp"
#include "validation/readers/perftest.hpp"

namespace spineleaf::tool_output {
namespace {

const std::string kExamples = SPINELEAF_SOURCE_DIR "/validation/data/examples/";
const std::string kSeeds = SPINELEAF_SOURCE_DIR "/tests/fuzz/corpus/tool_output/";

TEST(Perftest, ReadsBandwidth) {
  const PerftestResult read = read_perftest(read_file(kExamples + "ib-write-bw.txt").text, "f");
  EXPECT_TRUE(read.problems.empty());
  ASSERT_EQ(read.runs.size(), 1u);
  const PerftestRun& run = read.runs[0];
  EXPECT_EQ(run.test, "RDMA_Write BW Test");
  EXPECT_EQ(run.device, "mlx5_0");
  EXPECT_EQ(run.link, "IB");
  EXPECT_EQ(run.tx_depth, 128);
  EXPECT_EQ(run.mtu, 4096);
  ASSERT_EQ(run.rows.size(), 2u);
  EXPECT_DOUBLE_EQ(run.rows[1].average_gbps, 392.55);
  EXPECT_FALSE(run.is_latency());
}

TEST(Perftest, MegabytesAreBinary) {
  const PerftestResult read = read_perftest(
      "                    RDMA_Write BW Test\n"
      " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n"
      " 65536      5000             46700.10           46671.20           0.746739\n",
      "f");
  ASSERT_EQ(read.runs.size(), 1u);
  EXPECT_NEAR(read.runs[0].rows[0].average_gbps, 0.746739e6 * 65536 * 8 / 1e9, 0.01);
}

TEST(Perftest, ReadsLatency) {
  const PerftestResult read = read_perftest(
      "                    RDMA_Write Latency Test\n"
      " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
      "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]\n"
      " 2       1000          2.64           5.10         2.68               2.70             "
      "0.05            2.81                    5.10\n",
      "f");
  ASSERT_EQ(read.runs.size(), 1u);
  EXPECT_TRUE(read.runs[0].is_latency());
  EXPECT_DOUBLE_EQ(read.runs[0].rows[0].t_typical_us, 2.68);
  EXPECT_DOUBLE_EQ(read.runs[0].rows[0].t_999_us, 5.10);
}

TEST(Perftest, JsonTellsItsUnitByTheMessageRate) {
  const PerftestResult read = read_perftest(read_file(kSeeds + "perftest.json").text, "f");
  ASSERT_EQ(read.runs.size(), 1u);
  EXPECT_EQ(read.runs[0].qps, 8);
  EXPECT_EQ(read.runs[0].link, "Ethernet");
  EXPECT_NEAR(read.runs[0].rows.at(0).average_gbps, 391.5, 0.1);
}

TEST(Perftest, BadRowsAreSaid) {
  const PerftestResult read = read_perftest(
      " #bytes #iterations BW peak[Gb/sec] BW average[Gb/sec] MsgRate[Mpps]\n 65536 5000 fast\n",
      "f");
  ASSERT_EQ(read.problems.size(), 2u);
  EXPECT_EQ(to_string(read.problems[0]),
            "f:2:1: warning: a row of results can't be read; expected 5 numbers.");
}

TEST(Osu, ReadsTimes) {
  const OsuResult read = read_osu(read_file(kExamples + "osu-allreduce.txt").text, "f");
  EXPECT_TRUE(read.problems.empty());
  ASSERT_EQ(read.runs.size(), 1u);
  EXPECT_FALSE(read.runs[0].bandwidth);
  ASSERT_EQ(read.runs[0].rows.size(), 4u);
  EXPECT_DOUBLE_EQ(read.runs[0].rows[2].value, 4.02);
  EXPECT_TRUE(has_errors(read_osu("4 2.41\n", "f").problems)) << "no header";
}

TEST(GpuTopo, ReadsTheMatrix) {
  const GpuTopoResult read = read_gpu_topo(read_file(kExamples + "nvidia-smi-topo.txt").text, "f");
  for (const InputProblem& problem : read.problems) ADD_FAILURE() << to_string(problem);
  EXPECT_EQ(read.topo.devices.size(), 6u);
  EXPECT_EQ(read.topo.names[5], "mlx5_1");
  EXPECT_EQ(read.topo.paths[0][1], "NV18");
  EXPECT_EQ(read.topo.paths[3][5], "NODE");
  EXPECT_EQ(read.topo.numa[2], "1");
  const auto lines = findings(read.topo);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1],
            "no NIC under the PCIe switch of GPU3: GPU Direct RDMA crosses the CPU or is off");
}

TEST(GpuTopo, RefusesWhatIsNoPath) {
  const GpuTopoResult read =
      read_gpu_topo("\tGPU0\tGPU1\tCPU Affinity\nGPU0\tX\tFAR\nGPU1\tX\tX\n", "f");
  ASSERT_FALSE(read.problems.empty());
  EXPECT_EQ(to_string(read.problems[0]),
            "f:2:1: \"FAR\" is no kind of path; expected X, NV1 to NV36, PIX, PXB, PHB, NODE or "
            "SYS.");
  EXPECT_EQ(path_distance("NV0"), -1);
  EXPECT_EQ(path_distance("SYS"), 5);
}

struct Known {
  const char* path;
  const char* format;
  const char* line;  ///< one that must be there
};

TEST(Inspect, KnowsEveryExample) {
  const Known all[] = {
      {"nccl-tests.txt", "nccl-tests output",
       "4 sizes, 1 MiB to 8 MiB: 154.10 us at the smallest, busbw 89.5 GB/s at the largest"},
      {"nccl-debug.log", "log of NCCL", "3 of 4 rails GDRDMA, mlx5_3 (on host2) missing"},
      {"ib-write-bw.txt", "perftest output",
       "RDMA_Write BW Test on mlx5_0 (IB), 1 QP: 392.6 Gb/s at 1 MiB"},
      {"nvidia-smi-topo.txt", "nvidia-smi topo -m", "4 GPUs, 2 NICs"},
      {"osu-allreduce.txt", "OSU micro-benchmark",
       "OSU MPI Allreduce Latency Test v7.2: 4 sizes, 2.41 us at 4 B"},
      {"nccl-topo.xml", "XML of NCCL", "mlx5_1: 400 Gb/s, no GPU Direct RDMA"},
      {"nccl-graph.xml", "XML of NCCL", "ring: 2 channels x 48 GB/s, NVL/PIX, over 2 NICs"},
  };
  for (const Known& known : all) {
    const std::string path = kExamples + known.path;
    if (path.ends_with(".xml") && !has_xml_reader()) continue;
    const Inspection seen = inspect(read_file(path).text, known.path);
    EXPECT_EQ(seen.format, known.format);
    for (const InputProblem& problem : seen.problems) ADD_FAILURE() << to_string(problem);
    bool found = false;
    std::string all_lines;
    for (const auto& [severity, line] : seen.lines) {
      found = found || line == known.line;
      all_lines += line + "\n";
    }
    EXPECT_TRUE(found) << known.path << " says\n" << all_lines;
  }
}

TEST(Inspect, RefusesTheRestWithTheFormatsItKnows) {
  const Inspection seen = inspect("a poem\n", "poem.txt");
  EXPECT_EQ(seen.format, "");
  ASSERT_EQ(seen.problems.size(), 1u);
  const std::string text = to_string(seen.problems[0]);
  EXPECT_EQ(text.rfind("poem.txt: is no format that is known here; expected XML of NCCL, ", 0), 0u)
      << text;
}

}  // namespace
}  // namespace spineleaf::tool_output
