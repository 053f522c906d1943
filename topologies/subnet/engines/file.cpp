// file: the tables as given.

#include "topologies/subnet/engine.hpp"

namespace spineleaf {

namespace {

EngineResult route_file(const Subnet&, const EngineOptions& options) {
  EngineResult result;
  if (options.tables == nullptr) {
    result.problems.push_back(make_error("file", "no tables are given", {},
                                         "a dump of forwarding tables",
                                         "Name it (--lfts; in a scenario subnet.lfts)"));
    return result;
  }
  result.routes.tables = *options.tables;
  return result;
}

}  // namespace

RoutingEngine file_engine() { return {"file", "forwarding tables from a dump", route_file}; }

}  // namespace spineleaf
