// Headroom: SONiC's formula against published values to the byte, and packets that arrive after
// XOFF against the exact bound.

#include <algorithm>

#include "scenarios/headroom.hpp"
#include "scenarios/output/text.hpp"
#include "validation/roce/case.hpp"
#include "validation/roce/row.hpp"

namespace spineleaf {
namespace {

struct FormulaCase {
  std::int64_t gbps;
  std::int64_t xoff[3];  ///< at 5, 40 and 300 m
};

constexpr FormulaCase kSpectrum4[] = {{100, {49152, 55296, 95232}},
                                      {200, {57344, 67584, 148480}},
                                      {400, {98304, 119808, 281600}},
                                      {800, {108544, 152576, 476160}}};
constexpr double kMetres[] = {5, 40, 300};

void formula_rows(std::vector<ValidationRow>& rows) {
  for (const FormulaCase& wanted : kSpectrum4) {
    for (std::size_t i = 0; i < 3; ++i) {
      HeadroomQuestion question;
      question.rate = Rate::from_gbps(wanted.gbps);
      question.cable = kMetres[i];
      question.frame = 4198;
      question.pause_frame = 84;
      question.asic = *find_headroom_asic("spectrum-4");
      question.lanes = wanted.gbps >= 800 ? 8 : 1;
      const std::int64_t got = headroom(question)->xoff;
      ValidationRow row;
      row.id = "headroom.spectrum-4." + std::to_string(wanted.gbps) + "G." +
               fixed_text(kMetres[i], 0) + "m";
      row.expected = count_text(wanted.xoff[i]) + " B";
      row.got = count_text(got) + " B";
      row.tolerance = "exact";
      row.pass = got == wanted.xoff[i];
      row.source = "SONiC buffer_headroom_mellanox.lua, evaluated independently";
      rows.push_back(std::move(row));
    }
  }
}

struct OccupancyCase {
  const char* id;
  const char* speed;
  const char* latency;
  const char* xoff;
  std::int64_t most;  ///< bytes at one ingress
};

constexpr OccupancyCase kOccupancy[] = {{"40G.1us", "40Gbps", "1us", "40000B", 52'000},
                                        {"400G.500ns", "400Gbps", "500ns", "200000B", 252'000}};

/// Two senders into one port, over random phases: the most that an ingress ever held.
void occupancy_rows(std::vector<ValidationRow>& rows, const RoceOptions& options) {
  for (const OccupancyCase& wanted : kOccupancy) {
    const ValidSpec spec = roce_case("pfc-headroom-40g", {{"topology.speed", wanted.speed},
                                                          {"topology.latency", wanted.latency},
                                                          {"pfc.xoff", wanted.xoff}});
    std::int64_t most = 0, drops = 0;
    const int phases = options.quick ? 20 : 200;
    for (int seed = 1; seed <= phases; ++seed) {
      const Result result = run_case(spec, static_cast<std::uint64_t>(seed));
      drops += result.totals.drops_total;
      for (const PortClassRow& row : result.port_classes) {
        if (row.node == "leaf0" && row.traffic_class == 0)
          most = std::max(most, row.max_ingress.count);
      }
    }
    ValidationRow row;
    row.id = std::string("headroom.occupancy.") + wanted.id;
    row.expected = count_text(wanted.most) + " B at most, reached, no drop";
    row.got = count_text(most) + " B over " + std::to_string(phases) + " phases, " +
              count_text(drops) + " drops";
    row.tolerance = "one packet of 1,000 B below";
    row.pass = most <= wanted.most && most >= wanted.most - 1000 && drops == 0;
    row.source = "two independent packet models, 300 phases; reverse links loaded";
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::vector<ValidationRow> headroom_rows(const RoceOptions& options) {
  std::vector<ValidationRow> rows;
  formula_rows(rows);
  occupancy_rows(rows, options);
  return rows;
}

}  // namespace spineleaf
