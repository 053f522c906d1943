#pragma once
// What the caller of the probe may ask for.

#include <string>
#include <vector>

namespace spineleaf::probe {

struct Options {
  std::string out;  ///< file for the JSON; "" = standard output
  bool keep_names = false;
  std::string root;       ///< before /sys and /proc; "" = this machine
  std::string libraries;  ///< folder of libcuda.so.1 and its like; "" = the loader's own search
  std::vector<std::string> sections;  ///< only these; empty = all
  double watchdog_s = 30;             ///< for each part of a section
  double budget_s = 300;              ///< for all of them together
};

}  // namespace spineleaf::probe
