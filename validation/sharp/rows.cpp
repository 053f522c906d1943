#include "validation/sharp/rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "scenarios/output/text.hpp"
#include "validation/sharp/case.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kMtu = 4096;
const char* const kSource = "closed form, derived by hand; a max-plus simulation agrees";

struct Shape {
  std::int64_t levels;
  std::int64_t children;
  std::string id() const { return "d" + std::to_string(levels) + ".k" + std::to_string(children); }
};

Time run_time(const SharpCase& wanted) {
  return sharp_duration(run_world(sharp_world(wanted), {}));
}

ValidationRow near_row(std::string id, double expected, double got, const char* unit) {
  char text[64];
  ValidationRow row;
  row.id = std::move(id);
  std::snprintf(text, sizeof text, "%.3f %s", expected, unit);
  row.expected = text;
  std::snprintf(text, sizeof text, "%.3f %s", got, unit);
  row.got = text;
  row.tolerance = "0.5 %";
  row.pass = std::abs(got - expected) <= 0.005 * expected;
  row.source = kSource;
  return row;
}

/// Streams on an ideal fabric, to the picosecond.
void stream_rows(std::vector<ValidationRow>& rows, const std::vector<Shape>& shapes, bool quick) {
  const std::vector<std::int64_t> counts =
      quick ? std::vector<std::int64_t>{1, 100} : std::vector<std::int64_t>{1, 7, 100, 1000};
  for (const Shape& shape : shapes) {
    for (const std::int64_t packets : counts) {
      for (const std::int64_t last : {kMtu, std::int64_t{100}}) {
        SharpCase wanted;
        wanted.levels = shape.levels;
        wanted.children = shape.children;
        wanted.bytes = (packets - 1) * kMtu + last;
        const Time expected = sharp_stream_time(sharp_tree(wanted), wanted.bytes, kMtu);
        const Time got = run_time(wanted);
        ValidationRow row;
        row.id = "sat." + shape.id() + ".n" + std::to_string(packets) +
                 (last == kMtu ? ".full" : ".short");
        row.expected = count_text(expected.ps) + " ps";
        row.got = count_text(got.ps) + " ps";
        row.tolerance = "exact";
        row.pass = got == expected;
        row.source = kSource;
        rows.push_back(std::move(row));
      }
    }
  }
}

/// Time that each further packet takes, ps.
double packet_ps(SharpCase wanted, std::int64_t payload, std::int64_t few, std::int64_t many) {
  wanted.bytes = few * payload;
  const Time first = run_time(wanted);
  wanted.bytes = many * payload;
  return static_cast<double>((run_time(wanted) - first).ps) / static_cast<double>(many - few);
}

/// Operation slots: a window of packets per round trip.
void slot_rows(std::vector<ValidationRow>& rows, const std::vector<Shape>& shapes, bool quick) {
  const std::vector<std::int64_t> slots =
      quick ? std::vector<std::int64_t>{2, 16} : std::vector<std::int64_t>{2, 4, 8, 16, 32, 64};
  for (const Shape& shape : shapes) {
    for (const std::int64_t payload : {256, 1024}) {
      for (const std::int64_t window : slots) {
        const std::string window_text = std::to_string(window);
        const std::string payload_text = std::to_string(payload) + "B";
        SharpCase wanted;
        wanted.levels = shape.levels;
        wanted.children = shape.children;
        wanted.mode = "llt";
        wanted.settings = {{"sharp.osts_per_group", window_text},
                           {"sharp.payload_per_ost", payload_text}};
        const double expected = sharp_window_rate(sharp_tree(wanted), window, payload);
        const double took = packet_ps(wanted, payload, 20 * window, 60 * window);
        const double got = static_cast<double>(payload) * 1e12 / took;
        rows.push_back(
            near_row("llt." + shape.id() + ".p" + std::to_string(payload) + ".k" + window_text,
                     expected * 8e-9, got * 8e-9, "Gb/s"));
      }
    }
  }
}

/// Streams through switches with little buffer.
void credit_rows(std::vector<ValidationRow>& rows, bool quick) {
  const std::vector<std::int64_t> windows =
      quick ? std::vector<std::int64_t>{3, 15} : std::vector<std::int64_t>{3, 4, 5, 6, 8, 10, 15};
  for (const std::int64_t window : windows) {
    const std::string buffer = std::to_string(window * 65 * 64) + "B";
    SharpCase wanted;
    wanted.settings = {{"fabric.flow_control", "credit"},
                       {"credit.mode", "immediate"},
                       {"credit.buffer", buffer},
                       {"nic.receive_buffer", "131072B"}};
    const double expected = sharp_credit_ps(sharp_tree(wanted), window, kMtu);
    const double got = packet_ps(wanted, kMtu, 200, 1200);
    rows.push_back(
        near_row("credits.w" + std::to_string(window), expected * 1e-3, got * 1e-3, "ns a packet"));
  }
}

/// Payload that crosses the cable of each host, each way.
void byte_rows(std::vector<ValidationRow>& rows) {
  struct Wanted {
    const char* operation;
    bool all_up, all_down;  ///< data of every host, or of the first host only
  };
  constexpr std::int64_t kBytes = 100 * kMtu + 4;
  for (const Wanted& w : {Wanted{"all_reduce", true, true}, Wanted{"reduce", true, false},
                          Wanted{"broadcast", false, true}, Wanted{"barrier", false, false}}) {
    SharpCase wanted;
    wanted.levels = 2;
    wanted.children = 4;
    wanted.operation = w.operation;
    wanted.bytes = kBytes;
    const bool barrier = std::string_view(w.operation) == "barrier";
    const std::int64_t headers = (barrier ? 1 : 101) * std::int64_t{26};
    const Result result = run_world(sharp_world(wanted), {});
    bool exact = result.verdict == Verdict::Ok;
    std::int64_t up = 0, down = 0;
    for (const LinkRow& link : result.links) {
      const bool rises = link.from.starts_with("host");
      const bool falls = link.to.starts_with("host");
      if (!rises && !falls) continue;
      const std::int64_t payload = link.bytes.count - headers;
      const bool first = (rises ? link.from : link.to) == "host0";
      const bool root_up = !w.all_up && first && std::string_view(w.operation) == "broadcast";
      const bool root_down = !w.all_down && first && std::string_view(w.operation) == "reduce";
      const bool others_down = w.all_down && !(first && !w.all_up);
      const bool data = rises ? w.all_up || root_up : others_down || root_down;
      exact = exact && payload == (data ? kBytes : 0);
      (rises ? up : down) = std::max(rises ? up : down, payload);
    }
    ValidationRow row;
    row.id = std::string("bytes.") + w.operation;
    const std::int64_t size = barrier ? 0 : kBytes;
    row.expected = count_text(size) + " B up, " + count_text(size) + " B down a NIC with data";
    row.got = count_text(up) + " B up, " + count_text(down) + " B down at most";
    row.tolerance = "exact, every NIC";
    row.pass = exact;
    row.source = "definition of aggregation: data cross each cable of the tree once each way";
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::vector<ValidationRow> sharp_rows(bool quick) {
  const std::vector<Shape> shapes = quick ? std::vector<Shape>{{1, 8}, {3, 2}}
                                          : std::vector<Shape>{{1, 8}, {2, 4}, {3, 3}, {2, 8}};
  std::vector<ValidationRow> rows;
  stream_rows(rows, shapes, quick);
  slot_rows(rows, shapes, quick);
  credit_rows(rows, quick);
  byte_rows(rows);
  return rows;
}

}  // namespace spineleaf
