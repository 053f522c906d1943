#include "scenarios/output/summary_json.hpp"

#include <algorithm>

#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::ordered_json;

Json us(Time time) { return time.ps < 0 ? Json(nullptr) : Json(to_us(time)); }

Json drops_object(const std::int64_t (&drops)[kDropCauses]) {
  Json object = Json::object();
  for (int i = 0; i < kDropCauses; ++i) {
    object[std::string(to_text(static_cast<DropCause>(i)))] = drops[i];
  }
  return object;
}

Json outcome_object(const Result& r) {
  return {{"verdict", to_text(r.verdict)},
          {"text", r.verdict_text},
          {"stop_reason", to_text(r.stop)},
          {"expected", r.expect.empty() ? Json("ok") : Json(r.expect)},
          {"deadlock", r.deadlock},
          {"exit_code", exit_code(r.verdict)}};
}

/// What the exact deadlock test found; null if nothing.
Json deadlock_object(const DeadlockReport& report) {
  if (!report.found) return nullptr;
  Json cycles = Json::array();
  for (const DeadlockReport::Cycle& cycle : report.cycles) {
    cycles.push_back({{"class", cycle.traffic_class}, {"queues", cycle.queues}});
  }
  return {{"at_us", us(report.at)},
          {"ended_us", us(report.ended)},
          {"times", report.times},
          {"queues", report.queues},
          {"queues_on_cycles", report.queues_on_cycles},
          {"trapped_bytes", report.trapped.count},
          {"cycles", std::move(cycles)}};
}

Json watchdog_array(const Result& r) {
  Json rows = Json::array();
  for (const WatchdogRow& row : r.watchdog) {
    rows.push_back({{"at_us", us(row.at)},
                    {"node", row.node},
                    {"port", row.port},
                    {"class", row.traffic_class},
                    {"event", row.restored ? "restored" : "storm"},
                    {"discarded_packets", row.discarded}});
  }
  return rows;
}

Json totals_object(const Totals& t) {
  return {{"packets_sent", t.packets_sent},
          {"packets_delivered", t.packets_delivered},
          {"packet_hops", t.packet_hops},
          {"payload_delivered_bytes", t.payload_delivered.count},
          {"acks", t.acks},
          {"naks", t.naks},
          {"cnps", t.cnps},
          {"ecn_marks", t.marks},
          {"pauses", t.pauses},
          {"resumes", t.resumes},
          {"credit_updates", t.credit_updates},
          {"credit_stalls", t.credit_stalls},
          {"retransmissions", t.retransmissions},
          {"timeouts", t.timeouts},
          {"out_of_order", t.out_of_order},
          {"drops", drops_object(t.drops)},
          {"drops_total", t.drops_total}};
}

Json fct_object(const FctStatistics& s) {
  return {{"flows", s.flows},
          {"finished", s.finished},
          {"bytes", s.bytes.count},
          {"fct_min_us", us(s.min)},
          {"fct_mean_us", us(s.mean)},
          {"fct_p50_us", us(s.p50)},
          {"fct_p99_us", us(s.p99)},
          {"fct_max_us", us(s.max)},
          {"fct_acked_p50_us", us(s.acked_p50)},
          {"fct_acked_p99_us", us(s.acked_p99)},
          {"fct_acked_max_us", us(s.acked_max)},
          {"goodput_gbps", s.goodput_gbps},
          {"flow_goodput_mean_gbps", s.flow_goodput_gbps},
          {"jain_index", s.jain}};
}

Json flows_object(const Result& r) {
  Json jobs = Json::array();
  for (const FctStatistics& row : fct_by_job(r)) {
    Json job = {{"job", row.job}};
    job.update(fct_object(row));
    jobs.push_back(std::move(job));
  }
  return {{"percentile_rule", "nearest rank"},
          {"all", fct_object(fct_statistics(r.flows))},
          {"jobs", std::move(jobs)}};
}

Json collectives_array(const Result& r) {
  Json rows = Json::array();
  for (const CollectiveStatistics& c : collective_statistics(r)) {
    rows.push_back({{"job", c.job},
                    {"collective", c.collective},
                    {"algorithm", c.algorithm},
                    {"protocol", c.protocol},
                    {"channels", c.channels},
                    {"ranks", c.ranks},
                    {"size_bytes", c.bytes.count},
                    {"iterations", c.iterations},
                    {"finished", c.finished},
                    {"time_min_us", us(c.min)},
                    {"time_mean_us", us(c.mean)},
                    {"time_max_us", us(c.max)},
                    {"algbw_gbytes_per_s", c.algbw},
                    {"busbw_gbytes_per_s", c.busbw}});
  }
  return rows;
}

Json links_object(const Result& r) {
  double most = 0;
  const LinkRow* busiest = nullptr;
  for (const LinkRow& link : r.links) {
    if (busiest == nullptr || link.utilisation > most) {
      busiest = &link;
      most = link.utilisation;
    }
  }
  Time paused;
  Time stalled;
  Bytes queue;
  for (const PortClassRow& row : r.port_classes) {
    paused += row.paused;
    stalled += row.credit_stalled;
    queue = std::max(queue, row.max_queue);
  }
  return {
      {"directed_links", r.links.size()},
      {"busiest", busiest == nullptr ? Json(nullptr) : Json(busiest->from + " > " + busiest->to)},
      {"busiest_utilisation", most},
      {"paused_us", us(paused)},
      {"credit_stalled_us", us(stalled)},
      {"largest_queue_bytes", queue.count}};
}

Json waits_array(const Result& r) {
  Json rows = Json::array();
  for (const WaitsFor& edge : r.waits) {
    rows.push_back({{"waiting", edge.waiting},
                    {"waits_for", edge.waits_for},
                    {"reason", edge.reason},
                    {"queued_bytes", edge.queued.count},
                    {"on_cycle", edge.on_cycle}});
  }
  return rows;
}

}  // namespace

Json summary_object(const Result& r) {
  Json object = Json::object();
  object["schema"] = kSummarySchema;
  object["name"] = r.name;
  object["version"] = r.version;
  object["fidelity"] = "packet";
  object["fabric"] = r.fabric;
  object["seed"] = r.seed;
  object["fingerprint"] = fingerprint_text(r.fingerprint);
  object["outcome"] = outcome_object(r);
  object["simulated_us"] = us(r.simulated);
  object["goodput_gbps"] = goodput_gbps(r);
  object["totals"] = totals_object(r.totals);
  object["flows"] = flows_object(r);
  object["collectives"] = collectives_array(r);
  object["links"] = links_object(r);
  object["waits"] = waits_array(r);
  object["deadlock"] = deadlock_object(r.deadlock_report);
  object["watchdog"] = watchdog_array(r);
  object["warnings"] = r.warnings;
  object["not_modelled"] = r.not_modelled;
  object["timing"] = {{"cpu_seconds", r.cpu_seconds},
                      {"wall_seconds", r.wall_seconds},
                      {"epochs", r.epochs},
                      {"epoch_length_us", us(r.epoch_length)}};
  return object;
}

std::string summary_json(const Result& result) {
  return summary_object(result).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace spineleaf
