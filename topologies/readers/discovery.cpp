#include "topologies/readers/discovery.hpp"

#include <algorithm>

#include "topologies/nearest.hpp"
#include "topologies/readers/discovery_assembly.hpp"

namespace spineleaf {

Discovery::DeviceId Discovery::device(const std::string& key, int line) {
  const auto [at, fresh] = by_key_.emplace(key, static_cast<DeviceId>(devices_.size()));
  if (fresh) {
    Device device;
    device.key = key;
    device.line = line;
    devices_.push_back(std::move(device));
  }
  return at->second;
}

void Discovery::cable(DeviceId device, std::uint16_t number, DeviceId peer, std::uint16_t peer_port,
                      LinkForm form, int line, int column) {
  Port& own = port(device, number);
  if (own.cabled) {
    if (own.peer == peer && own.peer_port == peer_port) return;
    problems_.add(make_error(problems_.at(line, column),
                             "port " + std::to_string(number) + " of " +
                                 in_quotes(devices_[device].key) + " is cabled twice",
                             in_quotes(devices_[peer].key) + " port " + std::to_string(peer_port),
                             in_quotes(devices_[own.peer].key) + " port " +
                                 std::to_string(own.peer_port) + " as in line " +
                                 std::to_string(own.line)));
    return;
  }
  own.cabled = true;
  own.peer = peer;
  own.peer_port = peer_port;
  own.form = form;
  own.line = line;
  own.column = column;
}

void Discovery::set_switch_lid(DeviceId device, std::uint16_t lid, int line) {
  Device& box = devices_[device];
  if (lid == 0 || box.lid == lid) return;
  if (box.lid != 0) {
    problems_.add(make_warning(problems_.at(line), "the LID of " + in_quotes(box.key) + " changes",
                               std::to_string(lid), std::to_string(box.lid) + " as stated before",
                               "The first is kept"));
    return;
  }
  box.lid = lid;
}

void Discovery::set_port_lid(DeviceId device, std::uint16_t number, std::uint16_t lid, int line) {
  Port& own = port(device, number);
  if (lid == 0 || own.lid == lid) return;
  if (own.lid != 0) {
    problems_.add(make_warning(problems_.at(line),
                               "the LID of port " + std::to_string(number) + " of " +
                                   in_quotes(devices_[device].key) + " changes",
                               std::to_string(lid), std::to_string(own.lid) + " as stated before",
                               "The first is kept"));
    return;
  }
  own.lid = lid;
}

void Discovery::kinds_by_ports() {
  constexpr std::uint16_t kAdapterPorts = 2;
  for (Device& device : devices_) {
    device.kind = Kind::Adapter;
    device.recorded = true;
  }
  for (const auto& [end, port] : ports_) {
    if (end.second > kAdapterPorts) devices_[end.first].kind = Kind::Switch;
    if (port.cabled && port.peer_port > kAdapterPorts) devices_[port.peer].kind = Kind::Switch;
  }
}

/// Each cable once, from the views of one end or of both. What can't be a cable is reported.
std::vector<DiscoveredLink> Discovery::pair_views() {
  std::vector<DiscoveredLink> links;
  std::map<std::pair<DeviceId, std::uint16_t>, int> taken;  // ports without a view of their own
  std::size_t one_sided = 0;
  int one_sided_line = 0;
  for (const auto& [end, view] : ports_) {
    if (!view.cabled) continue;
    const auto [device, number] = end;
    const std::pair far{view.peer, view.peer_port};
    if (view.peer == device) {
      problems_.add(
          make_note(problems_.at(view.line, view.column),
                    "a cable from " + in_quotes(devices_[device].key) + " to itself is left out"));
      continue;
    }
    const auto back = ports_.find(far);
    if (back != ports_.end() && back->second.cabled) {
      if (std::pair{back->second.peer, back->second.peer_port} != end) {
        problems_.add(make_error(
            problems_.at(view.line, view.column), "the two ends of a cable disagree",
            in_quotes(devices_[view.peer].key) + " port " + std::to_string(view.peer_port) +
                " is cabled to " + in_quotes(devices_[back->second.peer].key) + " in line " +
                std::to_string(back->second.line),
            "a cable back to " + in_quotes(devices_[device].key) + " port " +
                std::to_string(number)));
      } else if (end < far) {
        links.push_back({device, number, view.peer, view.peer_port, merge_forms(view, back->second),
                         view.line, view.column});
      }
      continue;
    }
    if (devices_[view.peer].recorded) {
      ++one_sided;
      one_sided_line = one_sided_line == 0 ? view.line : one_sided_line;
    }
    const auto [other, free] = taken.emplace(far, view.line);
    if (!free) {
      problems_.add(make_error(
          problems_.at(view.line, view.column),
          "port " + std::to_string(view.peer_port) + " of " + in_quotes(devices_[view.peer].key) +
              " is also the other end in line " + std::to_string(other->second)));
      continue;
    }
    links.push_back({device, number, view.peer, view.peer_port, view.form, view.line, view.column});
  }
  if (one_sided > 0 && wants_both_ends_) {
    problems_.add(make_warning(problems_.at(one_sided_line),
                               std::to_string(one_sided) +
                                   " cables are stated by one of their ends only; this is the "
                                   "first",
                               {}, "both ends", "The file may be cut off"));
  }
  return links;
}

LinkForm Discovery::merge_forms(const Port& near, const Port& far) {
  if (near.form == far.form || !near.form.known() || !far.form.known()) {
    return slower_of(near.form, far.form);
  }
  const LinkForm form = slower_of(near.form, far.form);
  problems_.add(make_warning(problems_.at(near.line, near.column),
                             near.form.width == far.form.width
                                 ? "the ends of a cable disagree on its speed"
                                 : "the ends of a cable disagree on its width",
                             to_string(near.form) + ", and " + to_string(far.form) + " in line " +
                                 std::to_string(far.line),
                             {}, "The lower is used: " + to_string(form)));
  return form;
}

/// Devices that are only ever named as a neighbour: their kind must show in the name.
void Discovery::check_devices() {
  std::vector<std::string_view> keys;
  std::size_t unrecorded = 0;
  int line = 0;
  for (const Device& device : devices_) {
    if (device.recorded) continue;
    if (device.kind == Kind::Unknown) {
      if (keys.empty()) {
        for (const Device& other : devices_) {
          if (other.recorded) keys.push_back(other.key);
        }
      }
      // Comparing every name with every other would take long where most of them are unknown.
      const std::string near = problems_.has_errors() ? "" : nearest(device.key, keys);
      problems_.add(make_error(
          problems_.at(device.line), "names a device that has no record of its own",
          in_quotes(device.key), {}, near.empty() ? "" : "Did you mean " + in_quotes(near) + "?"));
      continue;
    }
    ++unrecorded;
    line = line == 0 ? device.line : line;
  }
  if (unrecorded > 0 && wants_both_ends_) {
    problems_.add(make_warning(
        problems_.at(line),
        std::to_string(unrecorded) + " devices have no record of their own; this is the first", {},
        {}, "The file may be cut off"));
  }
}

SubnetRead Discovery::finish(const ImportOptions& options) {
  check_devices();
  std::vector<DiscoveredLink> links = pair_views();
  if (!problems_.has_errors()) {
    DiscoveryAssembly assembly(*this, std::move(links), options);
    Subnet subnet = assembly.run();
    if (!problems_.has_errors()) return {std::move(subnet), problems_.take()};
  }
  return {{}, problems_.take()};
}

}  // namespace spineleaf
