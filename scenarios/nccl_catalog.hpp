#pragma once
// The catalogs of NCCL: numbers of its cost model by class of versions, and servers as it finds
// them. scenarios/catalog/nccl-tuning.json and nccl-nodes.json.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/nccl_system.hpp"
#include "models/collectives/nccl_tuning.hpp"
#include "scenarios/input/problems.hpp"

namespace spineleaf {

using NcclVersion = std::array<std::int64_t, 3>;  ///< 2.26.2

/// The first version in a text: "2.26.2" in "RCCL 2.26.2+cuda", {2, 8, 0} in "~2.8-2.10". Nothing
/// where none is told.
std::optional<NcclVersion> nccl_version_in_words(std::string_view text);

struct NcclTuningClass {
  NcclVersion first{};        ///< the class begins with this version and ends before the next one's
  std::int64_t released = 0;  ///< years x 12 + month; assumed
  NcclTuning tuning;
};

/// A network plugin that brings a table of its own: what runs from a size on.
struct NcclPluginChoice {
  std::int64_t from = 0;
  NcclAlgorithm algorithm = NcclAlgorithm::Ring;
  NcclProtocol protocol = NcclProtocol::Simple;
};
struct NcclPlugin {
  std::string network;  ///< "cxi"
  std::vector<NcclPluginChoice> choices;
  std::string source;
};

struct NcclNodePreset {
  std::string name;                ///< "hgx-h100"
  std::string costs;               ///< its GPUs share fitted costs with others of this word
  std::vector<std::string> match;  ///< words in GPUs' names
  NcclNode node;
  std::string source;
};

struct NcclCatalog {
  std::vector<NcclTuningClass> classes;  ///< ascending
  std::vector<NcclNodePreset> nodes;
  std::vector<NcclPlugin> plugins;

  const NcclTuningClass& of_version(const NcclVersion& version) const;
  const NcclNodePreset* node_named(std::string_view name) const;
  const NcclPlugin* plugin_of(std::string_view network) const;
  /// The first node one of whose words occurs in the GPU's name; null where none does.
  const NcclNodePreset* node_of_gpu(std::string_view gpu) const;
};

struct NcclCatalogResult {
  NcclCatalog catalog;
  std::vector<InputProblem> problems;
};

NcclCatalogResult read_nccl_catalog(std::string_view tuning, const std::string& tuning_file,
                                    std::string_view nodes, const std::string& nodes_file);

/// The catalogs that are shipped (data_dir()).
NcclCatalogResult shipped_nccl_catalog();

}  // namespace spineleaf
