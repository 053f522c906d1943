#pragma once
// Inputs of the HPCC ns-3 simulator (and of ConWeave): topology.txt, flow.txt, config.txt,
// trace.txt.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scenarios/import/named_text.hpp"
#include "scenarios/input/problems.hpp"
#include "sim/units.hpp"

namespace spineleaf {

struct HpccLink {
  std::int64_t a = 0;
  std::int64_t b = 0;
  Rate rate;
  Time delay;  ///< one way
  double error_rate = 0;
};

struct HpccFlow {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t priority_group = 0;
  std::int64_t port = 0;  ///< 0 in ConWeave's dialect, which has none
  std::int64_t bytes = 0;
  Time start;
};

struct HpccSet {
  std::int64_t nodes = 0;
  std::set<std::int64_t> switches;
  std::vector<HpccLink> links;
  std::vector<HpccFlow> flows;
  bool conweave = false;                      ///< flows of five fields
  std::map<std::string, std::string> config;  ///< values as written, blanks between words
  std::vector<std::string> unknown_keys;
  std::vector<std::int64_t> traced;  ///< nodes of trace.txt

  bool is_host(std::int64_t node) const { return switches.count(node) == 0; }
};

/// Reads a set; `config` and `trace` may be empty. Unknown keys of config.txt are warnings.
HpccSet read_hpcc(const NamedText& topology, const NamedText& flow, const NamedText& config,
                  const NamedText& trace, std::vector<InputProblem>& problems);

/// The set as the text of a scenario in the preset "ns3-hpcc". Times are counted from the first
/// flow on, whole milliseconds before it left out. What the models don't have goes into `problems`:
/// errors where the result would be another (a congestion control that is not there, link errors),
/// warnings otherwise.
std::string hpcc_scenario(const HpccSet& set, const std::string& config_file,
                          std::vector<InputProblem>& problems);

/// Window of HPCC's HAS_WIN with GLOBAL_T: the largest bandwidth-delay product of any pair of hosts
/// that exchange a flow, base RTT x rate of the sender's link, where the RTT is twice the
/// propagation and one payload per hop.
std::int64_t hpcc_window(const HpccSet& set, std::int64_t payload);

}  // namespace spineleaf
