// What `ibnetdiscover -p` prints: a line per port,
//   CA    76  1 0x0200c0de004003f1 4x HDR - SW    40  8 0x0200c0de00100070 ( 'host64' - 'leaf08' )
// with type, LID, port, GUID, width and speed. Ports without a cable end after the description. The
// GUID of an adapter is that of its port, so a card with two ports appears as two adapters of one
// name, which makes them one host.

#include "topologies/readers/discovery.hpp"
#include "topologies/readers/form_text.hpp"
#include "topologies/readers/guid_key.hpp"

namespace spineleaf {

namespace {

using Kind = Discovery::Kind;

struct End {
  Discovery::DeviceId device = 0;
  std::uint16_t number = 0;
};

class IbnetdiscoverPortsReader {
 public:
  IbnetdiscoverPortsReader(std::string_view text, const std::string& file)
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
    if (!own) return;
    found_.at(own->device).recorded = true;
    const LinkForm form = read_form(at);
    // The description of an unconnected port may hold anything; a cable has " - SW" or " - CA".
    const auto before = at.rest();
    for (const std::string_view mark : {" - SW ", " - CA ", " - RT "}) {
      const std::size_t found = before.find(mark);
      if (found == std::string_view::npos || before.substr(0, found).find('\'') < found) continue;
      at.until(" - ");
      const auto far = read_end(at);
      if (!far) return;
      read_names(at, *own, *far);
      found_.cable(own->device, own->number, far->device, far->number, form, lines_.number(),
                   column);
      return;
    }
    if (const std::size_t quote = before.find('\''); quote != std::string_view::npos) {
      const std::size_t last = before.rfind('\'');
      name(own->device, before.substr(quote + 1, last > quote ? last - quote - 1 : 0));
    }
  }

  std::optional<End> read_end(Cursor& at) {
    const Cursor start = at;
    const std::string_view type = at.word();
    const Kind kind = type == "SW"   ? Kind::Switch
                      : type == "CA" ? Kind::Adapter
                      : type == "RT" ? Kind::Router
                                     : Kind::Unknown;
    if (kind == Kind::Unknown) {
      error(start, "is no port of `ibnetdiscover -p`", "\"CA\", \"SW\" or \"RT\"");
      return std::nullopt;
    }
    at.skip_blanks();
    const auto lid = at.number(10, kLastUnicastLid);
    at.skip_blanks();
    const auto number = at.number(10, Discovery::kMostPortNumber);
    at.skip_blanks();
    const auto guid = at.number(16);
    at.skip_blanks();
    if (!lid || !number || !guid) {
      error(start, "is no port of `ibnetdiscover -p`", "type, LID, port number and GUID");
      return std::nullopt;
    }
    const char letter = kind == Kind::Switch ? 'S' : kind == Kind::Adapter ? 'H' : 'R';
    const Discovery::DeviceId device = found_.device(guid_key(letter, *guid), lines_.number());
    found_.at(device).kind = kind;
    found_.at(device).guid = *guid;
    const End end{device, static_cast<std::uint16_t>(*number)};
    if (kind == Kind::Switch) {
      found_.set_switch_lid(device, static_cast<std::uint16_t>(*lid), lines_.number());
    } else {
      found_.set_port_lid(device, end.number, static_cast<std::uint16_t>(*lid), lines_.number());
      found_.port(device, end.number).guid = *guid;
    }
    return end;
  }

  void name(Discovery::DeviceId device, std::string_view text) {
    if (found_.at(device).name.empty()) found_.at(device).name = without_blanks(text);
  }

  /// ( 'host64 mlx5_0' - 'leaf08' )
  void read_names(Cursor& at, const End& own, const End& far) {
    if (!at.until("( '")) return;
    const auto first = at.until("' - '");
    const std::string_view left = at.rest();
    const std::size_t last = left.rfind('\'');
    if (!first || last == std::string_view::npos) return;
    name(own.device, *first);
    name(far.device, left.substr(0, last));
  }

  Lines lines_;
  Discovery found_;
};

SubnetRead read_ibnetdiscover_ports(std::string_view text, const std::string& file,
                                    const ImportOptions& options) {
  return IbnetdiscoverPortsReader(text, file).run(options);
}

bool is_ibnetdiscover_ports(std::string_view text) {
  Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.take('#')) continue;
    const std::string_view type = at.word();
    at.skip_blanks();
    return (type == "SW" || type == "CA" || type == "RT") && at.number(10).has_value();
  }
  return false;
}

}  // namespace

SubnetFormat ibnetdiscover_ports_format() {
  return {"ibnetdiscover -p", "what `ibnetdiscover -p` prints, a line a port",
          is_ibnetdiscover_ports, read_ibnetdiscover_ports};
}

}  // namespace spineleaf
