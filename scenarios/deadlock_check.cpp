#include "scenarios/deadlock_check.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <numeric>
#include <set>
#include <utility>

#include "models/lossless.hpp"
#include "scenarios/run.hpp"
#include "scenarios/subnet_plan.hpp"
#include "sim/random.hpp"
#include "topologies/bounce_classes.hpp"
#include "topologies/subnet/verdict.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kExamples = 5;

/// What the workload sends, by class, with what comes back for it.
struct ClassTraffic {
  bool routed = false;
  std::vector<PathSpec> paths;
  std::set<std::pair<EndpointId, EndpointId>> pairs;  ///< of routed traffic
};

PathSpec reversed(PathSpec path) {
  std::reverse(path.steps.begin(), path.steps.end());
  return path;
}

bool is_loop(const PathSpec& path) {
  const auto last = path.steps.end() - 1;
  return std::any_of(path.steps.begin(), last,
                     [&](const PathStep& step) { return step.node == last->node; });
}

class CheckTraffic {
 public:
  explicit CheckTraffic(const ValidSpec& spec) : spec_(spec), classes_(kMostClasses) {
    const FabricParams& fabric = spec.models.fabric;
    const World world = build_world(spec, static_cast<std::uint64_t>(spec.run.seed));
    const bool cnps = spec.models.ecn.enabled && is_dcqcn(spec.models.transport.congestion_control);
    for (const Workload& workload : world.workloads) {
      for (const ConnectionSpec& c : workload.connections) {
        add(c.traffic_class, c.from, c.to, c.path, false);
        const std::int64_t ack = c.ack_class < 0 ? fabric.ack_class : c.ack_class;
        add(static_cast<std::size_t>(ack), c.to, c.from, c.path, true);
        if (cnps) add(static_cast<std::size_t>(fabric.cnp_class), c.to, c.from, c.path, true);
      }
    }
    if (!world.workloads.empty()) return;
    if (const unsigned lanes = spec.subnet ? spec.subnet->routes.lanes.lanes : 1; lanes > 1) {
      for (unsigned lane = 0; lane < lanes; ++lane) classes_[lane].routed = true;
    } else {
      for (const std::int64_t c : {fabric.data_class, fabric.ack_class}) {
        classes_[static_cast<std::size_t>(c)].routed = true;
      }
    }
  }

  const ClassTraffic& of(std::size_t number) const { return classes_[number]; }
  bool any_routed() const {
    return std::any_of(classes_.begin(), classes_.end(),
                       [](const ClassTraffic& traffic) { return traffic.routed; });
  }
  static constexpr std::size_t kMostClasses = 16;

 private:
  void add(std::size_t number, EndpointId from, EndpointId to, std::int32_t path, bool back) {
    ClassTraffic& traffic = classes_[number];
    if (path < 0) {
      traffic.routed = true;
      traffic.pairs.emplace(from, to);
      return;
    }
    const PathSpec& pinned = spec_.paths[static_cast<std::size_t>(path)];
    if (back && is_loop(pinned)) return;  // nothing arrives, nothing is answered
    traffic.paths.push_back(back ? reversed(pinned) : pinned);
  }

  const ValidSpec& spec_;
  std::vector<ClassTraffic> classes_;
};

/// Traffic of the lossless classes over the routes of one state of the fabric.
class Check {
 public:
  Check(const ValidSpec& spec, const CheckTraffic& traffic, const DeadlockCheckOptions& options)
      : topology_(*spec.graph) {
    for (const CableId cable : options.failed) topology_.cables[index(cable)].up = false;
    if (spec.subnet && !options.routing) {
      read_tables(options.failed.empty() ? *spec.subnet : spec.subnet->on(topology_));
    } else {
      routes_ = compute_routes(topology_, options.routing.value_or(spec.models.sw.routing));
    }
    const std::uint32_t lossless = lossless_classes_of(spec.models);
    for (std::uint32_t c = 0; c < CheckTraffic::kMostClasses; ++c) {
      const ClassTraffic& of_class = traffic.of(c);
      if ((lossless >> c & 1U) == 0 || (!of_class.routed && of_class.paths.empty())) continue;
      add_class(c, of_class, options.workload_only);
    }
  }

  /// A class more per bounce, in every lossless class: the most classes in place of one.
  BounceClasses per_bounce() const {
    BounceClasses all;
    all.tried = true;
    for (const TrafficClass& in : classes_) {
      const BounceClasses one = classes_per_bounce(topology_, {&in, 1});
      all.tried = all.tried && one.tried;
      all.has_cycle = all.has_cycle || one.has_cycle;
      all.classes = std::max(all.classes, one.classes);
    }
    return all;
  }

  DeadlockCheckResult run() const {
    DeadlockCheckResult result = result_;
    const ChannelGraph graph = channel_dependencies(topology_, classes_);
    for (std::size_t b = 0; b + 1 < graph.from.size(); ++b) {
      result.buffers += graph.from[b + 1] > graph.from[b] ? 1 : 0;
    }
    result.dependencies = graph.to.size();
    const CycleReport report = find_cycles(topology_, graph);
    result.buffers_in_cycles = report.channels_in_cycles;
    for (const std::vector<std::uint32_t>& cycle : report.cycles) {
      DeadlockCheckResult::Cycle& listed = result.cycles.emplace_back();
      listed.traffic_class = graph.lane_of(cycle.front());
      for (const std::uint32_t buffer : cycle) listed.channels.push_back(graph.channel_of(buffer));
      listed.witnesses = witnesses_of(topology_, classes_, graph, cycle);
    }
    return result;
  }

 private:
  void add_class(std::uint32_t number, const ClassTraffic& traffic, bool workload_only) {
    TrafficClass in;
    in.lane = number;
    std::string text;
    if (traffic.routed) {
      in.routes = &routes_;
      const bool pairs = workload_only && !traffic.pairs.empty();
      if (pairs) in.sends = sends_of(traffic);
      if (!pairs && lanes_.lanes > 1) {
        in.sends = [this, number](std::uint32_t source, std::uint32_t group) {
          return lanes_.lane(source, lid_of_group_[group]) == number;
        };
      }
      text =
          pairs ? std::to_string(traffic.pairs.size()) + " routed pairs" : "any host to any host";
    }
    if (!traffic.paths.empty()) {
      tables_.push_back(std::make_unique<PathTable>(usable(traffic.paths)));
      in.paths = tables_.back().get();
      text += (text.empty() ? "" : ", ") + std::to_string(in.paths->size()) + " pinned paths";
    }
    classes_.push_back(std::move(in));
    result_.classes.push_back({number, std::move(text)});
  }

  std::function<bool(std::uint32_t, std::uint32_t)> sends_of(const ClassTraffic& traffic) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> groups;
    const std::vector<Attachment> at = attachments(topology_);
    for (const auto& [from, to] : traffic.pairs) {
      if (at[index(from)].row == Attachment::kNoLeaf) continue;
      groups.emplace(at[index(from)].row, routes_.group_of[index(to)]);
    }
    return [groups = std::move(groups)](std::uint32_t source, std::uint32_t group) {
      return groups.count({source, group}) > 0;
    };
  }

  /// The paths that no failed cable cuts.
  PathTable usable(const std::vector<PathSpec>& paths) {
    std::vector<PathSpec> kept;
    for (const PathSpec& path : paths) {
      if (make_paths(topology_, {&path, 1}).problems.empty()) {
        kept.push_back(path);
      } else {
        ++result_.paths_cut;
      }
    }
    return make_paths(topology_, kept).table;
  }

  void read_tables(const SubnetPlan& plan) {
    TableRoutes made = plan.run_routes();
    routes_ = std::move(made.routes);
    lid_of_group_ = std::move(made.lid_of_group);
    lanes_ = plan.routes.lanes;
  }

  Topology topology_;
  Routes routes_;
  std::vector<std::uint32_t> lid_of_group_;  ///< of a subnet's tables
  LanePlan lanes_;
  std::vector<TrafficClass> classes_;
  std::vector<std::unique_ptr<PathTable>> tables_;
  DeadlockCheckResult result_;
};

/// Other engines, which must give tables without a loop; pinned paths stay as they are.
void add_engine_cures(const SubnetPlan& plan, std::vector<DeadlockCure>& cures) {
  for (const char* const name : {"updn", "dfsssp"}) {
    if (plan.engine->name == name) continue;
    EngineOptions options = plan.options;
    options.most_lanes = 8;
    const EngineResult result = find_routing_engine(name)->route(plan.subnet, options);
    const bool opens = result.ok() && !credit_loops(plan.subnet, result.routes).cycles.has_cycle;
    const unsigned lanes = result.routes.lanes.lanes;
    cures.push_back({"subnet.engine = " + std::string{name}, opens,
                     !result.ok() ? result.problems.front().what
                     : lanes > 1  ? "takes fabric.classes = " + std::to_string(lanes)
                                  : "pinned paths stay as they are"});
  }
}

std::vector<std::uint32_t> switch_cables(const Topology& topology) {
  std::vector<std::uint32_t> cables;
  for (std::uint32_t i = 0; i < topology.cables.size(); ++i) {
    const Cable& cable = topology.cables[i];
    if (!cable.up || topology.is_host(cable.a.node) || topology.is_host(cable.b.node)) continue;
    cables.push_back(i);
  }
  return cables;
}

double binomial(std::size_t n, int k) {
  double sets = 1;
  for (int i = 0; i < k; ++i)
    sets *= static_cast<double>(n - static_cast<std::size_t>(i)) / (i + 1);
  return n < static_cast<std::size_t>(k) ? 0 : sets;
}

/// The next combination of k of n in lexical order; false after the last.
bool next_set(std::vector<std::uint32_t>& chosen, std::size_t n) {
  const std::size_t k = chosen.size();
  for (std::size_t i = k; i-- > 0;) {
    if (chosen[i] + (k - i) < n) {
      ++chosen[i];
      for (std::size_t j = i + 1; j < k; ++j) chosen[j] = chosen[j - 1] + 1;
      return true;
    }
  }
  return false;
}

std::vector<std::uint32_t> random_set(std::uint64_t seed, std::size_t number, std::size_t n,
                                      std::size_t k) {
  std::set<std::uint32_t> chosen;
  for (std::uint64_t draw_number = 0; chosen.size() < k; ++draw_number) {
    const std::uint64_t bits = mix64(seed, number, draw_number);
    chosen.insert(static_cast<std::uint32_t>(uniform_below(bits, n)));
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace

std::uint32_t lossless_classes_of(const ModelParams& params) {
  const std::uint32_t all = (1U << params.fabric.classes) - 1;
  if (params.fabric.flow_control == FlowControlKind::Credit) return all;
  if (params.fabric.flow_control == FlowControlKind::None) return 0;
  return lossless_mask(params.pfc.lossless_classes, params.fabric.classes);
}

DeadlockCheckResult check_deadlock(const ValidSpec& spec, const DeadlockCheckOptions& options) {
  const CheckTraffic traffic(spec);
  return Check(spec, traffic, options).run();
}

FailureStudy study_failures(const ValidSpec& spec, const DeadlockCheckOptions& options,
                            const FailureStudyOptions& wanted) {
  const auto began = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  const CheckTraffic traffic(spec);
  const std::vector<std::uint32_t> cables = switch_cables(*spec.graph);
  const auto k = static_cast<std::size_t>(wanted.size);
  FailureStudy study;
  study.sets = binomial(cables.size(), wanted.size);
  if (study.sets == 0) return study;
  const auto try_set = [&](const std::vector<std::uint32_t>& chosen) {
    DeadlockCheckOptions failed = options;
    for (const std::uint32_t i : chosen) failed.failed.push_back(CableId{cables[i]});
    DeadlockCheckResult result = Check(spec, traffic, failed).run();
    ++study.tried;
    if (!result.can_deadlock()) return;
    ++study.with_cycle;
    if (study.examples.size() >= kExamples) return;
    study.examples.push_back({std::move(failed.failed), std::move(result)});
  };
  std::vector<std::uint32_t> chosen(k);
  std::iota(chosen.begin(), chosen.end(), 0U);
  try_set(chosen);
  // What one set took tells whether all of them fit; otherwise a sample over all is worth more than
  // the first ones.
  const bool all = spent() * study.sets < wanted.seconds;
  if (all) {
    while (next_set(chosen, cables.size()) && spent() < 2 * wanted.seconds) try_set(chosen);
    return study;
  }
  std::set<std::vector<std::uint32_t>> seen{chosen};
  for (std::size_t n = 0; spent() < wanted.seconds && !study.complete(); ++n) {
    std::vector<std::uint32_t> drawn = random_set(wanted.seed, n, cables.size(), k);
    if (seen.insert(drawn).second) try_set(drawn);
  }
  return study;
}

std::vector<DeadlockCure> try_cures(const ValidSpec& spec, const DeadlockCheckOptions& options) {
  std::vector<DeadlockCure> cures;
  const CheckTraffic traffic(spec);
  const auto cured = [&](const DeadlockCheckOptions& changed) {
    return !Check(spec, traffic, changed).run().can_deadlock();
  };
  if (spec.subnet && !options.routing) add_engine_cures(*spec.subnet, cures);
  const RoutingRule routing = options.routing.value_or(spec.models.sw.routing);
  if (!spec.subnet && routing != RoutingRule::UpDown) {
    DeadlockCheckOptions up_down = options;
    up_down.routing = RoutingRule::UpDown;
    cures.push_back({"switch.routing = up_down", cured(up_down),
                     "pinned paths stay as they are; some pairs may lose shortest paths"});
  }
  if (!spec.subnet) {
    const BounceClasses per_bounce = Check(spec, traffic, options).per_bounce();
    cures.push_back({"a class more per bounce", per_bounce.tried && !per_bounce.has_cycle,
                     per_bounce.tried
                         ? std::to_string(per_bounce.classes) + " classes in place of one"
                         : "a route loops, or the fabric is too large to try"});
  }
  if (!options.workload_only && traffic.any_routed()) {
    DeadlockCheckOptions narrow = options;
    narrow.workload_only = true;
    cures.push_back({"only the pairs of this workload", cured(narrow),
                     "holds as long as nobody else sends in the class"});
  }
  return cures;
}

}  // namespace spineleaf
