#include "validation/doctor/question.hpp"

#include <algorithm>
#include <cmath>

#include "scenarios/statistics.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {

std::string take_expectation(const std::string& text, const NcclCatalog& catalog,
                             MeasuredSweep& sweep) {
  if (text.empty()) return {};
  std::size_t begin = 0;
  for (int part = 0; begin <= text.size(); ++part) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (part == 0) {
      const NcclNodePreset* preset = catalog.node_named(word);
      if (preset == nullptr) {
        return "--expect: " + in_quotes(word) + " is no node of the catalog (spineleaf expect)";
      }
      if (!preset->match.empty()) sweep.gpu = preset->match.front();
      if (sweep.gpus_per_node == 0) sweep.gpus_per_node = preset->node.gpus;
      if (sweep.nics_per_node == 0) sweep.nics_per_node = preset->node.nics;
      if (sweep.nic_gbps == 0) sweep.nic_gbps = static_cast<std::int64_t>(preset->node.nic_gbps);
      continue;
    }
    const std::size_t x = word.find('x');
    const auto number = [](std::string_view digits, std::int64_t most) {
      const std::int64_t value = to_integer(digits).value_or(0);
      return value <= most ? value : 0;
    };
    const std::int64_t nodes =
        word.ends_with('n') ? number(word.substr(0, word.size() - 1), 100'000) : 0;
    const std::int64_t nics = x != std::string::npos ? number(word.substr(0, x), 1024) : 0;
    const std::int64_t gbps = x != std::string::npos ? number(word.substr(x + 1), 10'000) : 0;
    if (nodes > 0) {
      if (sweep.nodes == 0) sweep.nodes = nodes;
    } else if (nics > 0 && gbps > 0) {
      sweep.nics_per_node = nics;
      sweep.nic_gbps = gbps;
    } else {
      return "--expect: " + in_quotes(word) + " does not fit; expected \"hgx-h100:8x400:4n\"";
    }
  }
  return {};
}

void infer_collective(const std::string& file, MeasuredSweep& sweep) {
  if (!sweep.collective.empty() || sweep.points.empty()) return;
  for (const char* name : {"all_reduce", "all_gather", "reduce_scatter", "alltoall", "sendrecv"}) {
    std::string dashed(name);
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    const bool named =
        file.find(name) != std::string::npos || file.find(dashed) != std::string::npos;
    if (named) sweep.collective = name;
  }
  const MeasuredPoint& last = sweep.points.back();
  const double factor = last.algbw > 0 ? last.busbw / last.algbw : 0;
  const double reduce = busbw_factor("all_reduce", sweep.ranks());
  if (sweep.collective.empty() && std::fabs(factor / reduce - 1) < 0.02) {
    sweep.collective = "all_reduce";
  }
}

}  // namespace spineleaf
