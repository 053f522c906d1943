#pragma once
// From a folder of measurements and outputs of tools to what is wrong: checks, each with its
// evidence, then causes ranked by how well each would explain the measured curve.
//
// A cause is a row of data: what it does to a node of the end-point model, which published reports
// say so, what confirms it, what mends it. Its curve is predicted on the user's own node and set
// beside the measured one; what files prove or rule out weighs more than any curve.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "validation/measurements/collection.hpp"

namespace spineleaf {

enum class CheckState : std::uint8_t { Fine, Alarm, NotAnError, Unknown };

/// One check, S14 to S24 of the field's own check lists.
struct Check {
  std::string id;
  CheckState state = CheckState::Unknown;
  std::string text;
  Evidence at;
};

/// What files say for a cause, or against it.
struct Clue {
  std::string cause;  ///< id
  bool against = false;
  std::string text;
  Evidence at;
};

struct Examination {
  std::vector<Check> checks;
  std::vector<Clue> clues;
};
Examination examine(const Collection& collection);
/// S5: what messages cost at the NICs, from verbs of several sizes and depths; adds its checks.
void check_nic_cost(const Collection& collection, Examination& out);

struct CauseInfo {
  const char* id;
  const char* cause;    ///< in words
  const char* confirm;  ///< a command
  const char* fix;
  double low, high;  ///< rate of the NICs left, over the healthy one; 0, 0 = another signature
  double prior;      ///< how often reports name it, roughly; only orders what fits equally well
  const char* source;
};
const std::vector<CauseInfo>& cause_infos();
const CauseInfo* cause_named(std::string_view id);

struct ShownPoint {
  std::int64_t bytes = 0;
  double measured = 0;   ///< busbw, GB/s
  double healthy = 0;    ///< predicted
  double predicted = 0;  ///< with this cause
};

struct RankedCause {
  const CauseInfo* info = nullptr;
  std::string detail;  ///< "2 of 8 rails carry traffic"
  double weight = 0;   ///< share among all causes
  double misfit = -1;  ///< mean distance of the curves, as a factor minus one; -1 = no curve
  double gain = 0;     ///< healthy over measured bandwidth at the largest sizes; 0 = not told
  std::vector<ShownPoint> points;
  std::vector<Clue> clues;
};

struct SweepVerdict {
  std::string name;
  bool judged = false;  ///< a healthy curve could be predicted
  bool slow = false;    ///< below the healthy band
  double ratio = 1;     ///< measured over healthy at the largest sizes
  std::string text;     ///< one line
  std::vector<RankedCause>
      causes;  ///< most likely first; also what would make a healthy one faster
};

struct Diagnosis {
  std::string problem;  ///< what is wrong with the question; "" where all is well
  Examination examination;
  std::vector<SweepVerdict> sweeps;
  std::vector<RankedCause> causes;  ///< from files alone, where no sweep was slow
  bool alarm() const;
};

/// `expect` is "hgx-h100", "hgx-h100:8x400" or "hgx-h100:8x400:4n", for sweeps that don't tell; may
/// be empty.
Diagnosis diagnose(const Collection& collection, const std::string& expect);

/// `details` adds the curves of the first causes.
std::string diagnosis_text(const Diagnosis& diagnosis);

}  // namespace spineleaf
