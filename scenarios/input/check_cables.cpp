// Parameters against the cables of the fabric.

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "models/fabric.hpp"
#include "models/host/wire.hpp"
#include "scenarios/input/checker.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {

namespace {

/// One cable of each sort: all that share rate, length and the kinds of their ends behave alike.
std::vector<const Cable*> sorts_of_cable(const Topology& graph) {
  std::vector<const Cable*> cables;
  for (const Cable& cable : graph.cables) cables.push_back(&cable);
  const auto sort_key = [&](const Cable* c) {
    return std::tuple{c->rate, c->propagation, graph.is_host(c->a.node), graph.is_host(c->b.node)};
  };
  std::stable_sort(cables.begin(), cables.end(),
                   [&](const Cable* a, const Cable* b) { return sort_key(a) < sort_key(b); });
  cables.erase(
      std::unique(cables.begin(), cables.end(),
                  [&](const Cable* a, const Cable* b) { return sort_key(a) == sort_key(b); }),
      cables.end());
  return cables;
}

std::string ends(const Topology& graph, const Cable& cable) {
  return graph.node(cable.a.node).name + "-" + graph.node(cable.b.node).name;
}

/// A cable as a link into a switch or host, as far as flow control sees it.
Link link_over(const Cable& cable, const ModelParams& models, bool to_switch) {
  Link link;
  link.rate = cable.rate;
  link.control_latency = cable.propagation + models.fabric.fec;
  link.latency = link.control_latency + (to_switch ? models.sw.core_latency : Time{});
  return link;
}

class CableChecks {
 public:
  CableChecks(const Spec& spec, const Topology& graph, Checker& checker)
      : spec_(spec),
        models_(spec.models),
        graph_(graph),
        checker_(checker),
        wire_(wire_sizes(spec.models)),
        cables_(sorts_of_cable(graph)) {
    largest_ = models_.fabric.mtu.count + wire_.header + wire_.reth + wire_.immediate + wire_.gap;
  }

  void run() {
    const PfcParams& pfc = models_.pfc;
    const bool stated = pfc.headroom.count > 0 && pfc.ns3_rate_shift == 0;
    if (models_.fabric.flow_control == FlowControlKind::Pfc && stated) check_headroom();
    if (models_.fabric.flow_control == FlowControlKind::Credit) check_credit_buffer();
    check_deadline();
  }

 private:
  void check_headroom() {
    std::int64_t most = 0;
    const Cable* worst = nullptr;
    for (const Cable* cable : cables_) {
      // The frame that pauses goes the other way over the same cable, and the switch end has the
      // longer pipeline: its bound is the larger one.
      const bool to_switch = !graph_.is_host(cable->a.node) || !graph_.is_host(cable->b.node);
      const Link arriving = link_over(*cable, models_, to_switch);
      const std::int64_t need =
          headroom_bound(arriving, arriving, largest_, 64 + wire_.gap, models_.pfc.response_time);
      if (need <= most) continue;
      most = need;
      worst = cable;
    }
    const Bytes have = models_.pfc.headroom;
    if (worst == nullptr || have.count >= most) return;
    checker_.warn("pfc.headroom",
                  to_text(have) + " is below the " + to_text(Bytes{most}) + " that " +
                      ends(graph_, *worst) + " (" + to_text(worst->rate) + ", " +
                      to_text(worst->propagation) + " of cable) needs",
                  "at least " + to_text(Bytes{most}) + ", or 0B for the exact bound of each link",
                  "Packets of a lossless class can be lost.");
  }

  void check_credit_buffer() {
    for (const Cable* cable : cables_) {
      const bool to_switch = !graph_.is_host(cable->a.node) || !graph_.is_host(cable->b.node);
      const Link link = link_over(*cable, models_, to_switch);
      const Time round_trip =
          link.latency + link.control_latency + link.serialisation_of(largest_) +
          (models_.credit.mode != CreditMode::Immediate ? models_.credit.min_spacing : Time{});
      const auto bits = static_cast<__int128>(round_trip.ps) * link.rate.bits_per_second;
      const auto need = static_cast<std::int64_t>(bits / 8'000'000'000'000) + largest_;
      if (models_.credit.buffer.count >= need) continue;
      checker_.warn("credit.buffer",
                    to_text(models_.credit.buffer) + " is below one round trip of " +
                        ends(graph_, *cable) + " at " + to_text(link.rate),
                    "at least " + to_text(Bytes{need}) + " to keep the cable full");
      return;
    }
  }

  /// Time for one packet to cross the fabric at its deepest and for its ACK to come back.
  void check_deadline() {
    if (spec_.run.deadline == Time{}) return;
    std::vector<Time> of_tier;
    for (const Cable* cable : cables_) {
      if (of_tier.size() <= cable->tier) of_tier.resize(cable->tier + std::size_t{1});
      const Time once =
          cable->propagation + models_.fabric.fec + serialisation(Bytes{largest_}, cable->rate);
      of_tier[cable->tier] = std::max(of_tier[cable->tier], once);
    }
    Time one_way = models_.nic.send_latency + models_.nic.receive_latency;
    for (const Time once : of_tier) one_way += once * 2 + models_.sw.core_latency;
    const Time round_trip = one_way * 2;
    if (spec_.run.deadline >= round_trip) return;
    checker_.warn("run.deadline",
                  to_text(spec_.run.deadline) +
                      " is shorter than one round trip through the "
                      "fabric, about " +
                      to_text(Time{round_trip.ps / 1000 * 1000}),
                  {}, "Nothing will be acknowledged before the run ends.");
  }

  const Spec& spec_;
  const ModelParams& models_;
  const Topology& graph_;
  Checker& checker_;
  WireSizes wire_;
  std::vector<const Cable*> cables_;
  std::int64_t largest_ = 0;
};

}  // namespace

void check_cables(const Spec& spec, const Topology& graph, Checker& checker) {
  CableChecks(spec, graph, checker).run();
}

}  // namespace spineleaf
