#include "topologies/readers/lfts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "topologies/readers/text.hpp"

namespace spineleaf {

namespace {

class LftsReader {
 public:
  LftsReader(std::string_view text, const std::string& file, const Subnet& subnet)
      : lines_(text), problems_(file), subnet_(subnet), owners_(lid_owners(subnet)) {}

  TablesRead run() {
    tables_ = ForwardingTables(subnet_.switches.size(), owners_.owner.size());
    read_switch_.assign(subnet_.switches.size(), false);
    for (const AdapterPort& port : subnet_.endpoints) adapters_.insert(port.port_guid);
    for (const Bystander& bystander : subnet_.bystanders) bystander_lids_.insert(bystander.lid);
    for (std::size_t row = 0; row < subnet_.switches.size(); ++row) {
      by_guid_[subnet_.switches[row].guid] = row;
      by_lid_[subnet_.switches[row].lid] = row;
    }
    for (std::string_view line; lines_.next(line);) read_line(line);
    summarise();
    if (problems_.has_errors()) tables_ = {};
    return {std::move(tables_), problems_.take()};
  }

 private:
  void error(const Cursor& at, std::string what, std::string expected = {}) {
    problems_.add_error(lines_.number(), at, std::move(what), std::move(expected));
  }

  void read_line(std::string_view line) {
    Cursor at(line);
    at.skip_blanks();
    if (at.at_end() || at.rest().starts_with('#')) return;
    if (at.take("Unicast lids ")) return read_switch(at);
    if (at.rest().starts_with("0x")) return read_entry(at);
    // "76 lids dumped", "76 valid lids dumped" and the headings of dump_fts.
    if (line.ends_with("dumped") || line.ends_with("dumped ")) return;
    for (const std::string_view heading : {"Lid", "Port", "Info", "Destination", "dump_"}) {
      if (at.rest().starts_with(heading)) return;
    }
    error(at, "is no line of forwarding tables",
          "\"Unicast lids ...\", \"0xLID port ...\" or \"N lids dumped\"");
  }

  /// [0-76] of switch Lid 2 guid 0x0200c0de00100000 ('leaf01'):
  void read_switch(Cursor& at) {
    current_.reset();
    inside_ = true;
    const Cursor start = at;
    const bool lid_there = at.until("Lid ").has_value();
    const auto lid = at.number(10, 0xFFFF);
    const bool guid_there = at.until("guid ").has_value();
    const auto guid = at.number(16);
    if (!lid_there || !lid || !guid_there || !guid) {
      return error(start, "names no switch", "\"[0-9] of switch Lid N guid 0x...\"");
    }
    auto found = by_guid_.find(*guid);
    const bool known = *guid != 0 && found != by_guid_.end();
    if (!known) {
      found = by_lid_.find(*lid);
      if (found == by_lid_.end() || subnet_.switches[found->second].guid != 0) {
        ++unknown_switches_;
        return;
      }
    }
    const std::size_t row = found->second;
    if (read_switch_[row]) return error(start, "the switch has a table already");
    read_switch_[row] = true;
    current_ = row;
  }

  void read_entry(Cursor& at) {
    const Cursor start = at;
    const auto lid = at.number(16, 0xFFFF);
    at.skip_blanks();
    const auto number = at.number(10, 255);
    if (!lid || !number) return error(start, "is no table entry", "\"0xLID port\"");
    if (!inside_) {
      inside_ = true;
      return error(start, "an entry stands before any switch");
    }
    if (!current_) return;  // of a switch that the subnet does not have
    if (*lid >= owners_.owner.size() || owners_.owner[*lid] == LidOwners::kNobody) {
      const bool strange = *number != 255 && !bystander_lids_.contains(*lid);
      strange_lids_ += strange ? 1 : 0;
      return;
    }
    check_owner(at, *lid);
    if (*number == 255) return;  // no route
    if (*number == 0) return tables_.set(*current_, *lid, ForwardingTables::kSelf);
    const std::vector<std::uint16_t>& numbers = subnet_.switches[*current_].numbers;
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), *number);
    if (found == numbers.end() || *found != *number) {
      if (dead_ports_++ == 0) dead_line_ = lines_.number();
      return;
    }
    tables_.set(*current_, *lid, static_cast<std::uint16_t>(found - numbers.begin()));
  }

  /// "# Channel Adapter portguid 0x...": the LID must mean the same port here.
  void check_owner(Cursor at, std::uint64_t lid) {
    const Cursor start = at;
    if (!at.until("portguid ")) return;
    const auto guid = at.number(16);
    const std::uint32_t owner = owners_.owner[lid];
    const bool host = owner < owners_.endpoints;
    const std::uint64_t own = host ? subnet_.endpoints[owner].port_guid
                                   : subnet_.switches[owner - owners_.endpoints].guid;
    // A switch's own port may have a GUID of its own.
    const bool differs = guid && own != 0 && (host ? *guid != own : adapters_.contains(*guid));
    if (!differs || strangers_++ > 0) return;
    error(start, "LID " + std::to_string(lid) + " is another device in this fabric",
          host ? in_quotes(subnet_.endpoints[owner].name) : "a switch");
  }

  void summarise() {
    std::size_t missing = 0;
    std::string example;
    for (std::size_t row = 0; row < read_switch_.size(); ++row) {
      if (read_switch_[row]) continue;
      if (missing++ == 0) example = subnet_.topology.nodes[subnet_.topology.host_count + row].name;
    }
    if (missing > 0) {
      problems_.add(make_error(problems_.file(),
                               std::to_string(missing) + " of " +
                                   std::to_string(read_switch_.size()) + " switches have no table",
                               "none for " + in_quotes(example), {},
                               "Is the dump of this fabric, and complete?"));
    }
    if (unknown_switches_ > 0) {
      problems_.add(make_warning(problems_.file(), std::to_string(unknown_switches_) +
                                                       " tables are of switches that the subnet "
                                                       "does not have"));
    }
    if (dead_ports_ > 0) {
      problems_.add(make_warning(problems_.at(dead_line_),
                                 std::to_string(dead_ports_) +
                                     " entries lead over ports without a cable; this is the first",
                                 {}, {}, "They count as holes"));
    }
    if (strange_lids_ > 0) {
      problems_.add(make_note(problems_.file(), std::to_string(strange_lids_) +
                                                    " entries are for LIDs of no host or switch"));
    }
  }

  Lines lines_;
  FileProblems problems_;
  const Subnet& subnet_;
  const LidOwners owners_;
  ForwardingTables tables_;
  std::map<std::uint64_t, std::size_t> by_guid_;
  std::map<std::uint64_t, std::size_t> by_lid_;
  std::set<std::uint64_t> bystander_lids_;
  std::set<std::uint64_t> adapters_;  ///< GUIDs of their ports
  std::size_t strangers_ = 0;
  std::vector<bool> read_switch_;
  std::optional<std::size_t> current_;
  bool inside_ = false;
  std::size_t unknown_switches_ = 0;
  std::size_t dead_ports_ = 0;
  int dead_line_ = 0;
  std::size_t strange_lids_ = 0;
};

}  // namespace

TablesRead read_lfts(std::string_view text, const std::string& file, const Subnet& subnet) {
  return LftsReader(text, file, subnet).run();
}

bool is_lfts(std::string_view text) {
  Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    Cursor at(line);
    at.skip_blanks();
    if (!at.at_end()) return at.take("Unicast lids ");
  }
  return false;
}

}  // namespace spineleaf
