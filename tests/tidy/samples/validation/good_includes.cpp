#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "models/params.hpp"
#include "scenarios/result.hpp"
