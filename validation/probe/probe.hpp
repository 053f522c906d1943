#pragma once
// The whole of the probe: every section, one after the other, into one JSON value.

#include <vector>

#include "validation/probe/options.hpp"
#include "validation/probe/section.hpp"

namespace spineleaf::probe {

/// Names of all sections, in the order of the file.
const std::vector<const char*>& section_names();

/// Never throws for what a machine lacks: every section is there and says why it is empty.
/// `interrupted` is not 0 once the caller wants an end: what is known by then comes back.
Json probe(const Options& options, const volatile int& interrupted);

}  // namespace spineleaf::probe
