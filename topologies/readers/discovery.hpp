#pragma once
// Discovery: what a file says about a subnet, port by port, before it is made into a graph. Each
// reader fills one; what all formats share (pairing the two views of a cable, telling hosts from
// what only looks like one, hosts of several adapters, checks) is done here once.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topologies/readers/subnet_reader.hpp"
#include "topologies/readers/text.hpp"

namespace spineleaf {

struct DiscoveredLink;

class Discovery {
 public:
  /// `wants_both_ends`: the format states every cable twice, and a file that does not is cut off.
  Discovery(std::string file, bool wants_both_ends)
      : problems_(std::move(file)), wants_both_ends_(wants_both_ends) {}

  enum class Kind : std::uint8_t { Unknown, Switch, Adapter, Router };
  using DeviceId = std::uint32_t;

  struct Device {
    Kind kind = Kind::Unknown;
    std::string key;   ///< by which the file names it
    std::string name;  ///< description; "" = not known
    std::uint64_t guid = 0;
    std::uint16_t lid = 0;    ///< of a switch
    std::uint16_t ports = 0;  ///< ports that the device has; 0 = not stated
    bool recorded = false;    ///< has a record of its own
    int line = 0;             ///< where it was named first
  };

  struct Port {
    std::uint16_t lid = 0;
    std::uint8_t lmc = 0;
    std::uint64_t guid = 0;
    bool cabled = false;  ///< the file says what this port is cabled to
    DeviceId peer = 0;
    std::uint16_t peer_port = 0;
    LinkForm form;
    int line = 0;
    int column = 0;
  };

  FileProblems& problems() { return problems_; }

  /// The device of that key; new where the file had not named it before.
  DeviceId device(const std::string& key, int line);
  Device& at(DeviceId id) { return devices_[id]; }
  std::size_t size() const { return devices_.size(); }
  /// Facts about a port, new where there were none. Port numbers are 1 .. kMostPortNumber.
  Port& port(DeviceId device, std::uint16_t number) { return ports_[{device, number}]; }
  /// One end's view of a cable. A second view of the same port must agree with the first.
  void cable(DeviceId device, std::uint16_t number, DeviceId peer, std::uint16_t peer_port,
             LinkForm form, int line, int column);
  /// LIDs of switches may come from several lines; differing ones are warned of.
  void set_switch_lid(DeviceId device, std::uint16_t lid, int line);
  void set_port_lid(DeviceId device, std::uint16_t number, std::uint16_t lid, int line);

  /// For files that tell of devices only which ports are cabled: a device with a port beyond the
  /// two of an adapter is a switch. Every device then counts as recorded.
  void kinds_by_ports();

  static constexpr std::uint64_t kMostPortNumber = 254;

  /// Makes the graph. The discovery is used up.
  SubnetRead finish(const ImportOptions& options);

 private:
  void check_devices();
  std::vector<DiscoveredLink> pair_views();
  LinkForm merge_forms(const Port& near, const Port& far);

  FileProblems problems_;
  bool wants_both_ends_;
  std::vector<Device> devices_;
  std::map<std::string, DeviceId, std::less<>> by_key_;
  std::map<std::pair<DeviceId, std::uint16_t>, Port> ports_;
};

/// A cable, once.
struct DiscoveredLink {
  Discovery::DeviceId a = 0;
  std::uint16_t port_a = 0;
  Discovery::DeviceId b = 0;
  std::uint16_t port_b = 0;
  LinkForm form;
  int line = 0;
  int column = 0;
};

}  // namespace spineleaf
