#include "validation/readers/ns3_reference.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "scenarios/input/csv_table.hpp"
#include "scenarios/input/decimal.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kMostNodes = 10'000'000;
constexpr std::int64_t kMostCount = std::int64_t{1} << 50;
constexpr std::int64_t kMostNanoseconds = std::int64_t{1} << 50;

struct UnitName {
  std::string_view name;
  std::int64_t scale;
};
constexpr UnitName kRates[] = {
    {"bps", 1},          {"b/s", 1},          {"Kbps", 1'000},         {"Kb/s", 1'000},
    {"Mbps", 1'000'000}, {"Mb/s", 1'000'000}, {"Gbps", 1'000'000'000}, {"Gb/s", 1'000'000'000}};
constexpr UnitName kDelays[] = {
    {"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};

std::optional<std::int64_t> with_unit(std::string_view text, std::span<const UnitName> units) {
  const Decimal number = parse_decimal(text);
  if (!number.valid) return std::nullopt;
  text.remove_prefix(number.length);
  for (const UnitName& unit : units) {
    if (text != unit.name) continue;
    const ScaledInteger value = scale_decimal(number, unit.scale);
    const bool fits = value.state == ScaledInteger::State::Exact && value.value >= 0;
    return fits ? std::optional(value.value) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::uint32_t node_at(CsvTable& table, std::size_t row, int column) {
  return static_cast<std::uint32_t>(table.integer(row, column, 0, kMostNodes));
}

Time ns_at(CsvTable& table, std::size_t row, int column) {
  return Time::from_ns(table.integer(row, column, 0, kMostNanoseconds / 1000));
}

/// Values of a configuration, key by key.
class ConfigReader {
 public:
  ConfigReader(const std::string& file, std::string_view text) : table_(file, text) {}

  Ns3Read<Ns3Config> read() {
    const int key = table_.required("key");
    value_ = table_.required("value");
    table_.require_rows();
    if (has_errors(table_.problems())) return {{}, table_.problems()};
    Ns3Config c;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const std::string& name = table_.text(row, key);
      if (!row_of_.try_emplace(name, row).second) {
        table_.problem(row, key, in_quotes(name) + " stands twice");
      }
      c.raw[name] = table_.text(row, value_);
    }
    read_fields(c);
    return {std::move(c), table_.problems()};
  }

 private:
  void read_fields(Ns3Config& c) {
    c.payload = Bytes{integer("PACKET_PAYLOAD_SIZE", 1, 65'535)};
    c.congestion_control = integer("CC_MODE", 0, 100);
    c.dynamic_pfc = integer("USE_DYNAMIC_PFC_THRESHOLD", 0, 1) == 1;
    c.alpha_timer = Time::from_us(integer("ALPHA_RESUME_INTERVAL", 0, 1'000'000));
    c.rate_decrease = Time::from_us(integer("RATE_DECREASE_INTERVAL", 0, 1'000'000));
    c.rate_increase = Time::from_us(integer("RP_TIMER", 0, 1'000'000));
    if (const auto row = row_of("EWMA_GAIN")) c.g = table_.number(*row, value_, 0, 1);
    c.threshold = integer("FAST_RECOVERY_TIMES", 0, 1'000);
    c.ai_rate = rate("RATE_AI");
    c.hai_rate = rate("RATE_HAI");
    c.min_rate = rate("MIN_RATE");
    c.clamp_target_rate = integer("CLAMP_TARGET_RATE", 0, 1) == 1;
    c.window = integer("HAS_WIN", 0, 1) == 1;
    c.ack_high_priority = integer("ACK_HIGH_PRIO", 0, 1) == 1;
    c.buffer = Bytes{integer("BUFFER_SIZE", 1, 1'000'000) << 20};
    read_marking(c);
  }

  std::optional<std::size_t> row_of(const std::string& key) {
    const auto at = row_of_.find(key);
    if (at != row_of_.end()) return at->second;
    table_.problem(0, -1, "key " + key + " is missing");
    return std::nullopt;
  }

  std::int64_t integer(const std::string& key, std::int64_t lowest, std::int64_t highest) {
    const auto row = row_of(key);
    return row ? table_.integer(*row, value_, lowest, highest) : lowest;
  }

  Rate rate(const std::string& key) {
    Rate value;
    const auto row = row_of(key);
    if (row && !parse_ns3_rate(table_.text(*row, value_), value)) {
      table_.problem(*row, value_, in_quotes(table_.text(*row, value_)) + " is no rate",
                     "a rate such as 20Mb/s");
    }
    return value;
  }

  /// "2 100000000000 400 400000000000 1600": a count, then pairs of rate and value.
  std::map<std::int64_t, double> rate_map(const std::string& key) {
    std::map<std::int64_t, double> values;
    const auto row = row_of(key);
    if (!row) return values;
    std::vector<double> numbers;
    for (const std::string_view word : parts_of(table_.text(*row, value_), ' ')) {
      double number = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      const bool fits = error == std::errc{} && end == word.data() + word.size();
      numbers.push_back(fits && number >= 0 && number < 1e13 ? number : -1);
    }
    const std::size_t pairs = numbers.size() / 2;  // after their number
    bool good = numbers.size() % 2 == 1 && numbers[0] == static_cast<double>(pairs);
    for (const double number : numbers) good = good && number >= 0;
    if (!good) {
      table_.problem(*row, value_, in_quotes(table_.text(*row, value_)) + " is no map of rates",
                     "a count and as many pairs of bit/s and value");
      return values;
    }
    for (std::size_t i = 1; i < numbers.size(); i += 2) {
      values[static_cast<std::int64_t>(numbers[i])] = numbers[i + 1];
    }
    return values;
  }

  /// Thresholds are in units of 1,000 bytes there.
  void read_marking(Ns3Config& c) {
    const auto kmin = rate_map("KMIN_MAP");
    const auto kmax = rate_map("KMAX_MAP");
    const auto pmax = rate_map("PMAX_MAP");
    for (const auto& [rate_bps, value] : kmin) {
      const auto most = kmax.find(rate_bps);
      const auto share = pmax.find(rate_bps);
      if (most == kmax.end() || share == pmax.end()) {
        table_.problem(row_of_.at("KMIN_MAP"), value_,
                       std::to_string(rate_bps) + " bit/s is not in KMAX_MAP and PMAX_MAP too",
                       "the same rates in all three");
        continue;
      }
      Ns3Marking marking;
      marking.rate = Rate{rate_bps};
      marking.kmin = Bytes{static_cast<std::int64_t>(value * 1000)};
      marking.kmax = Bytes{static_cast<std::int64_t>(most->second * 1000)};
      marking.pmax = share->second;
      c.marking.push_back(marking);
    }
  }

  CsvTable table_;
  int value_ = -1;
  std::map<std::string, std::size_t> row_of_;
};

std::vector<std::uint32_t> path_at(CsvTable& table, std::size_t row, int column) {
  std::vector<std::uint32_t> path;
  for (const std::string_view word : parts_of(table.text(row, column), '-')) {
    std::uint32_t node = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), node);
    if (error != std::errc{} || end != word.data() + word.size()) {
      table.problem(row, column, in_quotes(word) + " is no node", "a path such as 18-26-32");
      return {};
    }
    path.push_back(node);
  }
  return path;
}

}  // namespace

bool parse_ns3_rate(std::string_view text, Rate& rate) {
  const auto value = with_unit(text, kRates);
  if (value) rate = Rate{*value};
  return value && rate <= kMaxRate;
}

bool parse_ns3_delay(std::string_view text, Time& delay) {
  const auto value = with_unit(text, kDelays);
  if (value) delay = Time{*value};
  return value.has_value();
}

Ns3Read<Ns3Config> read_ns3_config(std::string_view text, const std::string& file) {
  return ConfigReader(file, text).read();
}

Ns3Read<std::vector<Ns3Link>> read_ns3_topology(std::string_view text, const std::string& file) {
  CsvTable table(file, text);
  const int a = table.required("node_a");
  const int b = table.required("node_b");
  const int rate = table.required("rate");
  const int delay = table.required("one_way_delay");
  std::vector<Ns3Link> links;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Ns3Link link;
    link.a = node_at(table, row, a);
    link.b = node_at(table, row, b);
    if (rate >= 0 && !parse_ns3_rate(table.text(row, rate), link.rate)) {
      table.problem(row, rate, in_quotes(table.text(row, rate)) + " is no rate",
                    "a rate such as 100Gbps");
    }
    if (delay >= 0 && !parse_ns3_delay(table.text(row, delay), link.delay)) {
      table.problem(row, delay, in_quotes(table.text(row, delay)) + " is no time",
                    "a time such as 1000ns");
    }
    links.push_back(link);
  }
  return {std::move(links), table.problems()};
}

Ns3Read<std::vector<Ns3Flow>> read_ns3_flows(std::string_view text, const std::string& file) {
  CsvTable table(file, text);
  const int from = table.required("src");
  const int to = table.required("dst");
  const int bytes = table.required("bytes");
  const int fct = table.required("fct_ns");
  const int variant = table.column("variant");
  const int port = table.column("sport");
  const int start = table.column("start_ns_after_t0");
  const int ideal = table.column("ideal_fct_ns");
  const int path = table.column("switch_path");
  std::vector<Ns3Flow> flows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Ns3Flow flow;
    flow.variant = table.text(row, variant);
    flow.from = node_at(table, row, from);
    flow.to = node_at(table, row, to);
    flow.source_port = table.integer(row, port, 0, 65'535);
    flow.bytes = Bytes{table.integer(row, bytes, 0, kMostCount)};
    flow.start = ns_at(table, row, start);
    flow.fct = ns_at(table, row, fct);
    if (ideal >= 0) flow.ideal = ns_at(table, row, ideal);
    flow.path = path_at(table, row, path);
    flows.push_back(std::move(flow));
  }
  return {std::move(flows), table.problems()};
}

Ns3Read<std::vector<Ns3PauseEvent>> read_ns3_pauses(std::string_view text,
                                                    const std::string& file) {
  CsvTable table(file, text);
  const int at = table.required("t_ns_after_t0");
  const int node = table.required("node_that_received_frame");
  const int is_switch = table.required("is_switch");
  const int interface = table.required("ifindex");
  const int pause = table.required("pause1_resume0");
  std::vector<Ns3PauseEvent> events;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Ns3PauseEvent event;
    event.at = ns_at(table, row, at);
    event.node = node_at(table, row, node);
    event.node_is_switch = table.integer(row, is_switch, 0, 1) == 1;
    event.interface = static_cast<std::uint32_t>(table.integer(row, interface, 0, 65'535));
    event.pause = table.integer(row, pause, 0, 1) == 1;
    events.push_back(event);
  }
  return {std::move(events), table.problems()};
}

Ns3Read<std::vector<Ns3Sample>> read_ns3_series(std::string_view text, const std::string& file) {
  CsvTable table(file, text);
  const int at = table.required("t_us");
  const int largest = table.required("qlen_max_B");
  const int last = table.required("qlen_last_B");
  const int packets = table.required("pkts");
  const int marked = table.required("ecn_marked");
  std::vector<int> sources;
  for (std::size_t i = 0; i < table.header().size(); ++i) {
    if (table.header()[i].starts_with("goodput_gbps_src")) sources.push_back(static_cast<int>(i));
  }
  std::vector<Ns3Sample> samples;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Ns3Sample sample;
    // Instants are multiples of 0.1 us in the files; a picosecond is far finer than their text.
    sample.at = Time{static_cast<std::int64_t>(table.number(row, at, 0, 1e12) * 1e6 + 0.5)};
    sample.largest_queue = Bytes{table.integer(row, largest, 0, kMostCount)};
    sample.last_queue = Bytes{table.integer(row, last, 0, kMostCount)};
    sample.packets = table.integer(row, packets, 0, kMostCount);
    sample.marked = table.integer(row, marked, 0, kMostCount);
    for (const int source : sources) {
      sample.goodput_gbps.push_back(table.number(row, source, 0, 1e6));
    }
    samples.push_back(std::move(sample));
  }
  return {std::move(samples), table.problems()};
}

}  // namespace spineleaf
