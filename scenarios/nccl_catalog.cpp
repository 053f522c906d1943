#include "scenarios/nccl_catalog.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>

#include "scenarios/data_dir.hpp"
#include "scenarios/input/json_source.hpp"

namespace spineleaf {
namespace {

constexpr std::string_view kGenerations[] = {"Volta", "Ampere", "Hopper", "Blackwell"};
constexpr std::string_view kAlgorithms[] = {
    "Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT"};
constexpr std::string_view kProtocols[] = {"LL", "LL128", "Simple"};
constexpr std::string_view kLinks[] = {"NVLink", "PCI", "NET"};
constexpr std::size_t kNvlsTree = 5;
constexpr std::size_t kSimple = 2;
constexpr std::size_t kNet = 2;

/// Reads members of objects; what is missing or of another kind is a problem with its place.
class Catalog {
 public:
  Catalog(std::string file, std::vector<InputProblem>& problems)
      : file_(std::move(file)), problems_(problems) {}

  const JsonNode* member(const JsonNode& object, std::string_view key, JsonNode::Kind kind,
                         bool needed = true) {
    const JsonNode* node = object.kind == JsonNode::Kind::Object ? object.find(key) : nullptr;
    if (node == nullptr) {
      if (needed) problem(object, "\"" + std::string(key) + "\" is missing", "");
    } else if (node->kind != kind) {
      problem(*node, "\"" + std::string(key) + "\" is " + std::string(kind_name(node->kind)),
              std::string(kind_name(kind)));
      node = nullptr;
    }
    return node;
  }

  double value(const JsonNode& node) {
    double out = 0;
    const auto [at, error] =
        std::from_chars(node.text.data(), node.text.data() + node.text.size(), out);
    const bool number = node.kind == JsonNode::Kind::Number && error == std::errc{};
    if (!number || !(out >= 0 && out <= 1e9)) {
      problem(node, shown(node) + " does not fit", "a number from 0 to 1e9");
      return 0;
    }
    return out;
  }

  double number(const JsonNode& object, std::string_view key) {
    const JsonNode* node = member(object, key, JsonNode::Kind::Number);
    return node == nullptr ? 0 : value(*node);
  }

  std::string text(const JsonNode& object, std::string_view key) {
    const JsonNode* node = member(object, key, JsonNode::Kind::String);
    return node == nullptr ? std::string() : std::string(node->text);
  }

  bool flag(const JsonNode& object, std::string_view key) {
    const JsonNode* node = member(object, key, JsonNode::Kind::Boolean);
    return node != nullptr && node->text == "true";
  }

  template <std::size_t N>
  void numbers(const JsonNode& list, std::array<double, N>& out) {
    if (list.kind != JsonNode::Kind::Array || list.children.size() != N) {
      return problem(list, "is no list of " + std::to_string(N) + " numbers", "");
    }
    for (std::size_t i = 0; i < N; ++i) out[i] = value(list.children[i]);
  }

  /// An object with one list of numbers per name.
  template <std::size_t Rows, std::size_t N>
  void rows(const JsonNode& object, std::string_view key, const std::string_view (&names)[Rows],
            std::array<std::array<double, N>, Rows>& out, bool needed = true) {
    const JsonNode* table = member(object, key, JsonNode::Kind::Object, needed);
    for (std::size_t i = 0; table != nullptr && i < Rows; ++i) {
      const JsonNode* row = member(*table, names[i], JsonNode::Kind::Array);
      if (row != nullptr) numbers(*row, out[i]);
    }
  }

  void problem(const JsonNode& node, std::string what, std::string expected) {
    InputProblem out;
    out.file = file_;
    out.place = node.place;
    out.what = std::move(what);
    out.expected = std::move(expected);
    append(problems_, std::move(out));
  }

 private:
  std::string file_;
  std::vector<InputProblem>& problems_;
};

NcclTuning read_common(Catalog& in, const JsonNode& common) {
  NcclTuning tuning;
  in.rows(common, "base_latency_us", kAlgorithms, tuning.base_latency);
  if (const JsonNode* hops = in.member(common, "hop_latency_us", JsonNode::Kind::Object)) {
    for (std::size_t link = 0; link < std::size(kLinks); ++link) {
      in.rows(*hops, kLinks[link], kAlgorithms, tuning.hop_latency[link]);
    }
  }
  in.rows(common, "ll_bandwidth", kGenerations, tuning.ll_bandwidth);
  in.rows(common, "ring_ll128_per_channel", kGenerations, tuning.ring_ll128_channel);
  in.rows(common, "tree_ll128_per_channel", kGenerations, tuning.tree_ll128_channel);
  in.rows(common, "tree_per_channel", kGenerations, tuning.tree_channel);
  in.rows(common, "nvls_tree_per_channel", kGenerations, tuning.nvls_tree_channel);
  in.rows(common, "tree_correction", kProtocols, tuning.tree_correction);
  if (const JsonNode* nvls = in.member(common, "nvls_efficiency", JsonNode::Kind::Object)) {
    for (std::size_t i = 0; i < kGpuGenerations; ++i) {
      tuning.nvls_efficiency[i] = in.number(*nvls, kGenerations[i]);
    }
  }
  tuning.ring_plateau = in.number(common, "ring_plateau");
  tuning.ring_plateau_before_ampere = in.number(common, "ring_plateau_before_ampere");
  return tuning;
}

void read_tuning(Catalog& in, const JsonNode& root, NcclCatalog& catalog) {
  const JsonNode* common = in.member(root, "common", JsonNode::Kind::Object);
  const JsonNode* classes = in.member(root, "classes", JsonNode::Kind::Array);
  if (common == nullptr || classes == nullptr) return;
  const NcclTuning shared = read_common(in, *common);
  for (const JsonNode& node : classes->children) {
    NcclTuningClass entry;
    entry.tuning = shared;
    entry.tuning.versions = in.text(node, "versions");
    std::array<double, 3> first{};
    if (const JsonNode* list = in.member(node, "first", JsonNode::Kind::Array)) {
      in.numbers(*list, first);
    }
    for (std::size_t i = 0; i < 3; ++i) entry.first[i] = static_cast<std::int64_t>(first[i]);
    std::array<double, 2> released{};
    if (const JsonNode* list = in.member(node, "released", JsonNode::Kind::Array)) {
      in.numbers(*list, released);
    }
    entry.released = static_cast<std::int64_t>(released[0] * 12 + released[1]);
    entry.tuning.nvls_by_efficiency = in.text(node, "nvls_rule") == "efficiency";
    entry.tuning.hop_latency[kNet][kNvlsTree][kSimple] =
        in.number(node, "net_latency_nvls_tree_us");
    in.rows(node, "nvls_tree_per_channel", kGenerations, entry.tuning.nvls_tree_channel, false);
    catalog.classes.push_back(std::move(entry));
  }
  if (catalog.classes.empty()) in.problem(*classes, "holds no class of versions", "");
}

void read_nodes(Catalog& in, const JsonNode& root, NcclCatalog& catalog) {
  const JsonNode* nodes = in.member(root, "nodes", JsonNode::Kind::Array);
  if (nodes == nullptr) return;
  for (const JsonNode& node : nodes->children) {
    NcclNodePreset preset;
    preset.name = in.text(node, "name");
    preset.costs = in.text(node, "costs");
    preset.source = in.text(node, "source");
    if (const JsonNode* match = in.member(node, "match", JsonNode::Kind::Array)) {
      for (const JsonNode& word : match->children) preset.match.emplace_back(word.text);
    }
    const std::string generation = in.text(node, "generation");
    const auto* it = std::find(std::begin(kGenerations), std::end(kGenerations), generation);
    if (it == std::end(kGenerations)) {
      in.problem(node, in_quotes(generation) + " is no generation of GPUs",
                 "Volta, Ampere, Hopper or Blackwell");
      continue;
    }
    preset.node.generation = static_cast<GpuGeneration>(it - std::begin(kGenerations));
    const auto count = [&](std::string_view key) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(in.number(node, key)), 1, 1024);
    };
    preset.node.gpus = count("gpus");
    preset.node.nics = count("nics");
    preset.node.nvlink_gbytes = in.number(node, "nvlink_gbytes");
    preset.node.nvswitch = in.flag(node, "nvswitch");
    preset.node.nic_gbps = in.number(node, "nic_gbps");
    preset.node.pcie_gbytes = in.number(node, "pcie_gbytes");
    catalog.nodes.push_back(std::move(preset));
  }
  if (catalog.nodes.empty()) in.problem(*nodes, "holds no node", "");
}

void read_plugins(Catalog& in, const JsonNode& root, NcclCatalog& catalog) {
  const JsonNode* plugins = in.member(root, "plugins", JsonNode::Kind::Array);
  if (plugins == nullptr) return;
  for (const JsonNode& node : plugins->children) {
    NcclPlugin plugin;
    plugin.network = in.text(node, "network");
    plugin.source = in.text(node, "source");
    const JsonNode* choices = in.member(node, "choices", JsonNode::Kind::Array);
    if (choices == nullptr) continue;
    for (const JsonNode& rule : choices->children) {
      const auto algorithm = nccl_algorithm(in.text(rule, "algorithm"));
      const auto protocol = nccl_protocol(in.text(rule, "protocol"));
      if (!algorithm || !protocol) {
        in.problem(rule, "names no algorithm and protocol of NCCL", "\"Tree\" and \"LL\"");
        continue;
      }
      plugin.choices.push_back(
          {static_cast<std::int64_t>(in.number(rule, "from_bytes")), *algorithm, *protocol});
    }
    catalog.plugins.push_back(std::move(plugin));
  }
}

std::string shipped_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::optional<NcclVersion> nccl_version_in_words(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9') continue;
    NcclVersion version{};
    std::size_t parts = 0;
    const char* end = text.data() + text.size();
    const char* from = text.data() + at;
    while (parts < 3) {
      const auto [next, error] = std::from_chars(from, end, version[parts]);
      if (error != std::errc{} || version[parts] > 1000) break;
      ++parts;
      from = next;
      if (next == end || *next != '.') break;
      ++from;
    }
    // A lone number is a year or a count.
    if (parts >= 2 && version[0] == 2) return version;
    at = std::max(at, static_cast<std::size_t>(from - text.data()));
  }
  return std::nullopt;
}

const NcclTuningClass& NcclCatalog::of_version(const NcclVersion& version) const {
  const NcclTuningClass* found = &classes.front();
  for (const NcclTuningClass& entry : classes) {
    if (entry.first <= version) found = &entry;
  }
  return *found;
}

const NcclNodePreset* NcclCatalog::node_named(std::string_view name) const {
  const auto it = std::find_if(nodes.begin(), nodes.end(),
                               [&](const NcclNodePreset& node) { return node.name == name; });
  return it == nodes.end() ? nullptr : &*it;
}

const NcclPlugin* NcclCatalog::plugin_of(std::string_view network) const {
  for (const NcclPlugin& plugin : plugins) {
    if (plugin.network == network) return &plugin;
  }
  return nullptr;
}

const NcclNodePreset* NcclCatalog::node_of_gpu(std::string_view gpu) const {
  for (const NcclNodePreset& node : nodes) {
    for (const std::string& word : node.match) {
      if (!word.empty() && gpu.find(word) != std::string_view::npos) return &node;
    }
  }
  return nullptr;
}

NcclCatalogResult read_nccl_catalog(std::string_view tuning, const std::string& tuning_file,
                                    std::string_view nodes, const std::string& nodes_file) {
  NcclCatalogResult result;
  const JsonSource tuning_source(tuning_file, std::string(tuning), result.problems);
  const JsonSource nodes_source(nodes_file, std::string(nodes), result.problems);
  if (tuning_source.root() != nullptr) {
    Catalog in(tuning_file, result.problems);
    read_tuning(in, *tuning_source.root(), result.catalog);
  }
  if (nodes_source.root() != nullptr) {
    Catalog in(nodes_file, result.problems);
    read_nodes(in, *nodes_source.root(), result.catalog);
    read_plugins(in, *nodes_source.root(), result.catalog);
  }
  return result;
}

NcclCatalogResult shipped_nccl_catalog() {
  const std::string tuning = data_file("scenarios/catalog/nccl-tuning.json");
  const std::string nodes = data_file("scenarios/catalog/nccl-nodes.json");
  return read_nccl_catalog(shipped_text(tuning), tuning, shipped_text(nodes), nodes);
}

}  // namespace spineleaf
