// RDMA devices as sysfs shows them, with the network device that RoCE runs over.

#include <algorithm>

#include "validation/probe/sections.hpp"
#include "validation/probe/sysfs.hpp"

namespace spineleaf::probe {
namespace {

constexpr const char* kFolder = "/sys/class/infiniband/";
constexpr std::size_t kMostGids = 64;

Json gids_of(const Sysfs& sysfs, const std::string& port) {
  Json out = Json::array();
  for (const std::string& index : sysfs.list(port + "/gids")) {
    if (out.size() >= kMostGids) break;
    const auto gid = sysfs.text(port + "/gids/" + index);
    if (!gid || gid->find_first_not_of("0:") == std::string::npos) continue;
    Json one;
    one["index"] = std::atoi(index.c_str());
    one["gid"] = *gid;
    one["type"] = as_json(sysfs.text(port + "/gid_attrs/types/" + index));
    one["netdev"] = as_json(sysfs.text(port + "/gid_attrs/ndevs/" + index));
    out.push_back(std::move(one));
  }
  return out;
}

Json port_of(const Sysfs& sysfs, const std::string& folder, const std::string& number) {
  Json port;
  port["port"] = std::atoi(number.c_str());
  for (const char* fact : {"state", "phys_state", "rate", "link_layer", "lid", "sm_lid"}) {
    port[fact] = as_json(sysfs.text(folder + "/" + fact));
  }
  port["gids"] = gids_of(sysfs, folder);
  return port;
}

Json netdevs_of(const Sysfs& sysfs, const std::string& device) {
  Json out = Json::array();
  for (const std::string& name : sysfs.list(device + "/device/net")) {
    const std::string folder = device + "/device/net/" + name;
    Json one;
    one["name"] = name;
    one["mtu"] = as_json(sysfs.integer(folder + "/mtu"));
    one["speed_mbps"] = as_json(sysfs.integer(folder + "/speed"));
    one["state"] = as_json(sysfs.text(folder + "/operstate"));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::vector<std::string> rdma_devices(const Options& options) {
  return Sysfs(options.root).list(kFolder);
}

void read_nics(const Options& options, Json& out, Progress& progress) {
  const Sysfs sysfs(options.root);
  progress.step("reading /sys/class/infiniband");
  const auto names = rdma_devices(options);
  if (names.empty()) {
    throw Unavailable("no RDMA device under " + options.root + kFolder,
                      "load the NIC's RDMA driver (modprobe mlx5_ib); in a container pass "
                      "/dev/infiniband and /sys through");
  }
  out["nics"] = Json::array();
  for (const std::string& name : names) {
    const std::string folder = kFolder + name;
    Json nic;
    nic["name"] = name;
    const std::string place = sysfs.resolved(folder + "/device");
    nic["pci"] = place.empty() ? Json(nullptr) : Json(place.substr(place.rfind('/') + 1));
    for (const char* fact : {"hca_type", "fw_ver", "board_id", "node_guid"}) {
      nic[fact] = as_json(sysfs.text(folder + "/" + fact));
    }
    nic["numa"] = as_json(sysfs.integer(folder + "/device/numa_node"));
    nic["ports"] = Json::array();
    for (const std::string& number : sysfs.list(folder + "/ports")) {
      nic["ports"].push_back(port_of(sysfs, folder + "/ports/" + number, number));
    }
    nic["netdevs"] = netdevs_of(sysfs, folder);
    out["nics"].push_back(std::move(nic));
    progress.publish(out);
  }
  out["pfc"] = {{"available", false},
                {"reason", "the probe does not ask the NIC for its PFC settings"},
                {"how_to_get_it", "mlnx_qos -i INTERFACE for each of the netdevs above"}};
}

}  // namespace spineleaf::probe
