#pragma once
// The terminal: colour and a progress line where there is one, nothing of the kind elsewhere.

#include <cstdio>
#include <string>

#include "scenarios/run.hpp"

namespace spineleaf::cli {

enum class Colour { Red, Yellow, Green };

bool is_terminal(std::FILE* stream);

/// `text` in colour where `stream` is a terminal and NO_COLOR (https://no-color.org) is not set.
std::string coloured(std::FILE* stream, Colour colour, const std::string& text);

/// A line on stderr that is written over itself: simulated time, share, ETA.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet) : shown_(!quiet && is_terminal(stderr)) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool shown() const { return shown_; }
  void show(const std::string& what, const Progress& progress);
  void show(const std::string& text);
  void clear();

 private:
  bool shown_;
  bool dirty_ = false;
};

}  // namespace spineleaf::cli
