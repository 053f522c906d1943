// Random incasts over a fat tree whose buffers are smaller than a round trip: credits must keep
// every packet, and no buffer may ever hold more than it has.

#include <algorithm>

#include "scenarios/output/text.hpp"
#include "validation/infiniband/case.hpp"
#include "validation/infiniband/row.hpp"

namespace spineleaf {

namespace {

constexpr std::int64_t kBuffer = 16'384;
constexpr int kSenders = 32;

std::string incasts(int messages) {
  std::string all;
  for (const char* receiver : {"host0", "host17", "host66", "host127"}) {
    all += std::string{all.empty() ? "" : ", "} + R"({"kind": "incast", "receiver": ")" + receiver +
           R"(", "choice": "random", "senders": )" + std::to_string(kSenders) +
           R"(, "bytes": "1000003B", "start_jitter": "50us", "repeat": )" +
           std::to_string(messages) + "}";
  }
  return "[" + all + "]";
}

}  // namespace

std::vector<ValidationRow> incast_rows(const InfinibandOptions& options) {
  const int messages = options.quick ? 4 : 320;
  const ValidSpec spec =
      infiniband_case({R"({"kind": "fat_tree", "hosts": 128, "radix": 32})",
                       incasts(messages),
                       {{"credit.buffer", std::to_string(kBuffer) + "B"}, {"expect", "ok"}}});
  const Result result = run_world(spec, {});
  std::int64_t most = 0;
  for (const PortClassRow& port : result.port_classes) {
    const bool of_switch = port.node.rfind("host", 0) != 0;
    if (of_switch) most = std::max(most, port.max_ingress.count);
  }
  const Totals& totals = result.totals;
  const std::int64_t packets = std::int64_t{4} * kSenders * messages * 245;  // 1,000,003 B of 4 KiB
  ValidationRow row;
  row.id = options.quick ? "incast.random.quick" : "incast.random";
  row.expected =
      count_text(packets) + " packets, 0 drops, at most " + count_text(kBuffer) + " B in a buffer";
  row.got = count_text(totals.packets_delivered) + " packets, " + count_text(totals.drops_total) +
            " drops, " + count_text(most) + " B";
  row.tolerance = "exact";
  row.pass = result.verdict == Verdict::Ok && totals.packets_delivered == packets &&
             totals.drops_total == 0 && totals.retransmissions == 0 && most <= kBuffer;
  row.source = "credits promise only free blocks (IBTA vol. 1, 7.9): nothing can overflow";
  return {row};
}

}  // namespace spineleaf
