// What an NCCL log tells a person: rails with and without GPU Direct RDMA, fallbacks, surprises.

#include <algorithm>
#include <iterator>

#include "validation/readers/nccl_log.hpp"

namespace spineleaf {
namespace {

using Verdicts = std::vector<std::pair<Severity, std::string>>;

/// Connections over the NICs of one name, of all hosts.
struct Rail {
  std::int64_t connections = 0;
  std::vector<std::string> staged;  ///< hosts with a connection that lacks GPU Direct RDMA
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string nic_name(const NcclHost& host, std::int64_t index) {
  const auto it = host.nics.find(index);
  return it == host.nics.end() ? "NIC " + std::to_string(index) : it->second.name;
}

std::map<std::string, Rail> rails_of(const NcclLog& log) {
  std::map<std::string, Rail> rails;
  for (const NcclHost& host : log.hosts) {
    for (const auto& [index, use] : host.uses) {
      Rail& rail = rails[nic_name(host, index)];
      rail.connections += use.connections;
      if (use.direct < use.connections) rail.staged.push_back(host.host);
    }
  }
  return rails;
}

/// "7 of 8 rails GDRDMA, mlx5_3 missing"
void judge_rails(const NcclLog& log, const std::map<std::string, Rail>& rails, Verdicts& verdicts) {
  if (rails.empty()) return;
  std::vector<std::string> missing;
  for (const auto& [name, rail] : rails) {
    if (rail.staged.empty()) continue;
    const bool everywhere = rail.staged.size() == log.hosts.size();
    missing.push_back(
        name + (everywhere || log.hosts.size() < 2 ? "" : " (on " + joined(rail.staged) + ")"));
  }
  const std::size_t good = rails.size() - missing.size();
  std::string text = std::to_string(good) + " of " + std::to_string(rails.size()) + " rails GDRDMA";
  if (!missing.empty()) text += ", " + joined(missing) + " missing";
  verdicts.emplace_back(missing.empty() ? Severity::Note : Severity::Warning, std::move(text));
}

void judge_unused(const NcclLog& log, const std::map<std::string, Rail>& rails,
                  Verdicts& verdicts) {
  std::vector<std::string> unused;
  for (const NcclHost& host : log.hosts) {
    for (const auto& [index, nic] : host.nics) {
      if (rails.count(nic.name) > 0) continue;
      if (std::find(unused.begin(), unused.end(), nic.name) == unused.end()) {
        unused.push_back(nic.name);
      }
    }
  }
  if (rails.empty() || unused.empty()) return;
  verdicts.emplace_back(Severity::Warning, "no channel uses " + joined(unused));
}

void judge_transports(const NcclLog& log, Verdicts& verdicts) {
  const auto count = [&](const char* name) {
    const auto it = log.transports.find(name);
    return it == log.transports.end() ? 0 : it->second;
  };
  const bool socket = count("NET/Socket") > 0 ||
                      std::any_of(log.hosts.begin(), log.hosts.end(),
                                  [](const NcclHost& host) { return host.network == "Socket"; });
  if (socket) {
    verdicts.emplace_back(Severity::Warning,
                          "TCP fallback: NCCL uses network Socket, no RDMA plugin was loaded");
  }
  if (const auto shm = count("SHM"); shm > 0) {
    verdicts.emplace_back(Severity::Warning,
                          std::to_string(shm) +
                              " connections inside a node go through host memory "
                              "(SHM): no peer access between those GPUs");
  }
  if (count("COLLNET/SHARP") > 0) verdicts.emplace_back(Severity::Note, "SHARP is in use");
}

/// Ranges of sizes with one choice: "AllReduce: Ring/LL up to 1048576 B, NVLS/Simple above".
void tell_choices(const NcclLog& log, Verdicts& verdicts) {
  std::map<std::string, std::map<std::int64_t, std::string>> by_collective;
  for (const NcclChoice& choice : log.choices) {
    by_collective[choice.collective][choice.bytes] = choice.algorithm + "/" + choice.protocol;
  }
  for (const auto& [collective, sizes] : by_collective) {
    std::string text = collective + ":";
    for (auto it = sizes.begin(); it != sizes.end();) {
      auto end = it;
      while (end != sizes.end() && end->second == it->second) ++end;
      text += (it == sizes.begin() ? " " : ", ") + it->second + " from " +
              std::to_string(it->first) + " B";
      it = end;
    }
    verdicts.emplace_back(Severity::Note, std::move(text));
  }
}

}  // namespace

std::vector<std::pair<Severity, std::string>> verdicts(const NcclLog& log) {
  Verdicts out;
  const std::map<std::string, Rail> rails = rails_of(log);
  judge_rails(log, rails, out);
  judge_unused(log, rails, out);
  judge_transports(log, out);
  tell_choices(log, out);
  for (const std::string& warning : log.warnings) {
    out.emplace_back(Severity::Warning, "NCCL WARN " + warning);
  }
  return out;
}

}  // namespace spineleaf
