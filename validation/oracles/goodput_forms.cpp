#include "validation/oracles/goodput_forms.hpp"

#include "models/host/wire.hpp"
#include "validation/oracles/link_forms.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kCreditUpdate = 8;

double share(std::int64_t payload, std::int64_t wire) {
  return static_cast<double>(payload) / static_cast<double>(wire);
}

}  // namespace

double middle_goodput(WireFormat wire, Bytes mtu, Rate line) {
  const WireSizes sizes = wire_sizes(wire);
  return line.gbps() * share(mtu.count, mtu.count + sizes.header + sizes.gap);
}

double message_goodput(WireFormat wire, Bytes message, Bytes mtu, bool immediate, Rate line) {
  return line.gbps() * share(message.count, message_wire_bytes(wire, message, mtu, immediate));
}

double credit_goodput(Bytes mtu, Rate line, CreditSharing sharing, Time spacing,
                      std::int64_t changed_vls) {
  const WireSizes sizes = wire_sizes(WireFormat::InfiniBand);
  const std::int64_t wire = mtu.count + sizes.header + sizes.gap;
  const std::int64_t round = kCreditUpdate * changed_vls;
  const double alone = line.gbps() * share(mtu.count, wire);
  switch (sharing) {
    case CreditSharing::None: return alone;
    case CreditSharing::PerPacket: return line.gbps() * share(mtu.count, wire + kCreditUpdate);
    case CreditSharing::MinSpacing: {
      const Time packet = serialisation(Bytes{wire}, line);
      const std::int64_t packets = (spacing.ps + packet.ps - 1) / packet.ps;
      return line.gbps() * share(mtu.count * packets, wire * packets + round);
    }
    case CreditSharing::Timer:
      return alone * (1 - serialisation(Bytes{round}, line).seconds() / spacing.seconds());
  }
  return alone;
}

Time incast_drain(std::int64_t senders, WireFormat wire, Bytes message, Bytes mtu, bool immediate,
                  Rate line) {
  return serialisation(Bytes{senders * message_wire_bytes(wire, message, mtu, immediate)}, line);
}

}  // namespace spineleaf
