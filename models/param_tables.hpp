#pragma once
// Parameter tables that stand in files of their own beside params.cpp.

#include "sim/param.hpp"

namespace spineleaf {

ParamTable credit_table();
ParamTable watchdog_table();
ParamTable sharp_table();
ParamTable transport_table();
ParamTable dctcp_table();
ParamTable timely_table();
ParamTable swift_table();
ParamTable hpcc_table();

}  // namespace spineleaf
