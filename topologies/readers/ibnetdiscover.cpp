// What ibnetdiscover prints (plain, with -f, with -g), which is also what ibsim reads: records of a
// device and its ports. The useful part of a port line stands behind its '#'. ibsim's dialect has
// free names, "Hca" for "Ca", and needs no comments.

#include <array>

#include "topologies/readers/discovery.hpp"
#include "topologies/readers/form_text.hpp"
#include "topologies/readers/guid_key.hpp"

namespace spineleaf {

namespace {

using Kind = Discovery::Kind;

constexpr std::array<std::string_view, 6> kHeadKeys{"vendid",     "devid",  "sysimgguid",
                                                    "switchguid", "caguid", "rtguid"};

class IbnetdiscoverReader {
 public:
  IbnetdiscoverReader(std::string_view text, const std::string& file)
      : lines_(text), found_(file, true) {}

  SubnetRead run(const ImportOptions& options) {
    for (std::string_view line; lines_.next(line);) read_line(line);
    return found_.finish(options);
  }

 private:
  void error(const Cursor& at, std::string what, std::string expected = {}, std::string hint = {}) {
    found_.problems().add_error(lines_.number(), at, std::move(what), std::move(expected),
                                std::move(hint));
  }

  void read_line(std::string_view line) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.take('#')) return;
    if (at.rest().starts_with('[')) return read_port(at);
    // Headings of -g.
    if (at.rest().starts_with("Chassis ") || at.rest().starts_with("Non-Chassis")) return;
    for (const std::string_view key : kHeadKeys) {
      if (at.rest().starts_with(key) && read_head(at, key)) return;
    }
    Cursor word_at = at;
    const std::string_view word = at.word();
    if (word == "Switch") return read_device(at, Kind::Switch);
    if (word == "Ca" || word == "Hca") return read_device(at, Kind::Adapter);
    if (word == "Rt") return read_device(at, Kind::Router);
    if (word == "do") {
      found_.problems().add(make_note(found_.problems().at(lines_.number()),
                                      "a command for ibsim's console is skipped"));
      return;
    }
    if (word == "include") {
      return error(word_at, "other files are not read", {}, "Put its text here");
    }
    error(word_at, "is no line of an ibnetdiscover file",
          "\"Switch\", \"Ca\", \"Rt\", \"[port]\", or a line such as \"switchguid=0x...\"");
  }

  bool read_head(Cursor& at, std::string_view key) {
    Cursor value = at;
    value.take(key);
    if (!value.take('=')) return false;
    at = value;
    const auto number = at.number(16);
    if (!number) {
      error(at, std::string{key} + " is no hexadecimal number");
    } else if (key.ends_with("guid") && key != "sysimgguid") {
      pending_guid_ = *number;
    }
    return true;
  }

  void read_device(Cursor& at, Kind kind) {
    current_.reset();
    const std::uint64_t guid = std::exchange(pending_guid_, 0);
    at.skip_blanks();
    const auto ports = at.number(10, 65'535);
    if (!ports) return error(at, "the number of ports is missing", "a number such as 40");
    at.skip_blanks();
    Cursor name_at = at;
    const auto key = at.quoted();
    if (!key) return error(at, "the name is missing", "a name in double quotes");
    const Discovery::DeviceId id = found_.device(std::string{*key}, lines_.number());
    const GuidKey meaning = read_guid_key(*key);
    if (found_.at(id).recorded) {
      return error(name_at, "the device has a record already, in line " +
                                std::to_string(found_.at(id).line));
    }
    if (meaning.kind != Kind::Unknown && meaning.kind != kind) {
      return error(name_at, "the letter of the name and the word before it name different kinds");
    }
    Discovery::Device& device = found_.at(id);
    device.kind = kind;
    device.recorded = true;
    device.line = lines_.number();
    device.ports = static_cast<std::uint16_t>(*ports);
    device.guid = guid != 0 ? guid : meaning.guid;
    current_ = id;
    at.skip_blanks();
    if (at.take('#')) read_device_comment(at, id);
  }

  /// "leaf1" enhanced port 0 lid 2 lmc 0
  void read_device_comment(Cursor& at, Discovery::DeviceId id) {
    const std::string_view comment = at.rest();
    const std::size_t first = comment.find('"');
    const std::size_t last = comment.rfind('"');
    if (first == std::string_view::npos || last == first) return;
    found_.at(id).name = without_blanks(comment.substr(first + 1, last - first - 1));
    Cursor tail(comment.substr(last + 1));
    if (found_.at(id).kind == Kind::Switch && tail.until("lid ")) {
      const auto lid = tail.number(10, kLastUnicastLid);
      if (lid) found_.set_switch_lid(id, static_cast<std::uint16_t>(*lid), lines_.number());
    }
  }

  /// "[3]" and, with -g, "[ext 12]" after it.
  std::optional<std::uint16_t> read_number(Cursor& at) {
    Cursor start = at;
    if (!at.take('[')) {
      error(at, "a port number in brackets is missing", "\"[1]\"");
      return std::nullopt;
    }
    const auto number = at.number(10, Discovery::kMostPortNumber);
    if (!number || *number == 0 || !at.take(']')) {
      error(start, "is no port number", "1 to " + std::to_string(Discovery::kMostPortNumber));
      return std::nullopt;
    }
    if (at.take("[ext ")) at.until("]");
    return static_cast<std::uint16_t>(*number);
  }

  std::uint64_t read_port_guid(Cursor& at) {
    Cursor start = at;
    if (at.take('(')) {
      const auto guid = at.number(16);
      if (guid && at.take(')')) return *guid;
    }
    at = start;
    return 0;
  }

  void read_port(Cursor& at) {
    const int column = at.column();
    Cursor start = at;
    const auto number = read_number(at);
    if (!number) return;
    if (!current_) {
      if (!found_.problems().has_errors()) error(start, "a port stands before any device");
      return;
    }
    const Discovery::DeviceId own = *current_;
    if (const std::uint64_t guid = read_port_guid(at); guid != 0) {
      found_.port(own, *number).guid = guid;
    }
    at.skip_blanks();
    const auto key = at.quoted();
    if (!key) return error(at, "the device at the other end is missing", "a name in double quotes");
    const auto far_number = read_number(at);
    if (!far_number) return;
    const Discovery::DeviceId peer = found_.device(std::string{*key}, lines_.number());
    if (const GuidKey meaning = read_guid_key(*key);
        !found_.at(peer).recorded && meaning.kind != Kind::Unknown) {
      found_.at(peer).kind = meaning.kind;
      found_.at(peer).guid = meaning.guid;
    }
    if (const std::uint64_t guid = read_port_guid(at); guid != 0) {
      found_.port(peer, *far_number).guid = guid;
    }
    const LinkForm form = read_port_comment(at, own, *number, peer, *far_number);
    found_.cable(own, *number, peer, *far_number, form, lines_.number(), column);
  }

  /// At a switch: "peer" lid N 4xHDR. At an adapter: lid N lmc N "peer" lid N 4xHDR.
  LinkForm read_port_comment(Cursor& at, Discovery::DeviceId own, std::uint16_t number,
                             Discovery::DeviceId peer, std::uint16_t far_number) {
    if (!at.until("#")) return {};
    const std::string_view comment = at.rest();
    const std::size_t first = comment.find('"');
    const std::size_t last = comment.rfind('"');
    if (first == std::string_view::npos || last == first) return read_form(Cursor(comment));
    Cursor before(comment.substr(0, first));
    if (found_.at(own).kind != Kind::Switch && before.until("lid ")) {
      const auto lid = before.number(10, kLastUnicastLid);
      if (lid) found_.set_port_lid(own, number, static_cast<std::uint16_t>(*lid), lines_.number());
      const auto lmc = before.until("lmc ") ? before.number(10, kMostLmc) : std::nullopt;
      if (lmc) found_.port(own, number).lmc = static_cast<std::uint8_t>(*lmc);
    }
    Discovery::Device& far = found_.at(peer);
    if (far.name.empty()) far.name = without_blanks(comment.substr(first + 1, last - first - 1));
    Cursor after(comment.substr(last + 1));
    if (after.until("lid ")) {
      const auto lid = after.number(10, kLastUnicastLid);
      if (lid && far.kind == Kind::Switch) {
        found_.set_switch_lid(peer, static_cast<std::uint16_t>(*lid), lines_.number());
      } else if (lid && far.kind != Kind::Unknown) {
        found_.set_port_lid(peer, far_number, static_cast<std::uint16_t>(*lid), lines_.number());
      }
    }
    return read_form(after);
  }

  Lines lines_;
  Discovery found_;
  std::optional<Discovery::DeviceId> current_;
  std::uint64_t pending_guid_ = 0;
};

SubnetRead read_ibnetdiscover(std::string_view text, const std::string& file,
                              const ImportOptions& options) {
  return IbnetdiscoverReader(text, file).run(options);
}

/// A line that begins a record, within the first part of the text.
bool is_ibnetdiscover(std::string_view text) {
  Lines lines(text);
  for (std::string_view line; lines.number() < 10'000 && lines.next(line);) {
    Cursor at(line);
    at.skip_blanks();
    const std::string_view word = at.word();
    at.skip_blanks();
    if (word != "Switch" && word != "Ca" && word != "Hca" && word != "Rt") continue;
    if (!at.number(10)) continue;
    at.skip_blanks();
    if (at.quoted()) return true;
  }
  return false;
}

}  // namespace

SubnetFormat ibnetdiscover_format() {
  return {"ibnetdiscover", "what ibnetdiscover prints, plain or with -f or -g; input of ibsim",
          is_ibnetdiscover, read_ibnetdiscover};
}

}  // namespace spineleaf
