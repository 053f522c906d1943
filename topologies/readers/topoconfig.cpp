// topoconfig.conf, the static topology of OpenSM under UFM: a line per direction of a link,
//   0x98039b0300867bba,1,0xb83fd2030080302e,1,Any,Active
// with GUID and port of both ends, a device type and a state (NVIDIA, UFM Enterprise REST API
// Guide, "OpenSM Static Topology Configuration"). Nothing says what is a switch: a device with a
// port beyond the two of an adapter is one. Names, LIDs, widths and speeds are not stated.

#include "topologies/readers/discovery.hpp"

namespace spineleaf {

namespace {

class TopoconfigReader {
 public:
  TopoconfigReader(std::string_view text, const std::string& file)
      : lines_(text), found_(file, false) {}

  SubnetRead run(const ImportOptions& options) {
    for (std::string_view line; lines_.next(line);) read_line(line);
    found_.kinds_by_ports();
    for (Discovery::DeviceId id = 0; id < found_.size(); ++id) {
      const bool is_switch = found_.at(id).kind == Discovery::Kind::Switch;
      found_.at(id).name = (is_switch ? "switch-" : "host-") + hex_text(found_.at(id).guid);
    }
    return found_.finish(options);
  }

 private:
  struct End {
    Discovery::DeviceId device = 0;
    std::uint16_t number = 0;
  };

  void read_line(std::string_view line) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.take('#')) return;
    const int column = at.column();
    const auto own = read_end(at);
    const auto far = own ? read_end(at) : std::nullopt;
    if (!far) return;
    at.until(",");  // the device type
    at.skip_blanks();
    // Anything but "Active" is a link that the subnet manager keeps out of the fabric.
    if (!at.at_end() && !without_blanks(at.rest()).starts_with("Activ")) return;
    found_.cable(own->device, own->number, far->device, far->number, {}, lines_.number(), column);
  }

  std::optional<End> read_end(Cursor& at) {
    const Cursor start = at;
    at.skip_blanks();
    const auto guid = at.number(16);
    at.skip_blanks();
    const bool first = at.take(',');
    at.skip_blanks();
    const auto number = at.number(10, Discovery::kMostPortNumber);
    at.skip_blanks();
    if (!guid || !first || !number || *number == 0 || !(at.take(',') || at.at_end())) {
      found_.problems().add_error(lines_.number(), start, "is no end of a link",
                                  "0xGUID,port,0xGUID,port,Any,Active");
      return std::nullopt;
    }
    const End end{found_.device(hex_text(*guid), lines_.number()),
                  static_cast<std::uint16_t>(*number)};
    found_.at(end.device).guid = *guid;
    found_.port(end.device, end.number);
    return end;
  }

  Lines lines_;
  Discovery found_;
};

SubnetRead read_topoconfig(std::string_view text, const std::string& file,
                           const ImportOptions& options) {
  return TopoconfigReader(text, file).run(options);
}

bool is_topoconfig(std::string_view text) {
  Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.take('#')) continue;
    return at.take("0x") && at.number(16) && at.take(',') && at.number(10) && at.take(',');
  }
  return false;
}

}  // namespace

SubnetFormat topoconfig_format() {
  return {"topoconfig.conf", "the static topology of OpenSM under UFM", is_topoconfig,
          read_topoconfig};
}

}  // namespace spineleaf
