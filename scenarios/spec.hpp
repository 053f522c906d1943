#pragma once
// A scenario as data: what was read (Spec) and what was found fit to run (ValidSpec).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/params.hpp"
#include "models/workloads/registry.hpp"
#include "scenarios/input/problems.hpp"
#include "topologies/paths.hpp"
#include "topologies/subnet/adaptive_groups.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

class JsonSource;
struct SubnetPlan;

/// The outcome that a scenario is there to show. An alarm that was expected is no failure.
enum class Expect : std::uint8_t { Ok, Deadlock, Drops, Stuck, Deadline };

/// Section "run".
struct RunParams {
  Time deadline;  ///< simulated time at which the run ends; 0 = none
  std::int64_t seed = 1;
  Time no_progress;               ///< stop when nothing was delivered for this long
  std::int64_t event_budget = 0;  ///< in packet-hops; 0 = none
  Time deadlock_every;            ///< interval of the exact deadlock test; 0 = only at the end
  bool until_deadlock = false;    ///< the run ends when one is found
  Time sample_every;              ///< interval of the time series; 0 = no series
  Time warmup;                    ///< flows that start before it are left out of the results
  Time window;                    ///< length of the measurement after warmup; 0 = to the end
  std::int64_t threads = 1;       ///< 0 = one per core
  Bytes memory_budget;            ///< 0 = three quarters of this machine's memory
  Time time_budget;               ///< of a processor; 0 = none
};

struct TopologySpec {
  std::string kind;
  std::shared_ptr<const void> params;  ///< of the kind's type; CustomSpec for "custom"
};

enum class SubnetEngine : std::uint8_t { None, Minhop, Updn, Ftree, Sssp, Dfsssp, Dor, File };

/// Section "subnet": forwarding tables in place of switch.routing.
struct SubnetParams {
  SubnetEngine engine = SubnetEngine::None;
  std::string roots;  ///< names or GUIDs, or @file
  std::string lfts;   ///< file
  AdaptiveGroups adaptive = AdaptiveGroups::None;
};

struct WorkloadSpec {
  std::string kind;
  std::string name;                    ///< as given; "" = the kind's
  std::shared_ptr<const void> params;  ///< of the kind's type; FlowsParams for "flows"
};

/// Down to Degrade happen to a link, the others to a host: its NICs ask for a pause for ever, no
/// longer do, or take what they receive at a lower rate.
enum class FaultAction : std::uint8_t { Down, Up, Degrade, Storm, StormEnd, SlowReceiver };
constexpr bool is_host_fault(FaultAction action) { return action >= FaultAction::Storm; }

struct FaultSpec {
  Time at;
  std::string link;  ///< "leaf0-spine1", or from and to
  std::string from;
  std::string to;
  std::string host;         ///< of a host's fault
  std::int64_t cable = -1;  ///< which of parallel cables, from 0; -1 = all
  FaultAction action = FaultAction::Down;
  Rate rate;                    ///< for Degrade and SlowReceiver
  std::vector<CableId> cables;  ///< found by validation
  std::uint32_t host_row = 0;   ///< found by validation
};

/// One parameter with the value that the run will use.
struct ResolvedValue {
  std::string key;     ///< "pfc.alpha"
  std::string value;   ///< as a user would write it
  std::string origin;  ///< "default", "preset roce-400g", "scenario.json:12:14" or "--set"
};

struct ScenarioData {
  std::string file;  ///< as named by the user; only for messages
  std::string name;
  std::string description;
  std::vector<std::string> presets;
  ModelParams models;
  TopologySpec topology;
  SubnetParams subnet;
  std::vector<WorkloadSpec> workloads;
  std::vector<FaultSpec> faults;
  RunParams run;
  Expect expect = Expect::Ok;
};

/// Read and in range, key by key; not yet known to fit together.
struct Spec : ScenarioData {
  std::shared_ptr<const JsonSource> source;  ///< where each key stands
};

/// What a run will need, roughly: known within a factor of two or three.
struct RunEstimate {
  double packet_hops = 0;
  double cpu_seconds = 0;  ///< of one thread
  double memory_bytes = 0;
};

/// Fit to run. The topology has been built once, for checking, and is kept.
struct ValidSpec : ScenarioData {
  std::shared_ptr<const Topology> graph;
  std::shared_ptr<const SubnetPlan> subnet;  ///< null: switch.routing decides
  std::vector<PathSpec> paths;               ///< pinned paths; FlowEntry::path_id counts in here
  RunEstimate estimate;
  std::vector<ResolvedValue> resolved;  ///< every parameter but those of single flows and links
  std::vector<InputProblem> warnings;
};

}  // namespace spineleaf
