// Parameters against each other: what each alone can't show.

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "models/host/wire.hpp"
#include "models/parts/vl_arbiter.hpp"
#include "scenarios/input/checker.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {

namespace {

/// Classes that a PFC frame can pause, from 0: its enable vector has a bit for each of the eight
/// priorities (IEEE 802.1Q-2018, 36.1.3.2).
constexpr std::int64_t kPfcClasses = 8;

/// The value of "pfc.alpha" as a user would write it.
std::string value_of(const ModelParams& models, std::string_view path) {
  const std::size_t dot = path.find('.');
  for (const ParamTable& table : model_param_tables()) {
    if (table.name != path.substr(0, dot)) continue;
    const ParamDecl* decl = find_param(table, path.substr(dot + 1));
    if (decl != nullptr) return format_value(*decl, decl->get(section_object(models, table.name)));
  }
  return {};
}

/// Calls `visit` with each part of a comma-separated list: one more than there are commas.
template <class Visit>
void each_word(std::string_view list, Visit visit) {
  while (true) {
    const std::size_t comma = list.find(',');
    visit(list.substr(0, comma));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

bool number_in(std::string_view word, int min, int max, int& number) {
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  return error == std::errc{} && rest == end && number >= min && number <= max;
}

class ModelChecks {
 public:
  ModelChecks(const Spec& spec, Checker& checker) : models_(spec.models), checker_(checker) {
    const WireSizes wire = wire_sizes(models_);
    largest_packet_ = models_.fabric.mtu.count + wire.header + wire.reth + wire.immediate;
  }

  void run() {
    check_classes();
    check_lossless();
    check_scheduler();
    check_vl_tables();
    check_ecn();
    check_room();
    check_combinations();
  }

 private:
  bool pfc() const { return models_.fabric.flow_control == FlowControlKind::Pfc; }

  void check_classes() {
    const std::int64_t classes = models_.fabric.classes;
    const auto check = [&](std::string path, std::int64_t value) {
      if (value < classes) return;
      checker_.error(path, "class " + std::to_string(value) + " does not exist",
                     "0 to " + std::to_string(classes - 1),
                     "fabric.classes is " + std::to_string(classes) + ".");
    };
    check("fabric.data_class", models_.fabric.data_class);
    check("fabric.ack_class", models_.fabric.ack_class);
    const bool notified = is_dcqcn(models_.transport.congestion_control);
    if (notified && !models_.transport.ack_carries_cnp) {
      check("fabric.cnp_class", models_.fabric.cnp_class);
    }
  }

  void check_lossless() {
    const std::string& text = models_.pfc.lossless_classes;
    const std::int64_t classes = std::min(models_.fabric.classes, kPfcClasses);
    bool data_is_lossless = text == "all";
    if (data_is_lossless && pfc() && models_.fabric.classes > kPfcClasses) {
      checker_.error("pfc.lossless_classes",
                     "\"all\" takes in class " + std::to_string(kPfcClasses) +
                         ", which a PFC frame has no room for",
                     "classes from 0 to " + std::to_string(kPfcClasses - 1) +
                         ", or fabric.classes of at most " + std::to_string(kPfcClasses));
    }
    if (text != "all" && !text.empty()) {
      each_word(text, [&](std::string_view word) {
        int number = 0;
        if (!number_in(word, 0, 15, number)) {
          checker_.error("pfc.lossless_classes", in_quotes(word) + " is no class",
                         "\"all\" or a list such as \"0,2\"");
        } else if (number >= classes && pfc()) {
          const bool exists = number < models_.fabric.classes;
          checker_.error("pfc.lossless_classes",
                         "class " + std::to_string(number) +
                             (exists ? " has no room in a PFC frame" : " does not exist"),
                         "0 to " + std::to_string(classes - 1));
        }
        data_is_lossless = data_is_lossless || number == models_.fabric.data_class;
      });
    }
    if (pfc() && !data_is_lossless) {
      checker_.warn("pfc.lossless_classes",
                    "the class of the data, " + std::to_string(models_.fabric.data_class) +
                        ", is not lossless: PFC never pauses it",
                    {}, "Its packets are dropped at switch.queue_limit.");
    }
  }

  void check_scheduler() {
    if (models_.sw.scheduler == "dwrr") return;
    std::int64_t words = 0;
    each_word(models_.sw.scheduler, [&](std::string_view word) {
      int weight = 0;
      ++words;
      if (word == "strict" || number_in(word, 1, 255, weight)) return;
      checker_.error("switch.scheduler", in_quotes(word) + " is no entry of a schedule",
                     "\"dwrr\", or per class \"strict\" or a weight from 1 to 255, such as "
                     "\"1,strict\"");
    });
    if (words > models_.fabric.classes) {
      checker_.error("switch.scheduler",
                     in_quotes(models_.sw.scheduler) + " has " + std::to_string(words) + " entries",
                     "at most one per class, of which fabric.classes gives " +
                         std::to_string(models_.fabric.classes));
    }
  }

  void check_vl_tables() {
    const CreditParams& credit = models_.credit;
    VlTables tables;
    const auto read = [&](const std::string& text, const char* path, std::size_t table) {
      VlTableRead found = read_vl_table(text);
      if (!found.reason.empty()) {
        checker_.error(path, found.reason, "a list such as \"0:4,1:12\"");
      }
      for (const VlWeight& entry : found.entries) {
        if (!found.reason.empty() || entry.vl < models_.fabric.classes) continue;
        checker_.warn(path, "VL " + std::to_string(entry.vl) + " does not exist", {},
                      "fabric.classes is " + std::to_string(models_.fabric.classes) + ".");
        break;
      }
      tables.entries[table] = std::move(found.entries);
    };
    read(credit.vlarb_low, "credit.vlarb_low", 0);
    read(credit.vlarb_high, "credit.vlarb_high", 1);
    if (tables.empty()) return;
    for (std::int64_t vl = 0; vl < models_.fabric.classes; ++vl) {
      if ((tables.served() >> vl & 1U) != 0) continue;
      checker_.error("credit.vlarb_low",
                     "VL " + std::to_string(vl) + " has no weight in either table",
                     "a weight for every VL of fabric.classes", "Its packets would never leave.");
      return;
    }
  }

  /// The ingress usage at which one busy port and class is paused.
  std::int64_t xoff_threshold() const {
    const PfcParams& p = models_.pfc;
    if (p.ns3_rate_shift > 0) return p.buffer.count >> p.ns3_rate_shift;
    if (p.alpha <= 0) return p.xoff.count;
    return static_cast<std::int64_t>(static_cast<double>(p.buffer.count) * p.alpha / (1 + p.alpha));
  }

  void check_ecn() {
    const EcnParams& ecn = models_.ecn;
    if (!ecn.enabled) return;
    if (ecn.kmin > ecn.kmax) {
      checker_.error(
          "ecn.kmin",
          value_of(models_, "ecn.kmin") + " is above ecn.kmax " + value_of(models_, "ecn.kmax"),
          "kmin <= kmax", "Did you mean them the other way round?");
      return;
    }
    if (!pfc()) return;
    const std::int64_t xoff = xoff_threshold();
    const std::string limit = "the XOFF threshold of " + to_text(Bytes{xoff}) +
                              " that one port reaches" +
                              (models_.pfc.alpha > 0 && models_.pfc.ns3_rate_shift == 0
                                   ? " at alpha " + value_of(models_, "pfc.alpha")
                                   : "");
    if (ecn.kmin.count >= xoff) {
      checker_.warn("ecn.kmin", value_of(models_, "ecn.kmin") + " is not below " + limit, {},
                    "PFC pauses a single sender before any packet is marked.");
    } else if (ecn.kmax.count > xoff) {
      checker_.warn("ecn.kmax", value_of(models_, "ecn.kmax") + " is above " + limit, {},
                    "PFC pauses a single sender before marking is at its strongest.");
    }
  }

  void check_room() {
    const auto check = [&](std::string path, std::int64_t room) {
      if (room >= largest_packet_) return;
      checker_.error(path,
                     value_of(models_, path) + " does not hold one packet of " +
                         std::to_string(largest_packet_) + " B (fabric.mtu " +
                         value_of(models_, "fabric.mtu") + ")",
                     "at least " + std::to_string(largest_packet_) + "B");
    };
    if (models_.fabric.flow_control == FlowControlKind::Credit) {
      // Credits count blocks of 64 bytes; a packet takes whole ones.
      check("credit.buffer", models_.credit.buffer.count / 64 * 64);
    }
    if (pfc()) check("pfc.buffer", models_.pfc.buffer.count);
    check("nic.receive_buffer", models_.nic.receive_buffer.count);
    const bool lossy = models_.fabric.flow_control == FlowControlKind::None ||
                       (pfc() && models_.pfc.lossless_classes != "all");
    if (lossy && models_.sw.queue_limit.count > 0) {
      check("switch.queue_limit", models_.sw.queue_limit.count);
    }
    const std::int64_t window = models_.transport.window.count;
    if (window > 0 && window < models_.fabric.mtu.count) {
      checker_.error("transport.window",
                     value_of(models_, "transport.window") + " is less than one packet of " +
                         value_of(models_, "fabric.mtu"),
                     "0B for no limit, or at least fabric.mtu");
    }
  }

  void check_combinations() {
    if (models_.fabric.bit_error_rate > 0 && models_.sharp.generation != SharpGeneration::None) {
      checker_.warn("fabric.bit_error_rate",
                    "what bit errors take from a SHARP tree is not sent again", {},
                    "An operation that loses a packet never ends.");
    }
    const auto control = models_.transport.congestion_control;
    const bool dctcp = control == CongestionControlKind::Dctcp;
    if ((is_dcqcn(control) || dctcp) && !models_.ecn.enabled) {
      checker_.warn(
          "transport.congestion_control",
          std::string(dctcp ? "DCTCP" : "DCQCN") + " waits for marks, but ecn.enabled is false", {},
          "It will never lower a rate.");
    }
    const auto rule = models_.sw.forwarding;
    const bool one_path = rule == ForwardingRule::Ecmp || rule == ForwardingRule::Static;
    if (control == CongestionControlKind::Hpcc && !one_path) {
      checker_.warn("transport.congestion_control",
                    "HPCC compares what the same switches tell, but switch.forwarding is " +
                        value_of(models_, "switch.forwarding"),
                    "\"ecmp\" or \"static\"",
                    "Counters of different switches will be taken for those of one.");
    }
    if (models_.transport.recovery == LossRecovery::GoBack0 && !one_path) {
      checker_.warn("transport.recovery",
                    "go_back_0 never asks for a message again where packets may overtake", {},
                    "Losses are found by transport.timeout alone.");
    }
    const bool infiniband = models_.fabric.wire == WireFormat::InfiniBand;
    if (infiniband && pfc()) {
      checker_.warn("fabric.flow_control", "InfiniBand has no PFC", "\"credit\"",
                    "The preset \"ib-ndr\" sets both.");
    }
    if (!infiniband && models_.fabric.flow_control == FlowControlKind::Credit) {
      checker_.warn("fabric.flow_control", "Ethernet has no credits", "\"pfc\" or \"none\"",
                    "The preset \"roce-400g\" sets both.");
    }
  }

  const ModelParams& models_;
  Checker& checker_;
  std::int64_t largest_packet_ = 0;
};

void check_name(const Spec& spec, std::size_t number, Checker& checker) {
  const WorkloadSpec& workload = spec.workloads[number];
  const std::string path = checker.workload_path(number);
  for (std::size_t i = 0; i < number && !workload.name.empty(); ++i) {
    if (spec.workloads[i].name != workload.name) continue;
    checker.error(path + ".name",
                  in_quotes(workload.name) + " is already the name of workload " +
                      std::to_string(i) + ", counted from 0",
                  "a new name");
    break;
  }
}

}  // namespace

void check_models(const Spec& spec, Checker& checker) { ModelChecks(spec, checker).run(); }

void check_run(const Spec& spec, Checker& checker) {
  // Comparing each name with all before it is quadratic; more jobs than this are no scenario.
  constexpr std::size_t kMostWorkloads = 1000;
  if (spec.workloads.size() > kMostWorkloads) {
    checker.error("workload", std::to_string(spec.workloads.size()) + " workloads are too many",
                  "at most " + std::to_string(kMostWorkloads));
    return;
  }
  for (std::size_t i = 0; i < spec.workloads.size(); ++i) check_name(spec, i, checker);
  const RunParams& run = spec.run;
  if (run.deadline > Time{} && run.warmup >= run.deadline) {
    checker.error("run.warmup",
                  "the run ends at " + to_text(run.deadline) + ", before the warm-up of " +
                      to_text(run.warmup) + " does",
                  "less than run.deadline");
  }
  const bool found_stuck = spec.expect == Expect::Stuck ||
                           (spec.expect == Expect::Deadlock && run.deadlock_every == Time{0});
  if (found_stuck && run.deadline > Time{} && run.deadline <= run.no_progress) {
    checker.warn("run.deadline",
                 to_text(run.deadline) + " ends the run before run.no_progress, " +
                     to_text(run.no_progress) + ", can find it stuck",
                 "more than run.no_progress");
  }
  const FabricParams& fabric = spec.models.fabric;
  const bool loses = fabric.flow_control == FlowControlKind::None || fabric.bit_error_rate > 0 ||
                     !spec.faults.empty();
  const bool ends_before = run.deadline > Time{} && run.deadline <= run.no_progress;
  if (loses && !ends_before && run.no_progress <= spec.models.transport.timeout) {
    checker.warn("run.no_progress",
                 to_text(run.no_progress) + " is not above transport.timeout " +
                     to_text(spec.models.transport.timeout),
                 {}, "A run that waits for a retransmission will be taken for stuck.");
  }
}

}  // namespace spineleaf
