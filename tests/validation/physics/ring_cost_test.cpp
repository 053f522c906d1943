// Ring collectives on an idle fabric, packet by packet: the textbook cost, steps x (alpha + S / n
// B), with alpha and B from the fabric's own latency and payload rate.

#include <gtest/gtest.h>

#include "models/host/wire.hpp"
#include "tests/models/fabric/kind_workload.hpp"
#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/collective_forms.hpp"
#include "validation/oracles/goodput_forms.hpp"
#include "validation/oracles/link_forms.hpp"

namespace spineleaf::ring_cost {
namespace {

using test::Rig;
using test::wire_only;

constexpr Rate kLine = Rate::from_gbps(400);
constexpr Time kCable = Time::from_ns(500);
constexpr Time kLaunch = Time::from_us(8);

/// One GPU a host, one channel, one message a step, no software cost: a step is the wire and the
/// GPU's copy. The launch covers the first clear-to-send, which the cost leaves out.
ModelParams params_of(std::string_view preset) {
  ModelParams params = wire_only(preset, {{"host.gpus", "1"},
                                          {"host.channel_rate", "100Tbps"},
                                          {"host.step_overhead", "0ns"},
                                          {"host.intra_hop", "0ns"},
                                          {"host.proxy_send", "0ns"},
                                          {"host.proxy_receive", "0ns"},
                                          {"host.slice_steps", "4"},
                                          {"host.buffer", "64MiB"}});
  params.host.launch = kLaunch;
  return params;
}

/// alpha: a step's last packet after its last bit has left the sender. B: payload over the wire,
/// then through the GPU.
StepCost step_cost(const ModelParams& params, Bytes part) {
  const auto packets = message_packets(params.fabric.wire, part, params.fabric.mtu, true);
  const Time link = kCable + params.fabric.fec;
  const std::vector<Hop> hops{{kLine, link + params.sw.core_latency}, {kLine, link}};
  const std::int64_t last = packets.back();
  const Time latency = params.sw.switching == Switching::CutThrough
                           ? cut_through_latency(last, params.sw.header.count, hops)
                           : store_and_forward_latency(last, hops);
  const double wire = message_goodput(params.fabric.wire, part, params.fabric.mtu, true, kLine) / 8;
  const double copy = params.host.channel_rate.gbps() / 8;
  return {latency - serialisation(Bytes{last}, kLine), 1 / (1 / wire + 1 / copy)};
}

class RingCost : public ::testing::TestWithParam<std::string_view> {};

TEST_P(RingCost, AnIdleFabricMeetsTheTextbookWithinOnePercent) {
  const ModelParams params = params_of(GetParam());
  for (const std::int64_t hosts : {2, 4, 8}) {
    const Topology topology = test::star(hosts, kLine, kCable);
    for (const std::string_view name : {"all_reduce", "all_gather", "reduce_scatter"}) {
      for (const std::string_view size : {"64KiB", "1MiB", "16MiB", "64MiB"}) {
        Rig rig(topology, params,
                test::workload_of(topology, params, 1, "collective",
                                  {{"collective", name}, {"bytes", size}, {"channels", "1"}}));
        rig.run();
        JobReport report;
        for (const Host* host : rig.fabric().hosts) host->collect(report);
        ASSERT_EQ(report.collectives.size(), static_cast<std::size_t>(hosts));
        const Bytes bytes = report.collectives[0].bytes;
        const StepCost step = step_cost(params, Bytes{bytes.count / hosts});
        const Time expected = name == "all_reduce" ? ring_all_reduce(hosts, bytes, step)
                                                   : ring_all_gather(hosts, bytes, step);
        for (const CollectiveRecord& record : report.collectives) {
          EXPECT_NEAR((record.end - record.start - kLaunch).microseconds(), expected.microseconds(),
                      0.01 * expected.microseconds())
              << name << " " << size << " on " << hosts << " hosts";
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, RingCost, ::testing::Values("roce-400g", "ib-ndr"),
                         [](const ::testing::TestParamInfo<std::string_view>& preset) {
                           return preset.param == "ib-ndr" ? "InfiniBand" : "Roce";
                         });

}  // namespace
}  // namespace spineleaf::ring_cost
