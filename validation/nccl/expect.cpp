#include "validation/nccl/expect.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/data_dir.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"
#include "validation/compare.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kSmallest = 1024;
constexpr std::int64_t kLargest = std::int64_t{8} << 30;
constexpr NcclAlgorithm kShown[] = {NcclAlgorithm::Ring, NcclAlgorithm::Tree, NcclAlgorithm::Nvls,
                                    NcclAlgorithm::NvlsTree};

/// "8x400" or "6x400,2x324" into the sweep's counts; false where it is none. NCCL gives each NIC
/// the same share, so the slowest counts for all.
bool take_nics(std::string_view text, MeasuredSweep& sweep) {
  std::int64_t total = 0, slowest = 0;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view group = text.substr(0, end);
    const std::size_t x = group.find('x');
    if (x == std::string_view::npos) return false;
    const auto count = to_integer(group.substr(0, x));
    const auto gbps = to_integer(group.substr(x + 1));
    if (!count || !gbps || *count < 1 || *count > 1024 || *gbps < 1 || *gbps > 10'000) return false;
    total += *count;
    if (total > 1024) return false;
    slowest = slowest == 0 ? *gbps : std::min(slowest, *gbps);
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  sweep.nics_per_node = total;
  sweep.nic_gbps = slowest;
  return true;
}

std::string names_of(const NcclCatalog& catalog) {
  std::string names;
  for (const NcclNodePreset& node : catalog.nodes) {
    names += (names.empty() ? "" : ", ") + node.name;
  }
  return names;
}

/// The question as a measurement that nobody has made yet.
std::string question(const ExpectQuery& query, const NcclCatalog& catalog, MeasuredSweep& sweep) {
  const NcclNodePreset* preset = catalog.node_named(query.node);
  if (preset == nullptr) {
    return "--node: " + in_quotes(query.node) + " is none of " + names_of(catalog);
  }
  sweep.collective = query.collective;
  sweep.gpu = preset->match.empty() ? "" : preset->match.front();
  sweep.nodes = query.nodes;
  sweep.gpus_per_node = preset->node.gpus;
  sweep.nics_per_node = preset->node.nics;
  sweep.nic_gbps = static_cast<std::int64_t>(preset->node.nic_gbps);
  sweep.fabric = query.network;
  sweep.nccl_version = query.nccl;
  sweep.flags = query.flags;
  if (!query.nics.empty() && !take_nics(query.nics, sweep)) {
    return "--nics: " + in_quotes(query.nics) +
           " does not fit; expected \"8x400\", 8 of 400 Gb/s, or \"6x400,2x324\"";
  }
  if (query.nodes < 1 || query.nodes > 100'000) return "--nodes: expected 1 to 100000";
  if (!nccl_function(query.collective) && query.collective != "alltoall" &&
      query.collective != "sendrecv") {
    return "--collective: " + in_quotes(query.collective) +
           " is none of all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall, "
           "sendrecv";
  }
  if (!nccl_version_in_words(query.nccl)) {
    return "--nccl: " + in_quotes(query.nccl) + " is no version; expected one such as 2.26.2";
  }
  return NcclOverride{nccl_settings(query.flags)["ALGO"], nccl_settings(query.flags)["PROTO"]}
      .problem();
}

std::vector<ExpectAlgorithm> forced_algorithms(const Platform& platform, const EndpointCosts& costs,
                                               std::int64_t bytes, double factor) {
  std::vector<ExpectAlgorithm> out;
  if (!platform.function) return out;
  for (const NcclAlgorithm algorithm : kShown) {
    NcclOverride forced = platform.system.setup.forced;
    forced.algorithms = name_of(algorithm);
    const auto selected = nccl_select(platform.tuning->tuning, platform.system.setup.system,
                                      *platform.function, bytes, forced);
    if (!selected) continue;
    const EndpointTime time = endpoint_time(platform.system, costs, *platform.function, algorithm,
                                            selected->option.protocol, bytes);
    out.push_back(
        {std::string(name_of(algorithm)) + "/" + std::string(name_of(selected->option.protocol)),
         algbw_gbytes(Bytes{bytes}, time.time_us) * factor});
  }
  return out;
}

}  // namespace

Expectation expect(const ExpectQuery& query) {
  // A wrong question needs no fit.
  Expectation wrong;
  MeasuredSweep ignored;
  const NcclCatalogResult catalog = shipped_nccl_catalog();
  if (!has_errors(catalog.problems)) wrong.problem = question(query, catalog.catalog, ignored);
  if (!wrong.problem.empty()) return wrong;
  return expect(query, run_study(data_file("validation/data/nccl"), {.shipped_fit = true}));
}

Expectation expect(const ExpectQuery& query, const Study& study) {
  Expectation out;
  const NcclCatalogResult catalog = shipped_nccl_catalog();
  for (const std::vector<InputProblem>* problems : {&catalog.problems, &study.problems}) {
    if (!has_errors(*problems)) continue;
    out.problem = to_string(problems->front());
    return out;
  }
  MeasuredSweep sweep;
  out.problem = question(query, catalog.catalog, sweep);
  if (!out.problem.empty()) return out;
  const auto platform = platform_of(catalog.catalog, sweep, {}, out.problem);
  if (!platform) return out;
  if (query.nics.find(',') != std::string::npos) {
    out.remarks.push_back("NCCL gives each NIC the same share: all count as the slowest, " +
                          std::to_string(sweep.nic_gbps) + " Gb/s");
  }
  const EndpointCosts costs = study.calibration.costs_of(*platform, &out.remarks);
  for (const std::string& remark : platform->remarks) out.remarks.push_back(remark);
  for (const std::string& name : platform->system.setup.unknown) {
    out.remarks.push_back("NCCL_" + name + " changes nothing here");
  }
  const ErrorBands errors = study.bands_of(Predictor::Model, study.to_predict());
  const double factor = busbw_factor(query.collective, sweep.ranks());
  for (std::int64_t bytes = kSmallest; bytes <= kLargest; bytes *= 4) {
    const PlatformChoice choice = choice_of(*platform, bytes);
    if (platform->function && choice.sends) {
      out.problem = "NCCL has no algorithm and protocol that these settings allow";
      return out;
    }
    const EndpointTime time = time_of(*platform, costs, choice, bytes);
    const std::size_t band = bytes < kMebibyte ? 1 : bytes < 64 * kMebibyte ? 2 : 3;
    const double off = errors[band].p90_abs / 100;
    ExpectRow row;
    row.bytes = bytes;
    row.choice = choice.name();
    row.bound = time.bound;
    row.time_us = time.time_us;
    row.busbw = algbw_gbytes(Bytes{bytes}, time.time_us) * factor;
    // An error of the time: the bandwidth's band is its reciprocal.
    row.low = row.busbw * (1 - std::min(off, 0.99));
    row.high = row.busbw * (1 + off);
    row.algorithms = forced_algorithms(*platform, costs, bytes, factor);
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::string expectation_text(const ExpectQuery& query, const Expectation& expectation) {
  const auto padded = [](std::string text, std::size_t width) {
    text.resize(std::max(width, text.size() + 1), ' ');
    return text;
  };
  std::string text = query.collective + ", " + std::to_string(query.nodes) + " x " + query.node +
                     (query.nics.empty() ? "" : ", NICs " + query.nics) + ", " + query.network +
                     ", NCCL " + query.nccl + (query.flags.empty() ? "" : ", " + query.flags) +
                     "\n\n" + padded("size", 10) + padded("NCCL runs", 17) + padded("time", 12) +
                     padded("busbw GB/s", 11) + padded("healthy band", 16) + padded("bound", 10) +
                     "busbw if forced\n";
  for (const ExpectRow& row : expectation.rows) {
    std::string forced;
    for (const ExpectAlgorithm& algorithm : row.algorithms) {
      forced += (forced.empty() ? "" : ", ") + algorithm.name + " " + short_text(algorithm.busbw);
    }
    text += padded(bytes_text(Bytes{row.bytes}), 10) + padded(row.choice, 17) +
            padded(short_text(row.time_us) + " us", 12) + padded(short_text(row.busbw), 11) +
            padded(short_text(row.low) + " to " + short_text(row.high), 16) +
            padded(row.bound, 10) + forced + "\n";
  }
  text +=
      "\nThe band is how far nine of ten sizes of measured sets lay from the model that was not\n"
      "fitted on them (spineleaf validate nccl). The fabric is taken as idle.\n";
  for (const std::string& remark : expectation.remarks) text += "! " + remark + "\n";
  return text;
}

}  // namespace spineleaf
