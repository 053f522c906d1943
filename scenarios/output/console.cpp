#include "scenarios/output/console.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>

#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kWaitsShown = 12;
constexpr std::int64_t kFloatBytes = 4;

std::string left(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

std::string upper(std::string_view text) {
  std::string out = plain_words(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

void trim_line_end(std::string& text) {
  const std::size_t last = text.find_last_not_of(' ');
  text.erase(last == std::string::npos ? 0 : last + 1);
}

/// Three digits behind the point below 10 us, fewer above: as nccl-tests does.
std::string nccl_time(double us) {
  if (us < 0) return "-";
  return fixed_text(us, us < 9.9995 ? 3 : us < 99.995 ? 2 : us < 99999.95 ? 1 : 0);
}

void append_waits(std::string& out, const Result& r) {
  std::vector<const WaitsFor*> shown;
  for (const WaitsFor& edge : r.waits) {
    if (edge.on_cycle || !r.deadlock) shown.push_back(&edge);
  }
  if (shown.empty()) return;
  out += r.deadlock ? "  cycle of waits:\n" : "  who waits for whom:\n";
  for (std::size_t i = 0; i < std::min(shown.size(), kWaitsShown); ++i) {
    const WaitsFor& edge = *shown[i];
    out += "    " + edge.waiting + " -> " + edge.waits_for + "  (" + edge.reason + ", " +
           bytes_text(edge.queued) + " queued)\n";
  }
  if (shown.size() > kWaitsShown) {
    out += "    ... and " + std::to_string(shown.size() - kWaitsShown) + " more in waits.csv\n";
  }
}

void append_watchdog(std::string& out, const Result& r) {
  std::int64_t storms = 0, restored = 0, discarded = 0;
  for (const WatchdogRow& row : r.watchdog) {
    ++(row.restored ? restored : storms);
    discarded += row.discarded;
  }
  if (storms == 0) return;
  const WatchdogRow& first = r.watchdog.front();
  out += "  watchdog: " + count_text(storms) +
         (storms == 1 ? " storm at " : " storms, the first at ") + time_text(first.at) + " on " +
         first.node + " port " + std::to_string(first.port) + " class " +
         std::to_string(first.traffic_class) + "; " + count_text(restored) + " restored; " +
         count_text(discarded) + " packets discarded from queues\n";
}

std::string lossless_line(const Totals& t) {
  std::string line = count_text(t.pauses) + " pauses, " + count_text(t.marks) + " marks, " +
                     count_text(t.credit_stalls) + " credit stalls, " + count_text(t.drops_total) +
                     " drops";
  if (t.drops_total == 0) return line;
  line += " (";
  bool first = true;
  for (int i = 0; i < kDropCauses; ++i) {
    if (t.drops[i] == 0) continue;
    line += (first ? "" : ", ") + plain_words(to_text(static_cast<DropCause>(i))) + " " +
            count_text(t.drops[i]);
    first = false;
  }
  return line + ")";
}

/// A table whose columns are as wide as their widest cell; the first `texts` columns are flush
/// left.
class TextTable {
 public:
  explicit TextTable(std::size_t texts) : texts_(texts) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const {
    std::vector<std::size_t> width;
    for (const auto& cells : rows_) {
      width.resize(std::max(width.size(), cells.size()));
      for (std::size_t i = 0; i < cells.size(); ++i) width[i] = std::max(width[i], cells[i].size());
    }
    std::string out;
    for (const auto& cells : rows_) {
      std::string line;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        line += (i > 0 ? "  " : "");
        line += i < texts_ ? left(cells[i], width[i]) : right(cells[i], width[i]);
      }
      trim_line_end(line);
      out += line + "\n";
    }
    return out;
  }

 private:
  std::size_t texts_;
  std::vector<std::vector<std::string>> rows_;
};

constexpr std::size_t kSizeWidth = 12;
constexpr std::size_t kLeadWidth = 1 + 12 + 14 + 10 + 8 + 8;
constexpr std::size_t kBlockWidth = 10 + 8 + 8 + 7;
constexpr std::size_t kErrorWidth = 9;

struct NcclColumns {
  std::vector<const Curve*> simulated;
  const Curve* measured = nullptr;
};

NcclColumns columns_of(const CurveSet& set) {
  NcclColumns columns;
  columns.measured = measured_curve(set);
  for (const Curve& curve : set.curves) {
    if (!curve.measured) columns.simulated.push_back(&curve);
  }
  return columns;
}

std::string centred(std::string text, std::size_t width) {
  if (text.size() >= width) text = text.substr(0, width - 1);
  const std::size_t before = (width - text.size()) / 2;
  return left(std::string(before, ' ') + text, width);
}

std::string nccl_header(const NcclColumns& columns) {
  const bool errors = columns.measured != nullptr;
  std::string labels = left("#", kLeadWidth);
  std::string names = "#" + right("size", kSizeWidth) + right("count", 14) + right("type", 10) +
                      right("redop", 8) + right("root", 8);
  std::string units = left("#" + right("(B)", kSizeWidth) + right("(elements)", 14), kLeadWidth);
  for (const Curve* curve : columns.simulated) {
    labels += " " + centred(curve->label, kBlockWidth - 1 + (errors ? kErrorWidth : 0));
    names += right("time", 10) + right("algbw", 8) + right("busbw", 8) + right("#wrong", 7);
    units += right("(us)", 10) + right("(GB/s)", 8) + right("(GB/s)", 8) + right("", 7);
    if (errors) {
      names += right("error", kErrorWidth);
      units += right("time", kErrorWidth);
    }
  }
  if (errors) {
    labels += " " + centred(columns.measured->label, 10 + 8 - 1);
    names += right("time", 10) + right("busbw", 8);
    units += right("(us)", 10) + right("(GB/s)", 8);
  }
  for (std::string* line : {&labels, &names, &units}) trim_line_end(*line);
  return labels + "\n" + names + "\n" + units + "\n";
}

/// nccl-tests counts the elements of one rank where each rank holds another part.
std::int64_t element_count(const CurveSet& set, std::int64_t bytes) {
  const bool shared_out = set.collective == "all_gather" || set.collective == "reduce_scatter" ||
                          set.collective == "alltoall";
  return bytes / (shared_out && set.ranks > 0 ? kFloatBytes * set.ranks : kFloatBytes);
}

std::string nccl_row(const CurveSet& set, const NcclColumns& columns, std::int64_t bytes) {
  const bool reduces = set.collective.find("reduce") != std::string::npos;
  std::string line = " " + right(std::to_string(bytes), kSizeWidth) +
                     right(std::to_string(element_count(set, bytes)), 14) + right("float", 10) +
                     right(reduces ? "sum" : "none", 8) + right("-1", 8);
  const double measured = columns.measured == nullptr ? -1 : time_at(*columns.measured, bytes);
  for (const Curve* curve : columns.simulated) {
    const double us = time_at(*curve, bytes);
    const bool known = us >= 0;
    line += right(nccl_time(us), 10);
    line += right(known ? fixed_text(algbw_gbytes(Bytes{bytes}, us), 2) : "-", 8);
    line += right(known ? fixed_text(busbw_gbytes(set, {bytes, us}), 2) : "-", 8);
    line += right("N/A", 7);
    if (columns.measured == nullptr) continue;
    const std::string error =
        known && measured > 0 ? fixed_text(error_percent(us, measured), 1) + " %" : "-";
    line += right(known && measured > 0 && us > measured ? "+" + error : error, kErrorWidth);
  }
  if (columns.measured != nullptr) {
    line += right(nccl_time(measured), 10);
    line += right(measured > 0 ? fixed_text(busbw_gbytes(set, {bytes, measured}), 2) : "-", 8);
  }
  return line + "\n";
}

}  // namespace

std::string verdict_block(const Result& r) {
  std::string out = upper(to_text(r.verdict)) + ": " + r.verdict_text + "\n";
  out += "  " + (r.name.empty() ? "" : r.name + "; ") + r.fabric + ", seed " +
         std::to_string(r.seed) + ", fingerprint " + fingerprint_text(r.fingerprint) + "\n";
  out += "  simulated " + time_text(r.simulated) + ", " + bytes_text(r.totals.payload_delivered) +
         " delivered at " + gbps_text(goodput_gbps(r)) + ", " + count_text(r.totals.packet_hops) +
         " packet-hops in " + time_text(Time{std::llround(r.cpu_seconds * 1e12)}) +
         " of CPU time\n";
  out += "  " + lossless_line(r.totals) + "\n";
  for (const CollectiveStatistics& c : collective_statistics(r)) {
    out += "  " + c.job + ": " + c.collective + " " + bytes_text(c.bytes) + ", " + c.algorithm +
           "/" + c.protocol + ", " + std::to_string(c.ranks) + " ranks: ";
    out += c.finished == 0 ? "unfinished\n"
                           : time_text(c.mean) + ", busbw " + fixed_text(c.busbw, 2) + " GB/s\n";
  }
  append_watchdog(out, r);
  append_waits(out, r);
  for (const std::string& warning : r.warnings) out += "  warning: " + warning + "\n";
  return out;
}

std::string nccl_table(const CurveSet& set) {
  const NcclColumns columns = columns_of(set);
  std::string out = nccl_header(columns);
  for (const std::int64_t bytes : sizes_of(set)) out += nccl_row(set, columns, bytes);
  return out;
}

std::string fct_table(const std::vector<const Result*>& runs) {
  const std::vector<std::string> labels = run_labels(runs);
  TextTable table(2);
  table.row({"fabric", "job", "flows", "FCT p50", "p99", "max", "total goodput", "pauses", "marks",
             "credit stalls", "drops"});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Totals& t = runs[i]->totals;
    bool first = true;
    for (const FctStatistics& s : fct_by_job(*runs[i])) {
      const std::string flows = s.finished == s.flows
                                    ? count_text(s.flows)
                                    : count_text(s.finished) + " of " + count_text(s.flows);
      std::vector<std::string> row{labels[i],
                                   s.job,
                                   flows,
                                   time_text(s.p50),
                                   time_text(s.p99),
                                   time_text(s.max),
                                   gbps_text(s.goodput_gbps)};
      for (const std::int64_t count : {t.pauses, t.marks, t.credit_stalls, t.drops_total}) {
        row.push_back(first ? count_text(count) : "");
      }
      table.row(std::move(row));
      first = false;
    }
  }
  return table.text();
}

}  // namespace spineleaf
