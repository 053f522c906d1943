// .topo, the planned fabric of ibutils (ibdm): a line per system, then a line per cable,
//   MTS3600 leaf1
//     P1 -> MT23108 node1 P1
//     P19 -4X-10G-> MTS3600 spine1 P1
// (ibdm-topo-file of ibutils). Types say nothing here: a type of which some system has a port
// beyond the two of an adapter is one of switches. Systems of several chips, whose connectors have
// other names ("L1/P3"), would need the IBNL files that describe them.

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "topologies/readers/discovery.hpp"

namespace spineleaf {

namespace {

struct TopoSpeed {
  std::string_view name;
  LinkSpeed speed;
};

// ibutils knows the first three; the others go on in the same way, which is assumed.
constexpr std::array<TopoSpeed, 8> kTopoSpeeds{{{"2.5G", LinkSpeed::Sdr},
                                                {"5G", LinkSpeed::Ddr},
                                                {"10G", LinkSpeed::Qdr},
                                                {"14G", LinkSpeed::Fdr},
                                                {"25G", LinkSpeed::Edr},
                                                {"50G", LinkSpeed::Hdr},
                                                {"100G", LinkSpeed::Ndr},
                                                {"200G", LinkSpeed::Xdr}}};
constexpr std::string_view kTopoCable = "P1 -> TYPE NAME P2, or P1 -4X-10G-> TYPE NAME P2";

class IbdmTopoReader {
 public:
  IbdmTopoReader(std::string_view text, const std::string& file)
      : lines_(text), found_(file, false) {}

  SubnetRead run(const ImportOptions& options) {
    for (std::string_view line; lines_.next(line);) {
      Cursor at(line);
      at.skip_blanks();
      if (at.at_end() || at.take('#')) continue;
      if (line.find("->") == std::string_view::npos) {
        system_ = read_system(at);
      } else {
        read_cable(at);
      }
    }
    found_.kinds_by_ports();
    switch_types();
    return found_.finish(options);
  }

 private:
  using DeviceId = Discovery::DeviceId;

  /// TYPE NAME; what follows (CFG) is left unread.
  std::optional<DeviceId> read_system(Cursor& at) {
    const Cursor start = at;
    const std::string type{at.word()};
    at.skip_blanks();
    const std::string name{at.word()};
    if (name.empty()) {
      found_.problems().add_error(lines_.number(), start, "is no system", "TYPE NAME");
      return std::nullopt;
    }
    const DeviceId device = found_.device(name, lines_.number());
    found_.at(device).name = name;
    if (device >= types_.size()) types_.push_back(type);
    if (types_[device] != type) {
      found_.problems().add_error(lines_.number(), start,
                                  "gives " + in_quotes(name) + " another type than line " +
                                      std::to_string(found_.at(device).line),
                                  types_[device]);
      return std::nullopt;
    }
    return device;
  }

  void read_cable(Cursor& at) {
    const int column = at.column();
    if (!system_) {
      return found_.problems().add_error(lines_.number(), at, "is a cable of no system",
                                         "a line TYPE NAME before it");
    }
    const auto own = read_port(at);
    if (!own) return;
    at.skip_blanks();
    const auto form = read_arrow(at);
    if (!form) return;
    at.skip_blanks();
    const auto peer = read_system(at);
    at.skip_blanks();
    const auto far = peer ? read_port(at) : std::nullopt;
    if (far) found_.cable(*system_, *own, *peer, *far, *form, lines_.number(), column);
  }

  /// "P3", or "U1/P3" as generic systems have it.
  std::optional<std::uint16_t> read_port(Cursor& at) {
    const Cursor start = at;
    at.take("U1/");
    const std::uint64_t number =
        at.take('P') ? at.number(10, Discovery::kMostPortNumber).value_or(0) : 0;
    const bool ends = at.at_end() || at.rest().front() == ' ' || at.rest().front() == '\t';
    if (number > 0 && ends) return static_cast<std::uint16_t>(number);
    found_.problems().add_error(lines_.number(), start, "is no port of one chip",
                                std::string{kTopoCable},
                                "Connectors of chassis need IBNL files, which are not read");
    return std::nullopt;
  }

  /// "->", "-4X->" or "-4X-10G->".
  std::optional<LinkForm> read_arrow(Cursor& at) {
    const Cursor start = at;
    LinkForm form;
    bool good = at.take('-');
    if (good && !at.take('>')) {
      const auto width = at.number(10, 12);
      good = width && is_link_width(*width) && at.take('X');
      if (good) form.width = static_cast<std::uint8_t>(*width);
      if (good && !at.take("->")) {
        const auto speed = at.take('-') ? at.until("->") : std::nullopt;
        for (const TopoSpeed& known : kTopoSpeeds) {
          if (speed && *speed == known.name) form.speed = known.speed;
        }
        good = form.known();
      }
    }
    if (good) return form;
    found_.problems().add_error(lines_.number(), start, "is no cable", std::string{kTopoCable},
                                "Lanes carry 2.5G, 5G, 10G, 14G, 25G, 50G, 100G or 200G");
    return std::nullopt;
  }

  void switch_types() {
    std::set<std::string_view> switches;
    for (DeviceId id = 0; id < found_.size(); ++id) {
      if (found_.at(id).kind == Discovery::Kind::Switch) switches.insert(types_[id]);
    }
    for (DeviceId id = 0; id < found_.size(); ++id) {
      if (switches.contains(types_[id])) found_.at(id).kind = Discovery::Kind::Switch;
    }
  }

  Lines lines_;
  Discovery found_;
  std::vector<std::string> types_;  ///< by device
  std::optional<DeviceId> system_;  ///< whose cables follow
};

SubnetRead read_ibdm_topo(std::string_view text, const std::string& file,
                          const ImportOptions& options) {
  return IbdmTopoReader(text, file).run(options);
}

/// A system, and a cable from a port after it.
bool is_ibdm_topo(std::string_view text) {
  Lines lines(text);
  bool system = false;
  for (std::string_view line; lines.next(line);) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.take('#')) continue;
    if (line.find_first_of("\"=(,") != std::string_view::npos &&
        line.find("CFG:") == std::string_view::npos) {
      return false;
    }
    if (system) return line.find("->") != std::string_view::npos;
    system = !at.word().empty();
  }
  return false;
}

}  // namespace

SubnetFormat ibdm_topo_format() {
  return {"ibdm .topo", "the planned fabric of ibutils, a line a cable", is_ibdm_topo,
          read_ibdm_topo};
}

}  // namespace spineleaf
