// The probe's JSON as facts under the names that the tools' own outputs give.

#include <algorithm>

#include "scenarios/input/json_source.hpp"
#include "validation/measurements/facts.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kSchema = 1;  ///< of validation/probe/probe.cpp

const JsonNode* member(const JsonNode* node, std::string_view name) {
  return node != nullptr && node->kind == JsonNode::Kind::Object ? node->find(name) : nullptr;
}

/// Elements of an array or members of an object; none of anything else.
const std::vector<JsonNode>& elements(const JsonNode* node) {
  static const std::vector<JsonNode> none;
  const bool any = node != nullptr &&
                   (node->kind == JsonNode::Kind::Array || node->kind == JsonNode::Kind::Object);
  return any ? node->children : none;
}

std::string text_of(const JsonNode* node) {
  const bool plain = node != nullptr && node->kind != JsonNode::Kind::Array &&
                     node->kind != JsonNode::Kind::Object && node->kind != JsonNode::Kind::Null;
  return plain ? std::string(node->text) : std::string();
}

class ProbeReader {
 public:
  explicit ProbeReader(Facts& facts) : facts_(facts) {}

  void take(const JsonNode& root) {
    const JsonNode* sections = member(&root, "sections");
    for (const JsonNode& section : elements(sections)) {
      if (text_of(member(&section, "available")) == "true") continue;
      facts_.add(section.key, "unavailable", text_of(member(&section, "reason")),
                 section.place.line);
    }
    take_devices(member(sections, "pcie"));
    take_acs(member(sections, "acs-iommu"));
    take_gdr(member(sections, "gdr"));
    take_nics(member(sections, "nic"));
    take_verbs(member(sections, "verbs"));
    take_gpus(member(sections, "copies"));
    for (const JsonNode& port : elements(member(member(sections, "counters"), "moved"))) {
      for (const JsonNode& group : elements(&port)) {
        for (const JsonNode& counter : elements(&group)) {
          add(port.key, "moved." + std::string(counter.key), &counter);
        }
      }
    }
  }

 private:
  void add(std::string_view subject, std::string_view name, const JsonNode* value) {
    if (const std::string text = text_of(value); !text.empty()) {
      facts_.add(subject, name, text, value->place.line);
    }
  }

  void take_devices(const JsonNode* section) {
    for (const JsonNode& device : elements(member(section, "devices"))) {
      const std::string address = pci_address(text_of(member(&device, "pci")));
      if (address.empty()) continue;
      const std::string kind = text_of(member(&device, "kind"));
      facts_.add(address, "class",
                 kind == "gpu"   ? "3D controller"
                 : kind == "nic" ? "Infiniband controller"
                                 : "PCI bridge",
                 device.place.line);
      add(address, "LnkSta.speed", member(&device, "link_speed"));
      add(address, "LnkSta.width", member(&device, "link_width"));
      add(address, "LnkCap.speed", member(&device, "link_speed_most"));
      add(address, "LnkCap.width", member(&device, "link_width_most"));
      const auto& above = elements(member(&device, "above"));
      if (!above.empty()) add(address, "parent", &above.back());
    }
  }

  void take_acs(const JsonNode* section) {
    add("", "iommu.mode", member(member(section, "iommu"), "mode"));
    for (const JsonNode& bridge : elements(member(section, "bridges"))) {
      const std::string address = pci_address(text_of(member(&bridge, "pci")));
      const std::string acs = text_of(member(&bridge, "acs"));
      if (address.empty() || (acs != "redirects" && acs != "direct")) continue;
      std::string bits;
      for (const JsonNode& bit : elements(member(&bridge, "bits"))) {
        bits += (bits.empty() ? "" : " ") + text_of(&bit) + "+";
      }
      facts_.add(address, "ACSCtl", bits.empty() ? "none" : bits, bridge.place.line);
    }
  }

  void take_gdr(const JsonNode* section) {
    for (const char* name : {"peermem", "dmabuf", "gdr"}) add("", name, member(section, name));
  }

  void take_nics(const JsonNode* section) {
    for (const JsonNode& nic : elements(member(section, "nics"))) {
      const std::string name = text_of(member(&nic, "name"));
      add(name, "pci", member(&nic, "pci"));
      for (const JsonNode& port : elements(member(&nic, "ports"))) {
        const std::string subject = name + "/" + text_of(member(&port, "port"));
        add(subject, "state", member(&port, "state"));
        add(subject, "rate", member(&port, "rate"));
        add(subject, "link_layer", member(&port, "link_layer"));
      }
      for (const JsonNode& netdev : elements(member(&nic, "netdevs"))) {
        add(text_of(member(&netdev, "name")), "mtu", member(&netdev, "mtu"));
      }
    }
  }

  void take_verbs(const JsonNode* section) {
    for (const JsonNode& nic : elements(member(section, "nics"))) {
      const std::string subject =
          text_of(member(&nic, "nic")) + "/" + text_of(member(&nic, "port"));
      add(subject, "active_mtu", member(&nic, "active_mtu"));
      add(subject, "max_mtu", member(&nic, "max_mtu"));
      add(subject, "link_layer", member(&nic, "link_layer"));
      for (const char* memory : {"host_memory", "gpu_memory"}) {
        for (const JsonNode& row : elements(member(member(&nic, memory), "rows"))) {
          const std::string name = std::string(memory) + ".us." + text_of(member(&row, "bytes")) +
                                   "." + text_of(member(&row, "depth")) + "." +
                                   text_of(member(&row, "qps"));
          add(subject, name, member(&row, "us_per_message"));
        }
      }
    }
  }

  void take_gpus(const JsonNode* section) {
    for (const JsonNode& gpu : elements(member(section, "gpus"))) {
      const std::string subject = pci_address(text_of(member(&gpu, "pci")));
      if (subject.empty()) continue;
      add(subject, "product", member(&gpu, "name"));
      add(subject, "launch.us", member(member(member(&gpu, "launch"), "to_host"), "us"));
      for (const char* kind : {"copy_by_blocks", "reduce_by_blocks"}) {
        for (const JsonNode& row : elements(member(&gpu, kind))) {
          add(subject, std::string(kind) + "." + text_of(member(&row, "blocks")),
              member(&row, "GBps"));
        }
      }
    }
  }

  Facts& facts_;
};

}  // namespace

bool is_probe_json(std::string_view head) {
  return trimmed(head).starts_with('{') &&
         head.substr(0, 1024).find("\"spineleaf-probe\"") != std::string_view::npos;
}

FactsResult read_probe_json(std::string_view text, const std::string& file) {
  FactsResult result;
  result.format = "spineleaf-probe";
  const JsonSource source(file, std::string(text), result.problems);
  const JsonNode* root = source.root();
  if (root == nullptr || has_errors(result.problems)) return result;
  if (text_of(member(root, "format")) != "spineleaf-probe" || member(root, "sections") == nullptr) {
    append(result.problems,
           line_problem(file, root->place.line, "holds no sections of spineleaf-probe",
                        "an object with format and sections"));
    return result;
  }
  const JsonNode* schema = member(root, "schema");
  const auto number = to_integer(text_of(schema));
  if (number && *number > kSchema) {
    append(result.problems,
           line_problem(file, schema->place.line,
                        "schema " + std::to_string(*number) + " is newer than " +
                            std::to_string(kSchema) + ": what is not known here is left out",
                        "", Severity::Warning));
  }
  ProbeReader(result.facts).take(*root);
  return result;
}

}  // namespace spineleaf
