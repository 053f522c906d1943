#include "scenarios/output/trace_json.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::ordered_json;

double trace_us(Time time) { return static_cast<double>(time.ps) / 1e6; }

class Trace {
 public:
  Trace(const Result& result, const Topology& topology, std::size_t most_messages)
      : result_(result),
        topology_(topology),
        most_messages_(std::max<std::size_t>(most_messages, 1)) {}

  std::string str() {
    series();
    ports();
    rates();
    messages();
    collectives();
    steps();
    std::string out = "{\"displayTimeUnit\":\"ns\",\"otherData\":" +
                      text(Json{{"program", "spineleaf " + result_.version},
                                {"run", result_.name},
                                {"fingerprint", fingerprint_text(result_.fingerprint)},
                                {"sampling", sampling_}}) +
                      ",\n\"traceEvents\":[\n";
    out += events_;
    return out + "\n]}\n";
  }

 private:
  static std::string text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  void add(const Json& event) {
    if (!events_.empty()) events_ += ",\n";
    events_ += text(event);
  }
  /// The number of a process, which is named when it is first asked for.
  int process(const std::string& name) {
    const auto [entry, isnew] =
        processes_.try_emplace(name, static_cast<int>(processes_.size()) + 1);
    if (isnew) {
      add({{"ph", "M"},
           {"name", "process_name"},
           {"pid", entry->second},
           {"tid", 0},
           {"args", {{"name", name}}}});
    }
    return entry->second;
  }
  int thread(int pid, const std::string& name) {
    std::map<std::string, int>& threads = threads_[pid];
    const auto [entry, isnew] = threads.try_emplace(name, static_cast<int>(threads.size()) + 1);
    if (isnew) {
      add({{"ph", "M"},
           {"name", "thread_name"},
           {"pid", pid},
           {"tid", entry->second},
           {"args", {{"name", name}}}});
    }
    return entry->second;
  }
  void counter(int pid, const std::string& name, double at_us, const std::string& unit,
               double value) {
    add({{"ph", "C"}, {"name", name}, {"pid", pid}, {"ts", at_us}, {"args", {{unit, value}}}});
  }
  void slice(const char* category, int pid, int tid, const std::string& name, Time from, Time to,
             Json arguments) {
    add({{"ph", "X"},
         {"cat", category},
         {"name", name},
         {"pid", pid},
         {"tid", tid},
         {"ts", trace_us(from)},
         {"dur", trace_us(to - from)},
         {"args", std::move(arguments)}});
  }

  void series() {
    for (const Series& series : result_.series) {
      const int pid = process("fabric");
      for (const SeriesPoint& point : series.points) {
        counter(pid, series.name, trace_us(point.at), series.unit, point.value);
      }
    }
  }

  /// "leaf0:3 > host7": process leaf0, and "port 3 > host7" there.
  void ports() {
    const History& history = result_.history;
    sampling_.push_back(
        "ports: the fullest and those held longest, " + std::to_string(history.ports.size()) +
        " of " + std::to_string(history.ports_of_all) + ", in steps of " + time_text(history.bin));
    for (const PortHistory& port : history.ports) {
      const std::size_t colon = port.name.find(':');
      const int pid = process(port.name.substr(0, colon));
      const std::string name = "port " + port.name.substr(colon + 1);
      for (std::size_t i = 0; i < port.queue_bytes.size(); ++i) {
        if (i > 0 && port.queue_bytes[i] == port.queue_bytes[i - 1]) continue;
        counter(pid, "queue, " + name, trace_us(history.bin) * static_cast<double>(i), "bytes",
                port.queue_bytes[i]);
      }
      held(port, pid, thread(pid, name));
    }
  }

  /// One slice for neighbouring stretches in which the port stood still for a time.
  void held(const PortHistory& port, int pid, int tid) {
    const Time bin = result_.history.bin;
    for (std::size_t i = 0; i < port.held.size(); ++i) {
      if (port.held[i] <= 0) continue;
      const std::size_t first = i;
      double sum = 0;
      for (; i < port.held.size() && port.held[i] > 0; ++i) sum += port.held[i];
      const auto count = static_cast<std::int64_t>(i - first);
      const Time from{bin.ps * static_cast<std::int64_t>(first)};
      const std::string name = result_.totals.pauses > 0          ? "paused"
                               : result_.totals.credit_stalls > 0 ? "no credits"
                                                                  : "held";
      slice("held", pid, tid, name, from, from + Time{bin.ps * count},
            {{"share_held", sum / static_cast<double>(count)}});
    }
  }

  void rates() {
    for (const RateHistory& rate : result_.history.rates) {
      const int pid = process(rate.name.substr(0, rate.name.find(" > ")));
      for (std::size_t i = 0; i < rate.gbps.size(); ++i) {
        if (i > 0 && rate.gbps[i] == rate.gbps[i - 1]) continue;
        counter(pid, "rate allowed, " + rate.name,
                trace_us(result_.history.bin) * static_cast<double>(i + 1), "Gb/s", rate.gbps[i]);
      }
    }
  }

  const std::string& host_of(EndpointId endpoint) const {
    return topology_.node(topology_.endpoints[index(endpoint)].host).name;
  }

  /// The first lane of a process in which nothing lasts beyond `from`: slices of a thread may not
  /// overlap.
  int lane(int pid, const std::string& name, Time from, Time to) {
    std::vector<Time>& ends = lanes_[{pid, name}];
    std::size_t i = 0;
    while (i < ends.size() && ends[i] > from) ++i;
    if (i == ends.size()) ends.push_back(Time{});
    ends[i] = to;
    return thread(pid, name + (i == 0 ? "" : " " + std::to_string(i + 1)));
  }

  void messages() {
    std::vector<const FlowRecord*> order;
    for (const FlowRecord& flow : result_.flows) {
      if (flow.start.ps >= 0) order.push_back(&flow);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const FlowRecord* a, const FlowRecord* b) { return a->start < b->start; });
    const std::size_t step = (order.size() + most_messages_ - 1) / most_messages_;
    if (step > 1) {
      sampling_.push_back("messages: each " + std::to_string(step) + ". of " +
                          std::to_string(order.size()));
    }
    for (std::size_t i = 0; i < order.size(); i += std::max<std::size_t>(step, 1)) {
      message(*order[i], static_cast<std::int64_t>(i) + 1);
    }
  }

  /// Unfinished ones last until the end of the run, and have no arrow.
  void message(const FlowRecord& flow, std::int64_t id) {
    const std::string& from = host_of(flow.from);
    const std::string& to = host_of(flow.to);
    const bool arrived = flow.received.ps >= 0;
    const Time sent = std::max({flow.acked, flow.received, flow.start});
    const Time end = arrived ? sent : std::max(flow.start, result_.simulated);
    const Json arguments = {{"job", job_name(result_, flow.job)},
                            {"flow", flow.flow},
                            {"bytes", flow.bytes.count},
                            {"finished", arrived}};
    const int sender = process(from);
    const int sends = lane(sender, "sends", flow.start, end);
    slice("message", sender, sends, "to " + to, flow.start, end, arguments);
    if (!arrived) return;
    const int receiver = process(to);
    const int receives = lane(receiver, "receives", flow.start, flow.received);
    slice("message", receiver, receives, "from " + from, flow.start, flow.received, arguments);
    const Json arrow = {{"cat", "message"}, {"name", "message"}, {"id", id}};
    Json begin = arrow;
    begin.update({{"ph", "s"}, {"pid", sender}, {"tid", sends}, {"ts", trace_us(flow.start)}});
    add(begin);
    // A nanosecond before the slice's end: viewers bind an arrow to the slice that it falls in.
    const Time tip = std::max(flow.start, flow.received - Time{1000});
    Json finish = arrow;
    finish.update(
        {{"ph", "f"}, {"bp", "e"}, {"pid", receiver}, {"tid", receives}, {"ts", trace_us(tip)}});
    add(finish);
  }

  void collectives() {
    for (const CollectiveRecord& c : result_.collectives) {
      if (c.start.ps < 0) continue;
      const int pid = process("job " + job_name(result_, c.job));
      slice("collective", pid, thread(pid, "collectives"), c.collective, c.start,
            std::max(c.start, c.end.ps < 0 ? result_.simulated : c.end),
            {{"iteration", c.iteration},
             {"algorithm", c.algorithm},
             {"protocol", c.protocol},
             {"bytes", c.bytes.count}});
    }
  }

  void steps() {
    if (result_.history.steps.empty()) return;
    sampling_.push_back(std::string("steps: the first channel") +
                        (result_.history.steps_cut ? " of the first ranks and steps" : ""));
    for (const StepRecord& step : result_.history.steps) {
      const int pid = process("job " + job_name(result_, step.job));
      const std::string name = "rank " + std::to_string(step.rank) +
                               (step.role == 0 ? "" : ", role " + std::to_string(step.role));
      slice("step", pid, thread(pid, name),
            step.receives && step.sends ? "receive and send"
            : step.sends                ? "send"
                                        : "receive",
            step.start, step.end, {{"iteration", step.iteration}, {"bytes", step.bytes}});
    }
  }

  const Result& result_;
  const Topology& topology_;
  std::size_t most_messages_;
  std::string events_;
  std::vector<std::string> sampling_;
  std::map<std::string, int> processes_;
  std::map<int, std::map<std::string, int>> threads_;
  std::map<std::pair<int, std::string>, std::vector<Time>> lanes_;
};

}  // namespace

std::string trace_json(const Result& result, const Topology& topology, std::size_t most_messages) {
  return Trace(result, topology, most_messages).str();
}

}  // namespace spineleaf
