// meas.json: one file for all that was read, without names of machines.

#include <nlohmann/json.hpp>

#include "scenarios/version.hpp"
#include "validation/measurements/collection.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::ordered_json;

Json sweep_json(const FoundSweep& found) {
  const MeasuredSweep& sweep = found.sweep;
  Json out;
  out["file"] = found.at.file;
  out["collective"] = sweep.collective;
  out["nodes"] = sweep.nodes;
  out["gpus_per_node"] = sweep.gpus_per_node;
  for (const auto& [key, text] : {std::pair<const char*, const std::string&>{"gpu", sweep.gpu},
                                  {"nic", sweep.nic},
                                  {"fabric", sweep.fabric},
                                  {"nccl", sweep.nccl_version},
                                  {"flags", sweep.flags}}) {
    if (!text.empty()) out[key] = text;
  }
  if (sweep.nic_gbps > 0) out["nic_gbps"] = sweep.nic_gbps;
  if (sweep.nics_per_node > 0) out["nics_per_node"] = sweep.nics_per_node;
  Json rows = Json::array();
  for (const MeasuredPoint& point : best_per_size(sweep)) {
    rows.push_back({{"bytes", point.bytes}, {"us", point.time_us}, {"busbw_GBps", point.busbw}});
  }
  out["rows"] = std::move(rows);
  return out;
}

Json log_json(const FoundLog& found) {
  Json out;
  out["file"] = found.at.file;
  out["nccl"] = found.log.version;
  out["ranks"] = found.log.ranks;
  out["nodes"] = found.log.nodes;
  out["transports"] = found.log.transports;
  out["channels"] = found.log.channels;
  out["settings"] = found.log.settings;
  Json verdict_lines = Json::array();
  for (const auto& [severity, line] : verdicts(found.log)) verdict_lines.push_back(line);
  out["verdicts"] = std::move(verdict_lines);
  return out;
}

Json perftest_json(const FoundPerftest& found) {
  Json out = {{"file", found.at.file},       {"test", found.run.test},
              {"device", found.run.device},  {"qps", found.run.qps},
              {"depth", found.run.tx_depth}, {"gpu_memory", found.run.gpu_memory}};
  Json rows = Json::array();
  for (const PerftestRow& row : found.run.rows) {
    Json one = {{"bytes", row.bytes}};
    if (row.average_gbps >= 0) one["Gbps"] = row.average_gbps;
    if (row.t_typical_us >= 0) one["us"] = row.t_typical_us;
    if (row.t_min_us >= 0) one["us_min"] = row.t_min_us;
    if (row.t_99_us >= 0) one["us_99"] = row.t_99_us;
    rows.push_back(std::move(one));
  }
  out["rows"] = std::move(rows);
  return out;
}

}  // namespace

std::string collection_json(const Collection& collection) {
  Json out;
  out["format"] = "spineleaf-measurements";
  out["schema"] = 1;
  out["version"] = program_version();
  out["files"] = Json::array();
  for (const Collection::File& file : collection.files) {
    out["files"].push_back({{"file", file.name}, {"format", file.format}, {"bytes", file.bytes}});
  }
  for (const char* list : {"sweeps", "logs", "perftest", "facts"}) out[list] = Json::array();
  for (const FoundSweep& found : collection.sweeps) out["sweeps"].push_back(sweep_json(found));
  for (const FoundLog& found : collection.logs) out["logs"].push_back(log_json(found));
  for (const FoundPerftest& found : collection.perftests) {
    out["perftest"].push_back(perftest_json(found));
  }
  for (const FoundFacts& found : collection.facts) {
    Json rows = Json::array();
    for (const Fact& fact : found.facts.all()) {
      rows.push_back({fact.subject, fact.name, fact.value, fact.line});
    }
    out["facts"].push_back({{"file", found.at.file}, {"format", found.format}, {"rows", rows}});
  }
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace spineleaf
