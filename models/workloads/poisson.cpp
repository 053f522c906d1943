// poisson: open-loop flows at random times, of constant or distributed size, to random hosts.
//
// Arrival times, sizes and destinations are counter-based draws: flow k of a port is the same
// whatever other ports do. All flows are planned before the run, at 24 bytes each.

#include <algorithm>
#include <array>

#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"
#include "models/workloads/size_distribution.hpp"
#include "sim/random.hpp"

namespace spineleaf {
namespace {

enum class Sizes : std::uint8_t { Constant, WebSearch, FbHadoop, Custom };
enum class Sharing : std::uint8_t { PerFlow, PerPair };

struct PoissonParams {
  std::string hosts;
  double load = 0.5;
  Sizes sizes = Sizes::Constant;
  Bytes bytes;
  std::string cdf;
  Time duration;
  Time start;
  std::string receiver;
  Sharing connections = Sharing::PerFlow;
  std::int64_t traffic_class = -1;
};

constexpr std::array<std::string_view, 4> kSizes{"constant", "web_search", "fb_hadoop", "cdf"};
constexpr std::array<std::string_view, 2> kSharing{"per_flow", "per_pair"};

constexpr std::array kPoissonDecls{
    param<&PoissonParams::hosts>(
        "hosts", Unit::Text, "", 0, 0,
        "Hosts that take part: names and ranges 'first..last', comma separated; "
        "empty = all.",
        "convention"),
    param<&PoissonParams::load>(
        "load", Unit::Ratio, "0.5", 1e-6, 2,
        "Offered payload as a share of each sending port's rate; with a receiver, of "
        "the receiver's port, over all senders together.",
        "HPCC traffic generator"),
    param<&PoissonParams::sizes>(
        "sizes", Unit::Choice, "constant", 0, 3,
        "constant uses bytes; web_search and fb_hadoop are the distributions of the "
        "HPCC traffic generator; cdf uses the list in cdf.",
        "HPCC traffic_gen: WebSearch_distribution, FbHdp_distribution", kSizes),
    param<&PoissonParams::bytes>("bytes", Unit::Bytes, "64KiB", 1, unit::TiB,
                                 "Size of a flow (sizes = constant).", "convention"),
    param<&PoissonParams::cdf>(
        "cdf", Unit::Text, "", 0, 0,
        "Cumulative size distribution 'bytes:probability,...', linear between points, "
        "the last probability 1 (sizes = cdf).",
        "HPCC traffic generator"),
    param<&PoissonParams::duration>("duration", Unit::Time, "1ms", 1, 1000 * unit::s,
                                    "Flows start within this time.", "convention"),
    param<&PoissonParams::start>("start", Unit::Time, "0us", 0, 1000 * unit::s,
                                 "Time at which arrivals begin.", "convention"),
    param<&PoissonParams::receiver>(
        "receiver", Unit::Text, "", 0, 0,
        "Host, or host:nic, that receives every flow; empty = each flow goes to "
        "another host drawn uniformly.",
        "convention"),
    param<&PoissonParams::connections>(
        "connections", Unit::Choice, "per_flow", 0, 1,
        "per_flow: a QP for every flow; per_pair: flows between two ports "
        "share a QP and are sent in order.",
        "convention", kSharing),
    param<&PoissonParams::traffic_class>("class", Unit::Count, "-1", -1, 14,
                                         "Traffic class; -1 = fabric.data_class.", "convention"),
};
constexpr ParamTable kPoissonTable{"poisson", "Open-loop flows with Poisson arrivals.",
                                   kPoissonDecls};

struct Source {
  EndpointId port{};
  std::uint32_t place = 0;  ///< of its host in the list
  Time gap;                 ///< mean time between its flows
};

struct PoissonParties {
  std::vector<std::uint32_t> hosts;
  std::uint8_t traffic_class = 0;
  SizeDistribution sizes;
  bool fixed = false;  ///< one receiver for all
  EndpointId receiver{};
  std::vector<Source> sources;
};

SizeDistribution distribution(const PoissonParams& params, std::vector<Problem>& problems) {
  switch (params.sizes) {
    case Sizes::WebSearch: return SizeDistribution::parse(kWebSearchSizes, problems);
    case Sizes::FbHadoop: return SizeDistribution::parse(kFbHadoopSizes, problems);
    case Sizes::Custom: return SizeDistribution::parse(params.cdf, problems);
    case Sizes::Constant: break;
  }
  return SizeDistribution::constant(params.bytes);
}

/// The ports that send, each with its pace, and how many flows they start in all.
double list_sources(const HostTable& table, const PoissonParams& params, PoissonParties& parties) {
  for (std::uint32_t h = 0; h < parties.hosts.size(); ++h) {
    const std::uint32_t host = parties.hosts[h];
    if (parties.fixed && table.host_of(parties.receiver) == host) continue;
    for (std::uint32_t e = 0; e < table.endpoints(host); ++e) {
      parties.sources.push_back({table.endpoint(host, e), h, Time{0}});
    }
  }
  const std::vector<Rate> rates = table.endpoint_rates();
  const auto count = static_cast<double>(parties.sources.size());
  double flows = 0;
  for (Source& source : parties.sources) {
    const Rate rate = rates[index(parties.fixed ? parties.receiver : source.port)];
    const double share = parties.fixed ? params.load / count : params.load;
    const double gap =
        parties.sizes.mean() * 8e12 / (share * static_cast<double>(rate.bits_per_second));
    source.gap = Time{static_cast<std::int64_t>(gap < 1e18 ? gap + 0.5 : 1e18)};
    flows += static_cast<double>(params.duration.ps) / gap;
  }
  return flows;
}

PoissonParties check_poisson(const WorkloadCheck& at, const PoissonParams& params) {
  PoissonParties parties;
  parties.sizes = distribution(params, at.problems);
  parties.hosts = at.hosts.select(params.hosts, "hosts", at.problems);
  parties.traffic_class = at.traffic_class(params.traffic_class);
  if (parties.hosts.size() < 2) at.error("hosts", "poisson needs at least 2 hosts");
  if (!params.receiver.empty()) {
    parties.fixed =
        at.hosts.find_endpoint(params.receiver, "receiver", parties.receiver, at.problems);
  }
  const double flows = list_sources(at.hosts, params, parties);
  const auto ports = static_cast<double>(parties.sources.size());
  const double pairs = ports * (parties.fixed ? 1 : ports);
  const bool shared = params.connections == Sharing::PerPair;
  at.plans(shared ? std::min(flows, pairs) : flows, flows, flows * parties.sizes.mean());
  return parties;
}

class PoissonBuilder {
 public:
  PoissonBuilder(const WorkloadContext& context, const HostTable& table,
                 const PoissonParams& params, const PoissonParties& parties)
      : context_(context),
        params_(params),
        parties_(parties),
        table_(table),
        plan_(context, table, "poisson") {}

  Workload build() {
    connection_to_.assign(context_.topology.endpoints.size(), UINT32_MAX);
    for (const Source& source : parties_.sources) add_source(source);
    return plan_.finish();
  }

 private:
  EndpointId destination(const Source& source, std::uint64_t k) const {
    if (parties_.fixed) return parties_.receiver;
    const std::uint64_t bits =
        draw(context_.seed, Purpose::Destination, context_.job, index(source.port), k);
    std::uint64_t place = uniform_below(bits, parties_.hosts.size() - 1);
    if (place >= source.place) ++place;
    const std::uint32_t own = context_.topology.endpoints[index(source.port)].port;
    return table_.endpoint(parties_.hosts[place], own);
  }

  std::uint32_t connection(std::uint32_t lane, const Source& source, EndpointId to) {
    std::uint32_t& known = connection_to_[index(to)];
    if (params_.connections == Sharing::PerPair && known != UINT32_MAX) return known;
    known = plan_.connect(lane, {source.port, to, parties_.traffic_class});
    used_.push_back(to);
    return known;
  }

  void add_source(const Source& source) {
    const std::uint32_t lane = plan_.lane(table_.host_of(source.port), kUnlimitedDepth);
    const std::uint32_t port = index(source.port);
    Time at;
    for (std::uint64_t k = 0;; ++k) {
      at +=
          exponential(source.gap, draw(context_.seed, Purpose::ArrivalTime, context_.job, port, k));
      if (at >= params_.duration) break;
      const std::uint64_t bits = draw(context_.seed, Purpose::FlowSize, context_.job, port, k);
      const std::uint32_t to = connection(lane, source, destination(source, k));
      plan_.message(to, params_.start + at, parties_.sizes.sample(bits));
    }
    for (const EndpointId to : used_) connection_to_[index(to)] = UINT32_MAX;
    used_.clear();
  }

  const WorkloadContext& context_;
  const PoissonParams& params_;
  const PoissonParties& parties_;
  const HostTable& table_;
  FlowPlan plan_;
  std::vector<std::uint32_t> connection_to_;  ///< of the present source, by destination
  std::vector<EndpointId> used_;
};

Workload build_poisson(const WorkloadContext& context, const HostTable& table,
                       const PoissonParams& params, const PoissonParties& parties) {
  return PoissonBuilder(context, table, params, parties).build();
}

}  // namespace

WorkloadKind poisson_workload() {
  return make_workload_kind<kPoissonTable, check_poisson, build_poisson>();
}

}  // namespace spineleaf
