// opensm-subnet.lst, which ibdiagnet and ibdm read and write too: a line per direction of a link,
//   { SW Ports:04 SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:.. DevID:.. Rev:.. {leaf1} LID:0002
//   PN:01 } { CA ... } PHY=4x LOG=ACT SPD=50
// Numbers are hexadecimal; the speed is that of a lane in Gb/s, and missing in old files.

#include <array>

#include "topologies/readers/discovery.hpp"
#include "topologies/readers/form_text.hpp"
#include "topologies/readers/guid_key.hpp"

namespace spineleaf {

namespace {

using Kind = Discovery::Kind;

struct ListEnd {
  Discovery::DeviceId device = 0;
  std::uint16_t number = 0;
};

LinkSpeed lane_speed(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, LinkSpeed>, 8> kSpeeds{
      {{"2.5", LinkSpeed::Sdr},
       {"5", LinkSpeed::Ddr},
       {"10", LinkSpeed::Qdr},
       {"14", LinkSpeed::Fdr},
       {"25", LinkSpeed::Edr},
       {"50", LinkSpeed::Hdr},
       {"100", LinkSpeed::Ndr},
       {"200", LinkSpeed::Xdr}}};
  for (const auto& [name, speed] : kSpeeds) {
    if (name == text) return speed;
  }
  return LinkSpeed::Unknown;
}

class SubnetLstReader {
 public:
  SubnetLstReader(std::string_view text, const std::string& file)
      : lines_(text), found_(file, true) {}

  SubnetRead run(const ImportOptions& options) {
    for (std::string_view line; lines_.next(line);) read_line(line);
    return found_.finish(options);
  }

 private:
  void error(const Cursor& at, std::string what, std::string expected = {}) {
    found_.problems().add_error(lines_.number(), at, std::move(what), std::move(expected));
  }

  void read_line(std::string_view line) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.take('#')) return;
    const int column = at.column();
    const auto own = read_end(at);
    const auto far = own ? read_end(at) : std::nullopt;
    if (!far) return;
    found_.at(own->device).recorded = true;
    LinkForm form;
    while (!at.at_end()) {
      at.skip_blanks();
      Cursor field(at.word());
      if (field.take("PHY=")) form.width = read_form(field).width;
      if (field.take("SPD=")) form.speed = lane_speed(field.rest());
      if (field.take("LOG=") && field.rest() != "ACT" && field.rest() != "INI" &&
          field.rest() != "ARM") {
        return;  // the link is down
      }
    }
    found_.cable(own->device, own->number, far->device, far->number, form, lines_.number(), column);
  }

  std::optional<std::uint64_t> field(Cursor& at, std::string_view name, std::uint64_t most) {
    Cursor ahead = at;
    if (!ahead.until(name)) return std::nullopt;
    const auto value = ahead.number(16, most);
    if (value) at = ahead;
    return value;
  }

  /// { SW Ports:04 ... {description} LID:0002 PN:01 }
  std::optional<ListEnd> read_end(Cursor& at) {
    at.skip_blanks();
    const Cursor start = at;
    at.take('{');
    at.skip_blanks();
    const std::string_view type = at.word();
    const Kind kind = type.starts_with("SW")   ? Kind::Switch
                      : type.starts_with("CA") ? Kind::Adapter
                      : type.starts_with("RT") ? Kind::Router
                                               : Kind::Unknown;
    const auto ports = field(at, "Ports:", 0xFF);
    const auto node_guid = field(at, "NodeGUID:", UINT64_MAX);
    const auto port_guid = field(at, "PortGUID:", UINT64_MAX);
    const bool named = at.until("{").has_value();
    const auto name = at.until("} LID:");
    const auto lid = at.number(16, 0xFFFF);
    const auto number = field(at, "PN:", Discovery::kMostPortNumber);
    const bool closed = at.until("}").has_value();
    if (kind == Kind::Unknown || !ports || !node_guid || !port_guid || !named || !name || !lid ||
        !number || !closed || *number == 0 || *lid > kLastUnicastLid) {
      error(start, "is no end of a link",
            "{ SW|CA|RT Ports:hh ... NodeGUID:h PortGUID:h ... {name} LID:hhhh PN:hh }");
      return std::nullopt;
    }
    const char letter = kind == Kind::Switch ? 'S' : kind == Kind::Adapter ? 'H' : 'R';
    const ListEnd end{found_.device(guid_key(letter, *node_guid), lines_.number()),
                      static_cast<std::uint16_t>(*number)};
    Discovery::Device& device = found_.at(end.device);
    device.kind = kind;
    device.guid = *node_guid;
    device.ports = static_cast<std::uint16_t>(*ports);
    if (device.name.empty()) device.name = without_blanks(*name);
    if (kind == Kind::Switch) {
      found_.set_switch_lid(end.device, static_cast<std::uint16_t>(*lid), lines_.number());
    } else {
      found_.set_port_lid(end.device, end.number, static_cast<std::uint16_t>(*lid),
                          lines_.number());
      found_.port(end.device, end.number).guid = *port_guid;
    }
    return end;
  }

  Lines lines_;
  Discovery found_;
};

SubnetRead read_subnet_lst(std::string_view text, const std::string& file,
                           const ImportOptions& options) {
  return SubnetLstReader(text, file).run(options);
}

bool is_subnet_lst(std::string_view text) {
  Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.take('#')) continue;
    return at.take('{') && line.find("NodeGUID:") != std::string_view::npos;
  }
  return false;
}

}  // namespace

SubnetFormat subnet_lst_format() {
  return {"opensm-subnet.lst", "the links that OpenSM, ibdiagnet and ibdm dump as .lst",
          is_subnet_lst, read_subnet_lst};
}

}  // namespace spineleaf
