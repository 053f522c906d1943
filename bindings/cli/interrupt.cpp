#include "bindings/cli/interrupt.hpp"

#include <csignal>

namespace spineleaf::cli {

namespace {

std::atomic<bool> asked_to_stop{false};

void on_interrupt(int signal) {
  asked_to_stop.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interrupted() { return asked_to_stop; }

void watch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

}  // namespace spineleaf::cli
