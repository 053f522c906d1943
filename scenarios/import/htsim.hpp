#pragma once
// Inputs of htsim (csg-htsim and uet-htsim): connection matrices (.cm) and fat trees (.topo).

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scenarios/import/named_text.hpp"
#include "scenarios/input/problems.hpp"
#include "sim/units.hpp"

namespace spineleaf {

enum class HtsimTriggerKind : std::uint8_t { Oneshot, Multishot, Barrier };

struct HtsimTrigger {
  HtsimTriggerKind kind = HtsimTriggerKind::Oneshot;
  std::int64_t count = 0;  ///< of a barrier
};

struct HtsimFlow {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t id = 0;       ///< 0 = none
  double start_ps = -1;      ///< < 0: started by `trigger`
  std::int64_t trigger = 0;  ///< that starts it; 0 = none
  std::int64_t bytes = 0;
  std::int64_t prio = -1;
  std::int64_t send_done = 0;  ///< triggers that its end pulls; 0 = none
  std::int64_t recv_done = 0;
};

struct HtsimFailure {
  int tier = 0;  ///< 0 TOR, 1 AGG, 2 CORE
  std::int64_t switch_id = 0;
  std::int64_t link_id = 0;
};

struct HtsimMatrix {
  std::int64_t nodes = 0;
  std::vector<HtsimFlow> flows;
  std::map<std::int64_t, HtsimTrigger> triggers;
  std::vector<HtsimFailure> failures;
};

HtsimMatrix read_htsim_matrix(const NamedText& file, std::vector<InputProblem>& problems);

/// Longest chain of flows that wait for each other's triggers, counted in flows.
std::int64_t htsim_depth(const HtsimMatrix& matrix);

struct HtsimTier {
  bool given = false;
  std::int64_t gbps = 0;  ///< of the links below the tier
  std::int64_t down = 0;  ///< ports below
  std::int64_t up = 0;    ///< ports above
  std::int64_t bundle = 1;
  std::int64_t link_ns = 0;
  std::int64_t switch_ns = 0;
};

/// A fat tree with everything derived.
struct HtsimTree {
  std::int64_t hosts = 0;
  std::int64_t tiers = 0;
  std::int64_t pod_hosts = 0;
  std::array<HtsimTier, 3> tier;
  std::int64_t pods = 0;
  std::int64_t tors = 0, aggs = 0, cores = 0;  ///< of the whole fabric
  std::int64_t tor_agg_cables = 0;             ///< between one ToR and one aggregation switch

  std::int64_t tors_per_pod() const { return tors / pods; }
  std::int64_t aggs_per_pod() const { return aggs / pods; }
};

HtsimTree read_htsim_tree(const NamedText& file, std::vector<InputProblem>& problems);

/// A fabric and a matrix as the text of a scenario. Flows that wait for triggers can't be run and
/// are an error.
std::string htsim_scenario(const HtsimTree& tree, const HtsimMatrix& matrix,
                           const std::string& matrix_file, std::vector<InputProblem>& problems);

}  // namespace spineleaf
