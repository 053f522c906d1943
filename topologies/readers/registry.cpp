#include <array>

#include "topologies/readers/subnet_reader.hpp"

namespace spineleaf {

std::span<const SubnetFormat> subnet_formats() {
  static const std::array kFormats{
      ibnetdiscover_ports_format(), subnet_lst_format(), iblinkinfo_format(),
      topoconfig_format(),          ufm_ports_format(),  ibdm_topo_format(),
      ibnetdiscover_format(),
  };
  return kFormats;
}

const SubnetFormat* recognise_subnet(std::string_view text) {
  for (const SubnetFormat& format : subnet_formats()) {
    if (format.matches(text)) return &format;
  }
  return nullptr;
}

SubnetRead read_subnet(std::string_view text, const std::string& file,
                       const ImportOptions& options) {
  SubnetRead refused;
  if (text.size() > kMostSubnetBytes) {
    refused.problems.push_back(
        make_error(file, "is too large", std::to_string(text.size()) + " B", "at most 64 MiB"));
    return refused;
  }
  if (const SubnetFormat* format = recognise_subnet(text)) return format->read(text, file, options);
  std::string names;
  for (const SubnetFormat& format : subnet_formats()) {
    names += (names.empty() ? "" : ", ") + std::string{format.name};
  }
  refused.problems.push_back(make_error(
      file, "is in no format that is known here",
      text.empty() ? "an empty file" : in_quotes(text.substr(0, text.find('\n'))), names));
  return refused;
}

}  // namespace spineleaf
