#include <mpi.h>
#include <tbb/parallel_for.h>

#include <boost/version.hpp>  // expect: third-party
#include <gtest/gtest.h>  // expect: third-party
#  include <nlohmann/json.hpp>  // expect: third-party
// #include <nlohmann/json.hpp> in a comment is prose.
