#pragma once
// A file's text with its name, for messages.

#include <string>

namespace spineleaf {

struct NamedText {
  std::string file;
  std::string text;
};

}  // namespace spineleaf
