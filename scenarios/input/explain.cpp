#include "scenarios/input/explain.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "scenarios/input/tables.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {

namespace {

/// A table and the path under which its keys stand in a scenario.
struct Section {
  std::string path;       ///< "pfc", "topology", "workload"
  std::string_view kind;  ///< "fat_tree" where the section has kinds
  ParamTable table;
  std::span<const std::string_view> required = {};  ///< keys that have no default

  /// What a key that isn't given means; "(required)" where it must be.
  std::string standard(const ParamDecl& decl, const char* empty) const {
    const bool must = std::find(required.begin(), required.end(), decl.name) != required.end();
    if (must) return "(required)";
    const std::string text = format_value(decl, default_value(decl));
    return text.empty() ? empty : text;
  }
};

Section entry_section(const char* path, std::string_view kind, const EntryTable& entries) {
  return {path, kind, entries.table, entries.required};
}

std::vector<Section> all_sections() {
  std::vector<Section> sections;
  for (const ParamTable& table : model_param_tables()) {
    sections.push_back({std::string{table.name}, {}, table});
  }
  for (const TopologyKind& kind : topology_kinds()) {
    sections.push_back({"topology", kind.name, {kind.name, kind.text, kind.params.params}});
  }
  sections.push_back(entry_section("topology.nodes[]", "custom", node_entries()));
  sections.push_back(entry_section("topology.links[]", "custom", link_entries()));
  sections.push_back({"subnet", {}, subnet_table()});
  for (const WorkloadKind& kind : workload_kinds()) {
    sections.push_back({"workload", kind.name, kind.table});
  }
  sections.push_back(entry_section("workload.flows[]", "flows", flow_entries()));
  sections.push_back(entry_section("faults[]", {}, fault_entries()));
  sections.push_back({"run", {}, run_table()});
  return sections;
}

std::string unit_words(const ParamDecl& decl) {
  switch (decl.unit) {
    case Unit::Time: return "time, such as \"1.5us\" (ps, ns, us, ms, s)";
    case Unit::Bytes: return "size, such as \"4KiB\" (B, KB, MB, GB, TB; KiB, MiB, GiB, TiB)";
    case Unit::Rate: return "rate, such as \"400Gbps\" (bps, kbps, Mbps, Gbps, Tbps)";
    case Unit::Length: return "length, such as \"5m\" (m, km)";
    case Unit::Count: return "whole number";
    case Unit::Ratio: return "number, such as 0.2, \"20%\" or \"1/5\"";
    case Unit::Flag: return "true or false";
    case Unit::Choice: return "one word of a list";
    case Unit::Text: return "text";
  }
  return "";
}

std::string presets_of(std::string_view path) {
  std::string text;
  for (const Preset& preset : model_presets()) {
    for (const PresetEntry& entry : preset.entries) {
      if (entry.key != path) continue;
      text +=
          "  preset:   " + std::string{preset.name} + " sets " + std::string{entry.value} + "\n";
    }
  }
  return text;
}

std::string param_text(const Section& section, const ParamDecl& decl) {
  const std::string path = section.path + "." + std::string{decl.name};
  std::string text = path;
  if (!section.kind.empty()) text += " (kind \"" + std::string{section.kind} + "\")";
  text += "\n  " + std::string{decl.text} + "\n";
  text += "  unit:     " + unit_words(decl) + "\n";
  text += "  default:  " + section.standard(decl, "(empty)") + "\n";
  if (decl.unit == Unit::Choice) text += "  choices:  " + expectation(decl).substr(7) + "\n";
  const std::string range = format_range(decl);
  if (!range.empty()) text += "  range:    " + range + "\n";
  text += "  source:   " + std::string{decl.source} + "\n";
  return text + presets_of(path);
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text + "  ";
}

/// A key, its default and the first sentence of what it means.
std::string param_line(const Section& section, const ParamDecl& decl) {
  std::string meaning{decl.text.substr(0, decl.text.find(". "))};
  if (!meaning.ends_with('.')) meaning += '.';
  return "  " + padded(std::string{decl.name}, 29) + padded(section.standard(decl, "-"), 14) +
         meaning + "\n";
}

std::string section_text(const Section& section) {
  std::string text = section.path;
  if (!section.kind.empty()) text += ", kind \"" + std::string{section.kind} + "\"";
  text += ": " + std::string{section.table.text} + "\n";
  text += "  " + padded("key", 29) + padded("default", 14) + "meaning\n";
  for (const ParamDecl& decl : section.table.params) text += param_line(section, decl);
  return text;
}

std::string preset_text(const Preset& preset) {
  std::string text = "preset \"" + std::string{preset.name} + "\": " + std::string{preset.text} +
                     "\n  source:   " + std::string{preset.source} + "\n";
  for (const PresetEntry& entry : preset.entries) {
    text += "  " + padded(std::string{entry.key}, 40) + std::string{entry.value} + "\n";
  }
  return text;
}

std::string overview() {
  std::string text = "Sections of a scenario (explain one of them, or a key such as pfc.alpha):\n";
  std::string last;
  for (const Section& section : all_sections()) {
    std::string name = section.path;
    if (!section.kind.empty()) name += " " + std::string{section.kind};
    text += "  " + padded(name, 24) + std::string{section.table.text} + "\n";
  }
  text += "Presets:\n";
  for (const Preset& preset : model_presets()) {
    text += "  " + padded(std::string{preset.name}, 24) + std::string{preset.text} + "\n";
  }
  return text;
}

/// Splits "topology.fat_tree.hosts" at the last dot; indices in brackets do not matter.
std::string without_indices(std::string_view key) {
  std::string out;
  bool inside = false;
  for (const char c : key) {
    if (c == '[') inside = true;
    if (!inside) out += c;
    if (c == ']') inside = false;
  }
  return out;
}

Explanation unknown(std::string_view key, const std::vector<Section>& sections) {
  std::vector<std::string> names;
  for (const Section& section : sections) {
    names.push_back(without_indices(section.path));
    if (!section.kind.empty()) names.emplace_back(section.kind);
    for (const ParamDecl& decl : section.table.params) {
      names.emplace_back(decl.name);
      names.push_back(without_indices(section.path) + "." + std::string{decl.name});
    }
  }
  for (const Preset& preset : model_presets()) names.emplace_back(preset.name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string text = in_quotes(key) + " is no key, section, kind or preset.";
  const std::string hint = did_you_mean(key, views);
  text += " " + (hint.empty() ? "`spineleaf explain` lists what there is." : hint);
  return {text + "\n", false};
}

}  // namespace

Explanation explain(std::string_view asked) {
  if (asked.empty()) return {overview(), true};
  const std::string key = without_indices(asked);
  const std::vector<Section> sections = all_sections();
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "\n") + part; };
  for (const Preset& preset : model_presets()) {
    if (preset.name == key) add(preset_text(preset));
  }
  if (key == "expect") add(param_text({"", {}, {}}, expect_decl()).substr(1));
  for (const Section& section : sections) {
    const std::string path = without_indices(section.path);
    const std::string with_kind = path + "." + std::string{section.kind};
    if (key == path || key == section.kind || (!section.kind.empty() && key == with_kind)) {
      add(section_text(section));
    }
    for (const ParamDecl& decl : section.table.params) {
      const std::string name{decl.name};
      const bool named = key == name || key == path + "." + name || key == with_kind + "." + name ||
                         (!section.kind.empty() && key == std::string{section.kind} + "." + name);
      if (named) add(param_text(section, decl));
    }
  }
  return text.empty() ? unknown(asked, sections) : Explanation{text, true};
}

}  // namespace spineleaf
