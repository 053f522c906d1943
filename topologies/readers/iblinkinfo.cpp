// What `iblinkinfo -l` prints: a line per port,
//   0x0200c0de00100080 "leaf1"  17   3[  ] ==( 4X  53.125 Gbps Active/  LinkUp)==>
//       0x0200c0de00100070  15   2[  ] "leaf2" ( )
// with GUID, description, LID and port of both ends, the width and the signalling rate of a lane;
// ports that are down have an empty far side. The tool does not say what is a switch: a GUID that
// has several ports is one, since the GUID of an adapter is that of its port.

#include <charconv>
#include <vector>

#include "topologies/readers/discovery.hpp"
#include "topologies/readers/form_text.hpp"

namespace spineleaf {

namespace {

using Kind = Discovery::Kind;

constexpr std::string_view kArrowBegin = "==(";
constexpr std::string_view kArrowEnd = ")==>";

class IblinkinfoReader {
 public:
  IblinkinfoReader(std::string_view text, const std::string& file)
      : lines_(text), found_(file, true) {}

  SubnetRead run(const ImportOptions& options) {
    for (std::string_view line; lines_.next(line);) read_line(line);
    for (Discovery::DeviceId id = 0; id < found_.size(); ++id) {
      found_.at(id).kind = several_[id] ? Kind::Switch : Kind::Adapter;
    }
    for (const Lid& lid : lids_) {
      if (several_[lid.device]) {
        found_.set_switch_lid(lid.device, lid.lid, lid.line);
      } else {
        found_.set_port_lid(lid.device, lid.number, lid.lid, lid.line);
        found_.port(lid.device, lid.number).guid = found_.at(lid.device).guid;
      }
    }
    return found_.finish(options);
  }

 private:
  struct End {
    Discovery::DeviceId device = 0;
    std::uint16_t number = 0;
  };
  struct Lid {
    Discovery::DeviceId device = 0;
    std::uint16_t number = 0;
    std::uint16_t lid = 0;
    int line = 0;
  };

  void error(const Cursor& at, std::string what, std::string expected) {
    found_.problems().add_error(lines_.number(), at, std::move(what), std::move(expected));
  }

  void read_line(std::string_view line) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.take('#')) return;
    const int column = at.column();
    const Cursor start = at;
    const auto guid = at.number(16);
    at.skip_blanks();
    const auto name = at.quoted();
    const auto own = guid && name ? read_place(at, *guid) : std::nullopt;
    if (!own || !at.until(kArrowBegin)) {
      return error(start, "is no port of `iblinkinfo -l`",
                   "0xGUID \"description\" LID port[ext] ==( width rate state )==> ...");
    }
    found_.at(own->device).recorded = true;
    name_device(own->device, *name);
    const auto link = at.until(kArrowEnd);
    if (!link) return error(at, "the link is cut off", "\")==>\"");
    if (link->find("Down") != std::string_view::npos) return;
    at.skip_blanks();
    const Cursor far_start = at;
    const auto far_guid = at.number(16);
    const auto far = far_guid ? read_place(at, *far_guid) : std::nullopt;
    if (!far) return error(far_start, "is no far end", "0xGUID LID port[ext] \"description\"");
    at.skip_blanks();
    if (const auto far_name = at.quoted()) name_device(far->device, *far_name);
    found_.cable(own->device, own->number, far->device, far->number, form_of(*link),
                 lines_.number(), column);
  }

  /// LID port[ext], of a device.
  std::optional<End> read_place(Cursor& at, std::uint64_t guid) {
    at.skip_blanks();
    const auto lid = at.number(10, kLastUnicastLid);
    at.skip_blanks();
    const auto number = at.number(10, Discovery::kMostPortNumber);
    if (!lid || !number || *number == 0 || !at.take('[') || !at.until("]")) return std::nullopt;
    const End end{found_.device(hex_text(guid), lines_.number()),
                  static_cast<std::uint16_t>(*number)};
    if (end.device >= first_port_.size()) {
      first_port_.push_back(end.number);
      several_.push_back(false);
      found_.at(end.device).guid = guid;
    }
    if (first_port_[end.device] != end.number) several_[end.device] = true;
    lids_.push_back({end.device, end.number, static_cast<std::uint16_t>(*lid), lines_.number()});
    return end;
  }

  void name_device(Discovery::DeviceId device, std::string_view text) {
    if (found_.at(device).name.empty()) found_.at(device).name = without_blanks(text);
  }

  /// " 4X        53.125 Gbps Active/  LinkUp"
  static LinkForm form_of(std::string_view text) {
    Cursor at(text);
    LinkForm form = read_form(at);
    at.skip_blanks();
    at.word();
    at.skip_blanks();
    const std::string_view rate = at.word();
    double gbps = 0;
    std::from_chars(rate.data(), rate.data() + rate.size(), gbps);
    form.speed = speed_of_lane(gbps);
    return form;
  }

  Lines lines_;
  Discovery found_;
  std::vector<std::uint16_t> first_port_;  ///< by device
  std::vector<bool> several_;              ///< has more than one port
  std::vector<Lid> lids_;
};

SubnetRead read_iblinkinfo(std::string_view text, const std::string& file,
                           const ImportOptions& options) {
  return IblinkinfoReader(text, file).run(options);
}

bool is_iblinkinfo(std::string_view text) {
  Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.take('#')) continue;
    return at.take("0x") && line.find(kArrowBegin) != std::string_view::npos;
  }
  return false;
}

}  // namespace

SubnetFormat iblinkinfo_format() {
  return {"iblinkinfo -l", "what `iblinkinfo -l` prints, a line a port", is_iblinkinfo,
          read_iblinkinfo};
}

}  // namespace spineleaf
