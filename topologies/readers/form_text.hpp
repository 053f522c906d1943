#pragma once
// "4xHDR", "4x HDR" or "4X": width and speed as the tools print them.

#include "topologies/readers/text.hpp"
#include "topologies/subnet/link_form.hpp"

namespace spineleaf {

/// The form at the cursor, after blanks; parts that are not there or not known stay unknown.
inline LinkForm read_form(Cursor at) {
  LinkForm form;
  at.skip_blanks();
  const auto width = at.number(10, 12);
  if (!width || !(at.take('x') || at.take('X'))) return form;
  if (is_link_width(*width)) form.width = static_cast<std::uint8_t>(*width);
  at.skip_blanks();
  if (const auto speed = parse_speed(at.word())) form.speed = *speed;
  return form;
}

}  // namespace spineleaf
