#pragma once
// Parameter tables that stand in files of their own beside params.cpp.

#include "sim/param.hpp"

namespace spineleaf {

ParamTable watchdog_table();
ParamTable sharp_table();

}  // namespace spineleaf
