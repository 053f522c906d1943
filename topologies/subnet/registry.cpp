#include <algorithm>
#include <array>

#include "topologies/subnet/engine.hpp"

namespace spineleaf {

std::span<const RoutingEngine> routing_engines() {
  static const std::array kEngines{minhop_engine(), updn_engine(), ftree_engine(), sssp_engine(),
                                   dfsssp_engine(), dor_engine(),  file_engine()};
  return kEngines;
}

const RoutingEngine* find_routing_engine(std::string_view name) {
  const auto engines = routing_engines();
  const auto found = std::find_if(engines.begin(), engines.end(),
                                  [&](const RoutingEngine& engine) { return engine.name == name; });
  return found == engines.end() ? nullptr : &*found;
}

}  // namespace spineleaf
