#pragma once
// Readers of InfiniBand fabrics: what the field's tools print, turned into a Subnet.
//
// Input of any size and content is safe: mistakes become problems with file, line and column, and
// memory stays within a small multiple of the text.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/problem.hpp"
#include "topologies/subnet/subnet.hpp"

namespace spineleaf {

/// What such a file does not say. The defaults are assumed.
struct ImportOptions {
  double host_cable = 2;             ///< metres of a cable to a host
  double switch_cable = 20;          ///< metres of a cable between switches
  LinkForm form{4, LinkSpeed::Ndr};  ///< of cables whose width or speed is not stated
  /// Adapters named "node001 mlx5_0", "node001 mlx5_1" are ports of one host "node001". Off: every
  /// adapter is a host.
  bool group_adapters = true;
};

struct SubnetRead {
  Subnet subnet;  ///< empty when a problem is an error
  std::vector<Problem> problems;

  bool ok() const { return !has_errors(problems); }
};

struct SubnetFormat {
  std::string_view name;
  std::string_view text;
  /// Whether the file looks like this format; asked in the order of the list.
  bool (*matches)(std::string_view text) = nullptr;
  SubnetRead (*read)(std::string_view text, const std::string& file,
                     const ImportOptions& options) = nullptr;
};

std::span<const SubnetFormat> subnet_formats();

/// The format of a text, or nullptr.
const SubnetFormat* recognise_subnet(std::string_view text);

/// Larger texts are refused.
inline constexpr std::size_t kMostSubnetBytes = std::size_t{64} << 20;

/// Reads a text of any of the formats. `file` is only for messages.
SubnetRead read_subnet(std::string_view text, const std::string& file,
                       const ImportOptions& options = {});

// The formats, one source file each.
SubnetFormat ibnetdiscover_format();        ///< also the input of ibsim
SubnetFormat ibnetdiscover_ports_format();  ///< ibnetdiscover -p
SubnetFormat iblinkinfo_format();           ///< iblinkinfo -l
SubnetFormat topoconfig_format();           ///< topoconfig.conf
SubnetFormat ufm_ports_format();            ///< UFM's table of ports as CSV
SubnetFormat ibdm_topo_format();            ///< .topo of ibutils (ibdm)
SubnetFormat subnet_lst_format();           ///< opensm-subnet.lst, ibdiagnet.lst

}  // namespace spineleaf
