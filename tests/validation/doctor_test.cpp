// The doctor on measured sets whose cause is known, on an imaginary sick node, and on what is
// healthy.

#include "validation/doctor/doctor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "validation/nccl/sets.hpp"

namespace spineleaf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kData = SPINELEAF_SOURCE_DIR "/validation/data/";

/// All shipped sets, judged at once: the model is fitted once.
const std::map<std::string, SweepVerdict>& verdicts_of_sets() {
  static const std::map<std::string, SweepVerdict> verdicts = [] {
    Collection collection;
    for (const NcclSet& set : read_nccl_sets(kData + "nccl").sets) {
      collection.sweeps.push_back({set.sweep, {set.sweep.id, 0}});
    }
    std::map<std::string, SweepVerdict> out;
    for (SweepVerdict& one : diagnose(collection, "").sweeps) out[one.name] = std::move(one);
    return out;
  }();
  return verdicts;
}

std::size_t place_of(const SweepVerdict& verdict, std::string_view cause) {
  for (std::size_t i = 0; i < verdict.causes.size(); ++i) {
    if (verdict.causes[i].info->id == cause) return i + 1;
  }
  return 99;
}

TEST(Doctor, RaisesNoAlarmOnHealthySets) {
  std::size_t judged = 0;
  for (const NcclSet& set : read_nccl_sets(kData + "nccl").sets) {
    if (set.status != "healthy") continue;
    const SweepVerdict& verdict = verdicts_of_sets().at(set.sweep.id);
    EXPECT_FALSE(verdict.slow) << set.sweep.id << ": " << verdict.text;
    judged += verdict.judged ? 1 : 0;
  }
  EXPECT_GE(judged, 22U);
}

TEST(Doctor, NamesTheCauseOfSetsThatAreSlow) {
  const std::pair<const char*, const char*> known[] = {
      {"h100-4n-ibndr-b", "ctas"},
      {"h100-8n-ibndr-b", "ctas"},
      {"h100-2n-ib-290", "rails"},
      {"h100-2n-ib-290-ring", "rails"},
      {"gb10-2n-200g-fec-none", "fec"},
      {"h200-2n-4nic-vm", "acs"},
      {"gh200-2n-slingshot-noCXI", "tcp"},
      {"gb200-32n-2rack-oci", "dip"},
      {"b200-2n-ibndr-alltoall-ncpnp1", "peer-channels"},
      {"b200-2n-ibndr-sendrecv-ncpnp2", "peer-channels"}};
  std::size_t first = 0;
  for (const auto& [id, cause] : known) {
    const SweepVerdict& verdict = verdicts_of_sets().at(id);
    const std::size_t place = place_of(verdict, cause);
    std::string order;
    for (const RankedCause& one : verdict.causes) order += std::string(one.info->id) + " ";
    EXPECT_LE(place, 3U) << id << " [" << order << "] " << verdict.text;
    first += place == 1 ? 1 : 0;
  }
  EXPECT_GE(first, std::size(known) * 8 / 10);
}

/// A point of a report, with the settings that its reporter gave, as one size of a sweep.
struct ReportedPoint {
  const char* id;  ///< in the report's own order
  std::int64_t nodes;
  const char* gpu;
  std::int64_t nics, gbps;
  const char* fabric;
  const char* flags;
  double busbw;
  const char* cause;  ///< "" = healthy
};

// Reports: nccl#2409 (acs, gdr, split, cpu-set, healthy), nccl#1403 (plugin), nccl-tests#380 (acs
// in a guest), nccl#1412 (gdr), nccl-tests#106 (slow node), nccl#378 (no flow control).
TEST(Doctor, NamesTheCauseOfReportedPoints) {
  constexpr ReportedPoint kPoints[] = {
      {"acs-iommu-1", 2, "H100", 8, 400, "RoCEv2", "", 216.5, "acs"},
      {"acs-iommu-2", 2, "H100", 8, 400, "RoCEv2", "SPLIT_DATA_ON_QPS=1", 358, "split"},
      {"acs-iommu-3", 2, "H100", 8, 400, "RoCEv2", "", 456, ""},
      {"acs-sweep-default", 2, "H100", 8, 400, "RoCEv2", "", 178.3, "acs"},
      {"acs-sweep-gdr", 2, "H100", 8, 400, "RoCEv2", "NCCL_NET_GDR_LEVEL=0", 72.1, "gdr"},
      {"acs-sweep-cpuset", 2, "H100", 8, 400, "RoCEv2", "PROXY_CPUSET=other", 42, "cpu-set"},
      {"ece-good", 2, "H100", 4, 400, "RoCEv2", "", 315.2, ""},
      {"ece-bad", 2, "H100", 4, 400, "RoCEv2", "", 13.1, "plugin"},
      {"vm-guest-4nic", 2, "H200", 4, 400, "IB", "KVM passthrough", 180, "acs"},
      {"a100-gdr", 2, "A100", 4, 200, "IB HDR", "", 93, ""},
      {"a100-nogdr", 2, "A100", 4, 200, "IB HDR", "", 33.3, "gdr"},
      {"rails-1", 2, "H100", 8, 400, "IB", "NCCL_ALGO=Ring", 48, "rails"},
  };
  Collection collection;
  for (const ReportedPoint& one : kPoints) {
    FoundSweep found;
    found.at.file = one.id;
    MeasuredSweep& sweep = found.sweep;
    sweep.collective = "all_reduce";
    sweep.nodes = one.nodes;
    sweep.gpus_per_node = 8;
    sweep.gpu = one.gpu;
    sweep.nics_per_node = one.nics;
    sweep.nic_gbps = one.gbps;
    sweep.fabric = one.fabric;
    sweep.flags = one.flags;
    const double bytes = 1 << 30;
    const double algbw = one.busbw * 16 / 2 / 15;
    sweep.points = {{1 << 30, bytes / algbw / 1e3, algbw, one.busbw, true}};
    collection.sweeps.push_back(std::move(found));
  }
  const Diagnosis found = diagnose(collection, "");
  std::size_t first = 0;
  std::size_t ill = 0;
  for (std::size_t i = 0; i < std::size(kPoints); ++i) {
    const SweepVerdict& verdict = found.sweeps.at(i);
    if (std::string_view(kPoints[i].cause).empty()) {
      EXPECT_FALSE(verdict.slow) << verdict.name << " " << verdict.text;
      continue;
    }
    ++ill;
    std::string order;
    for (const RankedCause& one : verdict.causes) order += std::string(one.info->id) + " ";
    const std::size_t place = place_of(verdict, kPoints[i].cause);
    EXPECT_LE(place, 3U) << verdict.name << " [" << order << "] " << verdict.text;
    first += place == 1 ? 1 : 0;
    if (place != 1) std::printf("%s: %s\n", kPoints[i].id, order.c_str());
  }
  EXPECT_GE(first, (ill * 8 + 9) / 10);
}

TEST(Doctor, ShowsWhatASickNodeSays) {
  const Collection collection = read_collection(kData + "examples/sick-node");
  for (const Collection::File& file : collection.files) EXPECT_NE(file.format, "") << file.name;
  const std::string text = diagnosis_text(diagnose(collection, ""));
  for (const char* part :
       {"! S14 PCIe: 0000:1a:00.0 runs at width 8 of 16 (lspci-vvv.txt:29)",
        "! S22 ACS redirects between GPU and NIC at 0000:17:00.0 (lspci-vvv.txt:14)",
        "! S23 mlx5_0/1: active_mtu 1024 carries 370.3 of 400 Gb/s, 4096 would carry 392.15",
        "! S19 mlx5_1/1 is PORT_DOWN (ibv-devinfo.txt:20)",
        "! S19 mlx5_2/1 runs at 200, others at 400 (ibstat.txt:24)",
        "! S24 mlx5_0/1: out_of_sequence moved by 1234 (hw-counters-after.txt:2)",
        ". S24 mlx5_0/1: packet_seq_err fell: wrapped or reset",
        "! S24 rx_prio3_pause moved by 250000 (ethtool-ens1-after.txt:3)",
        ". S16 no peer module is loaded"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  // The root port redirects as well, but no traffic between GPU and NIC passes it.
  EXPECT_THAT(text, Not(HasSubstr("0000:15:01.0")));
  EXPECT_THAT(text, Not(HasSubstr("mlx5_1/1 runs at 40")));  // a port that is down has no rate
}

class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "spineleaf-doctor-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << text;
  }
  Diagnosis diagnosis(const std::string& expect = "") const {
    return diagnose(read_collection(path_), expect);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Doctor, NamesTheRanksThatUseSockets) {
  const Folder folder;
  std::string log = "n1:1:1 [0] NCCL INFO comm 0x1 rank 0 nRanks 16 nNodes 2 localRanks 8\r\n";
  for (int rank = 0; rank < 16; ++rank) {
    const bool socket = rank == 3 || rank == 5 || rank == 12;
    log += "n1:1:1 [0] NCCL INFO Channel 00/0 : " + std::to_string(rank) + "[0] -> " +
           std::to_string((rank + 1) % 16) + "[0] [send] via NET/" +
           (socket ? "Socket/0" : "IB/0/GDRDMA") + "\r\n";
  }
  folder.write("nccl.log", log);
  EXPECT_THAT(diagnosis_text(folder.diagnosis()),
              HasSubstr("! S16 NET/Socket (TCP) on 3 of 16 ranks: 3, 5, 12 (nccl.log:5)"));
}

// Lines of single calls name the communicator, too: they must not crowd out what comes after them.
TEST(Doctor, ReadsALargeLogToItsEnd) {
  const Folder folder;
  std::string log;
  while (log.size() < (std::size_t{60} << 20)) {
    log +=
        "n1:1:1 [0] NCCL INFO AllReduce: opCount 1f sendbuff 0x7f34 recvbuff 0x7f35 acc (nil) "
        "count 268435456 datatype 7 op 0 root 0 comm 0x55d [nranks=8] stream 0x5601\n";
  }
  log +=
      "n1:1:1 [0] NCCL INFO comm 0x55d rank 6 nRanks 8 nNodes 1 localRanks 8\n"
      "n1:1:1 [0] NCCL INFO Channel 03/0 : 6[2] -> 7[3] [send] via NET/Socket/0\n";
  folder.write("nccl.log", log);
  EXPECT_THAT(diagnosis_text(folder.diagnosis()), HasSubstr("NET/Socket (TCP) on 1 of 8 ranks: 6"));
}

/// What nccl-tests prints for a curve.
std::string sweep_text(int ranks, const std::vector<std::pair<std::int64_t, double>>& busbw) {
  std::string text = "# nThread 1 nGpus 1 minBytes 8 maxBytes 8589934592 step: 2(factor)\n";
  for (int rank = 0; rank < ranks; ++rank) {
    text += "#  Rank " + std::to_string(rank) + " Group  0 Pid 1 on node" +
            std::to_string(rank / 8) + " device  " + std::to_string(rank % 8) +
            " [0x1b] NVIDIA H100 80GB HBM3\n";
  }
  text +=
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
      "time   algbw   busbw #wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            "
      "(us)  (GB/s)  (GB/s)       \n";
  for (const auto& [bytes, bandwidth] : busbw) {
    const double algbw = bandwidth * ranks / 2 / (ranks - 1);
    const double us = static_cast<double>(bytes) / algbw / 1e3;
    char row[256];
    std::snprintf(row, sizeof row, " %lld %lld float sum -1 %.2f %.2f %.2f 0 %.2f %.2f %.2f 0\n",
                  static_cast<long long>(bytes), static_cast<long long>(bytes / 4), us, algbw,
                  bandwidth, us, algbw, bandwidth);
    text += row;
  }
  return text + "# Avg bus bandwidth    : 20.8\n";
}

TEST(Doctor, TellsWhatIsNoError) {
  const Folder folder;
  folder.write(
      "all_reduce_perf.txt",
      sweep_text(16, {{1 << 20, 22}, {64 << 20, 330}, {1LL << 30, 450}, {8LL << 30, 470}}));
  const Diagnosis found = folder.diagnosis("hgx-h100:8x400:2n");
  const std::string text = diagnosis_text(found);
  ASSERT_EQ(found.sweeps.size(), 1U);
  EXPECT_TRUE(found.sweeps[0].judged) << text;
  EXPECT_FALSE(found.alarm()) << text;
  EXPECT_THAT(text, HasSubstr("is over all sizes and says nothing"));
}

TEST(Doctor, SeesTheCliffOfALossyFabric) {
  const Folder folder;
  folder.write("all_reduce_perf.txt", sweep_text(16, {{1 << 20, 22},
                                                      {16 << 20, 200},
                                                      {32 << 20, 270},
                                                      {64 << 20, 90},
                                                      {256 << 20, 40},
                                                      {1LL << 30, 20}}));
  const Diagnosis found = folder.diagnosis("hgx-h100:8x400:2n");
  ASSERT_EQ(found.sweeps.size(), 1U);
  EXPECT_TRUE(found.sweeps[0].slow) << diagnosis_text(found);
  EXPECT_STREQ(found.sweeps[0].causes.front().info->id, "lossy");
}

// One and the same half of the bandwidth: what the files say decides.
TEST(Doctor, LetsFilesDecideBetweenCurvesThatLookAlike) {
  const std::string half = sweep_text(
      16, {{1 << 20, 20}, {64 << 20, 180}, {256 << 20, 215}, {1LL << 30, 217}, {8LL << 30, 218}});
  const auto first_with = [&](const std::string& name, const std::string& text) {
    const Folder folder;
    folder.write("all_reduce_perf.txt", half);
    if (!name.empty()) folder.write(name, text);
    return std::string(folder.diagnosis("hgx-h100:8x400:2n").sweeps.at(0).causes.at(0).info->id);
  };
  const std::string head =
      "17:00.0 PCI bridge: PEX890xx\n\tBus: primary=16, secondary=18, "
      "subordinate=18\n\tACSCtl:\tSrcValid+ ReqRedir";
  const std::string tail =
      " CmpltRedir-\n18:00.0 3D controller: NVIDIA\n\tLnkCap: Speed 32GT/s, "
      "Width x16\n\tLnkSta: Speed 32GT/s, Width x16\n1a:00.0 Infiniband "
      "controller: Mellanox\n\tLnkCap: Speed 32GT/s, Width x16\n\tLnkSta: Speed ";
  EXPECT_EQ(first_with("lspci.txt", head + "+" + tail + "32GT/s, Width x16\n"), "acs");
  EXPECT_EQ(first_with("lspci.txt", head + "-" + tail + "16GT/s, Width x16\n"), "pcie");
  EXPECT_EQ(first_with("ibstat.txt", "CA 'mlx5_3'\n CA type: MT4129\n Port 1:\n  State: Down\n"),
            "rails");
}

// What a report measured by verbs, in perftest's form: the fabric is healthy, a step of NCCL is
// not.
TEST(Doctor, BlamesTheEndPointsWhereVerbsAreFine) {
  const Folder folder;
  const auto write_bw = [&](const char* name, int depth, int qps, const std::string& rows) {
    folder.write(name, "                    RDMA_Write BW Test\n Number of qps   : " +
                           std::to_string(qps) + "\n TX depth        : " + std::to_string(depth) +
                           "\n #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   "
                           "MsgRate[Mpps]\n" +
                           rows);
  };
  write_bw("1.txt", 1, 1,
           " 16384 5000 20.1 20.1 0.1\n 131072 5000 117.0 117.0 0.1\n"
           " 1048576 5000 303.4 303.4 0.1\n 4194304 5000 364.2 364.2 0.1\n");
  write_bw("8.txt", 8, 1, " 16384 5000 100.1 100.1 0.1\n 131072 5000 293.4 293.4 0.1\n");
  write_bw("8q.txt", 8, 8, " 16384 5000 390.9 390.9 0.1\n 131072 5000 392.1 392.1 0.1\n");
  folder.write("sendrecv.csv",
               "collective,nodes,gpus_per_node,place,bytes,time_us,algbw_GBps,busbw_GBps,gpu,"
               "nic_gbps,nics_per_node,fabric\n"
               "sendrecv,2,1,in,1073741824,163931.6,6.55,6.55,H100,400,1,RoCEv2\n");
  const std::string text = diagnosis_text(folder.diagnosis());
  EXPECT_THAT(text, HasSubstr("S5  NIC: latency 6."));
  EXPECT_THAT(text, HasSubstr("S5  NIC: rate 39"));
  EXPECT_THAT(text, HasSubstr("each step of 128 KiB takes 10.0 us"));
  EXPECT_THAT(text, HasSubstr("fabric healthy, the end points bind"));
  EXPECT_THAT(text, Not(HasSubstr("! S18")));
}

TEST(Doctor, SurvivesBadFolders) {
  EXPECT_TRUE(has_errors(read_collection("/no/such/folder").problems));
  const Folder folder;
  EXPECT_TRUE(has_errors(read_collection(folder.path()).problems));
  folder.write("empty.txt", "");
  folder.write("noise.bin", std::string("\0\1\2\377 busbw NCCL INFO via", 24));
  folder.write("cut.log", "n1:1:1 [0] NCCL INFO Channel 00/0 : 3[3] -> 4[0] [send] via NET/I");
  folder.write("newer.json", "{\"format\": \"spineleaf-probe\", \"schema\": 7, \"sections\": {}}");
  const Collection collection = read_collection(folder.path());
  EXPECT_EQ(collection.files.size(), 4U);
  EXPECT_THAT(collection_json(collection), HasSubstr("spineleaf-measurements"));
  std::string problems;
  for (const InputProblem& one : collection.problems) problems += to_string(one) + "\n";
  EXPECT_THAT(problems, HasSubstr("schema 7 is newer than 1"));
  EXPECT_NE(diagnose(collection, "hgx-h1000").problem + "x", "");
}

}  // namespace
}  // namespace spineleaf
