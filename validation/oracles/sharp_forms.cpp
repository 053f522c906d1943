#include "validation/oracles/sharp_forms.hpp"

#include <algorithm>

namespace spineleaf {
namespace {
Time wire(const SharpTree& tree, std::int64_t bytes) {
  return serialisation(Bytes{bytes}, tree.rate);
}
}  // namespace

Time sharp_stream_time(const SharpTree& tree, std::int64_t bytes, std::int64_t payload) {
  const std::int64_t packets = std::max<std::int64_t>(1, (bytes + payload - 1) / payload);
  const std::int64_t rest = bytes - (packets - 1) * payload + tree.header;
  const std::int64_t whole = packets == 1 ? rest : payload + tree.header;
  const Time last = wire(tree, rest);
  const Time full = wire(tree, whole);
  const Time node = tree.core + tree.reduction;
  const Time down = tree.core + wire(tree, std::min(tree.head, whole));
  const std::int64_t d = tree.levels;
  return Time{(packets - 1) * full.ps + d * (tree.cable + full + node).ps + d * tree.cable.ps +
              (d - 1) * down.ps + last.ps};
}

double sharp_window_rate(const SharpTree& tree, std::int64_t packets, std::int64_t payload) {
  const double round = sharp_stream_time(tree, payload, payload).seconds();
  const double line = static_cast<double>(payload) / wire(tree, payload + tree.header).seconds();
  return std::min(line, static_cast<double>(packets * payload) / round);
}

double sharp_credit_ps(const SharpTree& tree, std::int64_t packets, std::int64_t payload) {
  const Time full = wire(tree, payload + tree.header);
  const Time update = wire(tree, 8);
  const Time loop{2 * tree.cable.ps + (full + tree.core + tree.reduction + update).ps};
  return std::max(static_cast<double>((full + update).ps),
                  static_cast<double>(loop.ps) / static_cast<double>(packets));
}

}  // namespace spineleaf
