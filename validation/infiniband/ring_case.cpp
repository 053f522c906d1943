#include "validation/infiniband/ring_case.hpp"

#include <cmath>

#include "scenarios/output/text.hpp"

namespace spineleaf {

std::string Ring::host(int sw, int k) const {
  return "host" + std::to_string((sw % switches) * hosts + k);
}

std::string Ring::id() const {
  std::string text = "ring" + std::to_string(switches) + ".k" + std::to_string(hosts) + "." +
                     fixed_text(gbps, gbps == std::floor(gbps) ? 0 : 1) + "G";
  if (escape == Escape::Updn) text += ".updn";
  if (escape == Escape::Lanes) text += ".2vl";
  if (escape == Escape::Dfsssp) text += ".dfsssp";
  if (std::string{mode} != "min_spacing") text += std::string{"."} + mode;
  if (std::string{order} != "voq") text += std::string{"."} + order;
  return text;
}

ValidSpec ring_case(const Ring& ring, const std::string& deadline) {
  std::string flows;
  for (int sw = 0; sw < ring.switches; ++sw) {
    for (int k = 0; k < ring.hosts; ++k) {
      std::string more =
          R"(, "start_jitter": "5us", "rate": ")" + fixed_text(ring.gbps, 1) + R"(Gbps")";
      bool through_first = false;
      if (ring.escape == Escape::None || ring.escape == Escape::Lanes) {
        more += R"(, "path": [")" + ring.host(sw, k) + '"';
        for (int hop = 0; hop <= ring.hops; ++hop) {
          const int at = (sw + hop) % ring.switches;
          through_first = through_first || (at == 0 && hop > 0 && hop < ring.hops);
          more += R"(, "sw)" + std::to_string(at) + '"';
        }
        more += R"(, ")" + ring.host(sw + ring.hops, k) + R"("])";
      }
      if (ring.escape == Escape::Lanes) {
        more += std::string{R"(, "class": )"} + (through_first ? "1" : "0");
      }
      flows += (flows.empty() ? "" : ", ") +
               flow_text(ring.host(sw, k), ring.host(sw + ring.hops, k), more, ring.bytes);
    }
  }
  InfinibandCase wanted{R"({"kind": "switch_ring", "switches": )" + std::to_string(ring.switches) +
                            R"(, "hosts_per_switch": )" + std::to_string(ring.hosts) +
                            R"(, "host_latency": "50ns", "ring_latency": "50ns"})",
                        R"({"kind": "flows", "flows": [)" + flows + "]}",
                        {{"run.deadline", deadline},
                         {"run.deadlock_every", "1us"},
                         {"run.until_deadlock", "true"},
                         {"credit.mode", ring.mode},
                         {"switch.queue_order", ring.order}}};
  if (ring.escape == Escape::Lanes) wanted.sets.push_back({"fabric.classes", "2"});
  if (ring.escape == Escape::Dfsssp) {
    wanted.sets.push_back({"fabric.classes", "2"});
    wanted.sets.push_back({"subnet.engine", "dfsssp"});
  }
  if (ring.escape == Escape::Updn) {
    wanted.sets.push_back({"subnet.engine", "updn"});
    wanted.sets.push_back({"subnet.roots", "sw0"});
  }
  wanted.sets.insert(wanted.sets.end(), ring.sets.begin(), ring.sets.end());
  return infiniband_case(wanted);
}

}  // namespace spineleaf
