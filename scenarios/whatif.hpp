#pragma once
// The same run with cures for deadlocks and storms, side by side.

#include <string>
#include <vector>

#include "scenarios/run.hpp"

namespace spineleaf {

struct WhatIfOptions {
  /// Of the watchdog. The defaults are SONiC's divided by a thousand: simulated runs are short.
  WatchdogParams watchdog{Time::from_us(200),   Time::from_us(1000),  Time::from_us(100),
                          WatchdogAction::Drop, WatchdogRule::Nvidia, false};
  double threshold_factor = 4;
  double rate_share = 0.25;  ///< of the slowest host link, for every connection
};

struct WhatIfVariant {
  std::string name;  ///< "watchdog"
  std::string what;  ///< "detection 200 us, restoration 1 ms, poll 100 us, drop"
  ValidSpec spec;
};

/// The scenario as it is, then with one change each; a change that does not apply is left out.
/// None ends at the first deadlock.
std::vector<WhatIfVariant> whatif_variants(const ValidSpec& spec, const WhatIfOptions& options);

struct WhatIfRow {
  std::string name;
  bool cycle = false;  ///< of the static check, over the workload's traffic
  bool deadlock = false;
  Time at{-1};
  bool recovered = false;  ///< the last deadlock was ended
  std::int64_t storms = 0;
  std::int64_t drops = 0;
  std::int64_t pauses = 0;
  double goodput_gbps = 0;
  Time fct_p99{-1};
  std::size_t flows = 0;
  std::size_t finished = 0;
  std::string stop;
};

WhatIfRow whatif_row(const WhatIfVariant& variant, const Result& result);

/// A table for a terminal, and as CSV.
std::string whatif_table(const std::vector<WhatIfVariant>& variants,
                         const std::vector<WhatIfRow>& rows);
std::string whatif_csv(const std::vector<WhatIfRow>& rows);

}  // namespace spineleaf
