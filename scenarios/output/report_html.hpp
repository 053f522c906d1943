#pragma once
// report.html: one file for people. No network: the charting library is inside. Readable on a phone
// and a wide screen, light and dark, and on paper.

#include <string>
#include <vector>

#include "scenarios/output/curve.hpp"
#include "scenarios/result.hpp"

namespace spineleaf {

/// Runs stand side by side. Curves may be left empty: then those of the runs' own collectives are
/// shown. `topology_svg` must come from this program: it is the only text put in as it is.
struct ReportInput {
  std::string title;
  std::vector<std::string> notes;   ///< paragraphs below the verdicts: what is compared with what
  std::vector<const Result*> runs;  ///< none of them null
  CurveSet curves;
  std::string topology_svg;
};

/// Equal inputs give equal text: neither clock nor cost of the runs are in it.
std::string report_html(const ReportInput& input);

}  // namespace spineleaf
