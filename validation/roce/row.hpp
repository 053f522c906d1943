#pragma once
// One line of `spineleaf validate roce`: what must come out, what came out.

#include <cstdint>
#include <string>
#include <vector>

namespace spineleaf {

struct RoceRow {
  std::string id;  ///< "deadlock.DL0.22G"
  std::string expected;
  std::string got;
  std::string tolerance;
  bool pass = false;
  bool report_only = false;  ///< no verdict: the case depends on what the literature leaves open
  std::string source;
};

struct RoceOptions {
  int seeds = 10;      ///< of deadlock cases
  bool quick = false;  ///< shorter horizons and one seed where means are taken
};

std::vector<RoceRow> headroom_rows(const RoceOptions& options);
std::vector<RoceRow> fairness_rows(const RoceOptions& options);
std::vector<RoceRow> deadlock_rows(const RoceOptions& options);
std::vector<RoceRow> dcqcn_rows(const RoceOptions& options);
std::vector<RoceRow> control_rows(const RoceOptions& options);
std::vector<RoceRow> loss_rows(const RoceOptions& options);

/// All of them; `group` = "headroom", "fairness", "deadlock", "dcqcn",
/// "control", "loss", or "" for all.
std::vector<RoceRow> roce_rows(const std::string& group, const RoceOptions& options);

std::string roce_text(const std::vector<RoceRow>& rows);
/// An array of objects with id, expected, got, tolerance, pass (null if report only), source.
std::string roce_json(const std::vector<RoceRow>& rows);

}  // namespace spineleaf
