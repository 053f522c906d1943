// The user's nccl-tests command line: launchers, environment, options, mistakes.

#include "validation/nccl/command_line.hpp"

#include <gtest/gtest.h>

namespace spineleaf {
namespace {

NcclTestsCommand parse(const std::string& line) {
  const std::vector<std::string> words{line};
  return parse_nccl_tests_command(words);
}

TEST(NcclCommand, OpenMpi) {
  const NcclTestsCommand c = parse(
      "mpirun -np 16 -N 8 -H node1:8,node2:8 --bind-to none --mca btl tcp,self -x NCCL_ALGO=Ring "
      "-x NCCL_IB_QPS_PER_CONNECTION=2 -x LD_LIBRARY_PATH ./build/all_reduce_perf -b 8 -e 8G -f 2 "
      "-g 1 -n 50 -w 5 -d half");
  EXPECT_EQ(c.problem, "");
  EXPECT_EQ(c.collective, "all_reduce");
  EXPECT_EQ(c.ranks, 16);
  EXPECT_EQ(c.sizes().size(), 31U);
  EXPECT_EQ(c.sizes().front(), 8);
  EXPECT_EQ(c.sizes().back(), 8LL << 30);
  EXPECT_EQ(c.iterations, 50);
  EXPECT_EQ(c.warm_up, 5);
  EXPECT_EQ(c.settings.at("ALGO"), "Ring");
  EXPECT_EQ(c.settings.at("IB_QPS_PER_CONNECTION"), "2");
  EXPECT_EQ(c.settings.size(), 2U);
  EXPECT_EQ(c.ignored, std::vector<std::string>{"-d half"});
}

TEST(NcclCommand, OtherLaunchersAndNone) {
  const NcclTestsCommand srun = parse(
      "srun --nodes=4 --ntasks-per-node=8 --export=ALL,NCCL_PROTO=LL128,LANG=C alltoall_perf "
      "--minbytes=1M --maxbytes 4M --stepbytes 1M");
  EXPECT_EQ(srun.problem, "");
  EXPECT_EQ(srun.ranks, 32);
  EXPECT_EQ(srun.collective, "alltoall");
  EXPECT_EQ(srun.settings.at("PROTO"), "LL128");
  EXPECT_EQ(srun.sizes(), (std::vector<std::int64_t>{1 << 20, 2 << 20, 3 << 20, 4 << 20}));
  const NcclTestsCommand mpich = parse("mpiexec -n 4 -ppn 2 -genv NCCL_ALGO Tree reduce_perf -r 3");
  EXPECT_EQ(mpich.ranks, 4);
  EXPECT_EQ(mpich.root, 3);
  EXPECT_EQ(mpich.settings.at("ALGO"), "Tree");
  const NcclTestsCommand alone = parse("NCCL_NVLS_ENABLE=0 ./all_gather_perf -g 8");
  EXPECT_EQ(alone.ranks, 8);
  EXPECT_EQ(alone.settings.at("NVLS_ENABLE"), "0");
  EXPECT_EQ(alone.sizes(), std::vector<std::int64_t>{32 << 20});
  EXPECT_EQ(parse("all_gather_perf").ranks, 0);
  EXPECT_EQ(parse("mpirun --map-by ppr:8:node -np 24 scatter_perf -t 2").ranks, 48);
}

TEST(NcclCommand, MistakesAreNamed) {
  const auto problem = [](const std::string& line) { return parse(line).problem; };
  EXPECT_NE(problem("mpirun -np 16").find("no test of nccl-tests"), std::string::npos);
  EXPECT_NE(problem("hypercube_perf").find("is not simulated"), std::string::npos);
  EXPECT_NE(problem("all_reduce_perf -b 8X").find("\"8X\" is no size"), std::string::npos);
  EXPECT_NE(problem("all_reduce_perf -b").find("-b needs a value"), std::string::npos);
  EXPECT_NE(problem("all_reduce_perf -b 8G -e 1M").find("larger than -e"), std::string::npos);
  EXPECT_NE(problem("all_reduce_perf -b 8 -e 8G").find("more than 1000 sizes"), std::string::npos);
  EXPECT_NE(problem("all_reduce_perf -b 1 -e 2 -i 0").find("never reaches"), std::string::npos);
  EXPECT_NE(problem("mpirun -np x all_reduce_perf").find("-np"), std::string::npos);
  EXPECT_NE(problem("all_reduce_perf -e 99999999999G").find("is no size"), std::string::npos);
  EXPECT_NE(problem("").find("no test"), std::string::npos);
}

TEST(NcclCommand, EverySizeOfNcclTests) {
  EXPECT_EQ(parse("all_reduce_perf -b 128K -e 128K").sizes(), std::vector<std::int64_t>{128 << 10});
  EXPECT_EQ(parse("all_reduce_perf -b 1MB -e 1MiB").sizes(), std::vector<std::int64_t>{1 << 20});
  EXPECT_EQ(parse("all_reduce_perf -b 0 -e 4 -f 2").sizes(), (std::vector<std::int64_t>{1, 2, 4}));
}

}  // namespace
}  // namespace spineleaf
