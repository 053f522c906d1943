// The whole probe against libraries and a /sys of our own: on a machine without a GPU that is all
// there is, and it is where calls fail, hang and crash on demand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <sstream>

#include "tests/cli/command.hpp"
#include "tests/probe/machine.hpp"

namespace spineleaf {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSections[] = {"inventory", "pcie",  "acs-iommu", "gdr", "nic",
                                     "counters",  "verbs", "copies",    "nccl"};

TEST(Probe, SaysWhyWhereThereIsNothing) {
  const Machine machine;
  const Machine::Run run = machine.probe("none");
  EXPECT_EQ(run.exit_code, 0) << run.output;
  ASSERT_FALSE(run.file.is_discarded());
  EXPECT_EQ(run.file["format"], "spineleaf-probe");
  EXPECT_EQ(run.file["schema"], 1);
  ASSERT_EQ(run.file["sections"].size(), std::size(kSections));
  for (const char* name : kSections) {
    const json& section = run.section(name);
    EXPECT_EQ(section["available"], false) << name;
    EXPECT_GT(section["reason"].get<std::string>().size(), 10U) << name;
    EXPECT_GT(section["how_to_get_it"].get<std::string>().size(), 10U) << name;
  }
}

// The fake GPU copies at 25, 24, 1500 and 300 GB/s with 2 us before each, and a block of threads
// copies at 20 GB/s and reduces at 15.
TEST(Probe, MeasuresWhatTheFakesCost) {
  const Machine machine;
  machine.build_hgx(2, 2);
  const Machine::Run run = machine.probe("whole", "", "FAKE_GPUS=2");
  EXPECT_EQ(run.exit_code, 0) << run.output;
  for (const char* name : kSections) {
    EXPECT_EQ(run.section(name)["available"], true) << name;
    EXPECT_EQ(run.section(name)["reason"], "") << name;
  }
  const json& gpus = run.section("copies")["gpus"];
  ASSERT_EQ(gpus.size(), 2U);
  const json& gpu = gpus[1];
  const double mib32 = 32 << 20;
  EXPECT_NEAR(gpu["host"]["to_device"]["us"], 2 + mib32 / 25e3, 1);
  EXPECT_NEAR(gpu["host"]["to_host"]["us"], 2 + mib32 / 24e3, 1);
  EXPECT_NEAR(gpu["host"]["to_host_small"]["us"], 2, 0.1);
  EXPECT_NEAR(gpu["device_copy"]["us"], 2 + 4 * mib32 / 1500e3, 0.5);
  EXPECT_NEAR(gpu["peers"][0]["us"], 2 + mib32 / 300e3, 0.5);
  EXPECT_EQ(gpu["peers"][0]["to"], 0);
  ASSERT_EQ(gpu["copy_by_blocks"].size(), 6U);
  for (const json& row : gpu["copy_by_blocks"]) {
    EXPECT_NEAR(row["GBps"], 20 * row["blocks"].get<double>(),
                0.02 * 20 * row["blocks"].get<double>());
    EXPECT_LE(row["spread_pct"], 5);
  }
  EXPECT_NEAR(gpu["reduce_by_blocks"][5]["GBps"], 15 * 32, 10);
  EXPECT_GT(gpu["launch"]["to_host"]["us"], 20);
  EXPECT_NEAR(gpu["launch"]["back_to_back"]["us"], 2, 0.1);
  const json& nccl = run.section("nccl");
  EXPECT_EQ(nccl["nccl"], 22602);
  EXPECT_EQ(nccl["ranks"], 2);
  EXPECT_EQ(nccl["rows"].size(), 4U * 8);
  EXPECT_NEAR(nccl["rows"][7]["us"], 10 + (128 << 20) / 1e5, 1);
}

TEST(Probe, MeasuresMessagesOfANic) {
  const Machine machine;
  machine.build_hgx(2, 2);
  const Machine::Run run =
      machine.probe("whole", "--sections verbs,gdr --watchdog 120", "FAKE_MTU_1024=1");
  const json& verbs = run.section("verbs");
  if (verbs["reason"].get<std::string>().find("without the headers") != std::string::npos) {
    GTEST_SKIP() << "built without the headers of libibverbs";
  }
  ASSERT_EQ(verbs["nics"].size(), 2U) << run.output;
  const json& nic = verbs["nics"][1];
  EXPECT_EQ(nic["nic"], "mlx5_1");
  EXPECT_EQ(nic["active_mtu"], 1024);
  EXPECT_EQ(nic["max_mtu"], 4096);
  EXPECT_EQ(nic["gid_index"], 3);
  EXPECT_EQ(nic["gpu_memory"]["path"], "dma-buf");
  EXPECT_EQ(run.section("gdr")["gdr"], "possible");
  std::size_t checked = 0;
  for (const json& row : nic["host_memory"]["rows"]) {
    const double bytes = row["bytes"].get<double>();
    const double wire_us = bytes / 50e3;
    // One in flight waits for each completion; in the depth, only the wire counts. A machine under
    // load takes longer, never less.
    const double least = row["depth"] == 1 && row["qps"] == 1 ? 2 + wire_us : wire_us;
    EXPECT_GT(row["us_per_message"], 0.98 * least) << row;
    EXPECT_NEAR(row["Gbps"].get<double>(), bytes * 8 / row["us_per_message"].get<double>() / 1e3,
                0.02 + 0.01 * row["Gbps"].get<double>());
    ++checked;
  }
  EXPECT_GT(checked, 30U);
}

TEST(Probe, NamesTheSymbolThatALibraryLacks) {
  const Machine machine;
  machine.build_hgx(1, 0);
  const Machine::Run run = machine.probe("old", "--sections copies,pcie");
  EXPECT_EQ(run.exit_code, 0);
  const json& copies = run.section("copies");
  EXPECT_EQ(copies["available"], false);
  EXPECT_THAT(copies["reason"], HasSubstr("has no cuMemcpyPeerAsync"));
  EXPECT_EQ(run.section("pcie")["available"], true);
}

TEST(Probe, KeepsWhatItHasWhereACallFailsHalfWay) {
  const Machine machine;
  machine.build_hgx(2, 2);
  const Machine::Run run = machine.probe("whole", "--sections inventory,copies,nccl,verbs",
                                         "FAKE_GPUS=2 FAKE_FAIL=cuMemcpyDtoDAsync");
  EXPECT_EQ(run.exit_code, 0);
  const json& gpu = run.section("copies")["gpus"][0];
  EXPECT_EQ(gpu["available"], true);
  EXPECT_EQ(gpu["complete"], false);
  EXPECT_THAT(gpu["reason"], HasSubstr("cuMemcpyDtoDAsync: error 719 (unspecified failure)"));
  EXPECT_TRUE(gpu.contains("host"));
  EXPECT_FALSE(gpu.contains("device_copy"));
  EXPECT_THAT(run.section("copies")["reason"], HasSubstr("gpus 0: cuMemcpyDtoDAsync"));
  EXPECT_EQ(run.section("nccl")["complete"], true);
  for (const char* call : {"cuMemAlloc", "cuLaunchKernel", "cuInit"}) {
    const Machine::Run other =
        machine.probe("whole", "--sections copies", std::string("FAKE_FAIL=") + call);
    EXPECT_EQ(other.exit_code, 0);
    EXPECT_THAT(other.section("copies")["reason"], HasSubstr(call));
  }
  const Machine::Run nccl = machine.probe("whole", "--sections nccl", "FAKE_FAIL=ncclAllReduce");
  EXPECT_THAT(nccl.section("nccl")["reason"], HasSubstr("unhandled system error"));
  EXPECT_EQ(nccl.section("nccl")["nccl"], 22602);
  const Machine::Run lost = machine.probe("whole", "--sections inventory",
                                          "FAKE_GPUS=4 FAKE_FAIL=nvmlDeviceGetHandleByIndex");
  EXPECT_EQ(lost.section("inventory")["gpus"].size(), 2U);
  EXPECT_THAT(lost.section("inventory")["reason"], HasSubstr("GPU is lost"));
}

TEST(Probe, SaysWhichVerbFailed) {
  const Machine machine;
  machine.build_hgx(2, 2);
  const std::pair<const char*, const char*> cases[] = {
      {"FAKE_FAIL=ibv_open_device", "ibv_open_device mlx5_0: Permission denied"},
      {"FAKE_FAIL=ibv_reg_mr", "ibv_reg_mr: Cannot allocate memory"},
      {"FAKE_FAIL=ibv_create_qp", "ibv_create_qp: Cannot allocate memory"},
      {"FAKE_FAIL=ibv_poll_cq", "ibv_poll_cq: failed"},
      {"FAKE_FAIL=ibv_get_device_list", "libibverbs lists no device"},
      {"FAKE_PORT_DOWN=1", "no port of mlx5_0 is active"}};
  for (const auto& [environment, reason] : cases) {
    const json verbs = machine.probe("whole", "--sections verbs", environment).section("verbs");
    if (verbs["reason"].get<std::string>().find("without the headers") != std::string::npos) {
      GTEST_SKIP() << "built without the headers of libibverbs";
    }
    EXPECT_THAT(verbs["reason"], HasSubstr(reason)) << environment;
    EXPECT_NE(verbs["nics"][0]["complete"], true) << environment;
  }
}

TEST(Probe, TellsWhichNvlinkIsDown) {
  const Machine machine;
  const Machine::Run run =
      machine.probe("whole", "--sections inventory", "FAKE_GPUS=8 FAKE_NVLINK_DOWN=1");
  const json& gpus = run.section("inventory")["gpus"];
  ASSERT_EQ(gpus.size(), 8U);
  EXPECT_EQ(gpus[3]["nvlinks"]["up"], 17);
  EXPECT_EQ(gpus[3]["nvlinks"]["down"], json::array({7}));
  EXPECT_EQ(gpus[4]["nvlinks"]["up"], 18);
  EXPECT_EQ(gpus[0]["pci"], "0000:10:00.0");
}

TEST(Probe, FindsTheNearestOfTenNicsForEightGpus) {
  const Machine machine;
  machine.build_hgx();
  const Machine::Run run = machine.probe("none", "--sections pcie,nic,acs-iommu");
  const json& pairs = run.section("pcie")["pairs"];
  ASSERT_EQ(pairs.size(), 8U);
  for (const json& pair : pairs) {
    ASSERT_EQ(pair["nics"].size(), 10U);
    EXPECT_EQ(pair["nearest"], "PIX");
    std::size_t near = 0;
    for (const json& path : pair["nics"]) near += path == "PIX" ? 1 : 0;
    EXPECT_EQ(near, 2U);
  }
  EXPECT_EQ(pairs[0]["nics"]["0000:28:00.0"], "NODE");
  EXPECT_EQ(run.section("nic")["nics"].size(), 10U);
  EXPECT_EQ(run.section("nic")["nics"][9]["name"], "mlx5_9");
  EXPECT_EQ(run.section("nic")["nics"][0]["netdevs"][0]["mtu"], 9000);
}

// Two NICs stand alone, far from any GPU: what their bridges redirect costs nothing.
TEST(Probe, BlamesOnlyBridgesBetweenAGpuAndItsNic) {
  const Machine machine;
  machine.build_hgx();
  machine.set_acs("0000:c2:10.0", 0x1D);
  EXPECT_EQ(machine.probe("none", "--sections acs-iommu").section("acs-iommu")["acs"], "direct");
  machine.set_acs("0000:42:11.0", 0x1D);
  const json acs = machine.probe("none", "--sections acs-iommu").section("acs-iommu");
  EXPECT_EQ(acs["acs"], "redirects");
  EXPECT_EQ(acs["redirecting"], json::array({"0000:42:11.0"}));
  EXPECT_EQ(acs["iommu"]["mode"], "passthrough");
  EXPECT_EQ(acs["iommu"]["kernel_words"], json::array({"iommu=pt"}));
  // Without root the kernel shows 64 bytes.
  for (const char* slot : {"00.0", "01.0", "10.0", "11.0"}) {
    machine.write("/sys/bus/pci/devices/0000:42:" + std::string(slot) + "/config",
                  std::string(64, '\0'));
  }
  machine.write("/sys/kernel/iommu_groups/1/type", "DMA-FQ\n");
  const json hidden = machine.probe("none", "--sections acs-iommu").section("acs-iommu");
  EXPECT_EQ(hidden["acs"], "unknown");
  EXPECT_EQ(hidden["iommu"]["mode"], "translated");
  EXPECT_THAT(hidden["how_to_get_it"], HasSubstr("lspci -vvv"));
}

TEST(Probe, EndsAPartThatHangsOrCrashes) {
  const Machine machine;
  const auto begin = std::chrono::steady_clock::now();
  const Machine::Run hung =
      machine.probe("whole", "--sections copies,inventory --watchdog 3", "FAKE_HANG=cuInit");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(hung.exit_code, 0);
  EXPECT_EQ(hung.section("copies")["available"], false);
  EXPECT_THAT(hung.section("copies")["reason"], HasSubstr("no answer within 3 s in cuInit"));
  EXPECT_EQ(hung.section("inventory")["available"], true);
  const Machine::Run crashed =
      machine.probe("whole", "--sections nccl,inventory", "FAKE_CRASH=ncclCommInitAll");
  EXPECT_EQ(crashed.exit_code, 0);
  EXPECT_THAT(crashed.section("nccl")["reason"], HasSubstr("ended by signal 6 in ncclCommInitAll"));
  EXPECT_EQ(crashed.section("inventory")["complete"], true);
}

TEST(Probe, WritesWhatItHasWhenInterrupted) {
  const Machine machine;
  const std::string command =
      machine.probe_command("whole", "--sections inventory,copies,nccl", "FAKE_HANG=cuInit");
  const CommandResult result =
      shell_command("env " + command + " & probe=$!; sleep 3; kill -INT $probe; wait $probe");
  EXPECT_EQ(result.exit_code, 130) << result.output;
  const json file = machine.read_file();
  ASSERT_FALSE(file.is_discarded());
  EXPECT_EQ(file["interrupted"], true);
  EXPECT_EQ(file["sections"]["inventory"]["available"], true);
  EXPECT_THAT(file["sections"]["copies"]["reason"], HasSubstr("interrupted in cuInit"));
  EXPECT_THAT(file["sections"]["nccl"]["reason"], HasSubstr("interrupted before it began"));
}

TEST(Probe, CountsWhatMovedWhileItRan) {
  const Machine machine;
  machine.build_hgx(2, 2);
  const std::string port = machine.root() + "/sys/class/infiniband/mlx5_0/ports/1/";
  const std::string command =
      machine.probe_command("whole", "--sections counters,copies --watchdog 4", "FAKE_HANG=cuInit");
  shell_command("(sleep 2; echo 19 >" + port + "hw_counters/np_cnp_sent; echo 5 >" + port +
                "counters/port_xmit_data) & env " + command + "; wait");
  const json moved = machine.read_file()["sections"]["counters"]["moved"];
  EXPECT_EQ(moved["mlx5_0/1"]["hw_counters"]["np_cnp_sent"], 12);
  EXPECT_EQ(moved["mlx5_0/1"]["counters"]["port_xmit_data"], "fell: wrapped or reset");
  EXPECT_FALSE(moved.contains("mlx5_1/1"));
}

TEST(Probe, PutsTokensInPlaceOfNames) {
  const Machine machine;
  machine.build_hgx(2, 2);
  char host[256] = {};
  ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
  const std::string named =
      machine.probe("whole", "--keep-names --sections inventory,nic", "").file.dump();
  for (const std::string& name :
       {std::string(host), std::string("GPU-5ec2e7-0"), std::string("165000"),
        std::string("b83f:d203:00c1:0001"), std::string("ffff:0a00:0001")}) {
    EXPECT_THAT(named, HasSubstr(name));
  }
  const Machine::Run run = machine.probe("whole", "--sections inventory,nic", "");
  const std::string hidden = run.file.dump();
  for (const char* name : {"GPU-5ec2e7", "165000", "b83f", "ffff:0a00"}) {
    EXPECT_THAT(hidden, Not(HasSubstr(name)));
  }
  EXPECT_EQ(run.file["machine"]["host"], "host1");
  EXPECT_EQ(run.section("nic")["nics"][1]["node_guid"], "guid2");
  EXPECT_EQ(run.file["names"], "tokens");
}

TEST(Probe, RefusesWhatItDoesNotKnow) {
  const Machine machine;
  EXPECT_EQ(machine.probe("none", "--colour yes").exit_code, 2);
  EXPECT_EQ(machine.probe("none", "--sections gpu").exit_code, 2);
  EXPECT_EQ(machine.probe("none", "--watchdog soon").exit_code, 2);
  EXPECT_EQ(machine.probe("none", "--budget").exit_code, 2);
  EXPECT_EQ(machine.probe("none", "--out /dev/null/p.json").exit_code, 1);
  EXPECT_EQ(shell_command("'" SPINELEAF_PROBE "' --version").exit_code, 0);
  EXPECT_THAT(shell_command("'" SPINELEAF_PROBE "' --help").output, HasSubstr("--sections"));
  const json spent = machine.probe("none", "--budget 0.000001").section("nccl");
  EXPECT_THAT(spent["reason"], HasSubstr("budget of time was spent"));
}

#ifndef SPINELEAF_SANITIZED
TEST(Probe, LinksNothingButTheCLibrary) {
  const CommandResult result = shell_command("readelf -d '" SPINELEAF_PROBE "' | grep NEEDED");
  ASSERT_EQ(result.exit_code, 0);
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(line.find('[') + 1);
    const bool known = name.starts_with("libc.so") || name.starts_with("libm.so") ||
                       name.starts_with("libdl.so") || name.starts_with("libpthread.so") ||
                       name.starts_with("ld-linux");
    EXPECT_TRUE(known) << line;
  }
}
#endif

/// PTX without what says who made it and for what.
std::string instructions_of(const std::string& ptx) {
  std::string kept;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string text;
    for (std::string word; words >> word;) text += word + " ";
    const bool about =
        text.starts_with("//") || text.starts_with(".version") || text.starts_with(".target");
    if (!text.empty() && !about) kept += text + "\n";
  }
  return kept;
}

// Where the CUDA toolkit is, the kernels' source compiles, into the PTX that stands for it where
// the compiler is that which made it; and that assembles for GPUs from Turing on.
TEST(Probe, KernelsCompile) {
  const std::string tools =
      "PATH=$PATH:/usr/local/cuda/bin; command -v nvcc >/dev/null || exit 77; ";
  const Machine machine;
  const std::string& folder = machine.root();
  const std::string source = SPINELEAF_SOURCE_DIR "/validation/probe/kernels.cu";
  const CommandResult compiled = shell_command(tools + "nvcc -ptx -arch=compute_75 '" + source +
                                               "' -o '" + folder + "/k.ptx'");
  if (compiled.exit_code == 77) GTEST_SKIP() << "no nvcc here";
  EXPECT_EQ(compiled.exit_code, 0) << compiled.output;
  const std::string file = file_text(SPINELEAF_SOURCE_DIR "/validation/probe/kernels_ptx.cpp");
  const std::size_t begin = file.find("R\"PTX(") + 6;
  const std::string embedded = file.substr(begin, file.find(")PTX\"") - begin);
  if (shell_command(tools + "nvcc --version").output.find("V13.0") != std::string::npos) {
    EXPECT_EQ(instructions_of(embedded), instructions_of(file_text(folder + "/k.ptx")));
  }
  std::ofstream(folder + "/e.ptx") << embedded;
  for (const char* gpu : {"sm_75", "sm_80", "sm_90"}) {
    const CommandResult assembled = shell_command(tools + "ptxas -arch=" + gpu + " '" + folder +
                                                  "/e.ptx' -o '" + folder + "/k.cubin'");
    EXPECT_EQ(assembled.exit_code, 0) << assembled.output;
  }
}

}  // namespace
}  // namespace spineleaf
