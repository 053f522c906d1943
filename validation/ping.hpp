#pragma once
// Idle latency between two hosts, hop by hop: the closed form beside a simulated message.

#include <string>
#include <vector>

#include "scenarios/run.hpp"
#include "scenarios/spec.hpp"

namespace spineleaf {

/// One row: a NIC or a link with what it adds. Times are zero where a part does not apply.
struct PingRow {
  std::string part;    ///< "NIC host0 sends", "host0 -> leaf0"
  Time nic;            ///< message cost, doorbell, completion
  Time serialisation;  ///< cut-through switch: of its header; else of the whole packet
  Time cable;          ///< propagation
  Time fec;
  Time switch_core;
  Time total() const { return nic + serialisation + cable + fec + switch_core; }
};

struct PingReport {
  std::string fabric;
  std::vector<PingRow> rows;
  Time tail_wait;      ///< cut-through onto a faster link: waiting for the packet's tail
  Time closed_form;    ///< sum of the rows and tail_wait
  Time simulated{-1};  ///< post to completion of one message on the idle fabric
  std::string error;   ///< unknown host, no path, message too large; empty = fine
};

/// A message of `bytes` (1 .. MTU) from host to host (names of the scenario's topology), along the
/// first candidate at every switch. The scenario's own workloads are left out.
PingReport ping(const ValidSpec& spec, const std::string& from, const std::string& to, Bytes bytes);

/// Reports side by side, one block of columns each, in nanoseconds; one after the other if they
/// took different paths.
std::string ping_table(const std::vector<PingReport>& reports);

}  // namespace spineleaf
