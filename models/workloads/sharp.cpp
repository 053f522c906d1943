// sharp: operations between hosts that the switches carry out, one tree per rail.

#include <algorithm>
#include <array>
#include <utility>

#include "models/sharp/manager.hpp"
#include "models/workloads/collective.hpp"
#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"
#include "models/workloads/sharp_app.hpp"

namespace spineleaf {
namespace {

enum class Operation : std::uint8_t { AllReduce, Reduce, Broadcast, Barrier };
enum class Mode : std::uint8_t { Auto, Llt, Sat };
enum class Reduction : std::uint8_t { Sum, Min, Max, Prod, Avg };

struct SharpWorkload {
  Operation operation = Operation::AllReduce;
  Bytes bytes;
  std::int64_t data_type = 0;
  Reduction reduction = Reduction::Sum;
  Mode mode = Mode::Auto;
  std::int64_t rails = 0;
  std::int64_t root = 0;
  std::int64_t iterations = 1;
  std::int64_t warm_up = 0;
  std::int64_t in_flight = 1;
  bool fallback = true;
  std::string hosts;
  Time start;
  Time start_jitter;
  std::int64_t traffic_class = -1;
};

/// Largest streamed operation: 2^30 - 32 B (libsharp_coll, SHARP 2.6).
constexpr std::int64_t kLongestStream = (INT64_C(1) << 30) - 32;

constexpr std::array<std::string_view, 4> kOperations{"all_reduce", "reduce", "broadcast",
                                                      "barrier"};
constexpr std::array<std::string_view, 3> kModes{"auto", "llt", "sat"};
constexpr std::array<std::string_view, 5> kReductions{"sum", "min", "max", "prod", "avg"};
constexpr std::array<std::string_view, 12> kTypes{"float32", "float16", "float64", "bfloat16",
                                                  "int8",    "uint8",   "int16",   "uint16",
                                                  "int32",   "uint32",  "int64",   "uint64"};
constexpr std::array<std::int64_t, 12> kTypeBytes{4, 2, 8, 2, 1, 1, 2, 2, 4, 4, 8, 8};

constexpr std::array kSharpDecls{
    param<&SharpWorkload::operation>(
        "operation", Unit::Choice, "all_reduce", 0, 3,
        "What the hosts do together. reduce sends data up only and broadcast down "
        "only; the other way go packets without data. A barrier has no data.",
        "SHARP 3.5 library", kOperations),
    param<&SharpWorkload::bytes>("bytes", Unit::Bytes, "1MiB", 1, unit::TiB,
                                 "Buffer of one host, cut evenly among its rails.", "convention"),
    param<&SharpWorkload::data_type>(
        "data_type", Unit::Choice, "float32", 0, 11,
        "Type of an element. v1 and v2 know 16, 32 and 64 bits and no bfloat16; "
        "v3 and v4 all.",
        "SHARP 3.5 library; which generation came with what is assumed", kTypes),
    param<&SharpWorkload::reduction>("reduction", Unit::Choice, "sum", 0, 4,
                                     "Of all_reduce and reduce. Switches do sum, min and max.",
                                     "nccl-rdma-sharp-plugins src/sharp_plugin.c", kReductions),
    param<&SharpWorkload::mode>(
        "mode", Unit::Choice, "auto", 0, 2,
        "llt: small packets in operation slots; sat: a stream of whole packets; auto: "
        "sat from sharp.sat_threshold bytes a rail on, where the switches can.",
        "SHARP documentation", kModes),
    param<&SharpWorkload::rails>("rails", Unit::Count, "0", 0, 64,
                                 "NICs of each host that take part, a tree each; 0 = all.",
                                 "convention"),
    param<&SharpWorkload::root>(
        "root", Unit::Count, "0", 0, 1e6,
        "Root of reduce and broadcast: a host, counted in the order of hosts.", "convention"),
    param<&SharpWorkload::iterations>("iterations", Unit::Count, "1", 1, 1e6,
                                      "Measured operations.", "convention"),
    param<&SharpWorkload::warm_up>("warm_up", Unit::Count, "0", 0, 1e6, "Operations before them.",
                                   "convention"),
    param<&SharpWorkload::in_flight>("in_flight", Unit::Count, "1", 1, 4096,
                                     "Operations that a host has under way at once.", "convention"),
    param<&SharpWorkload::fallback>(
        "fallback", Unit::Flag, "true", 0, 1,
        "true: where the switches can't, the hosts do it themselves on a ring, and "
        "the result says so; false: refuse to run.",
        "as NCCL and UCC do"),
    param<&SharpWorkload::hosts>(
        "hosts", Unit::Text, "", 0, 0,
        "Hosts that take part: names and ranges 'first..last', comma separated; "
        "empty = all.",
        "convention"),
    param<&SharpWorkload::start>("start", Unit::Time, "0us", 0, 1000 * unit::s,
                                 "Time of the first operation.", "convention"),
    param<&SharpWorkload::start_jitter>("start_jitter", Unit::Time, "0us", 0, 1000 * unit::ms,
                                        "Each host starts up to this much later, uniform by seed.",
                                        "convention"),
    param<&SharpWorkload::traffic_class>("class", Unit::Count, "-1", -1, 14,
                                         "Traffic class; -1 = fabric.data_class.", "convention"),
};
constexpr ParamTable kSharpTable{
    "sharp", "Operations between hosts that InfiniBand switches carry out (SHARP).", kSharpDecls};

std::string_view operation_name(const SharpWorkload& params) {
  return kOperations[static_cast<std::size_t>(params.operation)];
}

struct SharpPlan {
  std::vector<std::uint32_t> hosts;
  std::uint32_t rails = 0;
  std::uint8_t traffic_class = 0;
};

bool combines(const SharpWorkload& params) {
  return params.operation == Operation::AllReduce || params.operation == Operation::Reduce;
}

std::int64_t rail_bytes(const SharpWorkload& params, std::uint32_t rails) {
  return params.operation == Operation::Barrier ? 0 : even_part(params.bytes.count, rails, 0);
}

AggregationMode mode_of(const SharpParams& sharp, const SharpWorkload& params,
                        std::uint32_t rails) {
  if (params.mode == Mode::Llt) return AggregationMode::Llt;
  if (params.mode == Mode::Sat) return AggregationMode::Sat;
  const bool streams = rail_bytes(params, rails) >= sharp.sat_threshold.count &&
                       AggregationManager::lacks(sharp, AggregationMode::Sat).empty();
  return streams ? AggregationMode::Sat : AggregationMode::Llt;
}

/// What switches of this generation can't do at all; empty = they can.
std::string beyond_switches(const SharpParams& sharp, const SharpWorkload& params) {
  if (combines(params) && params.reduction > Reduction::Max) {
    return "switches can't do " +
           std::string(kReductions[static_cast<std::size_t>(params.reduction)]);
  }
  const std::string_view type = kTypes[static_cast<std::size_t>(params.data_type)];
  const bool young = type == "bfloat16" || type == "int8" || type == "uint8";
  if (combines(params) && young && sharp.generation < SharpGeneration::V3) {
    return std::string(type) + " needs sharp.generation v3";
  }
  return "";
}

SharpPlan check_sharp(const WorkloadCheck& at, const SharpWorkload& params) {
  SharpPlan plan;
  plan.traffic_class = at.traffic_class(params.traffic_class);
  plan.hosts = at.hosts.select(params.hosts, "hosts", at.problems);
  if (plan.hosts.size() < 2) at.error("hosts", "an operation needs at least 2 hosts");
  if (!at.problems.empty()) return plan;
  std::uint32_t nics = UINT32_MAX;
  for (const std::uint32_t host : plan.hosts) nics = std::min(nics, at.hosts.nics(host));
  plan.rails = params.rails == 0 ? nics : static_cast<std::uint32_t>(params.rails);
  if (plan.rails > nics) {
    at.error("rails", "is more NICs than a host has", std::to_string(params.rails),
             "0 to " + std::to_string(nics));
  }
  const FabricParams& fabric = at.models.fabric;
  if (fabric.wire != WireFormat::InfiniBand || fabric.flow_control == FlowControlKind::Pfc) {
    at.error("",
             "aggregation in switches needs InfiniBand: fabric.wire infiniband and "
             "fabric.flow_control credit, or none for an ideal fabric");
  }
  const bool has_root =
      params.operation == Operation::Reduce || params.operation == Operation::Broadcast;
  if (has_root && params.root >= static_cast<std::int64_t>(plan.hosts.size())) {
    at.error("root", "is no host", std::to_string(params.root),
             "0 to " + std::to_string(plan.hosts.size() - 1));
  }
  const std::int64_t element = kTypeBytes[static_cast<std::size_t>(params.data_type)];
  if (combines(params) && params.bytes.count % element != 0) {
    at.error("bytes",
             "is no whole number of " +
                 std::string(kTypes[static_cast<std::size_t>(params.data_type)]) + " elements",
             std::to_string(params.bytes.count) + "B", "a multiple of " + std::to_string(element));
  }
  if (!at.problems.empty()) return plan;
  if (mode_of(at.models.sharp, params, plan.rails) == AggregationMode::Sat &&
      rail_bytes(params, plan.rails) > kLongestStream) {
    at.error("bytes", "is more than one stream carries on a rail",
             std::to_string(rail_bytes(params, plan.rails)) + "B",
             "at most " + std::to_string(kLongestStream) + "B a rail; more iterations");
  }
  const auto members = static_cast<double>(plan.hosts.size()) * plan.rails;
  const auto rounds = static_cast<double>(params.iterations + params.warm_up);
  at.size = {members, members * rounds,
             static_cast<double>(rail_bytes(params, plan.rails)) * members * rounds};
  return plan;
}

AggregationRequest request_of(const WorkloadContext& context, const HostTable& table,
                              const SharpWorkload& params, const SharpPlan& plan) {
  AggregationRequest request;
  request.job = context.job;
  request.traffic_class = plan.traffic_class;
  request.mode = mode_of(context.params.sharp, params, plan.rails);
  for (std::uint32_t rail = 0; rail < plan.rails; ++rail) {
    std::vector<AggregationMember> members;
    for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
      const bool root = i == static_cast<std::size_t>(params.root);
      AggregationMember member;
      member.endpoint = table.nic_endpoint(plan.hosts[i], rail, 0);
      member.contributes = combines(params) || (params.operation == Operation::Broadcast && root);
      member.receives = params.operation == Operation::AllReduce ||
                        (params.operation == Operation::Reduce && root) ||
                        (params.operation == Operation::Broadcast && !root);
      member.sent_cookie = member.received_cookie = rail;
      members.push_back(member);
    }
    request.rails.push_back(std::move(members));
  }
  return request;
}

/// Keys that were given and that the ring does not know.
std::string left_out(const SharpWorkload& params) {
  std::string keys;
  const auto add = [&keys](bool given, const char* key) {
    if (given) keys += keys.empty() ? key : std::string(", ") + key;
  };
  add(params.rails != 0, "rails");
  add(params.in_flight != 1, "in_flight");
  add(params.start_jitter != Time{0}, "start_jitter");
  return keys.empty() ? "" : ", which takes no " + keys;
}

/// The same on a ring of the hosts' GPUs, as NCCL would.
Workload without_switches(const WorkloadContext& context, const SharpWorkload& params,
                          const std::string& reason) {
  const WorkloadKind kind = collective_workload();
  const std::shared_ptr<void> object = kind.make_params();
  auto& ring = *static_cast<CollectiveParams*>(object.get());
  ring.collective = params.operation == Operation::Reduce      ? Collective::Reduce
                    : params.operation == Operation::Broadcast ? Collective::Broadcast
                                                               : Collective::AllReduce;
  ring.bytes = params.operation == Operation::Barrier ? Bytes{1} : params.bytes;
  ring.iterations = params.iterations;
  ring.warm_up = params.warm_up;
  ring.root = params.root * context.params.host.gpus;
  ring.hosts = params.hosts;
  ring.start = params.start;
  ring.traffic_class = params.traffic_class;
  Workload workload = kind.build(context, object.get());
  workload.warnings.push_back("no aggregation in the switches: " + reason +
                              "; the hosts do it themselves on a ring" + left_out(params));
  return workload;
}

Workload build_sharp(const WorkloadContext& context, const HostTable& table,
                     const SharpWorkload& params, const SharpPlan& plan) {
  Workload workload;
  workload.name = "sharp " + std::string(operation_name(params));
  AggregationGrant grant;
  grant.refusal = beyond_switches(context.params.sharp, params);
  if (grant.refusal.empty() && context.aggregation == nullptr) grant.refusal = "no manager";
  const AggregationRequest request = request_of(context, table, params, plan);
  if (grant.refusal.empty()) grant = context.aggregation->allocate(request);
  if (!grant.refusal.empty()) {
    if (params.fallback) return without_switches(context, params, grant.refusal);
    workload.problems.push_back("no aggregation in the switches: " + grant.refusal);
    return workload;
  }
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    SharpAppSetup setup;
    setup.job = context.job;
    setup.host = plan.hosts[i];
    setup.operation = operation_name(params);
    setup.algorithm = request.mode == AggregationMode::Sat ? "sharp_sat" : "sharp_llt";
    setup.hosts = static_cast<std::uint32_t>(plan.hosts.size());
    setup.bytes = params.operation == Operation::Barrier ? Bytes{0} : params.bytes;
    setup.warm_up = static_cast<std::uint32_t>(params.warm_up);
    setup.iterations = static_cast<std::uint32_t>(params.iterations);
    setup.in_flight = static_cast<std::uint32_t>(params.in_flight);
    setup.start = params.start + start_jitter(context, params.start_jitter, i);
    const bool receives = request.rails[0][i].receives;
    setup.bytes_planned =
        receives ? setup.bytes.count * (params.iterations + params.warm_up) : std::int64_t{0};
    for (const std::vector<MemberRow>& rows : grant.rows) setup.members.push_back(rows[i]);
    workload.apps.push_back({setup.host, std::make_unique<SharpApp>(std::move(setup))});
  }
  std::sort(workload.apps.begin(), workload.apps.end(),
            [](const Workload::App& a, const Workload::App& b) { return a.host < b.host; });
  workload.groups = std::move(grant.groups);
  return workload;
}

}  // namespace

WorkloadKind sharp_workload() {
  return make_workload_kind<kSharpTable, check_sharp, build_sharp>();
}

}  // namespace spineleaf
