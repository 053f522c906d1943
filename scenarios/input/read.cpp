#include "scenarios/input/read.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

#include "scenarios/input/json_source.hpp"
#include "scenarios/input/presets.hpp"
#include "scenarios/input/table_reader.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/input/values.hpp"
#include "topologies/builders/params.hpp"

namespace spineleaf {

namespace {

using Kind = JsonNode::Kind;

constexpr std::array<std::string_view, 3> kTopologyKeys{"kind", "nodes", "links"};
constexpr std::array<std::string_view, 3> kWorkloadKeys{"kind", "name", "flows"};
constexpr std::array<std::string_view, 1> kFlowKeys{"path"};

/// Reads the sections of one scenario into a Spec. Each reads on after a problem.
class SpecReader {
 public:
  SpecReader(const JsonSource& source, Spec& spec, std::vector<InputProblem>& problems)
      : root_(*source.root()), spec_(spec), reader_(source.file(), problems) {}

  void read(const ReadOptions& options) {
    spec_.models = default_model_params();
    TableReader::set_defaults(run_table(), &spec_.run);
    TableReader::set_defaults(subnet_table(), &spec_.subnet);
    if (!reader_.expect(root_, Kind::Object, "", "a scenario: { \"topology\": ..., ... }")) return;
    for (const JsonNode& member : root_.children) check_key(member);
    read_text("name", spec_.name);
    read_text("description", spec_.description);
    read_fidelity();
    read_presets();
    for (const ParamTable& table : model_param_tables()) {
      const JsonNode* node = root_.find(table.name);
      if (node == nullptr) continue;
      reader_.read(*node, table, section_object(spec_.models, table.name), std::string{table.name});
    }
    read_topology();
    read_subnet();
    read_workloads(options.workload_required && options.workloads.empty());
    spec_.workloads.insert(spec_.workloads.end(), options.workloads.begin(),
                           options.workloads.end());
    read_faults();
    if (const JsonNode* node = root_.find("run")) {
      reader_.read(*node, run_table(), &spec_.run, "run");
    }
    if (const JsonNode* node = root_.find("expect")) {
      reader_.read_value(*node, expect_decl(), static_cast<ScenarioData*>(&spec_), "expect");
    }
  }

 private:
  void check_key(const JsonNode& member) {
    const auto keys = scenario_keys();
    if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) {
      reader_.unknown_key(member, "", "a scenario", keys);
    }
  }

  void read_text(std::string_view key, std::string& out) {
    const JsonNode* node = root_.find(key);
    if (node == nullptr) return;
    constexpr std::size_t kLongest = 10'000;
    const bool typed = node->kind == Kind::Number && node->place.line == 0;
    if (!typed && !reader_.expect(*node, Kind::String, std::string{key}, "text in quotes")) return;
    out = node->text.substr(0, kLongest);
  }

  void read_fidelity() {
    static constexpr std::array<std::string_view, 1> kChoices{"packet"};
    ParamDecl decl;
    decl.unit = Unit::Choice;
    decl.choices = kChoices;
    ParamValue value;
    const JsonNode* node = root_.find("fidelity");
    if (node == nullptr) return;
    if (const auto error = read_value(decl, *node, value)) {
      reader_.add(node->place, "fidelity", error->what, error->expected,
                  "Every packet is simulated; there is no coarser mode.");
    }
  }

  void read_presets() {
    const JsonNode* node = root_.find("preset");
    if (node == nullptr) return;
    if (node->kind == Kind::String) return read_preset(*node, "preset");
    if (!reader_.expect(*node, Kind::Array, "preset", "a name or a list of names")) return;
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      read_preset(node->children[i], "preset[" + std::to_string(i) + "]");
    }
  }

  void read_preset(const JsonNode& node, const std::string& path) {
    if (!reader_.expect(node, Kind::String, path, "the name of a preset")) return;
    std::vector<std::string_view> names;
    for (const Preset& preset : model_presets()) {
      names.push_back(preset.name);
      if (preset.name != node.text) continue;
      // Only the first thousand count: a list that names one again and again stays cheap.
      if (spec_.presets.size() < 1000) spec_.presets.emplace_back(preset.name);
      for (const ParamTable& table : model_param_tables()) {
        apply_preset(preset, table.name, table, section_object(spec_.models, table.name));
      }
      return;
    }
    unknown_name(node, path, "preset", names);
  }

  void unknown_name(const JsonNode& node, const std::string& path, std::string_view what,
                    const std::vector<std::string_view>& names) {
    reader_.add(node.place, path, "there is no " + std::string{what} + " " + shown(node),
                one_of(names), did_you_mean(node.text, names));
  }

  /// The entry of a registry that `object` names by its "kind"; null and a problem if none.
  template <class KindEntry>
  const KindEntry* read_kind(const JsonNode& object, const std::string& path,
                             std::span<const KindEntry> kinds, std::string_view what) {
    std::vector<std::string_view> names;
    for (const KindEntry& kind : kinds) names.push_back(kind.name);
    const JsonNode* node = object.find("kind");
    if (node == nullptr) {
      reader_.missing(object, path, "kind", one_of(names));
      return nullptr;
    }
    const std::string at = path + ".kind";
    if (!reader_.expect(*node, Kind::String, at, "the name of a " + std::string{what})) {
      return nullptr;
    }
    for (const KindEntry& kind : kinds) {
      if (kind.name == node->text) return &kind;
    }
    unknown_name(*node, at, what, names);
    return nullptr;
  }

  void read_topology() {
    const JsonNode* node = root_.find("topology");
    if (node == nullptr) {
      return reader_.missing(root_, "", "topology",
                             "for example { \"kind\": \"fat_tree\", "
                             "\"hosts\": 128 }");
    }
    if (!reader_.expect(*node, Kind::Object, "topology", "an object with a \"kind\"")) return;
    const TopologyKind* kind = read_kind(*node, "topology", topology_kinds(), "topology kind");
    if (kind == nullptr) return;
    const bool custom = kind->name == "custom";
    const std::shared_ptr<void> params = kind->make_params();
    for (const std::string& name : spec_.presets) {
      apply_preset(*find_preset(name), "topology", kind->params, params.get());
    }
    reader_.read(*node, kind->params, params.get(), "topology",
                 std::span{kTopologyKeys}.first(custom ? 3 : 1));
    if (custom) read_custom(*node, *static_cast<CustomSpec*>(params.get()));
    if (kind->name == "dump")
      find_file(*node, "file", static_cast<DumpParams*>(params.get())->file);
    spec_.topology = {std::string{kind->name}, params};
  }

  /// A file that a key names lies beside the scenario; one named on the command line does not.
  void find_file(const JsonNode& section, std::string_view key, std::string& name) {
    const JsonNode* node = section.find(key);
    if (node == nullptr || name.empty()) return;
    const std::filesystem::path folder = std::filesystem::path(spec_.file).parent_path();
    const bool beside = node->place.line != 0;
    std::error_code failed;
    const auto found =
        std::filesystem::absolute(beside ? folder / name : std::filesystem::path(name), failed);
    if (!failed) name = found.lexically_normal().string();
  }

  void read_subnet() {
    const JsonNode* node = root_.find("subnet");
    if (node == nullptr) return;
    SubnetParams& subnet = spec_.subnet;
    reader_.read(*node, subnet_table(), &subnet, "subnet");
    if (node->kind != Kind::Object) return;
    find_file(*node, "lfts", subnet.lfts);
    if (!subnet.roots.starts_with('@')) return;
    std::string file = subnet.roots.substr(1);
    find_file(*node, "roots", file);
    subnet.roots = "@" + file;
  }

  void read_custom(const JsonNode& node, CustomSpec& custom) {
    const auto nothing = [](auto&, const JsonNode&, const std::string&) {};
    if (const JsonNode* nodes = node.find("nodes")) {
      reader_.read_entries(*nodes, node_entries(), "topology.nodes", {}, custom.nodes, nothing);
    } else {
      reader_.missing(node, "topology", "nodes", "a list of hosts and switches");
    }
    if (const JsonNode* links = node.find("links")) {
      reader_.read_entries(*links, link_entries(), "topology.links", {}, custom.links, nothing);
    } else {
      reader_.missing(node, "topology", "links", "a list of cables");
    }
  }

  void read_workloads(bool required) {
    const JsonNode* node = root_.find("workload");
    if (node == nullptr) {
      if (!required) return;
      return reader_.missing(root_, "", "workload",
                             "for example { \"kind\": \"permutation\", "
                             "\"bytes\": \"1MiB\" }");
    }
    if (node->kind == Kind::Object) return read_workload(*node, "workload");
    if (!reader_.expect(*node, Kind::Array, "workload", "an object or a list of objects")) return;
    if (node->children.empty() && required) {
      reader_.add(node->place, "workload", "the list is empty", "at least one workload");
    }
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      const std::string path = "workload[" + std::to_string(i) + "]";
      const JsonNode& child = node->children[i];
      if (reader_.expect(child, Kind::Object, path, "an object")) read_workload(child, path);
    }
  }

  void read_workload(const JsonNode& node, const std::string& path) {
    const WorkloadKind* kind = read_kind(node, path, workload_kinds(), "workload kind");
    if (kind == nullptr) return;
    const bool flows = kind->name == "flows";
    const std::shared_ptr<void> params = kind->make_params();
    const auto others = std::span{kWorkloadKeys}.first(flows ? 3 : 2);
    reader_.read(node, kind->table, params.get(), path, others);
    WorkloadSpec workload{std::string{kind->name}, {}, params};
    if (const JsonNode* name = node.find("name")) {
      if (reader_.expect(*name, Kind::String, path + ".name", "text in quotes")) {
        workload.name = name->text;
      }
    }
    if (flows) read_flows(node, path, *static_cast<FlowsParams*>(params.get()));
    spec_.workloads.push_back(std::move(workload));
  }

  void read_flows(const JsonNode& node, const std::string& path, FlowsParams& params) {
    const JsonNode* flows = node.find("flows");
    if (flows == nullptr) return reader_.missing(node, path, "flows", "a list of flows");
    reader_.read_entries(*flows, flow_entries(), path + ".flows", kFlowKeys, params.flows,
                         [&](FlowEntry& flow, const JsonNode& entry, const std::string& at) {
                           if (const JsonNode* nodes = entry.find("path")) {
                             read_path(*nodes, at + ".path", flow.path);
                           }
                         });
    if (flows->kind == Kind::Array && flows->children.empty()) {
      reader_.add(flows->place, path + ".flows", "the list is empty", "at least one flow");
    }
  }

  void read_path(const JsonNode& node, const std::string& path, std::vector<std::string>& out) {
    if (!reader_.expect(node, Kind::Array, path, "a list of node names")) return;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const std::string at = path + "[" + std::to_string(i) + "]";
      if (!reader_.expect(node.children[i], Kind::String, at, "the name of a node")) return;
      out.emplace_back(node.children[i].text);
    }
  }

  void read_faults() {
    const JsonNode* node = root_.find("faults");
    if (node == nullptr) return;
    reader_.read_entries(*node, fault_entries(), "faults", {}, spec_.faults,
                         [&](FaultSpec& fault, const JsonNode& entry, const std::string& at) {
                           check_fault(fault, entry, at);
                         });
  }

  void check_fault(const FaultSpec& fault, const JsonNode& entry, const std::string& at) {
    if (is_host_fault(fault.action)) return check_host_fault(fault, entry, at);
    if (!fault.host.empty()) {
      reader_.add(entry.find("host")->place, at + ".host", "only a host's fault names one",
                  "action \"storm\", \"storm_end\" or \"slow_receiver\"");
    }
    const bool ends = !fault.from.empty() && !fault.to.empty();
    const bool half = fault.from.empty() != fault.to.empty();
    if (fault.link.empty() == !ends || half) {
      reader_.add(entry.place, at, "the link is not named once",
                  "either \"link\": \"leaf0-spine1\", or both \"from\" and \"to\"");
    }
    const bool degrade = fault.action == FaultAction::Degrade;
    if (degrade && fault.rate.bits_per_second == 0) {
      reader_.missing(entry, at, "rate", "the speed of the degraded link, such as \"100Gbps\"");
    }
    if (!degrade && fault.rate.bits_per_second != 0) {
      reader_.add(entry.find("rate") != nullptr ? entry.find("rate")->place : entry.place,
                  at + ".rate", "only \"degrade\" has a rate");
    }
  }

  void check_host_fault(const FaultSpec& fault, const JsonNode& entry, const std::string& at) {
    if (fault.host.empty()) reader_.missing(entry, at, "host", "the host that it happens to");
    const bool names[] = {!fault.link.empty(), !fault.from.empty(), !fault.to.empty(),
                          fault.cable >= 0};
    const char* const keys[] = {"link", "from", "to", "cable"};
    for (std::size_t i = 0; i < std::size(keys); ++i) {
      if (!names[i]) continue;
      reader_.add(entry.find(keys[i])->place, at + "." + keys[i],
                  "this happens to a host, not to a link");
    }
    const bool slow = fault.action == FaultAction::SlowReceiver;
    if (slow && fault.rate.bits_per_second == 0) {
      reader_.missing(entry, at, "rate", "what it takes, such as \"50Gbps\"");
    }
    if (!slow && fault.rate.bits_per_second != 0) {
      reader_.add(entry.find("rate")->place, at + ".rate", "a storm has no rate");
    }
  }

  const JsonNode& root_;
  Spec& spec_;
  TableReader reader_;
};

/// First part of a path: "topology" of "topology.links[3].rate".
std::string_view section(std::string_view path) { return path.substr(0, path.find_first_of(".[")); }

/// Whether `later`, found by validation, may only be an echo of `first`, found while reading: they
/// are about the same section, or inside a list about the same entry.
bool is_echo(const InputProblem& later, const InputProblem& first) {
  if (first.severity != Severity::Error || section(first.path) != section(later.path)) return false;
  const std::size_t entry = first.path.find(']');
  return entry == std::string::npos || later.path.substr(0, entry) == first.path.substr(0, entry);
}

}  // namespace

ParseResult parse_scenario(std::string text, std::string file, const ReadOptions& options) {
  ParseResult result;
  auto source =
      std::make_shared<JsonSource>(file, std::move(text), result.problems, JsonComments::Allowed);
  if (source->root() == nullptr) return result;
  for (const Override& set : options.overrides) {
    source->set(set.path, set.value, result.problems);
  }
  Spec& spec = result.spec.emplace();
  spec.file = std::move(file);
  SpecReader(*source, spec, result.problems).read(options);
  spec.source = std::move(source);
  sort_by_place(result.problems);
  return result;
}

PathPlace find_place(const JsonSource& source, std::string_view path) {
  const JsonNode* node = source.root();
  if (node == nullptr) return {{1, 1}, false, false};
  bool exact = true;
  for (std::size_t at = 0; at < path.size() && exact;) {
    const JsonNode* next = nullptr;
    if (path[at] == '[') {
      std::size_t row = 0;
      const std::size_t end = std::min(path.find(']', at), path.size());
      std::from_chars(path.data() + at + 1, path.data() + end, row);
      at = end + 1;
      // An only workload is written without a list and is element 0 all the same.
      if (node->kind == Kind::Object && row == 0) next = node;
      if (node->kind == Kind::Array && row < node->children.size()) next = &node->children[row];
    } else {
      if (path[at] == '.') ++at;
      const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
      next = node->find(path.substr(at, end - at));
      at = end;
    }
    exact = next != nullptr;
    if (exact) node = next;
  }
  return {node->place, exact, node->place.line == 0};
}

ValidateResult read_scenario(std::string text, std::string file, const ReadOptions& options,
                             const ValidateOptions& validation) {
  ParseResult parsed = parse_scenario(std::move(text), std::move(file), options);
  ValidateResult result;
  ValidateOptions checks = validation;
  // A fabric that was read in part has other hosts and cables than the one that is meant.
  checks.build_topology &=
      std::none_of(parsed.problems.begin(), parsed.problems.end(), [](const InputProblem& problem) {
        return problem.severity == Severity::Error && problem.path.starts_with("topology");
      });
  if (parsed.spec) result = validate(*parsed.spec, checks);
  if (!has_errors(parsed.problems)) return result;
  result.spec.reset();
  std::erase_if(result.problems, [&](const InputProblem& later) {
    return std::any_of(parsed.problems.begin(), parsed.problems.end(),
                       [&](const InputProblem& first) { return is_echo(later, first); });
  });
  for (InputProblem& problem : parsed.problems) result.problems.push_back(std::move(problem));
  sort_by_place(result.problems);
  return result;
}

ValidateResult read_scenario_file(const std::string& path, const ReadOptions& options,
                                  const ValidateOptions& validation) {
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  // One byte more than is allowed, so that the reader sees and says that it is too much.
  char buffer[65536];
  while (stream && text.size() <= JsonSource::kMaxBytes) {
    stream.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
  }
  if (text.empty()) {
    ValidateResult result;
    const bool readable = stream.eof();
    result.problems.push_back({Severity::Error,
                               path,
                               {},
                               {},
                               readable ? "the file is empty" : "the file can't be read",
                               "a scenario in JSON",
                               {},
                               false});
    return result;
  }
  return read_scenario(std::move(text), path, options, validation);
}

}  // namespace spineleaf
