// UFM's table of ports as CSV: columns System, Port, Peer Node and Peer Port among others, in any
// order; a row per port, the peer empty where nothing is plugged in. A port is a number, or one of
// several adapters: "HCA-2/1". Names, but no GUIDs, LIDs, widths or speeds.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topologies/readers/discovery.hpp"

namespace spineleaf {

namespace {

constexpr std::array<std::string_view, 4> kUfmColumns{"System", "Port", "Peer Node", "Peer Port"};
constexpr std::string_view kUfmHeader = "System,Port,Peer Node,Peer Port";

struct UfmCell {
  Cursor start;
  std::string_view text;
};

/// The cell at the cursor with the comma after it; nothing at the end of the line, or where a
/// quoted cell is not closed.
std::optional<UfmCell> next_ufm_cell(Cursor& at) {
  at.skip_blanks();
  if (at.at_end()) return std::nullopt;
  UfmCell cell{at, {}};
  if (at.rest().front() == '"') {
    const auto text = at.quoted();
    if (!text || (!at.until(",") && !at.rest().empty())) return std::nullopt;
    cell.text = *text;
    return cell;
  }
  const std::string_view rest = at.rest();
  const auto text = at.until(",");
  cell.text = without_blanks(text ? *text : rest);
  if (!text) at.take(rest);
  return cell;
}

std::array<std::size_t, 4> ufm_columns_of(std::string_view header) {
  std::array<std::size_t, 4> columns{};
  columns.fill(SIZE_MAX);
  Cursor at(header);
  std::size_t place = 0;
  while (const auto cell = next_ufm_cell(at)) {
    const auto* const found = std::find(kUfmColumns.begin(), kUfmColumns.end(), cell->text);
    if (found != kUfmColumns.end()) {
      columns.at(static_cast<std::size_t>(found - kUfmColumns.begin())) = place;
    }
    ++place;
  }
  return columns;
}

bool is_ufm_ports(std::string_view text) {
  Lines lines(text);
  std::string_view header;
  if (!lines.next(header)) return false;
  const auto columns = ufm_columns_of(header);
  return std::find(columns.begin(), columns.end(), SIZE_MAX) == columns.end();
}

class UfmPortsReader {
 public:
  UfmPortsReader(std::string_view text, const std::string& file)
      : lines_(text), found_(file, false) {}

  SubnetRead run(const ImportOptions& options) {
    std::string_view line;
    lines_.next(line);
    columns_ = ufm_columns_of(line);
    while (lines_.next(line)) read_line(line);
    found_.kinds_by_ports();
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
    if (at.at_end()) return;
    const Cursor whole = at;
    std::array<std::optional<UfmCell>, 4> cells;
    std::size_t place = 0;
    while (const auto cell = next_row_cell(at)) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (columns_.at(i) == place) cells.at(i) = cell;
      }
      ++place;
    }
    if (!at.at_end()) {
      return found_.problems().add_error(lines_.number(), at, "is no cell of a table",
                                         "a quotation mark after the cell, then a comma");
    }
    if (!cells[0] || !cells[1] || cells[0]->text.empty()) {
      return found_.problems().add_error(lines_.number(), whole, "names no port",
                                         std::string{kUfmHeader});
    }
    if (!cells[2] || cells[2]->text.empty()) return;  // nothing is plugged in
    const auto own = read_end(*cells[0], *cells[1]);
    if (!cells[3]) {
      return found_.problems().add_error(lines_.number(), cells[2]->start,
                                         "is a peer without a port", std::string{kUfmHeader});
    }
    const auto far = own ? read_end(*cells[2], *cells[3]) : std::nullopt;
    if (!far) return;
    found_.cable(own->device, own->number, far->device, far->number, {}, lines_.number(),
                 whole.column());
  }

  /// An empty cell between two commas is a cell too.
  static std::optional<UfmCell> next_row_cell(Cursor& at) {
    const Cursor start = at;
    return at.take(',') ? std::optional(UfmCell{start, {}}) : next_ufm_cell(at);
  }

  std::optional<End> read_end(const UfmCell& system, const UfmCell& port) {
    const std::size_t slash = port.text.rfind('/');
    const bool adapter = slash != std::string_view::npos;
    Cursor digits(adapter ? port.text.substr(slash + 1) : port.text);
    const auto number = digits.number(10, Discovery::kMostPortNumber);
    if (!number || *number == 0 || !digits.at_end()) {
      found_.problems().add_error(lines_.number(), port.start, "is no port",
                                  "a number from 1 to 254, or HCA-2/1");
      return std::nullopt;
    }
    std::string name{system.text};
    if (adapter) name += " " + std::string{port.text.substr(0, slash)};
    const Discovery::DeviceId device = found_.device(name, lines_.number());
    found_.at(device).name = name;
    return End{device, static_cast<std::uint16_t>(*number)};
  }

  Lines lines_;
  Discovery found_;
  std::array<std::size_t, 4> columns_{};
};

SubnetRead read_ufm_ports(std::string_view text, const std::string& file,
                          const ImportOptions& options) {
  return UfmPortsReader(text, file).run(options);
}

}  // namespace

SubnetFormat ufm_ports_format() {
  return {"UFM's ports as CSV", "the table of ports that UFM exports", is_ufm_ports,
          read_ufm_ports};
}

}  // namespace spineleaf
