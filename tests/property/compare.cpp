#include "tests/property/compare.hpp"

#include <sstream>

namespace spineleaf::property {
namespace {

class Comparison {
 public:
  static constexpr std::size_t kMost = 10;

  template <class T>
  void field(const std::string& place, const char* name, const T& wanted, const T& found) {
    if (wanted == found || lines_.size() >= kMost) return;
    std::ostringstream line;
    line << place << name << ": " << number(found) << ", not " << number(wanted);
    lines_.push_back(line.str());
  }
  /// True if both lists have the same length; only then their rows can be compared.
  bool size(const char* name, std::size_t wanted, std::size_t found) {
    field(name, ".size", wanted, found);
    return wanted == found;
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  static std::int64_t number(Time t) { return t.ps; }
  static std::int64_t number(Bytes b) { return b.count; }
  static std::int64_t number(StopReason reason) { return static_cast<std::int64_t>(reason); }
  static std::int64_t number(Verdict verdict) { return static_cast<std::int64_t>(verdict); }
  template <class T>
  static const T& number(const T& value) {
    return value;
  }
  std::vector<std::string> lines_;
};

std::string place_of(const char* list, std::size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "].";
}

void compare_totals(Comparison& c, const Totals& a, const Totals& b) {
  c.field("totals.", "packets_sent", a.packets_sent, b.packets_sent);
  c.field("totals.", "packets_delivered", a.packets_delivered, b.packets_delivered);
  c.field("totals.", "packet_hops", a.packet_hops, b.packet_hops);
  c.field("totals.", "payload_delivered", a.payload_delivered, b.payload_delivered);
  c.field("totals.", "acks", a.acks, b.acks);
  c.field("totals.", "naks", a.naks, b.naks);
  c.field("totals.", "cnps", a.cnps, b.cnps);
  c.field("totals.", "marks", a.marks, b.marks);
  c.field("totals.", "pauses", a.pauses, b.pauses);
  c.field("totals.", "resumes", a.resumes, b.resumes);
  c.field("totals.", "credit_updates", a.credit_updates, b.credit_updates);
  c.field("totals.", "credit_stalls", a.credit_stalls, b.credit_stalls);
  c.field("totals.", "retransmissions", a.retransmissions, b.retransmissions);
  c.field("totals.", "timeouts", a.timeouts, b.timeouts);
  c.field("totals.", "out_of_order", a.out_of_order, b.out_of_order);
  for (int d = 0; d < kDropCauses; ++d) {
    c.field("totals.drops.", std::to_string(d).c_str(), a.drops[d], b.drops[d]);
  }
}

void compare_flows(Comparison& c, const Result& a, const Result& b) {
  if (!c.size("flows", a.flows.size(), b.flows.size())) return;
  for (std::size_t i = 0; i < a.flows.size(); ++i) {
    const std::string place = place_of("flows", i);
    c.field(place, "start", a.flows[i].start, b.flows[i].start);
    c.field(place, "received", a.flows[i].received, b.flows[i].received);
    c.field(place, "acked", a.flows[i].acked, b.flows[i].acked);
  }
}

void compare_links(Comparison& c, const Result& a, const Result& b) {
  if (!c.size("links", a.links.size(), b.links.size())) return;
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    const std::string place = place_of("links", i);
    c.field(place, "rate", a.links[i].rate.bits_per_second, b.links[i].rate.bits_per_second);
    c.field(place, "packets", a.links[i].packets, b.links[i].packets);
    c.field(place, "bytes", a.links[i].bytes, b.links[i].bytes);
    c.field(place, "control_bytes", a.links[i].control_bytes, b.links[i].control_bytes);
    c.field(place, "utilisation", a.links[i].utilisation, b.links[i].utilisation);
    for (int d = 0; d < kDropCauses; ++d) {
      c.field(place, "drops", a.links[i].drops[d], b.links[i].drops[d]);
    }
  }
}

void compare_port_classes(Comparison& c, const Result& a, const Result& b) {
  if (!c.size("port_classes", a.port_classes.size(), b.port_classes.size())) return;
  for (std::size_t i = 0; i < a.port_classes.size(); ++i) {
    const PortClassRow& p = a.port_classes[i];
    const PortClassRow& q = b.port_classes[i];
    const std::string place = place_of("port_classes", i);
    c.field(place, "packets", p.packets, q.packets);
    c.field(place, "marks", p.marks, q.marks);
    c.field(place, "max_queue", p.max_queue, q.max_queue);
    c.field(place, "max_queue_at", p.max_queue_at, q.max_queue_at);
    c.field(place, "pauses_sent", p.pauses_sent, q.pauses_sent);
    c.field(place, "pauses_received", p.pauses_received, q.pauses_received);
    c.field(place, "paused", p.paused, q.paused);
    c.field(place, "credit_stalls", p.credit_stalls, q.credit_stalls);
    c.field(place, "credit_stalled", p.credit_stalled, q.credit_stalled);
    c.field(place, "max_ingress", p.max_ingress, q.max_ingress);
  }
}

void compare_series(Comparison& c, const Result& a, const Result& b) {
  if (!c.size("series", a.series.size(), b.series.size())) return;
  for (std::size_t s = 0; s < a.series.size(); ++s) {
    const auto& p = a.series[s].points;
    const auto& q = b.series[s].points;
    if (!c.size(a.series[s].name.c_str(), p.size(), q.size())) continue;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const std::string place = place_of(a.series[s].name.c_str(), i);
      c.field(place, "at", p[i].at, q[i].at);
      c.field(place, "value", p[i].value, q[i].value);
    }
  }
}

void compare_waits(Comparison& c, const Result& a, const Result& b) {
  c.field("", "deadlock", a.deadlock, b.deadlock);
  if (!c.size("waits", a.waits.size(), b.waits.size())) return;
  for (std::size_t i = 0; i < a.waits.size(); ++i) {
    const std::string place = place_of("waits", i);
    c.field(place, "waiting", a.waits[i].waiting, b.waits[i].waiting);
    c.field(place, "waits_for", a.waits[i].waits_for, b.waits[i].waits_for);
    c.field(place, "queued", a.waits[i].queued, b.waits[i].queued);
  }
}

}  // namespace

std::vector<std::string> differences(const Result& reference, const Result& other) {
  Comparison c;
  c.field("", "stop", reference.stop, other.stop);
  c.field("", "verdict", reference.verdict, other.verdict);
  c.field("", "verdict_text", reference.verdict_text, other.verdict_text);
  c.field("", "simulated", reference.simulated, other.simulated);
  c.field("", "fingerprint", reference.fingerprint, other.fingerprint);
  compare_totals(c, reference.totals, other.totals);
  compare_flows(c, reference, other);
  compare_links(c, reference, other);
  compare_port_classes(c, reference, other);
  compare_series(c, reference, other);
  compare_waits(c, reference, other);
  return c.take();
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

}  // namespace spineleaf::property
