#include <boost/graph/adjacency_list.hpp>
#include <tbb/parallel_for.h>  // expect: third-party

#include "tests/support/worlds.hpp"  // expect: layer
