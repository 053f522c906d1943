#pragma once
// The static deadlock check of a scenario: which buffers of its lossless classes can wait for each
// other, over the routes of all traffic that the scenario allows. No cycle means no deadlock,
// whatever the load; a cycle is necessary for one, not sufficient (a run decides).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/spec.hpp"
#include "topologies/channel_graph.hpp"

namespace spineleaf {

struct DeadlockCheckOptions {
  std::optional<RoutingRule> routing;  ///< instead of the scenario's
  bool workload_only = false;          ///< only pairs that the workload connects, not any two hosts
  std::vector<CableId> failed;         ///< cables that are down; routes are computed without them
};

/// A class that cannot drop, and what fills its buffers.
struct LosslessClass {
  std::uint32_t number = 0;
  std::string traffic;  ///< "any host to any host; 4 pinned paths"
};

struct DeadlockCheckResult {
  std::vector<LosslessClass> classes;
  std::size_t buffers = 0;       ///< that can wait for another
  std::size_t dependencies = 0;  ///< from one buffer to another
  std::size_t buffers_in_cycles = 0;
  std::size_t paths_cut = 0;  ///< pinned paths over a failed cable, left out
  struct Cycle {
    std::uint32_t traffic_class = 0;
    std::vector<std::uint32_t> channels;
    std::vector<Witness> witnesses;  ///< the i-th holds channel i and waits for channel i + 1
  };
  std::vector<Cycle> cycles;  ///< a short one of each strongly connected part, at most 8

  bool can_deadlock() const { return buffers_in_cycles > 0; }
};

/// Of InfiniBand every class is lossless; of RoCE those of pfc.lossless_classes. A class in which
/// all of the workload's traffic is pinned has only the pinned paths; any other one counts traffic
/// from any host to any host (see workload_only).
DeadlockCheckResult check_deadlock(const ValidSpec& spec, const DeadlockCheckOptions& options = {});

/// Every set of `size` cables between switches down at once.
struct FailureStudyOptions {
  int size = 1;
  double seconds = 10;     ///< of this machine's time; then the rest is sampled out
  std::uint64_t seed = 1;  ///< of the order in which sets are tried when not all can be
};
struct FailureStudy {
  double sets = 0;  ///< there are
  std::size_t tried = 0;
  std::size_t with_cycle = 0;
  bool complete() const { return static_cast<double>(tried) >= sets; }
  struct Example {
    std::vector<CableId> failed;
    DeadlockCheckResult result;
  };
  std::vector<Example> examples;  ///< the first few with a cycle
};
FailureStudy study_failures(const ValidSpec& spec, const DeadlockCheckOptions& options,
                            const FailureStudyOptions& study);

/// A change that removes the cycle, tried out on the same traffic.
struct DeadlockCure {
  std::string what;  ///< "switch.routing = up_down"
  bool cures = false;
  std::string note;  ///< what it costs, or what is left
};
/// What can be tried for `result`, which was made of `spec` and `options`.
std::vector<DeadlockCure> try_cures(const ValidSpec& spec, const DeadlockCheckOptions& options);

/// The mask that pfc.lossless_classes writes as "0,2" or "all".
std::uint32_t lossless_classes_of(const ModelParams& params);

}  // namespace spineleaf
