#pragma once
// A section of the probe's file, or a part of one that stands for a GPU or a NIC. Each runs in a
// process of its own: a driver that hangs or crashes costs its part and nothing else.

#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace spineleaf::probe {

using Json = nlohmann::ordered_json;

/// Why something can't be told, and what the reader could do to have it told.
class Unavailable : public std::runtime_error {
 public:
  Unavailable(const std::string& reason, std::string how_to_get_it)
      : std::runtime_error(reason), how_(std::move(how_to_get_it)) {}
  const std::string& how_to_get_it() const { return how_; }

 private:
  std::string how_;
};

/// Between a part and the process that watches it.
class Progress {
 public:
  static constexpr int kStepBytes = 128;

  Progress(int pipe, char* step) : pipe_(pipe), step_(step) {}

  /// Names the call that comes next: it is told where it never returns. Costs a copy of the name.
  void step(const char* name);
  /// Hands over what is known so far: that much is kept whatever happens next.
  void publish(const Json& so_far);

 private:
  int pipe_;
  char* step_;  ///< kStepBytes, shared with the watching process
};

/// Fills `out`; throws Unavailable where it can't go on. What `out` holds by then is kept.
using Part = std::function<void(Json& out, Progress& progress)>;

/// Runs `part` in a child for at most `seconds`. The answer begins with available, reason and
/// how_to_get_it; `complete` is false where something was measured before the trouble began.
/// `interrupted` is looked at all the while.
Json run_part(const Part& part, double seconds, const volatile int& interrupted);

/// A section that never ran.
Json unavailable(const std::string& reason, const std::string& how_to_get_it);

}  // namespace spineleaf::probe
