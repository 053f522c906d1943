#pragma once
// Forwarding tables as OpenSM dumps them (opensm-lfts.dump, the input of its engine `file`) and as
// infiniband-diags' dump_fts prints them.

#include <string>
#include <string_view>
#include <vector>

#include "topologies/problem.hpp"
#include "topologies/subnet/tables.hpp"

namespace spineleaf {

struct TablesRead {
  ForwardingTables tables;  ///< empty when a problem is an error
  std::vector<Problem> problems;

  bool ok() const { return !has_errors(problems); }
};

/// The tables of the switches of `subnet`, which are found by GUID and, where the subnet states
/// none, by LID. Entries over ports without a cable become holes and are counted in a warning;
/// a switch without a table is an error.
TablesRead read_lfts(std::string_view text, const std::string& file, const Subnet& subnet);

/// Whether the text looks like such a dump.
bool is_lfts(std::string_view text);

}  // namespace spineleaf
