#pragma once
// CSV tables of a run: RFC 4180 with a header row, units in the column names, LF line ends.
//
// A cell is quoted only when it holds a comma, a quote or a line break. Instants that were never
// reached are empty cells. Numbers have as few digits as read back exactly, with a point.

#include <string>

#include "scenarios/result.hpp"

namespace spineleaf {

/// One row per flow. fct_us runs to the receiver's last byte, acked_fct_us to the sender's last
/// ACK.
std::string flows_csv(const Result& result);

/// One row per job and iteration.
std::string collectives_csv(const Result& result);

/// One row per directed link.
std::string links_csv(const Result& result);

/// One row per port and class that saw traffic, marks, pauses or stalls; idle ones are left out.
std::string port_classes_csv(const Result& result);

/// Long form: one row per series and sample.
std::string series_csv(const Result& result);

/// Who waited for whom when the run was found without progress; only the header otherwise.
std::string waits_csv(const Result& result);

}  // namespace spineleaf
