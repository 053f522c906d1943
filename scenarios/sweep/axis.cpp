#include "scenarios/sweep/axis.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "scenarios/input/json_source.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"
#include "topologies/registry.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostValues = 100'000;  // of one axis

/// A key that a scenario has, with its declaration.
struct KnownKey {
  std::string path;
  const ParamDecl* decl = nullptr;
};

std::vector<KnownKey> known_keys(const ScenarioData& scenario) {
  std::vector<KnownKey> keys{{"preset", nullptr}};
  const auto add = [&](const std::string& section, const ParamTable& table) {
    for (const ParamDecl& decl : table.params) {
      keys.push_back({section + "." + std::string(decl.name), &decl});
    }
  };
  for (const ParamTable& table : model_param_tables()) add(std::string(table.name), table);
  if (const TopologyKind* kind = find_topology_kind(scenario.topology.kind)) {
    add("topology", kind->params);
  }
  const std::size_t jobs = scenario.workloads.size();
  for (std::size_t i = 0; i < jobs; ++i) {
    const WorkloadKind* kind = find_workload_kind(scenario.workloads[i].kind);
    const std::string section = jobs == 1 ? "workload" : "workload[" + std::to_string(i) + "]";
    if (kind != nullptr) add(section, kind->table);
  }
  add("run", run_table());
  return keys;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_text(const ParamDecl* decl) { return decl == nullptr || decl->unit == Unit::Text; }
bool is_real(const ParamDecl& decl) {
  return decl.unit == Unit::Ratio || decl.unit == Unit::Length;
}
bool has_order(const ParamDecl* decl) {
  return !is_text(decl) && decl->unit != Unit::Flag && decl->unit != Unit::Choice;
}

double number_of(const ParamDecl& decl, const ParamValue& value) {
  return is_real(decl) ? value.real : static_cast<double>(value.integer);
}

/// The nearest value of the declaration's type.
ParamValue rounded(const ParamDecl& decl, double number) {
  ParamValue value;
  if (is_real(decl)) {
    // Six digits: steps by ratio are no more exact than that, and nobody types more.
    std::array<char, 40> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                       std::chars_format::scientific, 5);
    std::from_chars(buffer.data(), written.ptr, value.real);
  } else {
    value.integer = number < 9e18 ? std::llround(number) : INT64_MAX;
  }
  return value;
}

/// Reads the axes one by one; each goes on after a problem of the one before.
class AxisReader {
 public:
  AxisReader(const ScenarioData& scenario, std::vector<SweepAxis>& axes,
             std::vector<InputProblem>& problems)
      : keys_(known_keys(scenario)), axes_(axes), problems_(problems) {}

  void read(const std::string& text) {
    path_ = text.substr(0, 200);
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0) {
      return refuse("an axis is a key and its values",
                    "for example ecn.kmin=100KB:1600KB:log5 or pmax=0.01,0.05");
    }
    const KnownKey* key = find_key(std::string_view(text).substr(0, equal));
    if (key == nullptr) return;
    SweepAxis axis;
    axis.key = key->path;
    axis.decl = key->decl;
    const auto same = [&](const SweepAxis& other) { return other.key == axis.key; };
    if (std::any_of(axes_.begin(), axes_.end(), same)) {
      return refuse(axis.key + " is already an axis", {});
    }
    const std::size_t before = problems_.size();
    read_values(axis, std::string_view(text).substr(equal + 1));
    if (problems_.size() == before) axes_.push_back(std::move(axis));
  }

 private:
  void refuse(std::string what, std::string expected, std::string hint = {}) {
    append(problems_, {Severity::Error,
                       "--grid",
                       {},
                       path_,
                       std::move(what),
                       std::move(expected),
                       std::move(hint),
                       false});
  }

  const KnownKey* find_key(std::string_view name) {
    std::vector<const KnownKey*> found;
    std::vector<std::string_view> names;
    for (const KnownKey& key : keys_) {
      if (key.path == name) return &key;
      const bool is_short = key.decl != nullptr && key.decl->name == name;
      if (is_short) found.push_back(&key);
      names.push_back(key.path);
      if (key.decl != nullptr) names.push_back(key.decl->name);
    }
    if (found.size() == 1) return found.front();
    if (found.empty()) {
      refuse(in_quotes(name) + " is no key of this scenario", {}, did_you_mean(name, names));
      return nullptr;
    }
    std::string which;
    for (const KnownKey* key : found) which += (which.empty() ? "" : " or ") + key->path;
    refuse(in_quotes(name) + " is the name of several keys", which);
    return nullptr;
  }

  void read_values(SweepAxis& axis, std::string_view text) {
    if (text.empty()) return refuse("no values are given", "at least one");
    const bool factor =
        text.size() > 1 && text[0] == 'x' && (text[1] == '.' || (text[1] >= '0' && text[1] <= '9'));
    if (factor && has_order(axis.decl)) return read_factors(axis, text);
    if (has_order(axis.decl) && text.find(':') != std::string_view::npos) {
      return read_range(axis, text);
    }
    const char separator =
        is_text(axis.decl) && text.find(';') != std::string_view::npos ? ';' : ',';
    for (const std::string_view part : split(text, separator)) {
      if (axis.values.size() == kMostValues) return refuse("has too many values", "at most 100000");
      if (const auto value = read_one(axis, part)) add(axis, *value);
    }
  }

  /// The value that `--set key=part` would give, or a problem.
  std::optional<ParamValue> read_one(const SweepAxis& axis, std::string_view part) {
    if (axis.decl == nullptr) {
      ParamValue name;
      name.text = part;
      return name;
    }
    std::vector<InputProblem> unread;
    const JsonSource parsed("--grid", std::string(part), unread);
    JsonNode node;
    const bool is_json = parsed.root() != nullptr && unread.empty();
    if (is_json) {
      node = *parsed.root();
    } else {
      node.kind = JsonNode::Kind::String;
      node.text = part;
    }
    node.place = {};
    ParamValue value;
    if (const auto error = read_value(*axis.decl, node, value)) {
      refuse(error->what, error->expected, error->hint);
      return std::nullopt;
    }
    return value;
  }

  void add(SweepAxis& axis, const ParamValue& value) {
    const std::string text = axis.text(value);
    const auto same = [&](const ParamValue& other) { return axis.text(other) == text; };
    if (axis.values.size() < 1000 && std::any_of(axis.values.begin(), axis.values.end(), same)) {
      return refuse("has " + in_quotes(text) + " twice", "values that differ");
    }
    axis.values.push_back(value);
  }

  void read_range(SweepAxis& axis, std::string_view text) {
    const std::vector<std::string_view> parts = split(text, ':');
    const char* const form = "first:last:logN or first:last:linN, such as 100KB:1600KB:log5";
    if (parts.size() != 3) return refuse(in_quotes(text) + " is no range", form);
    const bool log = parts[2].starts_with("log");
    const std::string_view digits = parts[2].substr(std::min<std::size_t>(3, parts[2].size()));
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    const bool whole = error == std::errc{} && end == digits.data() + digits.size();
    if (!(log || parts[2].starts_with("lin")) || !whole || count < 2 || count > kMostValues) {
      return refuse(in_quotes(parts[2]) + " is no number of steps", form);
    }
    const auto first = read_one(axis, parts[0]);
    const auto last = read_one(axis, parts[1]);
    if (!first || !last) return;
    const double from = number_of(*axis.decl, *first);
    const double to = number_of(*axis.decl, *last);
    if (log && (from <= 0 || to <= 0)) {
      return refuse("a range by ratio can't reach zero", "ends above zero, or lin");
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(count - 1);
      const double number = log ? from * std::pow(to / from, share) : from + (to - from) * share;
      const bool at_end = i == 0 || i + 1 == count;
      add(axis, at_end ? (i == 0 ? *first : *last) : rounded(*axis.decl, number));
    }
  }

  void read_factors(SweepAxis& axis, std::string_view text) {
    if (const std::size_t star = text.find('*'); star != std::string_view::npos) {
      const std::string_view name = text.substr(star + 1);
      const KnownKey* key = find_key(name);
      if (key == nullptr) return;
      while (axis.base < axes_.size() && axes_[axis.base].key != key->path) ++axis.base;
      if (axis.base == axes_.size()) return refuse(key->path + " is no axis before this one", {});
      text = text.substr(0, star);
    } else {
      if (axes_.empty()) return refuse("there is no axis before this one to multiply", {});
      axis.base = axes_.size() - 1;
    }
    const ParamDecl* decl = axes_[axis.base].decl;
    if (!has_order(decl) || decl->unit != axis.decl->unit) {
      return refuse(axis.key + " and " + axes_[axis.base].key + " are of different kinds",
                    "factors of an axis in the same unit");
    }
    for (const std::string_view part : split(text, ',')) {
      double factor = 0;
      const char* const end = part.data() + part.size();
      const char* const begin = part.data() + std::min<std::size_t>(1, part.size());
      const auto [at, error] = std::from_chars(begin, end, factor);
      const bool whole = error == std::errc{} && at == end && part.starts_with('x');
      if (!whole || !std::isfinite(factor) || factor <= 0) {
        return refuse(in_quotes(part) + " is no factor", "x and a number above zero, such as x4");
      }
      if (axis.factors.size() == kMostValues) return refuse("has too many values", {});
      axis.factors.push_back(factor);
    }
    check_products(axis);
  }

  /// Every product must fit the key.
  void check_products(const SweepAxis& axis) {
    std::vector<SweepAxis> both;
    for (std::size_t at = axis.base;; at = axes_[at].base) {
      both.insert(both.begin(), axes_[at]);
      if (axes_[at].factors.empty()) break;
    }
    for (std::size_t i = 1; i < both.size(); ++i) both[i].base = i - 1;
    both.push_back(axis);
    both.back().base = both.size() - 2;
    const std::size_t points = grid_size(both, kMostValues);
    for (std::size_t i = 0; i < std::min(points, kMostValues); ++i) {
      const std::vector<ParamValue> values = axis_values(both, i);
      const double number = number_of(*axis.decl, values.back());
      if (number >= axis.decl->min && number <= axis.decl->max) continue;
      return refuse(axis.text(values.back()) + " is out of range", format_range(*axis.decl));
    }
  }

  std::vector<KnownKey> keys_;
  std::vector<SweepAxis>& axes_;
  std::vector<InputProblem>& problems_;
  std::string path_;
};

}  // namespace

std::string SweepAxis::text(const ParamValue& value) const {
  return decl == nullptr ? value.text : format_value(*decl, value);
}

std::vector<SweepAxis> read_axes(const std::vector<std::string>& texts,
                                 const ScenarioData& scenario,
                                 std::vector<InputProblem>& problems) {
  std::vector<SweepAxis> axes;
  AxisReader reader(scenario, axes, problems);
  for (const std::string& text : texts) reader.read(text);
  return axes;
}

std::vector<ParamValue> axis_values(const std::vector<SweepAxis>& axes, std::size_t number) {
  std::vector<std::size_t> rows(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    rows[i] = number % axes[i].size();
    number /= axes[i].size();
  }
  std::vector<ParamValue> values;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const SweepAxis& axis = axes[i];
    if (axis.factors.empty()) {
      values.push_back(axis.values[rows[i]]);
      continue;
    }
    const double product = number_of(*axis.decl, values[axis.base]) * axis.factors[rows[i]];
    values.push_back(rounded(*axis.decl, product));
  }
  return values;
}

SweepColumn column_of(const SweepAxis& axis) {
  const Unit unit = axis.decl == nullptr ? Unit::Text : axis.decl->unit;
  switch (unit) {
    case Unit::Time: return {axis.key, axis.key + "_us", "us"};
    case Unit::Bytes: return {axis.key, axis.key + "_bytes", "B"};
    case Unit::Rate: return {axis.key, axis.key + "_gbps", "Gbps"};
    case Unit::Length: return {axis.key, axis.key + "_m", "m"};
    default: return {axis.key, axis.key, ""};
  }
}

std::string axis_cell(const SweepAxis& axis, const ParamValue& value) {
  const Unit unit = axis.decl == nullptr ? Unit::Text : axis.decl->unit;
  switch (unit) {
    case Unit::Time: return number_text(to_us(Time{value.integer}));
    case Unit::Bytes: return std::to_string(value.integer);
    case Unit::Rate: return number_text(static_cast<double>(value.integer) / 1e9);
    case Unit::Length: return number_text(value.real);
    default: return axis.text(value);
  }
}

std::size_t grid_size(const std::vector<SweepAxis>& axes, std::size_t limit) {
  std::size_t size = 1;
  for (const SweepAxis& axis : axes) {
    if (axis.size() > 0 && size > limit / axis.size()) return limit + 1;
    size *= axis.size();
  }
  return size;
}

}  // namespace spineleaf
