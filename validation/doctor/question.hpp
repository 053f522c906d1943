#pragma once
// What a sweep does not tell of itself, from what the user or the file's name says.

#include <string>

#include "scenarios/nccl_catalog.hpp"
#include "validation/readers/nccl_sweep.hpp"

namespace spineleaf {

/// "hgx-h100:8x400:4n" put into a sweep that does not tell. Returns what is wrong, or "".
std::string take_expectation(const std::string& text, const NcclCatalog& catalog,
                             MeasuredSweep& sweep);

/// nccl-tests' text does not tell its collective: the file's name does, else busbw over algbw.
void infer_collective(const std::string& file, MeasuredSweep& sweep);

}  // namespace spineleaf
