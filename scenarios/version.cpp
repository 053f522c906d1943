#include "scenarios/version.hpp"

namespace spineleaf {

std::string program_version() { return SPINELEAF_VERSION; }

}  // namespace spineleaf
