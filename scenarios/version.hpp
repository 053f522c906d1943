#pragma once
// The version of this program.

#include <string>

namespace spineleaf {

/// "0.1.0", as in the lock file and in results.
std::string program_version();

}  // namespace spineleaf
