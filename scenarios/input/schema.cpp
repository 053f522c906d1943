#include "scenarios/input/schema.hpp"

#include <string>
#include <string_view>

#include "scenarios/input/tables.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {

namespace {

using Schema = nlohmann::ordered_json;

std::string description_of(const ParamDecl& decl) {
  std::string text{decl.text};
  const std::string range = format_range(decl);
  if (!range.empty()) text += " Range: " + range + ".";
  return text + " Source: " + std::string{decl.source} + ".";
}

Schema default_of(const ParamDecl& decl) {
  return Schema::parse(format_json(decl, default_value(decl)));
}

Schema param_schema(const ParamDecl& decl) {
  Schema schema;
  switch (decl.unit) {
    case Unit::Count:
      schema["type"] = "integer";
      schema["minimum"] = static_cast<std::int64_t>(decl.min);
      if (decl.max < 9.2e18) schema["maximum"] = static_cast<std::int64_t>(decl.max);
      break;
    case Unit::Ratio: {
      Schema number{{"type", "number"}, {"minimum", decl.min}, {"maximum", decl.max}};
      Schema text{{"type", "string"}, {"pattern", "^[0-9.eE+-]+(%|/[0-9.eE+-]+)$"}};
      schema["anyOf"] = Schema::array({std::move(number), std::move(text)});
      break;
    }
    case Unit::Flag: schema["type"] = "boolean"; break;
    case Unit::Text: schema["type"] = "string"; break;
    case Unit::Choice: schema["enum"] = decl.choices; break;
    default:
      schema["type"] = "string";
      schema["pattern"] = unit_pattern(decl.unit);
      break;
  }
  schema["default"] = default_of(decl);
  schema["description"] = description_of(decl);
  return schema;
}

Schema object_schema(const ParamTable& table) {
  Schema schema;
  schema["type"] = "object";
  schema["description"] = table.text;
  schema["properties"] = Schema::object();
  for (const ParamDecl& decl : table.params) {
    schema["properties"][std::string{decl.name}] = param_schema(decl);
  }
  schema["additionalProperties"] = false;
  return schema;
}

Schema text_schema(std::string_view description) {
  return {{"type", "string"}, {"description", description}};
}

Schema list_of(Schema items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Schema entry_schema(const EntryTable& entries) {
  Schema schema = object_schema(entries.table);
  schema["required"] = entries.required;
  return schema;
}

/// An object of one kind: its parameters and the word that names it.
Schema kind_schema(const ParamTable& table, std::string_view kind) {
  Schema schema = object_schema(table);
  Schema properties;
  properties["kind"] = {{"const", kind}};
  for (const auto& [key, value] : schema["properties"].items()) properties[key] = value;
  schema["properties"] = std::move(properties);
  schema["required"] = Schema::array({"kind"});
  return schema;
}

Schema topology_schema() {
  Schema kinds = Schema::array();
  for (const TopologyKind& kind : topology_kinds()) {
    Schema schema = kind_schema(kind.params, kind.name);
    schema["description"] = kind.text;
    if (kind.name == "custom") {
      schema["properties"]["nodes"] = list_of(entry_schema(node_entries()));
      schema["properties"]["links"] = list_of(entry_schema(link_entries()));
      schema["required"] = Schema::array({"kind", "nodes", "links"});
    }
    kinds.push_back(std::move(schema));
  }
  return {{"description", "The fabric: nodes, cables and their speeds."},
          {"oneOf", std::move(kinds)}};
}

Schema workload_schema() {
  Schema kinds = Schema::array();
  for (const WorkloadKind& kind : workload_kinds()) {
    Schema schema = kind_schema(kind.table, kind.name);
    schema["properties"]["name"] = text_schema("Name of the job in tables.");
    if (kind.name == "flows") {
      Schema flow = entry_schema(flow_entries());
      flow["properties"]["path"] = list_of(text_schema("Name of a node."));
      flow["properties"]["path"]["description"] =
          "Nodes that the flow visits, both hosts included; without it the flow is routed.";
      schema["properties"]["flows"] = list_of(std::move(flow));
      schema["required"] = Schema::array({"kind", "flows"});
    }
    kinds.push_back(std::move(schema));
  }
  return {{"oneOf", std::move(kinds)}};
}

Schema preset_schema() {
  Schema names = Schema::array();
  std::string description = "Named settings under those of the file. ";
  for (const Preset& preset : model_presets()) {
    names.push_back(preset.name);
    description += std::string{preset.name} + ": " + std::string{preset.text} + " ";
  }
  description.pop_back();
  Schema one{{"enum", std::move(names)}};
  Schema several = list_of(one);
  return {{"description", std::move(description)},
          {"anyOf", Schema::array({std::move(one), std::move(several)})}};
}

}  // namespace

Schema schema_object() {
  Schema root;
  root["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  root["title"] = "Spineleaf scenario";
  root["type"] = "object";
  Schema& properties = root["properties"];
  properties["$schema"] = text_schema("Where this schema lies, for editors.");
  properties["version"] = text_schema("Version of the program that wrote a lock file.");
  properties["name"] = text_schema("Short name of the scenario.");
  properties["description"] = text_schema("What the scenario shows.");
  properties["preset"] = preset_schema();
  properties["fidelity"] = {{"enum", Schema::array({"packet"})},
                            {"default", "packet"},
                            {"description", "Every packet is simulated."}};
  for (const ParamTable& table : model_param_tables()) {
    properties[std::string{table.name}] = object_schema(table);
  }
  properties["topology"] = topology_schema();
  properties["subnet"] = object_schema(subnet_table());
  const Schema workload = workload_schema();
  properties["workload"] = {{"description", "Jobs that run on the fabric, one or a list."},
                            {"anyOf", Schema::array({workload, list_of(workload)})}};
  properties["faults"] = list_of(entry_schema(fault_entries()));
  properties["run"] = object_schema(run_table());
  properties["expect"] = param_schema(expect_decl());
  root["required"] = Schema::array({"topology", "workload"});
  root["additionalProperties"] = false;
  return root;
}

std::string schema_text() { return schema_object().dump(2) + "\n"; }

}  // namespace spineleaf
