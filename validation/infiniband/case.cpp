#include "validation/infiniband/case.hpp"

#include <stdexcept>

namespace spineleaf {

ValidSpec infiniband_case(const InfinibandCase& wanted) {
  const std::string text =
      R"({"preset": "ib-ndr", "fabric": {"fec": "0ns"}, "credit": {"buffer": "64KiB"},
          "switch": {"core_latency": "150ns", "queue_order": "voq", "forwarding": "static"},
          "nic": {"receive_buffer": "64KiB", "send_latency": "0ns", "receive_latency": "0ns",
                  "message_cost": "0ns", "pcie_rate": "0Gbps"},
          "transport": {"ack_every": 1024, "timeout": "10s", "immediate": false},
          "topology": )" +
      wanted.topology + R"(, "workload": )" + wanted.workload +
      R"(, "run": {"sample_every": "0us", "no_progress": "1s"}, "expect": "deadline"})";
  ReadOptions options;
  options.overrides = wanted.sets;
  ValidateResult read = read_scenario(text, "case", options);
  if (read.spec) return *std::move(read.spec);
  std::string all = "a case can't be used";
  for (const InputProblem& problem : read.problems) all += "\n" + to_string(problem);
  throw std::runtime_error(all);
}

namespace {

Result run_until(const ValidSpec& spec, Time deadline, std::uint64_t seed) {
  ValidSpec until = spec;
  until.run.deadline = deadline;
  RunOptions options;
  options.seed = seed;
  return run_world(until, options);
}

double data_bytes(const LinkRow& link) {
  return static_cast<double>((link.bytes - link.control_bytes).count);
}

}  // namespace

std::vector<double> host_rates_gbps(const ValidSpec& spec, Time from, Time to, std::uint64_t seed) {
  const auto sent = [&](Time at) {
    std::vector<double> bytes;
    for (const LinkRow& link : run_until(spec, at, seed).links) {
      const Cable& cable = spec.graph->cables[link.cable];
      const bool leaves_host = link.from == spec.graph->node(cable.a.node).name
                                   ? spec.graph->is_host(cable.a.node)
                                   : spec.graph->is_host(cable.b.node);
      if (leaves_host) bytes.push_back(data_bytes(link));
    }
    return bytes;
  };
  const std::vector<double> before = sent(from);
  std::vector<double> gbps = sent(to);
  for (std::size_t i = 0; i < gbps.size(); ++i) {
    gbps[i] = (gbps[i] - before[i]) * 8e-9 / (to - from).seconds();
  }
  return gbps;
}

double link_rate_gbps(const ValidSpec& spec, const std::string& from, const std::string& to,
                      Time begin, Time end) {
  const auto sent = [&](Time at) {
    double bytes = 0;
    for (const LinkRow& link : run_until(spec, at, 1).links) {
      if (link.from == from && link.to == to) bytes += data_bytes(link);
    }
    return bytes;
  };
  return (sent(end) - sent(begin)) * 8e-9 / (end - begin).seconds();
}

std::string flow_text(const std::string& from, const std::string& to, const std::string& more,
                      const std::string& bytes) {
  return R"({"from": ")" + from + R"(", "to": ")" + to + R"(", "bytes": ")" + bytes + "\"" + more +
         "}";
}

}  // namespace spineleaf
