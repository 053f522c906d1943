// spineleaf headroom: what a lossless class needs, by speed, cable, packet and cell.

#include "scenarios/headroom.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/verbs.hpp"
#include "models/host/wire.hpp"
#include "scenarios/input/json_source.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/csv_writer.hpp"
#include "scenarios/output/text.hpp"

namespace spineleaf::cli {

namespace {

struct HeadroomArguments {
  std::vector<std::string> speeds{"100Gbps", "400Gbps", "800Gbps"};
  std::vector<std::string> cables{"5m", "40m", "300m"};
  std::string mtu = "4KiB";
  std::string port_mtu = "9100B";
  std::string small = "50%";
  std::string response = "0ns";
  std::string latency = "100ns";
  std::string asic = "spectrum-4";
  std::string cell;
  bool shared_pool = false;
  bool vendors = false;
  bool csv = false;
};

/// A value of the command line with its unit; a problem is said and remembered.
class OptionReader {
 public:
  ParamValue read(const char* option, Unit unit, const std::string& text, double least,
                  double most) {
    ParamDecl decl;
    decl.name = option;
    decl.unit = unit;
    decl.min = least;
    decl.max = most;
    decl.default_text = unit == Unit::Time ? "1ns" : "";
    JsonNode node;
    node.kind = JsonNode::Kind::String;
    node.text = text;
    ParamValue value;
    if (const auto error = read_value(decl, node, value)) {
      std::fprintf(stderr, "--%s: %s; expected %s%s%s\n", option, error->what.c_str(),
                   error->expected.c_str(), error->hint.empty() ? "" : ". ", error->hint.c_str());
      good = false;
    }
    return value;
  }
  bool good = true;
};

std::vector<HeadroomQuestion> read_questions(const HeadroomArguments& arguments, bool& good) {
  OptionReader reader;
  HeadroomQuestion base;
  const WireSizes wire = wire_sizes(WireFormat::RoceV2);
  base.frame = reader.read("mtu", Unit::Bytes, arguments.mtu, 64, 9216).integer + wire.header +
               wire.reth + wire.immediate + wire.gap;
  base.pause_frame = 64 + wire.gap;
  base.port_mtu = Bytes{reader.read("port-mtu", Unit::Bytes, arguments.port_mtu, 64, 9216).integer};
  base.small_packets = reader.read("small-packets", Unit::Ratio, arguments.small, 0, 1).real;
  base.response = Time{reader.read("response", Unit::Time, arguments.response, 0, 1e9).integer};
  base.latency = Time{reader.read("latency", Unit::Time, arguments.latency, 0, 1e9).integer};
  base.shared_pool = arguments.shared_pool;
  if (const HeadroomAsic* asic = find_headroom_asic(arguments.asic)) {
    base.asic = *asic;
  } else {
    std::vector<std::string_view> names;
    for (const HeadroomAsic& known : headroom_asics()) names.push_back(known.name);
    std::fprintf(stderr, "--asic: %s is unknown; expected %s. %s\n",
                 in_quotes(arguments.asic).c_str(), one_of(names).c_str(),
                 did_you_mean(arguments.asic, names).c_str());
    reader.good = false;
  }
  if (!arguments.cell.empty()) {
    base.asic.cell = reader.read("cell", Unit::Bytes, arguments.cell, 1, 4096).integer;
  }
  std::vector<HeadroomQuestion> questions;
  for (const std::string& speed : arguments.speeds) {
    HeadroomQuestion question = base;
    question.rate = Rate{reader.read("speed", Unit::Rate, speed, 1e9, 1e14).integer};
    if (reader.good && !pause_response_bytes(question.rate)) {
      std::fprintf(stderr,
                   "--speed: %s is not in IEEE 802.3 annex 31B; expected 10, 25, 40, 50, "
                   "100, 200, 400 or 800Gbps\n",
                   in_quotes(speed).c_str());
      reader.good = false;
    }
    question.lanes = question.rate >= Rate::from_gbps(800) ? 8 : 1;
    for (const std::string& cable : arguments.cables) {
      question.cable = reader.read("cable", Unit::Length, cable, 0, 1e6).real;
      questions.push_back(question);
    }
  }
  good = reader.good;
  return questions;
}

void print_terms(const char* title, const std::vector<HeadroomTerm>& terms) {
  std::printf("\n%s\n", title);
  for (const HeadroomTerm& term : terms) {
    if (term.bytes != 0)
      std::printf("  %12s  %s\n", fixed_text(term.bytes, 0).c_str(), term.what.c_str());
  }
}

void print_table(const std::vector<HeadroomQuestion>& questions) {
  const HeadroomAsic& asic = questions.front().asic;
  std::printf("per ingress port and lossless class, in bytes; %s, cells of %lld B (%s)\n\n",
              std::string(asic.name).c_str(), static_cast<long long>(asic.cell),
              std::string(asic.source).c_str());
  std::printf("%-9s %9s | %10s %11s %11s | %10s %8s %10s\n", "speed", "cable", "bound",
              "full cells", "64 B cells", "SONiC xoff", "xon", "size");
  for (const HeadroomQuestion& question : questions) {
    const HeadroomAnswer answer = *headroom(question);
    std::printf("%-9s %8sm | %10s %11s %11s | %10s %8s %10s\n", to_text(question.rate).c_str(),
                short_text(question.cable).c_str(), count_text(answer.bound).c_str(),
                count_text(answer.full_cells).c_str(), count_text(answer.small_cells).c_str(),
                count_text(answer.xoff).c_str(), count_text(answer.xon).c_str(),
                count_text(answer.size).c_str());
  }
  const HeadroomQuestion& last = questions.back();
  const HeadroomAnswer answer = *headroom(last);
  const std::string row = to_text(last.rate) + " over " + short_text(last.cable) + " m";
  print_terms(("bound, " + row + ": what still arrives after the packet that trips XOFF").c_str(),
              answer.bound_terms);
  print_terms(("SONiC xoff, " + row + ", rounded up to KiB").c_str(), answer.xoff_terms);
  std::printf(
      "\nthe bound loses nothing where it is charged after XOFF; \"full cells\" and \"64 B "
      "cells\" are the memory that\nit takes in packets of the largest and of the smallest "
      "size.\n");
}

void print_vendors() {
  std::printf(
      "xoff as vendors ship it (pg_profile_lookup.ini), and its growth with the cable: 1 = "
      "a round trip of light,\ncell/64 = every packet of it in a cell of its own\n\n");
  std::printf("%-28s %6s %9s %7s %9s  %s\n", "platform", "Gb/s", "cell", "growth", "cell/64",
              "metres: bytes");
  for (const VendorHeadroom& row : vendor_headroom()) {
    std::string points;
    for (const auto& [metres, bytes] : row.xoff) {
      points += (points.empty() ? "" : ", ") + std::to_string(metres) + ": " + count_text(bytes);
    }
    const bool known = row.cell > 0;
    std::printf(
        "%-28s %6lld %9s %7s %9s  %s\n", std::string(row.platform).c_str(),
        static_cast<long long>(row.gbps), known ? (std::to_string(row.cell) + " B").c_str() : "-",
        fixed_text(vendor_slope(row), 2).c_str(),
        known ? fixed_text(static_cast<double>(row.cell) / 64, 2).c_str() : "-", points.c_str());
  }
}

std::string csv_of(const std::vector<HeadroomQuestion>& questions) {
  CsvWriter csv(
      "speed_gbps,cable_m,cell_bytes,bound_bytes,full_cells_bytes,small_cells_bytes,"
      "sonic_xoff_bytes,sonic_xon_bytes,sonic_size_bytes");
  for (const HeadroomQuestion& question : questions) {
    const HeadroomAnswer answer = *headroom(question);
    csv.cell(static_cast<double>(question.rate.bits_per_second) / 1e9).cell(question.cable);
    csv.cell(question.asic.cell).cell(answer.bound).cell(answer.full_cells);
    csv.cell(answer.small_cells).cell(answer.xoff).cell(answer.xon).cell(answer.size);
    csv.end_row();
  }
  return csv.take();
}

void run(const HeadroomArguments& arguments, int& exit_code) {
  if (arguments.vendors) return print_vendors();
  bool good = true;
  const std::vector<HeadroomQuestion> questions = read_questions(arguments, good);
  if (!good) {
    exit_code = kBadInput;
  } else if (arguments.csv) {
    std::fputs(csv_of(questions).c_str(), stdout);
  } else {
    print_table(questions);
  }
}

}  // namespace

void add_headroom(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "headroom", "PFC headroom by speed and cable: the exact bound, and SONiC's formula");
  verb->group(kCheckGroup);
  const auto arguments = std::make_shared<HeadroomArguments>();
  const auto add = [&](const char* name, auto& value, const char* text, const char* type) {
    verb->add_option(name, value, text)->type_name(type)->capture_default_str();
  };
  add("--speed", arguments->speeds, "Link speeds", "RATE");
  add("--cable", arguments->cables, "Cable lengths", "LENGTH");
  add("--mtu", arguments->mtu, "Bound: largest payload; RoCEv2 headers are added", "SIZE");
  add("--response", arguments->response, "Bound: the peer's time to stop", "TIME");
  add("--latency", arguments->latency, "Bound: PHY, FEC and pipeline of each direction", "TIME");
  add("--asic", arguments->asic, "SONiC: the chip, for cell and delays", "NAME");
  add("--cell", arguments->cell, "Cell size in place of the chip's", "SIZE");
  add("--port-mtu", arguments->port_mtu, "SONiC: the port's largest frame", "SIZE");
  add("--small-packets", arguments->small, "SONiC: share of packets of 64 bytes", "SHARE");
  verb->add_flag("--shared-pool", arguments->shared_pool, "SONiC: headroom from a shared pool");
  verb->add_flag("--vendors", arguments->vendors, "What vendors ship, and how it grows");
  verb->add_flag("--csv", arguments->csv, "The table as CSV");
  examples(*verb, {"headroom --speed 400Gbps --cable 5m 40m 300m",
                   "headroom --small-packets 100% --shared-pool --csv", "headroom --vendors"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
