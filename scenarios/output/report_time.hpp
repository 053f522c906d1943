#pragma once
// Sections of the report about what happened when: queues and pauses over time, DCQCN's rates,
// steps of collectives. Made of Result::history; "" where a run kept none.

#include <string>

#include "scenarios/output/report_fabric.hpp"

namespace spineleaf {

std::string history_section(const LabelledRuns& runs);
std::string rates_section(const LabelledRuns& runs);
std::string steps_section(const LabelledRuns& runs);

/// Slow-down over flow size, "" where no run kept the flows' bounds.
std::string slowdown_chart(const LabelledRuns& runs);

}  // namespace spineleaf
