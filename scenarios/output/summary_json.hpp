#pragma once
// summary.json: one run in one page of JSON, for programs. Schema "spineleaf.summary/1".
//
// Units stand in key names: _us microseconds, _bytes, _gbps 10^9 bits a second, _gbytes_per_s 10^9
// bytes a second (as nccl-tests prints). Instants that were never reached are null. Equal runs give
// equal text but for the object "timing", which tells what the run cost on this machine.
// Within schema 1 keys may be added; none changes its meaning or goes away.

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/result.hpp"

namespace spineleaf {

inline constexpr const char* kSummarySchema = "spineleaf.summary/1";

nlohmann::ordered_json summary_object(const Result& result);

/// Indented by two, with a newline at the end. Bytes that are no UTF-8 become U+FFFD.
std::string summary_json(const Result& result);

}  // namespace spineleaf
