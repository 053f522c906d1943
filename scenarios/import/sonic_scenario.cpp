// A SONiC fabric as a scenario: what the models know of it, and a list of what they don't.

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "scenarios/import/sonic.hpp"
#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::ordered_json;

std::string bytes_text(std::int64_t count) { return std::to_string(count) + "B"; }

/// One value for the whole fabric: the first that a device gives; others are noted.
class Agreed {
 public:
  Agreed(std::string name, std::vector<std::string>& notes)
      : name_(std::move(name)), notes_(notes) {}
  void see(const std::string& device, std::int64_t value) {
    if (value < 0) return;
    if (!known_) {
      value_ = value;
      known_ = true;
    } else if (value != value_ && !told_) {
      notes_.push_back(name_ + " differs: " + std::to_string(value) + " at " + device + ", " +
                       std::to_string(value_) + " is taken for all");
      told_ = true;
    }
  }
  bool known() const { return known_; }
  std::int64_t value() const { return value_; }

 private:
  std::string name_;
  std::vector<std::string>& notes_;
  std::int64_t value_ = 0;
  bool known_ = false;
  bool told_ = false;
};

class SonicWriter {
 public:
  SonicWriter(const SonicFabric& fabric, std::vector<std::string>& notes)
      : fabric_(fabric), notes_(notes) {}

  std::string write() {
    Json root;
    root["name"] = "fabric of " + std::to_string(fabric_.devices.size()) + " SONiC switches";
    root["preset"] = "roce-400g";
    root["topology"] = topology();
    see_classes();
    write_classes(root);
    root["workload"] = {{"kind", "permutation"}, {"bytes", "1MiB"}};
    notes_.emplace_back(
        "watchdogs, shared headroom pools, egress pools and lossy classes are not "
        "carried over; the workload is a permutation over all hosts");
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  const SonicDevice* device(const std::string& name) const {
    for (const SonicDevice& d : fabric_.devices) {
      if (d.name == name) return &d;
    }
    return nullptr;
  }

  Json topology() {
    Json nodes = Json::array();
    Json links = Json::array();
    std::map<std::string, bool> hosts;
    for (const SonicDevice& d : fabric_.devices) {
      nodes.push_back({{"name", d.name}, {"kind", "switch"}});
      for (const auto& [name, port] : d.ports) {
        if (port.neighbor.empty() || !port.up) continue;
        const SonicDevice* peer = device(port.neighbor);
        if (peer == nullptr) hosts[port.neighbor] = true;
        // A cable between two switches stands in both files: the first one writes it.
        if (peer != nullptr && peer < &d && is_other_end(*peer, d, port)) continue;
        links.push_back(link(d, port, peer));
      }
    }
    for (const auto& [name, ignored] : hosts) nodes.push_back({{"name", name}, {"kind", "host"}});
    return {{"kind", "custom"}, {"nodes", std::move(nodes)}, {"links", std::move(links)}};
  }

  static bool is_other_end(const SonicDevice& peer, const SonicDevice& d, const SonicPort& port) {
    const auto end = peer.ports.find(port.neighbor_port);
    return end != peer.ports.end() && end->second.neighbor == d.name &&
           end->second.neighbor_port == port.name && end->second.up;
  }

  Json link(const SonicDevice& d, const SonicPort& port, const SonicDevice* peer) {
    std::int64_t speed = port.speed_mbps;
    double cable = port.cable;
    if (peer != nullptr && peer->ports.count(port.neighbor_port) > 0) {
      const SonicPort& end = peer->ports.at(port.neighbor_port);
      speed = std::min(speed, end.speed_mbps);
      cable = std::max(cable, end.cable);
    }
    if (cable < 0) {
      cable = 5;
      notes_.push_back(d.name + " " + port.name + ": no cable length is stated, 5 m is assumed");
    }
    return {{"a", d.name},
            {"b", port.neighbor},
            {"rate", std::to_string(speed) + "Mbps"},
            {"length", number_text(cable) + "m"}};
  }

  void see_classes() {
    for (const SonicDevice& d : fabric_.devices) {
      for (const auto& [name, port] : d.ports) {
        if (port.neighbor.empty() || !port.up) continue;
        see_port(d, port);
      }
    }
  }

  void see_port(const SonicDevice& d, const SonicPort& port) {
    const std::string where = d.name + " " + port.name;
    const SonicClass roce = d.classify(port.name, fabric_.roce_dscp);
    const SonicClass cnp = d.classify(port.name, fabric_.cnp_dscp);
    lossless_ = lossless_ && d.lossless(port.name, roce);
    if (const SonicRow* profile = d.pg_profile(port.name, roce.pg)) {
      const SonicRow* pool = d.row("BUFFER_POOL", profile->text("pool"));
      if (pool != nullptr) pool_.see(where, pool->number("size"));
      if (profile->number("xoff") > 0) {
        // The models have one headroom for all ports: the largest, which no cable needs more than.
        headroom_ = std::max(headroom_, profile->number("xoff"));
      }
      static_.see(where, profile->number("static_th"));
      xon_offset_.see(where, std::max<std::int64_t>(0, profile->number("xon_offset")));
      const auto exponent = profile->integer("dynamic_th");
      // Alphas are told apart by their exponent, shifted so that it is not negative.
      if (exponent && *exponent >= -8 && *exponent <= 7) exponent_.see(where, *exponent + 8);
    }
    if (const SonicRow* wred = d.queue_wred(port.name, roce.queue)) {
      marks_ = true;
      kmin_.see(where, wred->number("green_min_threshold"));
      kmax_.see(where, wred->number("green_max_threshold"));
      pmax_.see(where, wred->number("green_drop_probability"));
    }
    const SonicRow* scheduler = d.queue_scheduler(port.name, cnp.queue);
    strict_ = strict_ && cnp.queue != roce.queue && scheduler != nullptr &&
              scheduler->text("type") == "STRICT";
  }

  void write_classes(Json& root) {
    root["fabric"]["flow_control"] = lossless_ ? "pfc" : "none";
    if (!lossless_) notes_.emplace_back("RoCE is not lossless on every port: taken as lossy");
    root["switch"]["scheduler"] = strict_ ? "1,strict" : "1,1";
    Json& pfc = root["pfc"];
    if (pool_.known()) pfc["buffer"] = bytes_text(pool_.value());
    if (static_.known()) {
      pfc["alpha"] = 0;
      pfc["xoff"] = bytes_text(static_.value());
    } else if (exponent_.known()) {
      pfc["alpha"] = std::ldexp(1.0, static_cast<int>(exponent_.value()) - 8);
    }
    if (headroom_ > 0) pfc["headroom"] = bytes_text(headroom_);
    if (xon_offset_.known()) pfc["xon_offset"] = bytes_text(xon_offset_.value());
    Json& ecn = root["ecn"];
    ecn["enabled"] = marks_;
    if (kmin_.known()) ecn["kmin"] = bytes_text(kmin_.value());
    if (kmax_.known()) ecn["kmax"] = bytes_text(kmax_.value());
    if (pmax_.known()) ecn["pmax"] = std::to_string(pmax_.value()) + "%";
  }

  const SonicFabric& fabric_;
  std::vector<std::string>& notes_;
  bool lossless_ = true;
  bool strict_ = true;
  bool marks_ = false;
  std::int64_t headroom_ = 0;
  Agreed pool_{"size of the ingress pool", notes_};
  Agreed static_{"static_th", notes_};
  Agreed exponent_{"dynamic_th (plus 8)", notes_};
  Agreed xon_offset_{"xon_offset", notes_};
  Agreed kmin_{"green_min_threshold", notes_};
  Agreed kmax_{"green_max_threshold", notes_};
  Agreed pmax_{"green_drop_probability", notes_};
};

}  // namespace

std::string sonic_scenario(const SonicFabric& fabric, std::vector<std::string>& notes) {
  return SonicWriter(fabric, notes).write();
}

}  // namespace spineleaf
