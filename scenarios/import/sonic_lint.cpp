// Findings about a SONiC configuration: what will lose packets, stall or never act.

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "scenarios/headroom.hpp"
#include "scenarios/import/sonic.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {
namespace {

constexpr const char* kPfcWatchdog = "PFC_WD";

/// A field that names rows of another table.
struct Reference {
  std::string_view table;
  std::string_view field;
  std::string_view target;
};
constexpr std::array<Reference, 12> kReferences{{
    {"BUFFER_PROFILE", "pool", "BUFFER_POOL"},
    {"BUFFER_PG", "profile", "BUFFER_PROFILE"},
    {"BUFFER_QUEUE", "profile", "BUFFER_PROFILE"},
    {"BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list", "BUFFER_PROFILE"},
    {"BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list", "BUFFER_PROFILE"},
    {"QUEUE", "scheduler", "SCHEDULER"},
    {"QUEUE", "wred_profile", "WRED_PROFILE"},
    {"PORT_QOS_MAP", "dscp_to_tc_map", "DSCP_TO_TC_MAP"},
    {"PORT_QOS_MAP", "tc_to_queue_map", "TC_TO_QUEUE_MAP"},
    {"PORT_QOS_MAP", "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP"},
    {"PORT_QOS_MAP", "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"},
    {"PORT_QOS_MAP", "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"},
}};

std::string bytes(std::int64_t count) { return std::to_string(count) + " B"; }

class Lint {
 public:
  explicit Lint(const SonicFabric& fabric) : fabric_(fabric) {}

  std::vector<InputProblem> run() {
    for (const SonicDevice& device : fabric_.devices) {
      device_ = &device;
      check_references();
      check_pool();
      for (const auto& [name, port] : device.ports) {
        if (!port.up) continue;
        check_roce(port);
        check_headroom(port);
        check_cnp(port);
        check_watchdog(port);
        check_other_end(port);
      }
    }
    std::stable_sort(findings_.begin(), findings_.end(),
                     [](const InputProblem& a, const InputProblem& b) {
                       return std::pair(a.file, a.place.line) < std::pair(b.file, b.place.line);
                     });
    return std::move(findings_);
  }

 private:
  /// The same field of a shared row is found wrong once, whatever the number of its ports.
  void find(Place place, const std::string& path, std::string what, std::string fix) {
    const auto same = [&](const InputProblem& f) {
      return f.file == device_->file && f.place.line == place.line &&
             f.place.column == place.column && f.what == what;
    };
    if (std::any_of(findings_.begin(), findings_.end(), same)) return;
    append(findings_, {Severity::Warning,
                       device_->file,
                       place,
                       path,
                       std::move(what),
                       {},
                       std::move(fix),
                       false});
  }

  void find_at(const SonicRow& row, const std::string& table, const std::string& field,
               std::string what, std::string fix) {
    const SonicField* at = row.find(field);
    find(at != nullptr ? at->place : row.place, table + "|" + row.written + "." + field,
         std::move(what), std::move(fix));
  }

  void check_references() {
    for (const Reference& reference : kReferences) {
      const auto table = device_->tables.find(std::string(reference.table));
      if (table == device_->tables.end()) continue;
      for (const auto& [key, row] : table->second) {
        std::string names = row.text(std::string(reference.field));
        for (std::size_t begin = 0; begin < names.size();) {
          const std::size_t end = std::min(names.find(',', begin), names.size());
          check_reference(reference, row, names.substr(begin, end - begin));
          begin = end + 1;
        }
      }
    }
    for (const char* table : {"BUFFER_PG", "BUFFER_QUEUE", "QUEUE", "PORT_QOS_MAP", kPfcWatchdog}) {
      const auto rows = device_->tables.find(table);
      if (rows == device_->tables.end()) continue;
      for (const auto& [key, row] : rows->second) {
        const std::string port = key.substr(0, key.find('|'));
        if (port == "global" || port == "GLOBAL" || device_->row("PORT", port) != nullptr) continue;
        find(row.place, std::string(table) + "|" + row.written,
             "there is no port " + in_quotes(port), "Define it in PORT, or take this row out.");
      }
    }
  }

  void check_reference(const Reference& reference, const SonicRow& row, const std::string& name) {
    if (name == "NULL") return;
    const std::string target(reference.target);
    if (device_->row(target, name) != nullptr) return;
    std::vector<std::string_view> known;
    if (const auto rows = device_->tables.find(target); rows != device_->tables.end()) {
      for (const auto& [key, ignored] : rows->second) known.push_back(key);
    }
    const std::string hint = did_you_mean(name, known);
    find_at(row, std::string(reference.table), std::string(reference.field),
            target + " " + in_quotes(name) + " is referred to but not defined",
            hint.empty() ? "Define it in " + target + "." : hint);
  }

  /// Headroom of all lossless priority groups against what is set aside for it.
  void check_pool() {
    const std::int64_t demand = sonic_headroom_demand(*device_);
    const auto pools = device_->tables.find("BUFFER_POOL");
    if (pools == device_->tables.end() || demand == 0) return;
    double ratio = 1;
    if (const SonicRow* row = device_->row("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE")) {
      ratio = std::max(1.0, static_cast<double>(row->number("over_subscribe_ratio")));
    }
    for (const auto& [name, pool] : pools->second) {
      if (pool.text("type") == "egress") continue;
      const std::int64_t shared = pool.number("xoff");
      const std::int64_t room = shared > 0 ? shared : pool.number("size");
      const auto allowed = static_cast<double>(room) * (shared > 0 ? ratio : 1);
      if (room < 0 || !holds_lossless(name) || static_cast<double>(demand) <= allowed) continue;
      find_at(pool, "BUFFER_POOL", shared > 0 ? "xoff" : "size",
              "the pool is oversubscribed: lossless priority groups ask for " + bytes(demand) +
                  " of headroom, " + bytes(room) + " are there",
              "Raise it to at least " + bytes(demand) +
                  ", or take less headroom per port where the bound allows it.");
    }
  }

  bool holds_lossless(const std::string& pool) const {
    const auto profiles = device_->tables.find("BUFFER_PROFILE");
    if (profiles == device_->tables.end()) return false;
    return std::any_of(profiles->second.begin(), profiles->second.end(), [&](const auto& entry) {
      return entry.second.text("pool") == pool && entry.second.number("xoff") > 0;
    });
  }

  void check_roce(const SonicPort& port) {
    const SonicClass roce = device_->classify(port.name, fabric_.roce_dscp);
    const SonicRow* qos = device_->qos(port.name);
    const std::string dscp = std::to_string(fabric_.roce_dscp);
    if (qos == nullptr) {
      return find(port.place, "PORT|" + port.name, "the port has no PORT_QOS_MAP",
                  "Add one with dscp_to_tc_map, tc_to_pg_map, tc_to_queue_map and pfc_enable.");
    }
    const SonicRow* profile = device_->pg_profile(port.name, roce.pg);
    const bool has_headroom = profile != nullptr && profile->number("xoff") > 0;
    const bool paused = device_->pfc(port.name).count(roce.tc) > 0;
    const SonicRow* map = device_->row("DSCP_TO_TC_MAP", qos->text("dscp_to_tc_map"));
    if (map == nullptr || roce.tc < 0) return;  // an undefined reference, found elsewhere
    if (!has_headroom && !paused) {
      find_at(*map, "DSCP_TO_TC_MAP", dscp,
              "DSCP " + dscp + ", RoCE, is in TC " + std::to_string(roce.tc) +
                  ", which is lossy: no headroom and no PFC",
              "Map it to a TC whose priority group has an xoff and whose priority is in "
              "pfc_enable.");
    } else if (!paused) {
      find_at(*qos, "PORT_QOS_MAP", "pfc_enable",
              "the priority group of TC " + std::to_string(roce.tc) +
                  " has headroom, but PFC is not enabled for the priority: it will overflow",
              "Add " + std::to_string(roce.tc) + " to pfc_enable.");
    } else if (!has_headroom) {
      find(port.place, "BUFFER_PG|" + port.name + "|" + std::to_string(roce.pg),
           "PFC is enabled for TC " + std::to_string(roce.tc) +
               ", but its priority group has no lossless profile",
           "Give it a BUFFER_PROFILE with xon and xoff.");
    }
    if (has_headroom && paused) check_marking(port, roce, *profile);
  }

  void check_marking(const SonicPort& port, const SonicClass& roce, const SonicRow& profile) {
    const SonicRow* wred = device_->queue_wred(port.name, roce.queue);
    const std::string queue = port.name + "|" + std::to_string(roce.queue);
    if (wred == nullptr || wred->text("ecn") == "ecn_none" || wred->text("ecn").empty()) {
      return find(port.place, "QUEUE|" + queue + ".wred_profile",
                  "the lossless queue " + std::to_string(roce.queue) +
                      " never marks: PFC alone "
                      "holds senders back",
                  "Give it a wred_profile with ecn_all.");
    }
    const std::int64_t xoff = sonic_xoff_point(*device_, profile);
    if (xoff < 0) return;
    for (const char* field : {"green_min_threshold", "green_max_threshold"}) {
      const std::int64_t threshold = wred->number(field);
      if (threshold < xoff) continue;
      return find_at(*wred, "WRED_PROFILE", field,
                     "ECN at " + bytes(threshold) +
                         " is not below XOFF, which one congested "
                         "priority group reaches at " +
                         bytes(xoff) + ": PFC acts before ECN does",
                     "Lower it below " + bytes(xoff) + ", or raise dynamic_th or the pool.");
    }
  }

  /// Every lossless profile of the port against the bound of its cable and the platform's own row.
  void check_headroom(const SonicPort& port) {
    const auto groups = device_->tables.find("BUFFER_PG");
    if (groups == device_->tables.end()) return;
    for (auto at = groups->second.lower_bound(port.name + "|");
         at != groups->second.end() && at->first.starts_with(port.name + "|"); ++at) {
      const SonicRow* profile = device_->row("BUFFER_PROFILE", at->second.text("profile"));
      if (profile == nullptr || profile->number("xoff") < 0) continue;
      const auto [need, why] = needed_headroom(port);
      const std::int64_t have = profile->number("xoff");
      if (have >= need) continue;
      find_at(at->second, "BUFFER_PG", "profile",
              "the headroom is too small: profile " + in_quotes(at->second.text("profile")) +
                  " has an xoff of " + bytes(have) + ", " + why + " takes " + bytes(need),
              "Use a profile with an xoff of at least " + bytes(need) + ".");
    }
  }

  std::pair<std::int64_t, std::string> needed_headroom(const SonicPort& port) const {
    const Rate rate{port.speed_mbps * 1'000'000};
    const auto response = pause_response_bytes(rate);
    if (port.cable < 0 || !response) return {0, ""};
    std::string where = std::to_string(port.speed_mbps / 1000) + "G over ";
    where += std::to_string(static_cast<std::int64_t>(std::ceil(port.cable))) + " m";
    for (const SonicHeadroomRow& row : fabric_.lookup) {
      if (row.speed_mbps == port.speed_mbps && row.cable == port.cable) {
        return {row.xoff, "by pg_profile_lookup.ini " + where};
      }
    }
    HeadroomQuestion question;
    question.rate = rate;
    question.cable = port.cable;
    question.frame = std::clamp<std::int64_t>(port.mtu, 64, 65'536) + 20;
    question.pause_frame = 84;
    question.response = serialisation(Bytes{*response}, rate);
    question.asic = headroom_asics().front();
    return {headroom(question)->bound, where + " with IEEE's response time"};
  }

  void check_cnp(const SonicPort& port) {
    const SonicClass roce = device_->classify(port.name, fabric_.roce_dscp);
    const SonicClass cnp = device_->classify(port.name, fabric_.cnp_dscp);
    const SonicRow* qos = device_->qos(port.name);
    if (qos == nullptr || cnp.tc < 0) return;
    const SonicRow* map = device_->row("DSCP_TO_TC_MAP", qos->text("dscp_to_tc_map"));
    const SonicRow* scheduler = device_->queue_scheduler(port.name, cnp.queue);
    const bool shares = cnp.queue == roce.queue;
    const bool strict = scheduler != nullptr && scheduler->text("type") == "STRICT";
    if (map == nullptr || (!shares && strict)) return;
    const std::string dscp = std::to_string(fabric_.cnp_dscp);
    find_at(*map, "DSCP_TO_TC_MAP", dscp,
            "there is no class for CNPs: DSCP " + dscp + " is in queue " +
                std::to_string(cnp.queue) +
                (shares ? ", with the data" : ", which is not served strictly first"),
            "Map it to a TC of its own whose queue has a scheduler of type STRICT.");
  }

  void check_watchdog(const SonicPort& port) {
    const std::set<std::int64_t> priorities = device_->pfc(port.name);
    if (priorities.empty()) return;
    const SonicRow* row = device_->row(kPfcWatchdog, port.name);
    const SonicRow* qos = device_->qos(port.name);
    if (row == nullptr) {
      const bool nowhere = device_->tables.find(kPfcWatchdog) == device_->tables.end();
      return find(nowhere ? Place{1, 1} : port.place,
                  nowhere ? kPfcWatchdog : "PFC_WD|" + port.name,
                  nowhere ? "the watchdog is off on every port: a pause storm stops all behind it"
                          : "the watchdog is off on a port with PFC: a storm there stops all "
                            "behind it",
                  "Add a row with action, detection_time and restoration_time (pfcwd "
                  "start_default).");
    }
    // Releases without the field watch every priority that has PFC.
    const SonicField* watched = qos->find("pfcwd_sw_enable");
    if (watched == nullptr) return;
    const std::string list = "," + watched->text + ",";
    for (const std::int64_t priority : priorities) {
      if (list.find("," + std::to_string(priority) + ",") != std::string::npos) continue;
      find_at(*qos, "PORT_QOS_MAP", "pfcwd_sw_enable",
              "the watchdog is off for priority " + std::to_string(priority),
              "Add it to pfcwd_sw_enable.");
    }
  }

  void check_other_end(const SonicPort& port) {
    const auto peer = std::find_if(fabric_.devices.begin(), fabric_.devices.end(),
                                   [&](const SonicDevice& d) { return d.name == port.neighbor; });
    if (peer == fabric_.devices.end()) return;
    const auto end = peer->ports.find(port.neighbor_port);
    if (end == peer->ports.end()) {
      return find(port.place, "DEVICE_NEIGHBOR|" + port.name + ".port",
                  port.neighbor + " has no port " + in_quotes(port.neighbor_port),
                  "Name the port at the cable's other end.");
    }
    if (end->second.speed_mbps != port.speed_mbps) {
      find(port.place, "PORT|" + port.name + ".speed",
           "the ends differ: " + std::to_string(port.speed_mbps) + " here, " +
               std::to_string(end->second.speed_mbps) + " at " + port.neighbor,
           "Set one speed at both ends.");
    }
    const std::set<std::int64_t> theirs = peer->pfc(port.neighbor_port);
    const SonicRow* qos = device_->qos(port.name);
    const std::set<std::int64_t> ours = device_->pfc(port.name);
    for (const std::int64_t priority : theirs) {
      if (ours.count(priority) > 0 || qos == nullptr) continue;
      find_at(*qos, "PORT_QOS_MAP", "pfc_enable",
              "priority " + std::to_string(priority) + " has PFC at " + port.neighbor + " " +
                  port.neighbor_port + ", but not at this end of the cable, " + port.name,
              "Enable it at both ends, or at neither.");
    }
  }

  const SonicFabric& fabric_;
  const SonicDevice* device_ = nullptr;
  std::vector<InputProblem> findings_;
};

}  // namespace

std::vector<InputProblem> lint_sonic(const SonicFabric& fabric) { return Lint(fabric).run(); }

}  // namespace spineleaf
