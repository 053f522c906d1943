#include "bindings/cli/terminal.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>

#include "scenarios/input/estimate.hpp"

namespace spineleaf::cli {

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) == 1; }

std::string coloured(std::FILE* stream, Colour colour, const std::string& text) {
  const char* const refused = std::getenv("NO_COLOR");
  const char* const kind = std::getenv("TERM");
  const bool dumb = kind != nullptr && std::string_view{kind} == "dumb";
  if (!is_terminal(stream) || dumb || (refused != nullptr && *refused != '\0')) return text;
  const char* const code = colour == Colour::Red      ? "\033[31m"
                           : colour == Colour::Yellow ? "\033[33m"
                                                      : "\033[32m";
  return code + text + "\033[0m";
}

void ProgressLine::show(const std::string& what, const Progress& progress) {
  if (!shown_) return;
  std::array<char, 200> line{};
  const std::string left =
      progress.eta_seconds < 0 ? "" : ", " + duration_text(progress.eta_seconds) + " left";
  std::snprintf(line.data(), line.size(), "%.60s: %.3f ms simulated, %.0f %%%s", what.c_str(),
                progress.simulated.seconds() * 1e3, progress.share * 100, left.c_str());
  show(line.data());
}

void ProgressLine::show(const std::string& text) {
  if (!shown_) return;
  std::fputs(("\r" + text + "\033[K").c_str(), stderr);
  std::fflush(stderr);
  dirty_ = true;
}

void ProgressLine::clear() {
  if (!dirty_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  dirty_ = false;
}

}  // namespace spineleaf::cli
