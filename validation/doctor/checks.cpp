// Checks S14 to S24: what the outputs of tools say about a node, each with file and line.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

#include "scenarios/output/text.hpp"
#include "validation/doctor/doctor.hpp"
#include "validation/doctor/pci_graph.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

Evidence at(const FoundFacts& found, const Fact& fact) { return {found.at.file, fact.line}; }

class Examiner {
 public:
  explicit Examiner(const Collection& collection) : in_(collection) {}

  Examination run() {
    check_links();
    check_settings();
    check_log();
    check_topo();
    check_gdr();
    check_acs();
    check_mtu();
    check_ports();
    check_perftest();
    check_counters();
    check_average();
    return std::move(out_);
  }

 private:
  void say(const char* id, CheckState state, std::string text, Evidence where = {}) {
    out_.checks.push_back({id, state, std::move(text), std::move(where)});
  }
  void clue(const char* cause, std::string text, Evidence where, bool against = false) {
    out_.clues.push_back({cause, against, std::move(text), std::move(where)});
  }

  /// S14: width and speed of PCIe links of GPUs and NICs.
  void check_links() {
    bool any = false;
    bool bad = false;
    Evidence shown;
    for (const FoundFacts& found : in_.facts) {
      for (const Fact& fact : found.facts.all()) {
        const bool lspci = fact.name == "LnkSta.width" || fact.name == "LnkSta.speed";
        const bool smi = fact.name == "width.current" || fact.name == "pcie.current";
        if (!lspci && !smi) continue;
        if (lspci && !is_endpoint(found.facts, fact.subject)) continue;
        const std::string most = fact.name == "width.current"  ? "width.max"
                                 : fact.name == "pcie.current" ? "pcie.max"
                                                               : "LnkCap" + fact.name.substr(6);
        const Fact* cap = found.facts.find(fact.subject, most);
        if (cap == nullptr) continue;
        any = true;
        shown = at(found, fact);
        const double now = std::atof(fact.value.c_str());
        const double full = std::atof(cap->value.c_str());
        // An idle GPU slows its link down to save power: generation counts under load only.
        if (now >= full || now <= 0 || fact.name == "pcie.current") continue;
        bad = true;
        const std::string text = fact.subject + " runs at " +
                                 fact.name.substr(fact.name.find('.') + 1) + " " + fact.value +
                                 " of " + cap->value;
        say("S14", CheckState::Alarm, "PCIe: " + text, at(found, fact));
        clue("pcie", text, at(found, fact));
      }
    }
    if (any && !bad) {
      say("S14", CheckState::Fine, "PCIe: all GPUs and NICs at full width and speed", shown);
      clue("pcie", "full width and speed", shown, true);
    }
    if (!any) say("S14", CheckState::Unknown, "PCIe links: add the output of sudo lspci -vvv");
  }

  /// S15: settings that hide a fault or make one.
  void check_settings() {
    for (const FoundLog& found : in_.logs) {
      for (const auto& [name, value] : found.log.settings) {
        if (name == "NCCL_NET_GDR_LEVEL" && (value == "5" || value == "SYS")) {
          say("S15", CheckState::Alarm,
              name + "=" + value +
                  " allows GPU Direct RDMA at any distance and hides bad placement",
              found.at);
        } else if (name == "NCCL_CROSS_NIC" && value == "1") {
          say("S15", CheckState::Alarm,
              name + "=1 lets rings leave their rail: more traffic through the spine", found.at);
        } else if (name == "NCCL_IB_SPLIT_DATA_ON_QPS" && value == "1") {
          clue("split", name + "=1", found.at);
        } else if (name == "NCCL_NET_GDR_LEVEL" && (value == "0" || value == "LOC")) {
          clue("gdr", name + "=" + value, found.at);
        }
      }
    }
  }

  /// S16: network, GPU Direct RDMA, rails.
  void check_log() {
    if (in_.logs.empty()) {
      say("S16", CheckState::Unknown, "NCCL: add a log with NCCL_DEBUG=INFO");
      return;
    }
    for (const FoundLog& found : in_.logs) {
      check_sockets(found);
      for (const auto& [severity, text] : verdicts(found.log)) {
        const bool rails = has(text, " rails GDRDMA");
        const bool unused = has(text, "no channel uses");
        if (!rails && !unused) continue;
        const bool bad = severity == Severity::Warning;
        const Evidence where{found.at.file, rails && bad ? found.staged_line : found.network_line};
        say("S16", bad ? CheckState::Alarm : CheckState::Fine, text, where);
        if (rails) clue("gdr", text, where, !bad);
        if (unused) clue("rails", text, where);
      }
    }
  }

  void check_sockets(const FoundLog& found) {
    const bool rdma = std::any_of(
        found.log.hosts.begin(), found.log.hosts.end(),
        [](const NcclHost& host) { return !host.network.empty() && host.network != "Socket"; });
    const bool socket = std::any_of(found.log.hosts.begin(), found.log.hosts.end(),
                                    [](const NcclHost& host) { return host.network == "Socket"; });
    if (found.socket_ranks.empty() && !socket) {
      if (rdma) clue("tcp", "NCCL uses an RDMA network", {found.at.file, found.network_line}, true);
      return;
    }
    std::string ranks;
    std::size_t shown = 0;
    for (const std::int64_t rank : found.socket_ranks) {
      if (++shown > 16) break;
      ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
    }
    const std::int64_t all =
        std::max<std::int64_t>(found.log.ranks, static_cast<std::int64_t>(found.ranks.size()));
    const std::string text = ranks.empty() ? "NCCL uses network Socket (TCP)"
                                           : "NET/Socket (TCP) on " +
                                                 std::to_string(found.socket_ranks.size()) +
                                                 " of " + std::to_string(all) + " ranks: " + ranks +
                                                 (found.socket_ranks.size() > 16 ? ", ..." : "");
    const Evidence where{found.at.file,
                         found.socket_line > 0 ? found.socket_line : found.network_line};
    say("S16", CheckState::Alarm, text, where);
    clue("tcp", text, where);
  }

  /// S21: every GPU wants a NIC under its own PCIe switch.
  void check_topo() {
    if (in_.topos.empty()) {
      say("S21", CheckState::Unknown, "placement: add the output of nvidia-smi topo -m");
      return;
    }
    for (const FoundTopo& found : in_.topos) {
      const GpuTopo& topo = found.topo;
      std::string far;
      std::size_t gpus = 0;
      for (std::size_t gpu = 0; gpu < topo.devices.size(); ++gpu) {
        if (!topo.is_gpu(gpu)) continue;
        ++gpus;
        int best = 99;
        for (std::size_t nic = 0; nic < topo.devices.size(); ++nic) {
          if (topo.is_gpu(nic)) continue;
          const int distance = path_distance(topo.paths[gpu][nic]);
          if (distance >= 0) best = std::min(best, distance);
        }
        if (best > 2) far += (far.empty() ? "" : ", ") + topo.devices[gpu];
      }
      if (far.empty()) {
        say("S21", CheckState::Fine,
            "all " + std::to_string(gpus) + " GPUs have a NIC at PIX or PXB", found.at);
      } else {
        say("S21", CheckState::Alarm, "no NIC at PIX or PXB: " + far, found.at);
        clue("gdr", "no near NIC for " + far, found.at);
      }
    }
  }

  /// S4, S16: a peer module or dma-buf; either will do.
  void check_gdr() {
    for (const FoundFacts& found : in_.facts) {
      if (found.format == "lsmod") {
        for (const char* module : {"nvidia_peermem", "nv_peer_mem"}) {
          if (const Fact* fact = found.facts.find(module, "loaded")) {
            say("S16", CheckState::Fine, std::string(module) + " is loaded", at(found, *fact));
            return;
          }
        }
        if (const Fact* driver = found.facts.find("nvidia", "loaded")) {
          say("S16", CheckState::NotAnError,
              "no peer module is loaded: fine only where dma-buf works (the probe tells)",
              at(found, *driver));
        }
      } else if (const Fact* fact = found.facts.find("", "gdr"); fact != nullptr) {
        const bool missing = fact->value == "missing";
        if (fact->value != "possible" && !missing) continue;
        say("S16", missing ? CheckState::Alarm : CheckState::Fine,
            missing ? "GPU Direct RDMA: neither peer module nor dma-buf"
                    : "GPU Direct RDMA is possible (peer module or dma-buf)",
            at(found, *fact));
        if (missing) clue("gdr", "neither peer module nor dma-buf", at(found, *fact));
      }
    }
  }

  /// S22: only bridges between a GPU and its NICs count.
  void check_acs() {
    bool told = false;
    for (const FoundFacts& found : in_.facts) {
      const PciGraph graph(found.facts);
      std::string redirecting;
      Evidence where;
      std::size_t on_path = 0;
      for (const Fact& fact : found.facts.all()) {
        if (fact.name != "ACSCtl" || !graph.is_between_gpu_and_nic(fact.subject)) continue;
        ++on_path;
        if (where.file.empty()) where = at(found, fact);
        const bool redirects = has(fact.value, "ReqRedir+") || has(fact.value, "CmpltRedir+") ||
                               has(fact.value, "UpstreamFwd+");
        if (!redirects) continue;
        if (redirecting.empty()) where = at(found, fact);
        redirecting += (redirecting.empty() ? "" : ", ") + fact.subject;
      }
      if (on_path == 0) continue;
      told = true;
      if (redirecting.empty()) {
        say("S22", CheckState::Fine, "ACS redirects nothing between a GPU and its NIC", where);
        clue("acs", "ACS redirects nothing", where, true);
      } else {
        say("S22", CheckState::Alarm, "ACS redirects between GPU and NIC at " + redirecting, where);
        clue("acs", "ACS redirects at " + redirecting, where);
      }
    }
    if (!told) {
      say("S22", CheckState::Unknown,
          "ACS of bridges between GPU and NIC: add the output of sudo lspci -vvv");
    }
  }

  /// S23: active_mtu of verbs is never 9000; 1024 costs headers.
  void check_mtu() {
    for (const FoundFacts& found : in_.facts) {
      for (const Fact& fact : found.facts.all()) {
        if (fact.name != "active_mtu") continue;
        const double mtu = std::atof(fact.value.c_str());
        if (mtu >= 4096) {
          say("S23", CheckState::Fine, fact.subject + ": active_mtu " + fact.value,
              at(found, fact));
        } else if (mtu > 0) {
          const Fact* layer = found.facts.find(fact.subject, "link_layer");
          const bool ethernet = layer == nullptr || has(layer->value, "Ethernet");
          say("S23", CheckState::Alarm,
              fact.subject + ": active_mtu " + fact.value + " carries " +
                  fixed_text(roce_payload_gbps(400, mtu), 1) + " of 400 Gb/s, 4096 would carry " +
                  fixed_text(roce_payload_gbps(400, 4096), 2) +
                  (ethernet ? " (the network device's MTU must be 4200 or more, such as 9000)"
                            : ""),
              at(found, fact));
        }
      }
      for (const Fact& fact : found.facts.all()) {
        if (fact.name != "mtu" || std::atof(fact.value.c_str()) < 4200) continue;
        say("S23", CheckState::Fine,
            fact.subject + ": MTU " + fact.value +
                " of the network device has room for active_mtu "
                "4096",
            at(found, fact));
      }
    }
  }

  /// RoCEv2: 82 bytes beside the payload (preamble, gap, headers, CRCs).
  static double roce_payload_gbps(double line, double mtu) { return line * mtu / (mtu + 82); }

  /// S19: ports that are down, or slower than their neighbours.
  void check_ports() {
    for (const FoundFacts& found : in_.facts) {
      double best = 0;
      for (const Fact& fact : found.facts.all()) {
        if (fact.name == "Rate" || fact.name == "rate") {
          best = std::max(best, std::atof(fact.value.c_str()));
        }
      }
      for (const Fact& fact : found.facts.all()) {
        const bool state = fact.name == "State" || fact.name == "state";
        if (state && (has(fact.value, "Down") || has(fact.value, "DOWN"))) {
          say("S19", CheckState::Alarm, fact.subject + " is " + fact.value, at(found, fact));
          clue("rails", fact.subject + " is down", at(found, fact));
        }
        const bool rate = fact.name == "Rate" || fact.name == "rate";
        const double value = std::atof(fact.value.c_str());
        const Fact* link = found.facts.find(fact.subject, fact.name == "Rate" ? "State" : "state");
        const bool down = link != nullptr && (has(link->value, "Down") || has(link->value, "DOWN"));
        if (rate && !down && value > 0 && value < best * 0.6 && value >= 40) {
          say("S19", CheckState::Alarm,
              fact.subject + " runs at " + fact.value + ", others at " + short_text(best),
              at(found, fact));
          clue("pcie", fact.subject + " runs at " + fact.value, at(found, fact));
        }
      }
    }
  }

  /// S18: line rate between two NICs, by the limits of a cloud's acceptance tests.
  void check_perftest() {
    struct Limit {
      double line, host, gpu;
      const char* source;
    };
    // Azure/azurehpc-health-checks, conf/nd96isr_h100_v5.conf, nd96asr_v4.conf and kin.
    static constexpr Limit kLimits[] = {
        {400, 390, 380, "NDR"}, {200, 190, 180, "HDR"}, {100, 95, 90, "EDR"}};
    for (const FoundPerftest& found : in_.perftests) {
      // With few messages in flight the NIC's latency binds, not its rate.
      if (found.run.tx_depth > 0 && found.run.tx_depth < 16) continue;
      double alone = 0;
      for (const PerftestRow& row : found.run.rows) alone = std::max(alone, row.average_gbps);
      if (alone <= 0) continue;
      const Limit* limit = nullptr;
      for (const Limit& one : kLimits) {
        if (alone > one.line * 0.55 && limit == nullptr) limit = &one;
      }
      const std::string name = found.run.device.empty() ? "perftest" : found.run.device;
      if (limit == nullptr || alone > limit->line) {
        say("S18", CheckState::NotAnError,
            name + ": " + fixed_text(alone, 1) + " Gb/s fits no line rate that is known here",
            found.at);
        continue;
      }
      const double least = found.run.gpu_memory ? limit->gpu : limit->host;
      const bool good = alone >= least;
      say("S18", good ? CheckState::Fine : CheckState::Alarm,
          name + ": " + fixed_text(alone, 1) + " Gb/s, " + limit->source + " must reach " +
              short_text(least) + (found.run.gpu_memory ? " from GPU memory" : ""),
          found.at);
      if (!good) clue("pcie", name + " reaches " + fixed_text(alone, 1) + " Gb/s", found.at);
    }
  }

  /// S24: what moved between two readings; names as the NIC has them.
  void check_counters() {
    bool any = false;
    for (const FoundFacts& found : in_.facts) {
      for (const Fact& fact : found.facts.all()) {
        if (fact.name.starts_with("moved.")) {
          any = true;
          judge_counter(found.at.file, fact, fact.name.substr(6), fact.value);
        }
      }
    }
    for (const FoundFacts& after : in_.facts) {
      const std::size_t place = after.at.file.rfind("after");
      if (place == std::string::npos) continue;
      std::string name = after.at.file;
      name.replace(place, 5, "before");
      const auto before = std::find_if(in_.facts.begin(), in_.facts.end(),
                                       [&](const FoundFacts& one) { return one.at.file == name; });
      if (before == in_.facts.end()) continue;
      any = true;
      compare_counters(*before, after);
    }
    if (!any) {
      say("S24", CheckState::Unknown,
          "counters: add two readings, files ...before... and ...after... (spineleaf probe "
          "script)");
    }
  }

  void compare_counters(const FoundFacts& before, const FoundFacts& after) {
    std::map<std::pair<std::string, std::string>, std::int64_t> then;
    for (const Fact& fact : before.facts.all()) {
      if (const auto value = to_integer(fact.value)) then[{fact.subject, fact.name}] = *value;
    }
    for (const Fact& fact : after.facts.all()) {
      const auto value = to_integer(fact.value);
      const auto it = then.find({fact.subject, fact.name});
      if (!value || it == then.end() || *value == it->second) continue;
      const bool wrapped = *value < it->second;
      judge_counter(after.at.file, fact, fact.name,
                    wrapped ? "wrapped" : std::to_string(*value - it->second));
    }
  }

  void judge_counter(const std::string& file, const Fact& fact, const std::string& name,
                     const std::string& moved) {
    struct Meaning {
      const char* part;
      const char* cause;
    };
    static constexpr Meaning kMeanings[] = {
        {"out_of_sequence", "lossy"},   {"packet_seq_err", "lossy"}, {"roce_adp_retrans", "lossy"},
        {"local_ack_timeout", "lossy"}, {"discard", "lossy"},        {"symbol_error", "fec"},
        {"phy_raw_errors", ""},         {"crc_err", "fec"},          {"link_downed", "fec"},
        {"global_pause", "pause"},      {"_pause", "pause"},         {"xmit_wait", ""}};
    const auto* const it = std::find_if(std::begin(kMeanings), std::end(kMeanings),
                                        [&](const Meaning& one) { return has(name, one.part); });
    if (it == std::end(kMeanings) || std::string_view(it->cause).empty()) return;
    const Evidence where{file, fact.line};
    const std::string of = fact.subject.empty() ? "" : fact.subject + ": ";
    if (moved == "wrapped" || has(moved, "fell")) {
      say("S24", CheckState::NotAnError, of + name + " fell: wrapped or reset, not counted", where);
      return;
    }
    const double by = std::atof(moved.c_str());
    const bool pause = std::string_view(it->cause) == "pause";
    if (pause && by < 1000) return;  // Some pauses are how a lossless fabric works.
    say("S24", CheckState::Alarm, of + name + " moved by " + moved, where);
    clue(it->cause, of + name + " moved by " + moved, where);
  }

  /// The average over all sizes says nothing about the fabric.
  void check_average() {
    if (in_.average_line == 0) return;
    say("S17", CheckState::NotAnError,
        "\"Avg bus bandwidth\" is over all sizes and says nothing: the curve is judged",
        {in_.average_file, in_.average_line});
  }

  const Collection& in_;
  Examination out_;
};

}  // namespace

Examination examine(const Collection& collection) {
  Examination out = Examiner(collection).run();
  check_nic_cost(collection, out);
  return out;
}

}  // namespace spineleaf
