#pragma once
// The JSON of nccl-tests (-J FILE, writer version 3).

#include <string>
#include <string_view>

#include "validation/readers/nccl_tests.hpp"

namespace spineleaf {

NcclTestsResult read_nccl_tests_json(std::string_view text, const std::string& file);

}  // namespace spineleaf
