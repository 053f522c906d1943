#include "scenarios/recorder.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "models/collectives/schedule_app.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostBins = 160;
constexpr std::size_t kPortsKept = 24;        // by queue, and as many by time held
constexpr std::size_t kConnectionsKept = 12;  // evenly over all
constexpr std::uint32_t kRanksKept = 32;
constexpr std::size_t kStepsOfHost = 4000;

}  // namespace

/// The steps of one host's ranks in one job. Hosts run on different threads, so each has its own.
struct Recorder::StepLog {
  std::uint32_t job = 0;
  std::vector<StepRecord> steps;
  bool cut = false;

  static void add(void* context, const ScheduleStep& step) {
    StepLog& log = *static_cast<StepLog*>(context);
    if (step.place.channel != 0) return;
    log.cut = log.cut || step.place.rank >= kRanksKept || log.steps.size() >= kStepsOfHost;
    if (step.place.rank >= kRanksKept || log.steps.size() >= kStepsOfHost) return;
    log.steps.push_back({log.job, step.place.rank, step.place.role, step.iteration,
                         step.chunk.ins > 0, step.chunk.outs > 0, step.bytes, step.start,
                         step.finish});
  }
};

Recorder::Recorder(World& world)
    : dcqcn_(world.params.dcqcn, world.params.transport.congestion_control),
      every_(world.limits.sample_every) {
  follow_steps(world);
  if (is_dcqcn(world.params.transport.congestion_control)) follow_rates(world);
}

Recorder::~Recorder() = default;

void Recorder::follow_steps(World& world) {
  for (std::size_t job = 0; job < world.workloads.size(); ++job) {
    for (Workload::App& entry : world.workloads[job].apps) {
      auto* app = dynamic_cast<ScheduleApp*>(entry.app.get());
      if (app == nullptr) continue;
      if (app->first_rank() >= kRanksKept) {
        steps_cut_ = true;  // its steps cost nothing then
        continue;
      }
      logs_.push_back(std::make_unique<StepLog>());
      logs_.back()->job = static_cast<std::uint32_t>(job);
      app->observe_with({&StepLog::add, logs_.back().get()});
    }
  }
}

void Recorder::follow_rates(const World& world) {
  std::vector<Connection> all;
  std::map<std::uint32_t, std::uint32_t> rows;  // by host, over all jobs
  for (const Workload& workload : world.workloads) {
    for (const ConnectionSpec& spec : workload.connections) {
      const NodeId from = world.topology.endpoints[index(spec.from)].host;
      const NodeId to = world.topology.endpoints[index(spec.to)].host;
      const std::uint32_t row = rows[index(from)]++;
      Connection connection{index(from), SenderRow{row}, {}};
      connection.history.name = world.topology.node(from).name + " > " +
                                world.topology.node(to).name + ", connection " +
                                std::to_string(row);
      all.push_back(std::move(connection));
    }
  }
  const std::size_t count = std::min(all.size(), kConnectionsKept);
  for (std::size_t i = 0; i < count; ++i) {
    connections_.push_back(std::move(all[i * all.size() / count]));
  }
}

void Recorder::make_rows(Fabric& fabric) {
  const auto nodes = static_cast<std::uint32_t>(fabric.hosts.size() + fabric.switches.size());
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const Ports& ports = fabric.ports_of(node);
    for (std::uint32_t port = 0; port < ports.count(); ++port) {
      rows_.push_back({node, port, {}, {}, std::vector<Time>(ports.classes())});
    }
  }
}

/// Two bins become one.
void Recorder::fold() {
  ++shift_;
  for (Row& row : rows_) {
    for (std::size_t i = 0; i < row.queue.size() / 2; ++i) {
      row.queue[i] = std::max(row.queue[2 * i], row.queue[2 * i + 1]);
      row.held_ps[i] = row.held_ps[2 * i] + row.held_ps[2 * i + 1];
    }
    row.queue.resize(row.queue.size() / 2);
    row.held_ps.resize(row.queue.size());
  }
  for (Connection& connection : connections_) {
    std::vector<float>& values = connection.history.gbps;
    for (std::size_t i = 0; i < values.size() / 2; ++i) values[i] = values[2 * i + 1];
    values.resize(values.size() / 2);
  }
}

/// Bin of the sample that is being taken; makes room for it.
std::size_t Recorder::bin_of_next() {
  if ((samples_ >> shift_) >= kMostBins) fold();
  return static_cast<std::size_t>(samples_++ >> shift_);
}

void Recorder::sample(Fabric& fabric, Time at) {
  if (rows_.empty()) make_rows(fabric);
  const std::size_t bin = bin_of_next();
  for (Row& row : rows_) {
    const Ports& ports = fabric.ports_of(row.node);
    std::int64_t queued = 0;
    Time held;
    for (std::uint32_t c = 0; c < ports.classes(); ++c) {
      queued = std::max(queued, ports.queued_bytes(row.port, c));
      const Time total = ports.paused_time(row.port, c, at) + ports.stalled_time(row.port, c, at);
      held = std::max(held, total - row.held_before[c]);
      row.held_before[c] = total;
    }
    if (bin == row.queue.size()) {
      row.queue.push_back(0);
      row.held_ps.push_back(0);
    }
    row.queue[bin] = std::max(row.queue[bin], static_cast<float>(queued));
    row.held_ps[bin] += held.ps;
  }
  for (Connection& connection : connections_) {
    Dcqcn state = fabric.hosts[connection.host]->rate_control(connection.row);
    state.catch_up(dcqcn_, at, false);  // a copy: a tick sees what fired before it
    std::vector<float>& values = connection.history.gbps;
    values.resize(bin + 1);
    values[bin] = static_cast<float>(state.rate() / 1e9);
  }
}

std::vector<std::size_t> Recorder::chosen() const {
  const auto peak = [this](std::size_t i) {
    return rows_[i].queue.empty() ? 0
                                  : *std::max_element(rows_[i].queue.begin(), rows_[i].queue.end());
  };
  const auto held = [this](std::size_t i) {
    return std::accumulate(rows_[i].held_ps.begin(), rows_[i].held_ps.end(), std::int64_t{0});
  };
  std::set<std::size_t> kept;
  const auto keep = [&](auto measure) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto value = static_cast<double>(measure(i));
      if (value > 0) order.push_back({-value, i});
    }
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < std::min(order.size(), kPortsKept); ++k) {
      kept.insert(order[k].second);
    }
  };
  keep(peak);
  keep(held);
  return {kept.begin(), kept.end()};
}

std::vector<float> Recorder::mean_held(bool nics, std::uint32_t hosts, std::size_t bins) const {
  std::vector<double> sums(bins);
  std::size_t count = 0;
  for (const Row& row : rows_) {
    if ((row.node < hosts) != nics) continue;
    ++count;
    for (std::size_t i = 0; i < bins; ++i) sums[i] += static_cast<double>(row.held_ps[i]);
  }
  std::vector<float> out;
  const double whole = static_cast<double>(every_.ps << shift_) * static_cast<double>(count);
  for (const double sum : sums) out.push_back(whole > 0 ? static_cast<float>(sum / whole) : 0);
  return out;
}

History Recorder::take(const World& world) {
  History history;
  history.bin = Time{every_.ps << shift_};
  history.ports_of_all = rows_.size();
  const std::size_t bins = rows_.empty() ? 0 : rows_.front().queue.size();
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::string> peers;
  for (const Cable& cable : world.topology.cables) {
    peers[{index(cable.a.node), cable.a.port}] = world.topology.node(cable.b.node).name;
    peers[{index(cable.b.node), cable.b.port}] = world.topology.node(cable.a.node).name;
  }
  for (const std::size_t i : chosen()) {
    Row& row = rows_[i];
    PortHistory port;
    port.name = world.topology.nodes[row.node].name + ":" + std::to_string(row.port) + " > " +
                peers[{row.node, static_cast<std::uint16_t>(row.port)}];
    port.queue_bytes = std::move(row.queue);
    for (const std::int64_t ps : row.held_ps) {
      port.held.push_back(
          static_cast<float>(static_cast<double>(ps) / static_cast<double>(history.bin.ps)));
    }
    history.ports.push_back(std::move(port));
  }
  history.held_nics = mean_held(true, world.topology.host_count, bins);
  history.held_switches = mean_held(false, world.topology.host_count, bins);
  for (Connection& connection : connections_) {
    history.rates.push_back(std::move(connection.history));
  }
  history.steps_cut = steps_cut_;
  for (const std::unique_ptr<StepLog>& log : logs_) {
    history.steps.insert(history.steps.end(), log->steps.begin(), log->steps.end());
    history.steps_cut = history.steps_cut || log->cut;
  }
  return history;
}

}  // namespace spineleaf
