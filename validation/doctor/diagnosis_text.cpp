// The diagnosis for people: a line for each check, then the causes.

#include <algorithm>

#include "scenarios/output/text.hpp"
#include "validation/doctor/doctor.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kShownCauses = 3;
constexpr std::size_t kShownPoints = 6;

const char* mark_of(CheckState state) {
  switch (state) {
    case CheckState::Fine: return "  ";
    case CheckState::Alarm: return "! ";
    case CheckState::NotAnError: return ". ";
    case CheckState::Unknown: return "? ";
  }
  return "  ";
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string curve_text(const std::vector<ShownPoint>& points) {
  std::string text = "     size        measured  healthy   with this cause (busbw, GB/s)\n";
  const std::size_t step =
      std::max<std::size_t>(1, (points.size() + kShownPoints - 1) / kShownPoints);
  for (std::size_t i = (points.size() - 1) % step; i < points.size(); i += step) {
    text += "     " + padded(bytes_text(Bytes{points[i].bytes}), 12) +
            padded(short_text(points[i].measured), 10) + padded(short_text(points[i].healthy), 10) +
            short_text(points[i].predicted) + "\n";
  }
  return text;
}

std::string cause_text(const RankedCause& cause, std::size_t place) {
  std::string text = "  " + std::to_string(place) + ". " + cause.info->cause + " (" +
                     fixed_text(100 * cause.weight, 0) + " %)\n";
  if (!cause.detail.empty()) text += "     " + cause.detail + "\n";
  for (const Clue& clue : cause.clues) {
    text += std::string("     ") + (clue.against ? "against it: " : "seen: ") + clue.text + " (" +
            clue.at.text() + ")\n";
  }
  if (!cause.points.empty()) text += curve_text(cause.points);
  text += std::string("     confirm: ") + cause.info->confirm + "\n     mend: " + cause.info->fix;
  if (cause.gain > 1.05) text += "; predicted gain: x" + fixed_text(cause.gain, 2);
  return text + "\n     known from: " + cause.info->source + "\n";
}

std::string causes_text(const std::vector<RankedCause>& causes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), kShownCauses); ++i) {
    text += cause_text(causes[i], i + 1);
  }
  return text;
}

}  // namespace

std::string diagnosis_text(const Diagnosis& diagnosis) {
  std::string text;
  for (const Check& check : diagnosis.examination.checks) {
    text += mark_of(check.state) + padded(check.id, 4) + check.text;
    if (!check.at.file.empty()) text += " (" + check.at.text() + ")";
    text += "\n";
  }
  bool explained = false;
  for (const SweepVerdict& sweep : diagnosis.sweeps) {
    text += std::string(sweep.slow     ? "! "
                        : sweep.judged ? "  "
                                       : "? ") +
            padded("S17", 4) + sweep.name + ": " + sweep.text + "\n";
    if (sweep.causes.empty()) continue;
    text += sweep.slow ? "\nCauses, the most likely first; shares are weights, not chances:\n"
                       : "\nNot an error; what could be had:\n";
    text += causes_text(sweep.causes) + "\n";
    explained = explained || sweep.slow;
  }
  if (!explained && !diagnosis.causes.empty()) {
    text += "\nWhat the files point to:\n" + causes_text(diagnosis.causes);
  }
  text += diagnosis.alarm() ? "\nAlarm: see the lines that begin with \"!\".\n"
                            : "\nNothing is wrong by what was given.\n";
  return text;
}

}  // namespace spineleaf
