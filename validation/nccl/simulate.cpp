#include "validation/nccl/simulate.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "models/workloads/collective.hpp"
#include "models/workloads/host_table.hpp"
#include "scenarios/nccl_catalog.hpp"
#include "scenarios/output/text.hpp"
#include "validation/compare.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

/// Variables that the end-point model knows but a packet run does not.
constexpr std::string_view kNotRun[] = {"P2P_DISABLE", "SHM_DISABLE"};
/// Variables that only a packet run knows; the last three turn PXN and step sizes.
constexpr std::string_view kOnlyRun[] = {"BUFFSIZE", "P2P_PXN_LEVEL", "PXN_DISABLE",
                                         "P2P_NET_CHUNKSIZE"};

class Sweep {
 public:
  Sweep(const ValidSpec& spec, const SimulateQuery& query, Simulated& out)
      : spec_(spec), query_(query), out_(out), hosts_(*spec.graph) {}

  /// False with a problem where the question can't be put.
  bool prepare() {
    const NcclCatalogResult catalog = shipped_nccl_catalog();
    if (has_errors(catalog.problems)) return refuse(to_string(catalog.problems.front()));
    const NcclNodePreset* preset = node_of(catalog.catalog);
    if (preset == nullptr) return refuse_node(catalog.catalog);
    const auto version = nccl_version_in_words(query_.nccl);
    if (!version) {
      return refuse("--nccl: " + in_quotes(query_.nccl) + " is no version; expected 2.26.2");
    }
    tuning_ = catalog.catalog.of_version(*version).tuning;
    if (!count_hosts()) return false;
    NcclNode node = preset->node;
    node.gpus = spec_.models.host.gpus;
    node.nics = hosts_.nics(0);
    node.nic_gbps = hosts_.endpoint_rates()[index(hosts_.endpoint(0, 0))].gbps();
    setup_ =
        make_nccl_setup(node, nodes_, query_.command.settings, (*version)[0] * 100 + (*version)[1]);
    const std::string wrong = setup_.forced.problem();
    if (!wrong.empty()) return refuse(wrong);
    remark();
    return true;
  }

  void run(const RunOptions& options, const std::function<bool(std::int64_t)>& progress) {
    out_.curves.collective = query_.command.collective;
    out_.curves.ranks = query_.command.ranks > 0 ? query_.command.ranks : all_ranks();
    std::vector<Result> results;
    for (const std::int64_t bytes : query_.command.sizes()) {
      if (progress && !progress(bytes)) break;
      const auto params = params_for(bytes);
      if (!params) return;
      results.push_back(run_size(*params, options));
      if (!out_.problem.empty()) return;
    }
    std::vector<const Result*> pointers;
    for (const Result& result : results) pointers.push_back(&result);
    const CurveSet curves = simulated_curves({"simulated"}, {pointers});
    if (!curves.curves.empty()) out_.curves.curves = curves.curves;
    for (SimulatedSize& size : out_.sizes) {
      if (!out_.curves.curves.empty()) size.time_us = time_at(out_.curves.curves[0], size.bytes);
    }
  }

 private:
  bool refuse(std::string why) {
    out_.problem = std::move(why);
    return false;
  }
  /// The node asked for; else the last that the scenario's presets name.
  const NcclNodePreset* node_of(const NcclCatalog& catalog) const {
    if (!query_.node.empty()) return catalog.node_named(query_.node);
    const NcclNodePreset* found = catalog.node_named("hgx-h100");
    for (const std::string& name : spec_.presets) {
      if (const NcclNodePreset* node = catalog.node_named(name)) found = node;
    }
    return found;
  }
  bool refuse_node(const NcclCatalog& catalog) {
    std::string names;
    for (const NcclNodePreset& node : catalog.nodes) {
      names += (names.empty() ? "" : ", ") + node.name;
    }
    return refuse("--node: " + in_quotes(query_.node) + " is none of " + names);
  }
  std::int64_t all_ranks() const { return spec_.models.host.gpus * hosts_.count(); }

  bool count_hosts() {
    const std::int64_t gpus = spec_.models.host.gpus;
    const std::int64_t ranks = query_.command.ranks > 0 ? query_.command.ranks : all_ranks();
    nodes_ = ranks / gpus;
    if (ranks % gpus == 0 && nodes_ >= 1 && nodes_ <= hosts_.count()) return true;
    return refuse("the command starts " + std::to_string(ranks) + " ranks; the scenario has " +
                  std::to_string(hosts_.count()) + " hosts of " + std::to_string(gpus) +
                  " GPUs, and whole hosts are needed");
  }

  std::string setting(std::string_view name) const {
    const auto it = query_.command.settings.find(name);
    return it == query_.command.settings.end() ? std::string() : it->second;
  }

  void remark() {
    for (const std::string& name : setup_.unknown) {
      if (std::find(std::begin(kOnlyRun), std::end(kOnlyRun), name) != std::end(kOnlyRun)) continue;
      out_.remarks.push_back("NCCL_" + name + " changes nothing here");
    }
    for (const std::string_view name : kNotRun) {
      if (!setting(name).empty()) {
        out_.remarks.push_back("NCCL_" + std::string(name) + " changes nothing here");
      }
    }
    for (const std::string& word : query_.command.ignored) {
      out_.remarks.push_back(word + " changes nothing here");
    }
    if (query_.command.iterations > 1) {
      out_.remarks.push_back("one iteration of each size is run (of " +
                             std::to_string(query_.command.iterations) +
                             "): on a simulated fabric they repeat");
    }
  }

  /// The pair that NCCL takes; PAT and what needs SHARP is left out of the choice, and said.
  std::optional<NcclOption> choose(NcclFunction function, std::int64_t bytes) {
    std::optional<NcclSelection> best;
    for (const NcclOption& option : nccl_options(tuning_, setup_.system, function, setup_.forced)) {
      if (option.algorithm == NcclAlgorithm::Pat) {
        note("PAT is not modelled: the next best runs");
        continue;
      }
      const double us = nccl_estimate_us(tuning_, setup_.system, function, option, bytes);
      if (us > 0 && (!best || us < best->estimate_us)) best = NcclSelection{option, us};
    }
    if (!best) {
      out_.problem =
          "NCCL has no algorithm and protocol that these settings allow and that is modelled";
      return std::nullopt;
    }
    return best->option;
  }

  void note(const std::string& remark) {
    if (std::find(out_.remarks.begin(), out_.remarks.end(), remark) == out_.remarks.end()) {
      out_.remarks.push_back(remark);
    }
  }

  std::shared_ptr<CollectiveParams> params_for(std::int64_t bytes) {
    auto params = std::make_shared<CollectiveParams>();
    const std::string& name = query_.command.collective;
    for (int i = 0; i <= static_cast<int>(Collective::SendRecv); ++i) {
      if (name_of(static_cast<Collective>(i)) == name) {
        params->collective = static_cast<Collective>(i);
      }
    }
    SimulatedSize size;
    size.bytes = bytes;
    size.algorithm = "sends";
    size.protocol = "Simple";
    size.channels = setup_.system.channels;
    if (const auto function = nccl_function(name)) {
      const auto option = choose(*function, bytes);
      if (!option) return nullptr;
      size.algorithm = name_of(option->algorithm);
      size.protocol = name_of(option->protocol);
      size.channels = nccl_channels(setup_.system, option->algorithm, option->protocol, bytes,
                                    setup_.nvls_channels);
      take(*option, *params);
    }
    params->channels = size.channels;
    params->bytes = Bytes{bytes};
    params->root = query_.command.root;
    params->warm_up = bytes < 64 * kMebibyte ? 1 : 0;
    take_settings(*params);
    params->hosts = host_list();
    out_.sizes.push_back(std::move(size));
    return params;
  }

  static void take(const NcclOption& option, CollectiveParams& params) {
    switch (option.algorithm) {
      case NcclAlgorithm::Tree: params.algorithm = CollectiveAlgorithm::Tree; break;
      case NcclAlgorithm::Nvls: params.algorithm = CollectiveAlgorithm::Nvls; break;
      case NcclAlgorithm::NvlsTree: params.algorithm = CollectiveAlgorithm::NvlsTree; break;
      default: params.algorithm = CollectiveAlgorithm::Ring;
    }
    params.protocol = option.protocol == NcclProtocol::Simple  ? Protocol::Simple
                      : option.protocol == NcclProtocol::Ll128 ? Protocol::Ll128
                                                               : Protocol::Ll;
  }

  void take_settings(CollectiveParams& params) const {
    const auto number = [&](std::string_view name, std::int64_t otherwise) {
      const auto value = to_integer(setting(name));
      return value && *value >= 1 && *value <= 128 ? *value : otherwise;
    };
    params.qps_per_connection = number("IB_QPS_PER_CONNECTION", 1);
    params.channels_per_peer = std::min<std::int64_t>(number("NCHANNELS_PER_NET_PEER", 0), 64);
    params.pxn = setting("P2P_PXN_LEVEL") != "0" && setting("PXN_DISABLE") != "1";
  }

  void take_buffers(HostParams& host, NcclCosts& costs) const {
    const auto bytes = [&](std::string_view name, Bytes& value) {
      const auto wanted = to_integer(setting(name));
      if (wanted && *wanted >= 65'536 && *wanted <= (1 << 30)) value = Bytes{*wanted};
    };
    bytes("BUFFSIZE", host.buffer);
    bytes("P2P_NET_CHUNKSIZE", costs.p2p_chunk);
  }

  std::string host_list() const {
    if (nodes_ == hosts_.count()) return {};
    std::string list;
    for (std::uint32_t h = 0; h < nodes_; ++h) {
      list += (list.empty() ? "" : ",") + hosts_.topology().nodes[h].name;
    }
    return list;
  }

  Result run_size(const CollectiveParams& params, const RunOptions& options) {
    ValidSpec spec = spec_;
    auto own = std::make_shared<CollectiveParams>(params);
    take_buffers(spec.models.host, own->costs);
    spec.workloads = {{"collective", "", own}};
    Result result = run_world(spec, options);
    if (result.verdict != Verdict::Ok && result.verdict != Verdict::AsExpected) {
      out_.worst = std::max(out_.worst, result.verdict);
      note(bytes_text(params.bytes) + ": " + std::string(to_text(result.verdict)) + ", " +
           std::string(to_text(result.stop)));
    }
    for (const LinkRow& link : result.links) {
      if (link.tier > 0 && !is_host(link.from)) continue;
      const double each = static_cast<double>(link.bytes.count) /
                          static_cast<double>(params.iterations + params.warm_up);
      if (is_host(link.from)) {
        out_.sizes.back().wire_per_nic = std::max(out_.sizes.back().wire_per_nic, each);
      }
    }
    return result;
  }
  bool is_host(const std::string& name) const {
    std::vector<Problem> problems;
    std::uint32_t host = 0;
    return hosts_.find_host(name, "", host, problems);
  }

  const ValidSpec& spec_;
  const SimulateQuery& query_;
  Simulated& out_;
  HostTable hosts_;
  std::int64_t nodes_ = 1;
  NcclTuning tuning_;
  NcclSetup setup_;
};

}  // namespace

Simulated simulate_nccl_tests(const ValidSpec& spec, const SimulateQuery& query,
                              const RunOptions& options,
                              const std::function<bool(std::int64_t)>& progress) {
  Simulated out;
  out.problem = query.command.problem;
  if (!out.problem.empty()) return out;
  Sweep sweep(spec, query, out);
  if (sweep.prepare()) sweep.run(options, progress);
  return out;
}

std::string simulated_text(const Simulated& simulated) {
  std::string text;
  for (std::size_t i = 0; i < simulated.sizes.size();) {
    const SimulatedSize& first = simulated.sizes[i];
    std::size_t last = i;
    while (last + 1 < simulated.sizes.size() &&
           simulated.sizes[last + 1].algorithm == first.algorithm &&
           simulated.sizes[last + 1].protocol == first.protocol) {
      ++last;
    }
    const SimulatedSize& end = simulated.sizes[last];
    text += "# " + bytes_text(Bytes{first.bytes}) +
            (last > i ? " to " + bytes_text(Bytes{end.bytes}) : std::string()) + ": " +
            first.algorithm + "/" + first.protocol + ", " + std::to_string(first.channels) +
            (end.channels != first.channels ? " to " + std::to_string(end.channels) : "") +
            " channels, " + bytes_text(Bytes{static_cast<std::int64_t>(end.wire_per_nic)}) +
            " on the wire out of the busiest NIC at " + bytes_text(Bytes{end.bytes}) + "\n";
    i = last + 1;
  }
  for (const std::string& remark : simulated.remarks) text += "! " + remark + "\n";
  return text;
}

}  // namespace spineleaf
