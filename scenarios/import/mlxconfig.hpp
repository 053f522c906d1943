#pragma once
// What `mlxconfig -d DEVICE query` prints, as changes of a scenario's keys: the congestion control
// of ConnectX firmware (names: NVIDIA DOCA, dcqcn-cc-parameters; linux mlx5_ifc.h
// cong_control_r_roce).

#include <string>
#include <vector>

#include "scenarios/import/named_text.hpp"
#include "scenarios/input/problems.hpp"
#include "scenarios/input/read.hpp"

namespace spineleaf {

/// A line is a name, with _P1 and so on for a port, and a value; of three columns (default,
/// current, next boot) the second counts. Names that are no congestion control are passed over.
/// Settings that no model has are warnings, and so are ports that differ from `port`.
std::vector<Override> read_mlxconfig(const NamedText& dump, int port,
                                     std::vector<InputProblem>& problems);

}  // namespace spineleaf
