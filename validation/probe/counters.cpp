// Counters of RDMA ports and of the network devices under them, as they stand.

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <set>

#include "validation/probe/sections.hpp"
#include "validation/probe/sysfs.hpp"

namespace spineleaf::probe {
namespace {

Json folder_of(const Sysfs& sysfs, const std::string& folder) {
  Json out = Json::object();
  for (const std::string& name : sysfs.list(folder)) {
    if (const auto value = sysfs.integer(folder + "/" + name)) out[name] = *value;
  }
  return out;
}

/// What `ethtool -S` shows, asked for in the same way; changes nothing and needs no root.
Json ethtool_of(const std::string& netdev) {
  constexpr unsigned kMost = 20'000;
  Json out = Json::object();
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return out;
  ifreq request{};
  std::strncpy(request.ifr_name, netdev.c_str(), IFNAMSIZ - 1);
  const auto ask = [&](void* command) {
    request.ifr_data = static_cast<char*>(command);
    return ::ioctl(socket, SIOCETHTOOL, &request) == 0;
  };
  std::vector<std::uint64_t> info_words(sizeof(ethtool_sset_info) / 8 + 2);
  auto* info = reinterpret_cast<ethtool_sset_info*>(info_words.data());
  info->cmd = ETHTOOL_GSSET_INFO;
  info->sset_mask = 1ULL << ETH_SS_STATS;
  const unsigned count = ask(info) && info->sset_mask != 0 ? info->data[0] : 0;
  if (count > 0 && count <= kMost) {
    std::vector<std::uint64_t> name_words(sizeof(ethtool_gstrings) / 8 + 1 +
                                          count * ETH_GSTRING_LEN / 8);
    std::vector<std::uint64_t> value_words(sizeof(ethtool_stats) / 8 + 1 + count);
    auto* names = reinterpret_cast<ethtool_gstrings*>(name_words.data());
    auto* values = reinterpret_cast<ethtool_stats*>(value_words.data());
    names->cmd = ETHTOOL_GSTRINGS;
    names->string_set = ETH_SS_STATS;
    names->len = count;
    values->cmd = ETHTOOL_GSTATS;
    values->n_stats = count;
    if (ask(names) && ask(values)) {
      for (unsigned i = 0; i < count; ++i) {
        const char* name = reinterpret_cast<const char*>(names->data) + i * ETH_GSTRING_LEN;
        out[std::string(name, ::strnlen(name, ETH_GSTRING_LEN))] = values->data[i];
      }
    }
  }
  ::close(socket);
  return out;
}

/// Netdevs of RDMA devices; every queue has counters of its own, which nobody needs here.
Json netdev_of(const Sysfs& sysfs, const std::string& name) {
  Json out;
  out["statistics"] = folder_of(sysfs, "/sys/class/net/" + name + "/statistics");
  if (!sysfs.is_this_machine()) return out;
  out["ethtool"] = Json::object();
  const Json counters = ethtool_of(name);
  for (const auto& [key, value] : counters.items()) {
    const bool of_a_queue = key.size() > 2 && (key.starts_with("rx") || key.starts_with("tx")) &&
                            key[2] >= '0' && key[2] <= '9';
    if (!of_a_queue && !key.starts_with("ch")) out["ethtool"][key] = value;
  }
  return out;
}

}  // namespace

void read_counters(const Options& options, Json& out, Progress& progress) {
  const Sysfs sysfs(options.root);
  const auto names = rdma_devices(options);
  if (names.empty()) {
    throw Unavailable("no RDMA device, so no counters of one",
                      "load the NIC's RDMA driver (modprobe mlx5_ib)");
  }
  progress.step("reading counters");
  for (const std::string& name : names) {
    const std::string folder = "/sys/class/infiniband/" + name;
    for (const std::string& port : sysfs.list(folder + "/ports")) {
      Json one;
      one["counters"] = folder_of(sysfs, folder + "/ports/" + port + "/counters");
      one["hw_counters"] = folder_of(sysfs, folder + "/ports/" + port + "/hw_counters");
      out[name + "/" + port] = std::move(one);
    }
    for (const std::string& netdev : sysfs.list(folder + "/device/net")) {
      out[netdev] = netdev_of(sysfs, netdev);
    }
  }
}

}  // namespace spineleaf::probe
