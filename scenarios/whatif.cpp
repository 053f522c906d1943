#include "scenarios/whatif.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "models/workloads/kinds.hpp"
#include "scenarios/deadlock_check.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/csv_writer.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

/// Changes each list of explicit flows; false if there is none.
template <class Change>
bool change_flows(ValidSpec& spec, Change change) {
  bool any = false;
  for (WorkloadSpec& workload : spec.workloads) {
    if (workload.kind != "flows") continue;
    auto flows =
        std::make_shared<FlowsParams>(*static_cast<const FlowsParams*>(workload.params.get()));
    for (FlowEntry& flow : flows->flows) change(flow);
    workload.params = std::move(flows);
    any = true;
  }
  return any;
}

class Variants {
 public:
  Variants(const ValidSpec& spec, const WhatIfOptions& options) : base_(spec), options_(options) {
    base_.run.until_deadlock = false;
    base_.expect = Expect::Ok;
  }

  std::vector<WhatIfVariant> all() {
    add("as it is", "", base_);
    if (base_.models.fabric.flow_control == FlowControlKind::Pfc) {
      watchdog();
      thresholds();
    }
    up_down();
    classes_without_cycle();
    rate_limit();
    congestion_control();
    if (base_.models.fabric.flow_control == FlowControlKind::Pfc) no_flow_control();
    return std::move(all_);
  }

 private:
  void add(std::string name, std::string what, const ValidSpec& spec) {
    all_.push_back({std::move(name), std::move(what), spec});
  }

  void watchdog() {
    ValidSpec spec = base_;
    const WatchdogParams& w = spec.models.watchdog = options_.watchdog;
    add("watchdog",
        "detection " + to_text(w.detection) + ", restoration " + to_text(w.restoration) +
            ", poll " + to_text(w.poll) +
            (w.action == WatchdogAction::Drop ? ", drop" : ", forward"),
        spec);
  }

  void thresholds() {
    ValidSpec spec = base_;
    PfcParams& pfc = spec.models.pfc;
    const auto more = [&](Bytes bytes) {
      return Bytes{
          static_cast<std::int64_t>(static_cast<double>(bytes.count) * options_.threshold_factor)};
    };
    std::string what;
    if (pfc.alpha > 0) {
      pfc.alpha *= options_.threshold_factor;
      what = "pfc.alpha " + number_text(pfc.alpha);
    } else {
      pfc.xoff = more(pfc.xoff);
      what = "pfc.xoff " + to_text(pfc.xoff);
    }
    add("thresholds", std::move(what), spec);
  }

  void up_down() {
    ValidSpec spec = base_;
    const bool routed = spec.models.sw.routing == RoutingRule::UpDown;
    spec.models.sw.routing = RoutingRule::UpDown;
    const bool pinned = !spec.paths.empty();
    change_flows(spec, [](FlowEntry& flow) {
      flow.path.clear();
      flow.path_id = -1;
    });
    spec.paths.clear();
    if (routed && !pinned) return;
    add("up-down", pinned ? "switch.routing up_down, paths not pinned" : "switch.routing up_down",
        spec);
  }

  /// Pinned flows over more classes, each as soon as it would close a cycle in those before.
  void classes_without_cycle() {
    constexpr std::int64_t kMost = 7;
    ValidSpec spec = base_;
    FabricParams& fabric = spec.models.fabric;
    if (spec.paths.empty() || fabric.flow_control != FlowControlKind::Pfc) return;
    std::vector<std::vector<PathSpec>> classes;
    bool fits = true;
    change_flows(spec, [&](FlowEntry& flow) {
      if (flow.path_id < 0) fits = false;
      if (!fits) return;
      const PathSpec& path = spec.paths[static_cast<std::size_t>(flow.path_id)];
      std::size_t c = 0;
      for (; c < classes.size(); ++c) {
        if (joins(classes[c], path)) break;
      }
      if (c == classes.size()) {
        classes.emplace_back();
        fits = joins(classes[c], path);
      }
      flow.traffic_class = static_cast<int>(c);
    });
    const auto n = static_cast<std::int64_t>(classes.size());
    if (!fits || n < 2 || n + 1 > kMost) return;
    fabric.classes = n + 1;
    fabric.ack_class = fabric.cnp_class = n;
    fabric.data_class = 0;
    std::string list;
    for (std::int64_t c = 0; c < n; ++c) list += (c > 0 ? "," : "") + std::to_string(c);
    spec.models.pfc.lossless_classes = list;
    add("classes", std::to_string(n) + " lossless classes, no cycle in any", spec);
  }

  /// Adds the path unless it closes a cycle (by itself, for a routing loop).
  bool joins(std::vector<PathSpec>& paths, const PathSpec& path) const {
    paths.push_back(path);
    const PathTable table = make_paths(*base_.graph, paths).table;
    const ChannelGraph graph = channel_dependencies(*base_.graph, nullptr, &table);
    if (!find_cycles(*base_.graph, graph).has_cycle) return true;
    paths.pop_back();
    return false;
  }

  void rate_limit() {
    ValidSpec spec = base_;
    Rate slowest{INT64_MAX};
    for (const Cable& cable : spec.graph->cables) {
      const bool host = spec.graph->is_host(cable.a.node) || spec.graph->is_host(cable.b.node);
      if (host) slowest = std::min(slowest, cable.rate);
    }
    const Rate limit{static_cast<std::int64_t>(static_cast<double>(slowest.bits_per_second) *
                                               options_.rate_share)};
    const bool flows = change_flows(spec, [&](FlowEntry& flow) {
      const bool faster = flow.rate.bits_per_second == 0 || limit < flow.rate;
      if (faster) flow.rate = limit;
    });
    if (flows) add("rate limit", "every flow at most " + to_text(limit), spec);
  }

  void congestion_control() {
    ValidSpec spec = base_;
    ModelParams& models = spec.models;
    if (models.fabric.flow_control != FlowControlKind::Pfc) return;
    if (models.transport.congestion_control != CongestionControlKind::None) return;
    models.transport.congestion_control = CongestionControlKind::DcqcnConnectx;
    models.ecn.enabled = true;
    if (models.pfc.alpha == 0) {
      models.ecn.kmin = Bytes{models.pfc.xoff.count / 8};
      models.ecn.kmax = Bytes{models.pfc.xoff.count / 2};
    }
    add("DCQCN",
        "ConnectX defaults, ecn.kmin " + to_text(models.ecn.kmin) + ", kmax " +
            to_text(models.ecn.kmax),
        spec);
  }

  void no_flow_control() {
    ValidSpec spec = base_;
    spec.models.fabric.flow_control = FlowControlKind::None;
    spec.models.transport.recovery = LossRecovery::SelectiveRepeat;
    spec.models.transport.timeout = std::min(spec.models.transport.timeout, Time::from_ms(1));
    spec.faults.erase(std::remove_if(spec.faults.begin(), spec.faults.end(),
                                     [](const FaultSpec& fault) {
                                       return fault.action == FaultAction::Storm ||
                                              fault.action == FaultAction::StormEnd;
                                     }),
                      spec.faults.end());
    add("PFC off",
        "selective repeat, timeout " + to_text(spec.models.transport.timeout) +
            ", queues drop at " + to_text(spec.models.sw.queue_limit),
        spec);
  }

  ValidSpec base_;
  const WhatIfOptions& options_;
  std::vector<WhatIfVariant> all_;
};

constexpr const char* kHeader =
    "variant,cycle,deadlock,at_us,recovered,storms,drops,pauses,"
    "goodput_gbps,fct_p99_us,flows,finished,stop";

}  // namespace

std::vector<WhatIfVariant> whatif_variants(const ValidSpec& spec, const WhatIfOptions& options) {
  return Variants(spec, options).all();
}

WhatIfRow whatif_row(const WhatIfVariant& variant, const Result& result) {
  WhatIfRow row;
  DeadlockCheckOptions check;
  check.workload_only = true;
  row.name = variant.name;
  row.cycle = check_deadlock(variant.spec, check).can_deadlock();
  row.deadlock = result.deadlock;
  row.at = result.deadlock_report.at;
  row.recovered = result.deadlock && result.deadlock_report.ended.ps >= 0;
  for (const WatchdogRow& event : result.watchdog) row.storms += event.restored ? 0 : 1;
  row.drops = result.totals.drops_total;
  row.pauses = result.totals.pauses;
  row.goodput_gbps = goodput_gbps(result);
  const FctStatistics fct = fct_statistics(result.flows);
  row.fct_p99 = fct.p99;
  row.flows = static_cast<std::size_t>(fct.flows);
  row.finished = static_cast<std::size_t>(fct.finished);
  row.stop = plain_words(to_text(result.stop));
  return row;
}

std::string whatif_table(const std::vector<WhatIfVariant>& variants,
                         const std::vector<WhatIfRow>& rows) {
  const auto pad = [](std::string text, std::size_t width, bool left) {
    const std::size_t gap = text.size() < width ? width - text.size() : 0;
    return left ? text + std::string(gap, ' ') : std::string(gap, ' ') + text;
  };
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    static constexpr std::size_t kWidths[] = {11, 5, 8, 10, 9, 6, 10, 9, 11, 10, 8};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      out += (i > 0 ? "  " : "") + pad(cells[i], kWidths[i], i == 0);
    }
    out += "\n";
  };
  line({"variant", "cycle", "deadlock", "formed at", "recovered", "storms", "drops", "pauses",
        "goodput", "FCT p99", "finished"});
  for (const WhatIfRow& row : rows) {
    line({row.name, row.cycle ? "yes" : "no", row.deadlock ? "YES" : "no", time_text(row.at),
          row.deadlock ? (row.recovered ? "yes" : "no") : "-", count_text(row.storms),
          count_text(row.drops), count_text(row.pauses), gbps_text(row.goodput_gbps),
          time_text(row.fct_p99), std::to_string(row.finished) + "/" + std::to_string(row.flows)});
  }
  out += "\n";
  for (const WhatIfVariant& variant : variants) {
    if (!variant.what.empty()) out += pad(variant.name, 11, true) + "  " + variant.what + "\n";
  }
  return out;
}

std::string whatif_csv(const std::vector<WhatIfRow>& rows) {
  CsvWriter csv(kHeader);
  for (const WhatIfRow& row : rows) {
    csv.cell(row.name).cell(std::string_view(row.cycle ? "yes" : "no"));
    csv.cell(std::string_view(row.deadlock ? "yes" : "no")).cell(row.at);
    csv.cell(std::string_view(row.recovered ? "yes" : "no")).cell(row.storms).cell(row.drops);
    csv.cell(row.pauses).cell(row.goodput_gbps).cell(row.fct_p99);
    csv.cell(static_cast<std::int64_t>(row.flows)).cell(static_cast<std::int64_t>(row.finished));
    csv.cell(row.stop).end_row();
  }
  return csv.take();
}

}  // namespace spineleaf
