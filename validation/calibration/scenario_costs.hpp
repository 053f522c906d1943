#pragma once
// From measurements to the parameters of a scenario: what each measurement fixes, how closely, and
// what the measurements do not tell.
//
//   nic.send_latency + receive_latency   RDMA write latency, less the scenario's own wire
//   nic.message_cost                     writes on so many queue pairs that more do not help
//   nic.pcie_rate                        writes slower than the wire; else PCIe speed and width
//   fabric.mtu                           active_mtu, where all ports agree
//   host.channel_rate                    copy and reduction by blocks; else sweeps
//   host.launch, step_overhead, ...      sweeps of nccl-tests, by the fit of validation/nccl
//
// No parameter belongs to one message size. A sweep that is slow for its kind of cluster is left
// out: its fault would end up in a cost.

#include <string>
#include <vector>

#include "scenarios/spec.hpp"
#include "validation/measurements/collection.hpp"

namespace spineleaf {

struct FixedParameter {
  std::string key;        ///< "nic.message_cost"
  std::string value;      ///< as a scenario says it: "0.31us"
  std::string low, high;  ///< 90 % interval; "" where the measurement tells none
  std::string fixed_by;   ///< "64 B at depth 128 on 8 QPs (n1.json:812)"
};

struct ScenarioCosts {
  std::vector<FixedParameter> fixed;  ///< each key once
  std::vector<std::string> bounds;    ///< what was measured, and agrees with the scenario as it is
  std::vector<std::string> warnings;  ///< what the measurements can't tell apart
  std::vector<std::string> unused;    ///< "FILE: why", for each file that fixes nothing
  std::string problem;                ///< what is wrong with the question; "" where all is well
};

/// `expect` as for diagnose(): node, NICs and number of nodes of sweeps that do not tell.
ScenarioCosts scenario_costs(const Collection& collection, const ValidSpec& spec,
                             const std::string& expect);

/// The table for people.
std::string scenario_costs_text(const ScenarioCosts& costs);

/// The scenario `text` with the parameters put into their sections, and a sentence in its
/// description that says which measurement fixed each. `text` is JSON that could be read; comments
/// in it are lost.
std::string calibrated_scenario(const std::string& text, const ScenarioCosts& costs);

}  // namespace spineleaf
