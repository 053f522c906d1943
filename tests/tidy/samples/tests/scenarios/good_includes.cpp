#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scenarios/result.hpp"
#include "tests/support/worlds.hpp"
#include "validation/comparison.hpp"
