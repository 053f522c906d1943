#pragma once
// Parameters of kind "collective", open to tests and to readers of measured runs.

#include <cstdint>
#include <string>

#include "models/collectives/schedule_app.hpp"
#include "models/workloads/registry.hpp"

namespace spineleaf {

enum class CollectiveAlgorithm : std::uint8_t {
  Ring,
  Tree,
  Nvls,
  NvlsTree,
  CollnetDirect,
  CollnetChain
};

struct CollectiveParams {
  Collective collective = Collective::AllReduce;
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::Ring;
  Protocol protocol = Protocol::Simple;
  Bytes bytes;
  std::int64_t iterations = 1;
  std::int64_t warm_up = 0;
  std::int64_t channels = 0;
  std::int64_t qps_per_connection = 1;
  std::int64_t channels_per_peer = 0;
  bool pxn = true;
  std::int64_t root = 0;
  std::string hosts;
  std::string gpus;
  Time start;
  std::int64_t traffic_class = -1;
  NcclCosts costs{};
  ScheduleObserver observer{};  ///< for tests and traces; no parameter
};

}  // namespace spineleaf
