#include "validation/probe/probe.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <string>
#include <thread>

#include "validation/probe/redact.hpp"
#include "validation/probe/sections.hpp"

namespace spineleaf::probe {
namespace {

using Clock = std::chrono::steady_clock;
using Reader = void (*)(const Options&, Json&, Progress&);

constexpr int kSchema = 1;
constexpr int kMostParts = 64;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Json host_facts() {
  Json out;
  utsname names{};
  if (::uname(&names) == 0) {
    out["host"] = names.nodename;
    out["kernel"] = names.release;
    out["machine"] = names.machine;
  }
  out["cpus"] = std::thread::hardware_concurrency();
  return out;
}

/// Runs sections against one budget of time.
class Run {
 public:
  Run(const Options& options, const volatile int& interrupted)
      : options_(options), interrupted_(interrupted), begin_(Clock::now()) {}

  bool wanted(const std::string& name) const {
    const auto& only = options_.sections;
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  }

  Json part(const Part& part) const {
    if (interrupted_ != 0) return unavailable("interrupted before it began", "run the probe again");
    const double left = options_.budget_s - seconds_since(begin_);
    if (left <= 0) {
      return unavailable("the probe's budget of time was spent before it began",
                         "give --sections NAME, or a longer --budget");
    }
    const auto start = Clock::now();
    Json out = run_part(part, std::min(left, options_.watchdog_s), interrupted_);
    out["seconds"] = std::round(seconds_since(start) * 1000) / 1000;
    return out;
  }

  Json section(Reader reader) const {
    return part([&](Json& out, Progress& progress) { reader(options_, out, progress); });
  }

  /// A part for each GPU or NIC; the section is as available as its best part.
  Json parts(const char* key, int count, void (*reader)(const Options&, int, Json&, Progress&),
             const std::string& none, const std::string& how) const {
    if (count == 0) return unavailable(none, how);
    Json out = unavailable("", "");
    Json list = Json::array();
    for (int i = 0; i < std::min(count, kMostParts); ++i) {
      Json one =
          part([&](Json& content, Progress& progress) { reader(options_, i, content, progress); });
      if (one["available"] == true) out["available"] = true;
      if (one["reason"] != "" && out["reason"] == "") {
        out["complete"] = false;
        out["reason"] =
            std::string(key) + " " + std::to_string(i) + ": " + one["reason"].get<std::string>();
        out["how_to_get_it"] = one["how_to_get_it"];
      }
      list.push_back(std::move(one));
    }
    out[key] = std::move(list);
    return out;
  }

 private:
  const Options& options_;
  const volatile int& interrupted_;
  Clock::time_point begin_;
};

/// GPUs by the inventory, else by the PCIe tree: CUDA itself is asked only where it is watched.
int count_gpus(const Json& sections) {
  int count = 0;
  if (sections.contains("inventory") && sections["inventory"].contains("gpus")) {
    return static_cast<int>(sections["inventory"]["gpus"].size());
  }
  if (sections.contains("pcie") && sections["pcie"].contains("devices")) {
    for (const Json& device : sections["pcie"]["devices"]) count += device["kind"] == "gpu" ? 1 : 0;
  }
  return count;
}

/// What moved between two readings. A counter that fell has wrapped or was reset: that is said.
Json moved(const Json& before, const Json& after) {
  Json out = Json::object();
  for (const auto& [key, now] : after.items()) {
    if (!before.contains(key)) continue;
    const Json& then = before[key];
    if (now.is_object()) {
      Json inner = moved(then, now);
      if (!inner.empty()) out[key] = std::move(inner);
    } else if (now.is_number_integer() && then.is_number_integer() && now != then) {
      if (now > then)
        out[key] = now.get<std::int64_t>() - then.get<std::int64_t>();
      else
        out[key] = "fell: wrapped or reset";
    }
  }
  return out;
}

Json joined_counters(Json before, Json after) {
  Json out = after["available"] == true ? unavailable("", "") : before;
  if (before["available"] != true || after["available"] != true) {
    const Json& lacking = before["available"] == true ? after : before;
    out = unavailable(lacking["reason"], lacking["how_to_get_it"]);
    if (before["available"] == true) out["available"] = true, out["before"] = std::move(before);
    return out;
  }
  for (Json* reading : {&before, &after}) {
    for (const char* key : {"available", "complete", "reason", "how_to_get_it"}) {
      reading->erase(key);
    }
  }
  out["available"] = true;
  out["moved"] = moved(before, after);
  out["before"] = std::move(before);
  out["after"] = std::move(after);
  return out;
}

void run_sections(const Options& options, const Run& run, Json& sections) {
  Json before;
  if (run.wanted("counters")) before = run.section(read_counters);
  constexpr std::pair<const char*, Reader> kReaders[] = {{"inventory", read_inventory},
                                                         {"pcie", read_pcie},
                                                         {"acs-iommu", read_acs_iommu},
                                                         {"gdr", read_gdr},
                                                         {"nic", read_nics}};
  for (const auto& [name, reader] : kReaders) {
    if (run.wanted(name)) sections[name] = run.section(reader);
  }
  if (run.wanted("counters")) sections["counters"] = nullptr;  // In its place, filled at the end.
  if (run.wanted("verbs")) {
    sections["verbs"] = run.parts("nics", static_cast<int>(rdma_devices(options).size()),
                                  measure_verbs, "no RDMA device under /sys/class/infiniband",
                                  "load the NIC's RDMA driver (modprobe mlx5_ib)");
  }
  if (run.wanted("copies")) {
    sections["copies"] =
        run.parts("gpus", std::max(count_gpus(sections), 1), measure_copies, "", "");
  }
  if (run.wanted("nccl")) sections["nccl"] = run.section(measure_nccl);
  if (run.wanted("counters")) {
    sections["counters"] = joined_counters(std::move(before), run.section(read_counters));
  }
}

}  // namespace

const std::vector<const char*>& section_names() {
  static const std::vector<const char*> names = {"inventory", "pcie",  "acs-iommu", "gdr", "nic",
                                                 "counters",  "verbs", "copies",    "nccl"};
  return names;
}

Json probe(const Options& options, const volatile int& interrupted) {
  const auto begin = Clock::now();
  Json file;
  file["format"] = "spineleaf-probe";
  file["schema"] = kSchema;
  file["version"] = SPINELEAF_VERSION;
  file["date"] = date_now();
  file["names"] = options.keep_names ? "kept" : "tokens";
  file["machine"] = host_facts();
  Json sections = Json::object();
  run_sections(options, Run(options, interrupted), sections);
  file["seconds"] = std::round(seconds_since(begin) * 1000) / 1000;
  file["interrupted"] = interrupted != 0;
  file["sections"] = std::move(sections);
  if (!options.keep_names) redact(file);
  return file;
}

}  // namespace spineleaf::probe
