#pragma once
// From what an owner says of a cluster to what the models need: the server, NCCL's settings and
// version class, and the groups with which it shares costs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/nccl_catalog.hpp"
#include "validation/nccl/endpoint_model.hpp"
#include "validation/nccl/sets.hpp"

namespace spineleaf {

struct Platform {
  EndpointSystem system;
  std::string gpu_group;      ///< "hopper", "b200": sets with one word share the GPU's costs
  std::string network_group;  ///< "ib", "roce", "roce-gib", "tcpxo", "cxi", "local", ...
  std::string collective;
  std::optional<NcclFunction> function;  ///< nothing for sends and receives
  const NcclTuningClass* tuning = nullptr;
  const NcclPlugin* plugin = nullptr;  ///< chooses in NCCL's place; null = NCCL does
  bool version_known = false;
  std::vector<std::string> remarks;  ///< assumptions made, a sentence each
};

/// Nothing where no node of the catalog has such a GPU; `problem` then says so. What the owner does
/// not tell is assumed: the version by the date, else by the jumps of the curve `best`, the CPU's
/// vendor by the jumps; what was assumed is among the remarks.
std::optional<Platform> platform_of(const NcclCatalog& catalog, const MeasuredSweep& sweep,
                                    const std::vector<MeasuredPoint>& best, std::string& problem);

/// "ib" from "IB NDR", "tcpxo" from "GPUDirect-TCPXO (Ethernet)", ...
std::string network_group_of(const MeasuredSweep& sweep);

/// What runs at a size. For sends and receives algorithm and protocol mean nothing.
struct PlatformChoice {
  NcclAlgorithm algorithm = NcclAlgorithm::Ring;
  NcclProtocol protocol = NcclProtocol::Simple;
  bool sends = true;  ///< not a collective of its own
  std::string name() const;
};
PlatformChoice choice_of(const Platform& platform, std::int64_t bytes);

/// The model's time for what was chosen.
EndpointTime time_of(const Platform& platform, const EndpointCosts& costs,
                     const PlatformChoice& choice, std::int64_t bytes);

/// NCCL's own estimate of what it chooses at a size; -1 for sends and receives.
double nccl_estimate_of(const Platform& platform, std::int64_t bytes);

/// The model's time for a size.
EndpointTime platform_time(const Platform& platform, const EndpointCosts& costs,
                           std::int64_t bytes);

}  // namespace spineleaf
