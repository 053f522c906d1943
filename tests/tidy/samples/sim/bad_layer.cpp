#include "models/params.hpp"  // expect: layer
#include "sim/units.hpp"
#include "topologies/topology.hpp"  // expect: layer
#include "units.hpp"  // expect: third-party
