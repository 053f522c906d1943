// The queue that DCQCN holds at one bottleneck, as published and as in ConnectX firmware. Expected
// values: an independent model of the published algorithm, 10 seeds, last 60 % of 300 ms.

#include <algorithm>
#include <cmath>

#include "scenarios/output/text.hpp"
#include "validation/oracles/dcqcn_forms.hpp"
#include "validation/roce/case.hpp"
#include "validation/roce/row.hpp"

namespace spineleaf {
namespace {

constexpr const char* kDcqcnSource =
    "independent single-bottleneck model, 10 seeds; Zhu et al. 2015";

struct Held {
  double queue = 0;  ///< mean bytes
  double utilisation = 0;
};

/// `wire_share` = payload over bytes on the wire.
Held hold(const std::vector<Override>& sets, Time from, int seeds, double line_gbps,
          double wire_share) {
  Held mean;
  const ValidSpec spec = roce_case("dcqcn-queue-40g", sets);
  for (int seed = 1; seed <= seeds; ++seed) {
    const Result result = run_case(spec, static_cast<std::uint64_t>(seed));
    mean.queue += mean_after(result, "largest_queue", from) / seeds;
    mean.utilisation += mean_after(result, "delivered", from) / wire_share / line_gbps / seeds;
  }
  return mean;
}

std::vector<Override> senders(int n, const char* cable, const char* deadline) {
  return {{"topology.hosts", std::to_string(n + 1)},
          {"workload.senders", std::to_string(n)},
          {"topology.cable", cable},
          {"run.deadline", deadline}};
}

std::string held_text(const Held& held) {
  return fixed_text(held.queue / 1e3, 1) + " KB, " + fixed_text(held.utilisation * 100, 2) + " %";
}

ValidationRow queue_row(const std::string& id, const Held& got, double kb, double tolerance,
                        double least_utilisation) {
  ValidationRow row;
  row.id = "dcqcn." + id;
  row.expected =
      fixed_text(kb, 1) + " KB, at least " + fixed_text(least_utilisation * 100, 1) + " %";
  row.got = held_text(got);
  row.tolerance = fixed_text(tolerance * 100, 0) + " %";
  row.pass =
      std::abs(got.queue / (kb * 1e3) - 1) <= tolerance && got.utilisation >= least_utilisation;
  row.source = kDcqcnSource;
  return row;
}

constexpr double kPaperShare = 938.0 / 1020.0;

void paper_rows(std::vector<ValidationRow>& rows, const RoceOptions& options) {
  const int seeds = options.quick ? 1 : 3;
  const Time from = Time::from_ms(120);
  for (const auto& [n, kb] :
       {std::pair{2, 25.4}, std::pair{4, 56.0}, std::pair{8, 121.0}, std::pair{10, 150.0}}) {
    const Held got = hold(senders(n, "200m", "300ms"), from, seeds, 40, kPaperShare);
    rows.push_back(queue_row("paper.N" + std::to_string(n), got, kb, 0.08, 0.997));
  }
  std::vector<Override> enqueue = senders(10, "200m", "300ms");
  enqueue.push_back({"ecn.point", "enqueue"});
  const Held early = hold(enqueue, from, seeds, 40, kPaperShare);
  rows.push_back(queue_row("enqueue.N10", early, 65, 0.15, 0.973));
  for (const auto& [n, kb, least] : {std::tuple{2, 24.5, 0.975}, std::tuple{10, 53.0, 0.918}}) {
    const Held slow = hold(senders(n, "4250m", "300ms"), from, seeds, 40, kPaperShare);
    rows.push_back(queue_row("delay-85us.N" + std::to_string(n), slow, kb, 0.10, least));
  }
}

void connectx_rows(std::vector<ValidationRow>& rows, const RoceOptions& options) {
  std::vector<Override> common = preset_overrides("dcqcn-connectx");
  for (const auto& [key, value] :
       {std::pair{"fabric.mtu", "4096B"}, std::pair{"topology.speed", "400Gbps"},
        std::pair{"topology.cable", "300m"}, std::pair{"workload.bytes", "16GiB"},
        std::pair{"run.sample_every", "3us"}}) {
    common.push_back({key, value});
  }
  const auto row = [&](const char* id, int n, const char* kmin, const char* kmax, const char* pmax,
                       double kb) {
    std::vector<Override> sets = common;
    for (const Override& set : senders(n, "300m", "60ms")) sets.push_back(set);
    for (const auto& [key, value] :
         {std::pair{"ecn.kmin", kmin}, std::pair{"ecn.kmax", kmax}, std::pair{"ecn.pmax", pmax}}) {
      sets.push_back({key, value});
    }
    const Held got = hold(sets, Time::from_ms(30), options.quick ? 1 : 3, 400, 4096.0 / 4178.0);
    rows.push_back(queue_row(std::string(id) + ".N" + std::to_string(n), got, kb, 0.20, 0.995));
  };
  row("connectx-128K", 2, "131072B", "262144B", "0.05", 58.6);
  row("connectx-128K", 4, "131072B", "262144B", "0.05", 60.0);
  row("connectx-128K", 8, "131072B", "262144B", "0.05", 68.4);
  row("connectx-400K", 4, "400KB", "1600KB", "0.2", 254);
  row("connectx-400K", 8, "400KB", "1600KB", "0.2", 275);
}

/// 8 hosts with as many connections each as it takes, PFC of 612 KB an ingress (4.9 MB in all), as
/// in the evaluation of DCQCN+ (Gao et al., ICNP 2018). The queue stays at kmax, or at PFC's cap.
ValidationRow large_row(const char* line, int flows, bool pinned) {
  const bool slow = std::string_view(line) == "10Gbps";
  std::vector<Override> sets = senders(8, "200m", "400ms");
  for (const auto& [key, value] :
       {std::pair{"topology.speed", line}, std::pair{"fabric.flow_control", "pfc"},
        std::pair{"pfc.alpha", "0"}, std::pair{"pfc.xoff", "612KB"},
        std::pair{"pfc.xon_offset", "2KB"}, std::pair{"pfc.cell", "1B"},
        std::pair{"workload.start_jitter", "0us"},
        std::pair{"dcqcn.rpg_ai_rate", slow ? "10Mbps" : "40Mbps"},
        std::pair{"dcqcn.rpg_min_rate", "100Mbps"}}) {
    sets.push_back({key, value});
  }
  ValidSpec spec = roce_case("dcqcn-queue-40g", sets);
  spec.workloads.resize(static_cast<std::size_t>(flows) / 8, spec.workloads.front());
  const double queue = mean_after(run_case(spec, 1), "largest_queue", Time::from_ms(240));
  ValidationRow row;
  row.id = std::string("dcqcn.large-incast.") + line + ".N" + std::to_string(flows);
  row.expected = pinned ? "4,600 to 5,000 KB" : "197 to 200 KB";
  row.got = fixed_text(queue / 1e3, 1) + " KB";
  row.tolerance = pinned ? "" : "3 %";
  row.pass =
      pinned ? queue >= 4.6e6 && queue <= 5e6 : queue >= 197e3 * 0.97 && queue <= 200e3 * 1.03;
  row.source = "independent single-bottleneck model, 8 hosts x k flows, 240 to 400 ms";
  return row;
}

void large_rows(std::vector<ValidationRow>& rows) {
  for (const int flows : {80, 160, 240}) rows.push_back(large_row("40Gbps", flows, false));
  rows.push_back(large_row("40Gbps", 440, true));
  for (const int flows : {40, 80}) rows.push_back(large_row("10Gbps", flows, false));
  rows.push_back(large_row("10Gbps", 120, true));
}

/// What a flow takes back, once its competitor has left.
ValidationRow recovery_row() {
  const ValidSpec spec = roce_case("connectx-recovery");
  const Result result = run_case(spec, 1);
  const auto rate = [&](int from, int to) {
    const double payload = mean_after(result, "delivered", Time::from_ms(from), Time::from_ms(to));
    return payload * 4178 / 4096;
  };
  const double slope = (rate(37, 42) - rate(12, 17)) / 25e-3;
  const double wanted =
      dcqcn_recovery_slope(spec.models.dcqcn.rpg_hai_rate, spec.models.dcqcn.rpg_time_reset);
  ValidationRow row;
  row.id = "dcqcn.connectx-recovery";
  row.expected = fixed_text(wanted / 1e3, 4) + " Gb/s per ms";
  row.got = fixed_text(slope / 1e3, 4) + " Gb/s per ms";
  row.tolerance = "2 %";
  row.pass = rate(12, 17) < 300 && std::abs(slope / wanted - 1) <= 0.02;
  row.source = "rpg_hai_rate / rpg_time_reset (NVIDIA DOCA, DCQCN parameters)";
  return row;
}

}  // namespace

std::vector<ValidationRow> dcqcn_rows(const RoceOptions& options) {
  std::vector<ValidationRow> rows;
  paper_rows(rows, options);
  connectx_rows(rows, options);
  rows.push_back(recovery_row());
  if (!options.quick) large_rows(rows);  // half a simulated second each
  return rows;
}

}  // namespace spineleaf
