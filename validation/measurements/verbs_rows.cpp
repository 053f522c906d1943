#include "validation/measurements/verbs_rows.hpp"

#include "scenarios/output/text.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostVerbsRows = 200;

void add_row(FoundVerbs& to, const VerbsRow& row, const Evidence& at) {
  if (to.rows.size() >= kMostVerbsRows) return;
  to.rows.push_back(row);
  to.at.push_back(at);
}

void add_perftest(const Collection& collection, bool gpu_memory, FoundVerbs& to) {
  for (const FoundPerftest& found : collection.perftests) {
    if (found.run.is_latency() || found.run.gpu_memory != gpu_memory || found.run.tx_depth < 1) {
      continue;
    }
    for (const PerftestRow& row : found.run.rows) {
      if (row.average_gbps <= 0 || row.bytes < 1) continue;
      add_row(to,
              {row.bytes, found.run.tx_depth, found.run.qps,
               static_cast<double>(row.bytes) * 8 / row.average_gbps / 1e3},
              found.at);
    }
  }
}

/// "host_memory.us.BYTES.DEPTH.QPS" of the probe.
void add_probe(const Collection& collection, const std::string& prefix, FoundVerbs& to) {
  for (const FoundFacts& found : collection.facts) {
    for (const Fact& fact : found.facts.all()) {
      if (!fact.name.starts_with(prefix)) continue;
      const std::string name = fact.name.substr(prefix.size());
      const std::size_t first = name.find('.');
      const std::size_t second = name.find('.', first + 1);
      if (first == std::string::npos || second == std::string::npos) continue;
      const auto bytes = to_integer(name.substr(0, first));
      const auto depth = to_integer(name.substr(first + 1, second - first - 1));
      const auto qps = to_integer(name.substr(second + 1));
      const auto us = to_number(fact.value);
      if (bytes && depth && qps && us) {
        add_row(to, {*bytes, *depth, *qps, *us}, {found.at.file, fact.line});
      }
    }
  }
}

}  // namespace

Evidence FoundVerbs::at_row(const VerbsRow& row) const {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const VerbsRow& one = rows[i];
    if (one.bytes == row.bytes && one.depth == row.depth && one.qps == row.qps) return at[i];
  }
  return at.empty() ? Evidence{} : at.front();
}

FoundVerbs verbs_rows(const Collection& collection, bool gpu_memory) {
  FoundVerbs out;
  add_perftest(collection, gpu_memory, out);
  out.loopback = out.rows.empty();
  add_probe(collection, gpu_memory ? "gpu_memory.us." : "host_memory.us.", out);
  return out;
}

std::string row_text(const VerbsRow& row) {
  return bytes_text(Bytes{row.bytes}) + " at depth " + std::to_string(row.depth) + " on " +
         std::to_string(row.qps) + (row.qps == 1 ? " QP" : " QPs");
}

}  // namespace spineleaf
