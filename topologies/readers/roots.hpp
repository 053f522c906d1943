#pragma once
// A list of root switches, as OpenSM's root_guid_file: a GUID a line. Names will do too.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/problem.hpp"
#include "topologies/subnet/subnet.hpp"

namespace spineleaf {

struct RootsRead {
  std::vector<std::uint32_t> rows;  ///< ascending, each once
  std::vector<Problem> problems;
};

RootsRead read_roots(std::string_view text, const std::string& file, const Subnet& subnet);

}  // namespace spineleaf
