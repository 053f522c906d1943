#include "scenarios/output/tables.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "scenarios/output/csv_writer.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

/// From `start` to `end`, or "never" when one of them was not reached.
Time span_of(Time start, Time end) { return start.ps < 0 || end.ps < 0 ? Time{-1} : end - start; }

/// Payload over completion time; not a number, which is an empty cell, for an unfinished flow.
double flow_gbps(const FlowRecord& flow) {
  const Time fct = span_of(flow.start, flow.received);
  if (fct.ps <= 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(flow.bytes.count) * 8000 / static_cast<double>(fct.ps);
}

bool is_idle(const PortClassRow& row) {
  return row.packets == 0 && row.marks == 0 && row.pauses_sent == 0 && row.pauses_received == 0 &&
         row.credit_stalls == 0 && row.max_queue.count == 0 && row.max_ingress.count == 0;
}

}  // namespace

std::string flows_csv(const Result& result) {
  CsvWriter csv(
      "job,flow,from_endpoint,to_endpoint,traffic_class,size_bytes,start_us,received_us,acked_us,"
      "fct_us,acked_fct_us,goodput_gbps");
  for (const FlowRecord& flow : result.flows) {
    csv.cell(job_name(result, flow.job)).cell(std::int64_t{flow.flow});
    csv.cell(std::int64_t{index(flow.from)}).cell(std::int64_t{index(flow.to)});
    csv.cell(std::int64_t{flow.traffic_class}).cell(flow.bytes);
    csv.cell(flow.start).cell(flow.received).cell(flow.acked);
    csv.cell(span_of(flow.start, flow.received)).cell(span_of(flow.start, flow.acked));
    csv.cell(flow_gbps(flow)).end_row();
  }
  return csv.take();
}

std::string collectives_csv(const Result& result) {
  CsvWriter csv(
      "job,iteration,collective,algorithm,protocol,channels,ranks,size_bytes,start_us,end_us,"
      "time_us,algbw_gbytes_per_s,busbw_gbytes_per_s");
  for (const CollectiveRecord& c : result.collectives) {
    const Time time = span_of(c.start, c.end);
    const double algbw =
        time.ps <= 0 ? std::numeric_limits<double>::quiet_NaN() : algbw_gbytes(c.bytes, time);
    csv.cell(job_name(result, c.job)).cell(std::int64_t{c.iteration});
    csv.cell(c.collective).cell(c.algorithm).cell(c.protocol);
    csv.cell(c.channels).cell(c.ranks).cell(c.bytes);
    csv.cell(c.start).cell(c.end).cell(time);
    csv.cell(algbw).cell(algbw * busbw_factor(c.collective, c.ranks)).end_row();
  }
  return csv.take();
}

std::string links_csv(const Result& result) {
  std::string header =
      "from,from_port,to,to_port,tier,cable,rate_gbps,packets,wire_bytes,control_bytes,utilisation";
  for (int i = 0; i < kDropCauses; ++i) {
    header += ",drops_" + std::string(to_text(static_cast<DropCause>(i)));
  }
  CsvWriter csv(header);
  for (const LinkRow& link : result.links) {
    csv.cell(link.from).cell(std::int64_t{link.from_port});
    csv.cell(link.to).cell(std::int64_t{link.to_port});
    csv.cell(std::int64_t{link.tier}).cell(std::int64_t{link.cable});
    csv.cell(static_cast<double>(link.rate.bits_per_second) / 1e9);
    csv.cell(link.packets).cell(link.bytes).cell(link.control_bytes).cell(link.utilisation);
    for (const std::int64_t drops : link.drops) csv.cell(drops);
    csv.end_row();
  }
  return csv.take();
}

std::string port_classes_csv(const Result& result) {
  CsvWriter csv(
      "node,port,traffic_class,packets,ecn_marks,max_queue_bytes,max_queue_at_us,pauses_sent,"
      "pauses_received,paused_us,credit_stalls,credit_stalled_us,max_ingress_bytes");
  for (const PortClassRow& row : result.port_classes) {
    if (is_idle(row)) continue;
    csv.cell(row.node).cell(std::int64_t{row.port}).cell(std::int64_t{row.traffic_class});
    csv.cell(row.packets).cell(row.marks).cell(row.max_queue).cell(row.max_queue_at);
    csv.cell(row.pauses_sent).cell(row.pauses_received).cell(row.paused);
    csv.cell(row.credit_stalls).cell(row.credit_stalled).cell(row.max_ingress).end_row();
  }
  return csv.take();
}

std::string series_csv(const Result& result) {
  CsvWriter csv("series,unit,at_us,value");
  for (const Series& series : result.series) {
    for (const SeriesPoint& point : series.points) {
      csv.cell(series.name).cell(series.unit).cell(point.at).cell(point.value).end_row();
    }
  }
  return csv.take();
}

std::string waits_csv(const Result& result) {
  CsvWriter csv("waiting,waits_for,reason,queued_bytes,on_cycle");
  for (const WaitsFor& edge : result.waits) {
    csv.cell(edge.waiting).cell(edge.waits_for).cell(edge.reason).cell(edge.queued);
    csv.cell(std::int64_t{edge.on_cycle}).end_row();
  }
  return csv.take();
}

}  // namespace spineleaf
