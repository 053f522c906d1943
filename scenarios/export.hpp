#pragma once
// A scenario's ECN and DCQCN settings in the words of the devices that they are for.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/params.hpp"

namespace spineleaf {

enum class ExportFormat { Sonic, Nvue, Junos, Arista, Mlxconfig };

/// "sonic", "nvue", "junos", "arista", "mlxconfig".
std::optional<ExportFormat> find_export_format(std::string_view name);

struct ExportOptions {
  std::string profile = "ROCE_ECN";  ///< name of the profile that is written
  std::int64_t traffic_class = 3;    ///< of RoCE: TC, queue
  std::int64_t cnp_dscp = 48;
  std::int64_t cnp_priority = 6;
  std::int64_t queue_bytes = 0;  ///< Junos counts in percent of this
};

struct Exported {
  std::string text;                   ///< what to feed the device
  std::vector<std::string> warnings;  ///< what it can't be told exactly
  std::string problem;                ///< why there is no text
};
Exported export_settings(const ModelParams& models, ExportFormat format,
                         const ExportOptions& options);

}  // namespace spineleaf
