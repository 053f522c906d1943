// A command may know every layer, the standard library and CLI11.
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <string>

#include "bindings/cli/commands.hpp"
#include "scenarios/result.hpp"
#include "sim/units.hpp"
#include "validation/oracles/ring.hpp"
