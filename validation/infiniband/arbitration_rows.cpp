// Shares of two virtual lanes that are both backlogged behind one output.

#include <cmath>

#include "scenarios/output/text.hpp"
#include "validation/infiniband/case.hpp"
#include "validation/infiniband/row.hpp"

namespace spineleaf {

namespace {

struct Share {
  const char* low;
  const char* high;
  int limit;
  bool carry;
  double ratio;  ///< VL 1 over VL 0; 0 = VL 0 gets nothing
};

ValidationRow share_row(const Share& wanted, bool quick) {
  const ValidSpec spec = infiniband_case(
      {R"({"kind": "single_switch", "hosts": 3, "latency": "50ns"})",
       R"({"kind": "flows", "flows": [)" + flow_text("host0", "host2", R"(, "class": 0)") + ", " +
           flow_text("host1", "host2", R"(, "class": 1)") + "]}",
       {{"fabric.classes", "2"},
        {"credit.vlarb_low", wanted.low},
        {"credit.vlarb_high", wanted.high},
        {"credit.high_limit", std::to_string(wanted.limit)},
        {"credit.vlarb_carry", wanted.carry ? "true" : "false"}}});
  const std::vector<double> rates =
      host_rates_gbps(spec, Time::from_us(100), Time::from_us(quick ? 1100 : 4100), 1);
  ValidationRow row;
  row.id = std::string{"vlarb.low-"} + wanted.low;
  if (*wanted.high != '\0') {
    row.id += std::string{".high-"} + wanted.high + ".limit-" + std::to_string(wanted.limit);
  }
  if (wanted.carry) row.id += ".carry";
  row.source =
      "independent packet model; a turn is ceil(weight / 65 blocks) packets, or exact "
      "with carry";
  if (wanted.ratio == 0) {
    row.expected = "VL 0 gets nothing";
    row.got = fixed_text(rates[0], 1) + " Gb/s on VL 0";
    row.pass = rates[0] < 0.1;
    return row;
  }
  const double ratio = rates[1] / rates[0];
  row.expected = "VL 1 : VL 0 = " + fixed_text(wanted.ratio, 3);
  row.got = fixed_text(ratio, 3);
  row.tolerance = "1 %";
  row.pass = std::abs(ratio / wanted.ratio - 1) <= 0.01;
  return row;
}

}  // namespace

std::vector<ValidationRow> arbitration_rows(const InfinibandOptions& options) {
  const Share shares[] = {
      {"0:65,1:195", "", 0, false, 3}, {"0:64,1:192", "", 0, false, 3},
      {"0:4,1:12", "", 0, false, 1},   {"0:4,1:4", "", 0, false, 1},
      {"0:66,1:198", "", 0, false, 2}, {"0:4,1:12", "", 0, true, 3},
      {"0:66,1:198", "", 0, true, 3},  {"0:64", "1:64", 0, false, 1},
      {"0:64", "1:64", 1, false, 1},   {"0:64", "1:64", 3, false, 3},
      {"0:64", "1:64", 10, false, 10}, {"0:64", "1:64", 255, false, 0},
  };
  std::vector<ValidationRow> rows;
  for (const Share& share : shares) rows.push_back(share_row(share, options.quick));
  return rows;
}

}  // namespace spineleaf
