#include "models/params.hpp"
#include "scenarios/result.hpp"  // expect: layer
#include "sim/units.hpp"
#include "topologies/topology.hpp"
#include "validation/comparison.hpp"  // expect: layer
#include <boost/graph/adjacency_list.hpp>  // expect: third-party
#include <nlohmann/json.hpp>  // expect: third-party
