// Claims about what tools of a site print, tried on shipped examples of their output and on
// measured sweeps whose cause is known.

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <stdexcept>

#include "scenarios/data_dir.hpp"
#include "scenarios/input/csv_table.hpp"
#include "scenarios/output/text.hpp"
#include "validation/claims/evaluators.hpp"
#include "validation/doctor/doctor.hpp"
#include "validation/nccl/command_line.hpp"
#include "validation/oracles/goodput_forms.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

std::string example(const std::string& name) {
  FileText file = read_file(data_file("validation/data/examples/" + name));
  if (has_errors(file.problems)) throw std::runtime_error(to_string(file.problems.front()));
  return std::move(file.text);
}

std::int64_t lines_with(const std::string& text, std::string_view word) {
  std::int64_t lines = 0;
  for_each_line(text, [&](std::string_view line, int) {
    lines += line.find(word) != std::string_view::npos ? 1 : 0;
  });
  return lines;
}

/// The checks of an id on a folder or file of examples.
std::vector<Check> checks_of(const std::string& name, std::string_view id) {
  const Examination all = examine(read_collection(data_file("validation/data/examples/" + name)));
  std::vector<Check> checks;
  std::copy_if(all.checks.begin(), all.checks.end(), std::back_inserter(checks),
               [&](const Check& check) { return check.id == id; });
  return checks;
}

std::string texts_of(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& check : checks) text += (text.empty() ? "" : "; ") + check.text;
  return text.empty() ? "nothing" : text;
}

bool any_alarm(const std::vector<Check>& checks) {
  return std::any_of(checks.begin(), checks.end(),
                     [](const Check& check) { return check.state == CheckState::Alarm; });
}

/// Verdicts on measured sets whose owners found the cause.
const std::map<std::string, SweepVerdict>& verdicts_of_slow_sets() {
  static const std::map<std::string, SweepVerdict> verdicts = [] {
    Collection collection;
    for (const StudySet& one : claims_study().sets) {
      for (const char* id : {"h100-2n-ib-290", "h200-2n-4nic-vm", "gh200-2n-slingshot-noCXI"}) {
        if (one.set.sweep.id == id) collection.sweeps.push_back({one.set.sweep, {id, 0}});
      }
    }
    std::map<std::string, SweepVerdict> out;
    for (SweepVerdict& one : diagnose(collection, "").sweeps) out[one.name] = std::move(one);
    return out;
  }();
  return verdicts;
}

std::string ranked_text(const SweepVerdict& verdict) {
  std::string text = verdict.text + "; causes:";
  for (std::size_t i = 0; i < std::min<std::size_t>(3, verdict.causes.size()); ++i) {
    text += (i == 0 ? " " : ", ") + std::string(verdict.causes[i].info->id) + " " +
            fixed_text(verdict.causes[i].weight * 100, 0) + " %";
  }
  return text;
}

ClaimTrials tests_reveal() {
  ClaimTrials trials;
  for (const auto& [id, cause] :
       {std::pair{"h100-2n-ib-290", "rails"}, std::pair{"gh200-2n-slingshot-noCXI", "tcp"}}) {
    const SweepVerdict& verdict = verdicts_of_slow_sets().at(id);
    trials.push_back(
        {std::string("measured set ") + id + " is seen to be slow, with " + cause +
             " among its three likeliest causes",
         ranked_text(verdict),
         verdict.slow && std::any_of(verdict.causes.begin(),
                                     verdict.causes.begin() +
                                         std::min<std::ptrdiff_t>(3, std::ssize(verdict.causes)),
                                     [&, wanted = std::string_view(cause)](const RankedCause& one) {
                                       return one.info->id == wanted;
                                     })});
  }
  return trials;
}

ClaimTrials low_means_host() {
  const std::vector<Check> checks = checks_of("sick-node", "S19");
  const SweepVerdict& verdict = verdicts_of_slow_sets().at("gh200-2n-slingshot-noCXI");
  return {{"ibstat of a node with a port down tells", texts_of(checks), any_alarm(checks)},
          {"measured over TCP: host staging or TCP is the likeliest cause", ranked_text(verdict),
           !verdict.causes.empty() && std::string_view(verdict.causes.front().info->id) == "tcp"}};
}

ClaimTrials mostly_acs() {
  ClaimTrials trials;
  for (const char* id : {"h200-2n-4nic-vm", "h100-2n-ib-290", "gh200-2n-slingshot-noCXI"}) {
    const SweepVerdict& verdict = verdicts_of_slow_sets().at(id);
    trials.push_back(
        {std::string("measured set ") + id + ": ACS is the likeliest cause", ranked_text(verdict),
         !verdict.causes.empty() && std::string_view(verdict.causes.front().info->id) == "acs"});
  }
  return trials;
}

ClaimTrials names_of_tests() {
  ClaimTrials trials;
  for (const char* name : {"all_reduce_perf", "all_to_all_perf"}) {
    const std::array<std::string, 7> words = {name, "-b", "8M", "-e", "8G", "-f", "2"};
    const NcclTestsCommand command = parse_nccl_tests_command(words);
    trials.push_back({std::string(name) + " is a program of nccl-tests",
                      command.problem.empty() ? "runs " + command.collective : command.problem,
                      command.problem.empty()});
  }
  return trials;
}

ClaimTrials log_shows_rails() {
  const std::vector<Check> checks = checks_of("nccl-debug.log", "S16");
  return {
      {"a log with one rail of four off GDRDMA tells which", texts_of(checks), any_alarm(checks)}};
}

ClaimTrials placement() {
  const std::vector<Check> checks = checks_of("nvidia-smi-topo.txt", "S21");
  return {{"the matrix of a node tells how far each GPU's nearest NIC is", texts_of(checks),
           !checks.empty() && checks.front().state != CheckState::Unknown}};
}

ClaimTrials acs_pattern() {
  const std::string lspci = example("sick-node/lspci-vvv.txt");
  return {{"the pattern ACSctl: finds what lspci prints",
           std::to_string(lines_with(lspci, "ACSctl:")) + " lines; ACSCtl: is in " +
               std::to_string(lines_with(lspci, "ACSCtl:")) + ", and on the way from GPU to NIC " +
               texts_of(checks_of("sick-node", "S22")),
           lines_with(lspci, "ACSctl:") > 0}};
}

ClaimTrials active_mtu() {
  const std::string devices = example("sick-node/ibv-devinfo.txt");
  const double narrow = middle_goodput(WireFormat::RoceV2, Bytes{1024}, Rate::from_gbps(400));
  const double wide = middle_goodput(WireFormat::RoceV2, Bytes{4096}, Rate::from_gbps(400));
  return {
      {"RoCE devices show an active_mtu of 4096",
       std::to_string(lines_with(devices, "4096 (5)")) + " lines of the example; 4096 carries " +
           fixed_text(wide, 1) + " of 400 Gb/s, 1024 " + fixed_text(narrow, 1),
       lines_with(devices, "4096 (5)") > 0 && wide > narrow},
      {"RoCE devices show an active_mtu of 9000",
       std::to_string(lines_with(devices, "9000")) + " lines of the example",
       lines_with(devices, "9000") > 0}};
}

ClaimTrials where_counters_are() {
  const std::string ethtool = example("sick-node/ethtool-ens1-after.txt");
  const std::string sysfs = example("sick-node/hw-counters-after.txt");
  ClaimTrials trials;
  for (const char* name : {"pause", "roce_adp_retrans", "cnp_sent"}) {
    trials.push_back({std::string(name) + " is in the output of ethtool -S",
                      std::to_string(lines_with(ethtool, name)) + " lines there, " +
                          std::to_string(lines_with(sysfs, name)) + " in hw_counters of sysfs",
                      lines_with(ethtool, name) > 0});
  }
  return trials;
}

/// What the model, fitted on pilots of one and two nodes, says of nodes that it never saw.
ClaimTrials pilot_predicts() {
  const Study& study = claims_study();
  const ErrorBands bands = study.bands_of(Predictor::Model, study.to_predict());
  ClaimTrials trials;
  for (const std::size_t band : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    trials.push_back({std::string("measured sets that were not fitted, ") +
                          std::string(kBandNames[band]) + ": half of them within a tenth",
                      "median " + fixed_text(bands[band].median_abs, 1) +
                          " %, nine of ten within " + fixed_text(bands[band].p90_abs, 1) + " %, " +
                          std::to_string(bands[band].n) + " points",
                      bands[band].median_abs <= 10});
  }
  return trials;
}

constexpr ClaimEvaluator kSiteClaims[] = {
    {"S13", names_of_tests, ""},
    {"S14", tests_reveal, "doctor validation/data/nccl/sweeps/h100-2n-ib-290.csv"},
    {"S16", log_shows_rails, "inspect validation/data/examples/nccl-debug.log"},
    {"S19", low_means_host, "doctor validation/data/examples/sick-node"},
    {"S20", mostly_acs, "doctor validation/data/nccl/sweeps/h200-2n-4nic-vm.csv"},
    {"S21", placement, "inspect validation/data/examples/nvidia-smi-topo.txt"},
    {"S22", acs_pattern, "doctor validation/data/examples/sick-node"},
    {"S23", active_mtu, "doctor validation/data/examples/sick-node"},
    {"S24", where_counters_are, "doctor validation/data/examples/sick-node"},
    {"S68", pilot_predicts, "validate nccl"},
};

}  // namespace

std::span<const ClaimEvaluator> site_claims() { return kSiteClaims; }

}  // namespace spineleaf
