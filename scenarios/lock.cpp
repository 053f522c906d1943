#include "scenarios/lock.hpp"

#include <utility>

#include "scenarios/input/tables.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/version.hpp"

namespace spineleaf {

namespace {

std::string text_token(std::string_view text) {
  ParamDecl decl;
  decl.unit = Unit::Text;
  return format_json(decl, {0, 0, std::string{text}});
}

std::string list_of(const std::vector<std::string>& words) {
  std::string out = "[";
  for (const std::string& word : words) out += (out.size() > 1 ? ", " : "") + text_token(word);
  return out + "]";
}

/// Members of one object, on lines of their own or all on one.
class ObjectText {
 public:
  ObjectText(int indent, bool one_line) : indent_(indent), one_line_(one_line) {}

  void add(std::string_view key, std::string_view token) {
    body_ += body_.empty() ? "" : ",";
    body_ += one_line_ ? (body_.empty() ? "" : " ")
                       : "\n" + std::string(static_cast<std::size_t>(indent_) + 2, ' ');
    body_ += "\"" + std::string{key} + "\": " + std::string{token};
  }

  void add_table(const ParamTable& table, const void* object) {
    for (const ParamDecl& decl : table.params) {
      add(decl.name, format_json(decl, decl.get(object)));
    }
  }

  /// As add_table, without texts that are empty: in entries of lists those mean "not given".
  void add_entry(const ParamTable& table, const void* object) {
    for (const ParamDecl& decl : table.params) {
      const ParamValue value = decl.get(object);
      if (decl.unit == Unit::Text && value.text.empty()) continue;
      add(decl.name, format_json(decl, value));
    }
  }

  std::string finish() const {
    if (one_line_ || body_.empty()) return "{" + body_ + "}";
    return "{" + body_ + "\n" + std::string(static_cast<std::size_t>(indent_), ' ') + "}";
  }

 private:
  int indent_;
  bool one_line_;
  std::string body_;
};

/// A list with one entry a line.
template <class Entry, class Write>
std::string entries_text(const std::vector<Entry>& entries, int indent, const ParamTable& table,
                         Write write_more) {
  std::string out = "[";
  for (const Entry& entry : entries) {
    ObjectText object(indent + 2, true);
    object.add_entry(table, &entry);
    write_more(entry, object);
    out += (out.size() > 1 ? ",\n" : "\n") +
           std::string(static_cast<std::size_t>(indent) + 2, ' ') + object.finish();
  }
  if (entries.empty()) return "[]";
  return out + "\n" + std::string(static_cast<std::size_t>(indent), ' ') + "]";
}

constexpr auto kNothingMore = [](const auto&, ObjectText&) {};

std::string topology_text(const TopologySpec& topology) {
  ObjectText object(2, false);
  object.add("kind", text_token(topology.kind));
  if (const TopologyKind* kind = find_topology_kind(topology.kind)) {
    object.add_table(kind->params, topology.params.get());
  }
  if (topology.kind == "custom") {
    const auto& custom = *static_cast<const CustomSpec*>(topology.params.get());
    object.add("nodes", entries_text(custom.nodes, 4, node_entries().table, kNothingMore));
    object.add("links", entries_text(custom.links, 4, link_entries().table, kNothingMore));
  }
  return object.finish();
}

std::string workload_text(const WorkloadSpec& workload) {
  ObjectText object(4, false);
  object.add("kind", text_token(workload.kind));
  if (!workload.name.empty()) object.add("name", text_token(workload.name));
  if (const WorkloadKind* kind = find_workload_kind(workload.kind)) {
    object.add_table(kind->table, workload.params.get());
  }
  if (workload.kind == "flows") {
    const auto& params = *static_cast<const FlowsParams*>(workload.params.get());
    object.add("flows", entries_text(params.flows, 6, flow_entries().table,
                                     [](const FlowEntry& flow, ObjectText& entry) {
                                       if (!flow.path.empty()) {
                                         entry.add("path", list_of(flow.path));
                                       }
                                     }));
  }
  return object.finish();
}

std::string workloads_text(const std::vector<WorkloadSpec>& workloads) {
  std::string out = "[";
  for (const WorkloadSpec& workload : workloads) {
    out += (out.size() > 1 ? ",\n    " : "\n    ") + workload_text(workload);
  }
  return out + (workloads.empty() ? "]" : "\n  ]");
}

}  // namespace

std::string lock_text(const ScenarioData& scenario) {
  ObjectText root(0, false);
  root.add("version", text_token(program_version()));
  if (!scenario.name.empty()) root.add("name", text_token(scenario.name));
  if (!scenario.description.empty()) root.add("description", text_token(scenario.description));
  if (!scenario.presets.empty()) root.add("preset", list_of(scenario.presets));
  root.add("fidelity", "\"packet\"");
  for (const ParamTable& table : model_param_tables()) {
    ObjectText section(2, false);
    section.add_table(table, section_object(scenario.models, table.name));
    root.add(table.name, section.finish());
  }
  root.add("topology", topology_text(scenario.topology));
  ObjectText subnet(2, false);
  subnet.add_table(subnet_table(), &scenario.subnet);
  root.add("subnet", subnet.finish());
  if (!scenario.workloads.empty()) root.add("workload", workloads_text(scenario.workloads));
  if (!scenario.faults.empty()) {
    root.add("faults", entries_text(scenario.faults, 2, fault_entries().table, kNothingMore));
  }
  ObjectText run(2, false);
  run.add_table(run_table(), &scenario.run);
  root.add("run", run.finish());
  root.add("expect", format_json(expect_decl(), expect_decl().get(&scenario)));
  return root.finish() + "\n";
}

bool same_scenario(const ScenarioData& a, const ScenarioData& b) {
  return lock_text(a) == lock_text(b);
}

}  // namespace spineleaf
