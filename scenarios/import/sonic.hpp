#pragma once
// SONiC's configuration: config_db.json of some switches, read into one model of the fabric.
//
// Tables and fields as in sonic-yang-models. Both ways of writing references are read: "name", and
// "[TABLE|name]" with comma lists of them; keys may hold lists of ports and ranges of queues. What
// the model needs is kept with the place where it stands, so that findings can name it.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scenarios/import/named_text.hpp"
#include "scenarios/input/problems.hpp"

namespace spineleaf {

/// A field of a row: its text, references without brackets, and where it stands.
struct SonicField {
  std::string text;
  Place place;
};

/// A row of a table: "BUFFER_PG|Ethernet0|3" once its key is expanded.
struct SonicRow {
  std::string written;  ///< the key as it stands in the file
  Place place;
  std::map<std::string, SonicField> fields;

  const SonicField* find(const std::string& name) const;
  std::optional<std::int64_t> integer(const std::string& name) const;
  /// The same, for what can't be negative; -1 where there is none.
  std::int64_t number(const std::string& name) const;
  std::string text(const std::string& name) const;
};

using SonicTable = std::map<std::string, SonicRow>;

struct SonicPort {
  std::string name;
  std::int64_t speed_mbps = 0;
  std::int64_t mtu = 9100;
  double cable = -1;  ///< metres; < 0 = not stated
  std::string neighbor;
  std::string neighbor_port;
  bool up = true;
  Place place;
};

/// Where packets of a DSCP go on a port.
struct SonicClass {
  std::int64_t dscp = -1;
  std::int64_t tc = -1;
  std::int64_t queue = -1;
  std::int64_t pg = -1;
};

struct SonicDevice {
  std::string file;
  std::string name;
  std::map<std::string, SonicPort> ports;
  std::map<std::string, SonicTable> tables;  ///< keys expanded: one port, one queue or PG each

  const SonicRow* row(const std::string& table, const std::string& key) const;
  /// The row of PORT_QOS_MAP for a port, or that for "global"; null if neither.
  const SonicRow* qos(const std::string& port) const;
  SonicClass classify(const std::string& port, std::int64_t dscp) const;
  /// Priorities in pfc_enable.
  std::set<std::int64_t> pfc(const std::string& port) const;
  /// The profile of a port's priority group, queue; null if none is stated or it is not defined.
  const SonicRow* pg_profile(const std::string& port, std::int64_t pg) const;
  const SonicRow* queue_wred(const std::string& port, std::int64_t queue) const;
  const SonicRow* queue_scheduler(const std::string& port, std::int64_t queue) const;
  /// Whether packets of the class are never dropped: its priority group has an xoff, and PFC is
  /// enabled for it.
  bool lossless(const std::string& port, const SonicClass& c) const;
};

/// pg_profile_lookup.ini: what the platform wants, by speed (Mb/s) and cable (metres).
struct SonicHeadroomRow {
  std::int64_t speed_mbps = 0;
  double cable = 0;
  std::int64_t size = 0;
  std::int64_t xon = 0;
  std::int64_t xoff = 0;
};

struct SonicFabric {
  std::vector<SonicDevice> devices;  ///< in the order given
  std::vector<SonicHeadroomRow> lookup;
  std::int64_t roce_dscp = 26;
  std::int64_t cnp_dscp = 48;
};

/// Reads everything; problems are of the files as such, not findings about the configuration.
/// `lldp` and `lookup` may be empty.
SonicFabric read_sonic(const std::vector<NamedText>& configs, const NamedText& lldp,
                       const NamedText& lookup, std::vector<InputProblem>& problems);

/// What is wrong with the configuration: each finding with file, table, key, field, and a fix.
std::vector<InputProblem> lint_sonic(const SonicFabric& fabric);

/// The fabric as the text of a scenario, with a permutation over all hosts as its workload. What
/// could not be carried over goes into `notes`.
std::string sonic_scenario(const SonicFabric& fabric, std::vector<std::string>& notes);

/// XOFF point of one congested priority group: alpha / (1 + alpha) of its pool for a dynamic
/// threshold, the threshold itself for a static one; -1 where the profile is incomplete.
std::int64_t sonic_xoff_point(const SonicDevice& device, const SonicRow& profile);

/// Bytes of headroom that the lossless priority groups of a device ask for together.
std::int64_t sonic_headroom_demand(const SonicDevice& device);

}  // namespace spineleaf
