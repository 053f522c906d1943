#pragma once
// Ctrl-C: the first one asks for an end that keeps what there is, the second one ends at once.

#include <atomic>

namespace spineleaf::cli {

/// True once the process was asked to stop, by SIGINT or SIGTERM, after watch_interrupts().
const std::atomic<bool>& interrupted();

/// From here on the first signal only sets interrupted(); a second one has its usual effect.
void watch_interrupts();

}  // namespace spineleaf::cli
