#include "scenarios/sweep/pareto.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "models/params.hpp"
#include "models/presets_ecn.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/csv_writer.hpp"
#include "scenarios/sweep/metrics.hpp"

namespace spineleaf {
namespace {

double number_in(std::string_view text) {
  double value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && at == text.data() + text.size() && !text.empty() ? value : kNone;
}

/// What a point has under a name: a metric, or the number of an axis.
struct Figure {
  std::string name;
  std::optional<std::size_t> metric;
  std::size_t axis = 0;
  double of(const PointSummary& point) const {
    return metric ? point.mean[*metric] : number_in(point.cells[axis]);
  }
};

std::optional<Figure> find_figure(const std::vector<SweepColumn>& columns, std::string_view name) {
  if (const auto metric = find_metric(name)) {
    return Figure{std::string(metrics()[*metric].name), metric, 0};
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].key == name || columns[i].column == name ||
        columns[i].key.ends_with("." + std::string(name))) {
      return Figure{columns[i].column, std::nullopt, i};
    }
  }
  return std::nullopt;
}

std::string figure_names(const std::vector<SweepColumn>& columns) {
  std::string out = metric_names();
  for (const SweepColumn& column : columns) out += ", " + column.column;
  return out;
}

struct Filter {
  Figure figure;
  std::string_view comparison;
  double limit = 0;
  bool holds(const PointSummary& point) const {
    const double value = figure.of(point);
    if (comparison == "==") return value == limit;
    if (comparison == "!=") return value != limit;
    if (comparison == "<=") return value <= limit;
    if (comparison == ">=") return value >= limit;
    return comparison == "<" ? value < limit : value > limit;
  }
};

std::optional<Filter> read_filter(const std::vector<SweepColumn>& columns, const std::string& text,
                                  std::vector<std::string>& problems) {
  constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<=", ">=", "<", ">"};
  for (const std::string_view comparison : kComparisons) {
    const std::size_t at = text.find(comparison);
    if (at == std::string::npos) continue;
    const auto figure = find_figure(columns, std::string_view(text).substr(0, at));
    const double limit = number_in(std::string_view(text).substr(at + comparison.size()));
    if (figure && !std::isnan(limit)) return Filter{*figure, comparison, limit};
    problems.push_back("--filter " + in_quotes(text) + ": " +
                       (figure ? "there is no number after " + std::string(comparison)
                               : "no such figure; expected one of " + figure_names(columns)));
    return std::nullopt;
  }
  problems.push_back("--filter " + in_quotes(text) +
                     ": expected a figure, one of == != <= >= < > and a number, such as drops==0");
  return std::nullopt;
}

/// The published preset that has the point's thresholds, all three of which must be swept.
std::string published(const std::vector<SweepColumn>& columns, const PointSummary& point) {
  const auto agrees = [&](const PresetEntry& entry) {
    if (entry.key == "ecn.enabled") return true;
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const SweepColumn& c) { return c.key == entry.key; });
    if (column == columns.end()) return false;
    const ParamTable& table =
        *std::find_if(model_param_tables().begin(), model_param_tables().end(),
                      [](const ParamTable& t) { return t.name == "ecn"; });
    const ParamDecl& decl = *find_param(table, entry.key.substr(entry.key.find('.') + 1));
    const ParamValue value = parse_declared(decl, entry.value);
    const double wanted =
        decl.unit == Unit::Ratio ? value.real : static_cast<double>(value.integer);
    const double found = number_in(point.cells[static_cast<std::size_t>(column - columns.begin())]);
    return std::fabs(found - wanted) <= 1e-9 * wanted;
  };
  for (const Preset& preset : ecn_presets()) {
    if (std::all_of(preset.entries.begin(), preset.entries.end(), agrees)) {
      return std::string(preset.name);
    }
  }
  return {};
}

/// As `value` where less is better.
double cost(std::size_t metric, double value) {
  return metrics()[metric].better == Better::Lower ? value : -value;
}

void find_front(ParetoFront& result, std::size_t x, std::size_t y) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < result.points.size(); ++i) order.push_back(i);
  const auto costs = [&](std::size_t i) {
    return std::pair{cost(x, result.points[i].x), cost(y, result.points[i].y)};
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return costs(a) < costs(b); });
  double least = std::numeric_limits<double>::infinity();
  double last = kNone;
  for (const std::size_t i : order) {
    const auto [cost_x, cost_y] = costs(i);
    // Of equal points all are on the front.
    if (cost_y > least || (cost_y == least && cost_x != last)) continue;
    least = cost_y;
    last = cost_x;
    result.points[i].on_front = true;
    result.front.push_back(i);
  }
  double nearest = std::numeric_limits<double>::infinity();
  if (result.front.empty()) return;
  const auto [x_first, y_first] = costs(result.front.front());
  const auto [x_last, y_last] = costs(result.front.back());
  for (const std::size_t i : result.front) {
    const auto [cost_x, cost_y] = costs(i);
    const double right = x_last > x_first ? (cost_x - x_first) / (x_last - x_first) : 0;
    const double up = y_first > y_last ? (cost_y - y_last) / (y_first - y_last) : 0;
    if (right * right + up * up >= nearest) continue;
    nearest = right * right + up * up;
    result.best = i;
  }
  std::stable_sort(result.front.begin(), result.front.end(), [&](std::size_t a, std::size_t b) {
    return result.points[a].x < result.points[b].x;
  });
}

}  // namespace

ParetoFront pareto_front(const std::vector<SweepColumn>& columns,
                         const std::vector<PointSummary>& points, const ParetoRequest& request) {
  ParetoFront result;
  const auto x = find_metric(request.x);
  const auto y = find_metric(request.y);
  for (const auto& [name, metric] : {std::pair{request.x, x}, std::pair{request.y, y}}) {
    if (metric) continue;
    result.problems.push_back(in_quotes(name) + " is no metric; expected one of " + metric_names());
  }
  const auto colour = find_figure(columns, request.colour);
  if (!request.colour.empty() && !colour) {
    result.problems.push_back(in_quotes(request.colour) + " is no figure; expected one of " +
                              figure_names(columns));
  }
  std::vector<Filter> filters;
  for (const std::string& text : request.filters) {
    if (const auto filter = read_filter(columns, text, result.problems)) filters.push_back(*filter);
  }
  if (!result.problems.empty()) return result;
  result.x = metrics()[*x].name;
  result.y = metrics()[*y].name;
  if (colour) result.colour = colour->name;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointSummary& point = points[i];
    ParetoPoint out{
        i,  point.mean[*x],           point.mean[*y], colour ? colour->of(point) : kNone, false,
        {}, published(columns, point)};
    const bool passes = std::all_of(filters.begin(), filters.end(),
                                    [&](const Filter& filter) { return filter.holds(point); });
    if (!passes || !std::isfinite(out.x) || !std::isfinite(out.y)) {
      ++result.left_out;
      continue;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      out.label += (c > 0 ? " " : "") + columns[c].key + "=" + point.cells[c] + columns[c].suffix;
    }
    result.points.push_back(std::move(out));
  }
  find_front(result, *x, *y);
  return result;
}

std::string pareto_csv(const ParetoFront& front, const std::vector<SweepColumn>& columns,
                       const std::vector<PointSummary>& points) {
  std::string header = "point,hash";
  for (const SweepColumn& column : columns) header += "," + column.column;
  header += "," + front.x + "," + front.y;
  if (!front.colour.empty()) header += "," + front.colour;
  CsvWriter csv(header);
  for (const std::size_t i : front.front) {
    const ParetoPoint& on = front.points[i];
    csv.cell(static_cast<std::int64_t>(on.point)).cell(points[on.point].hash);
    for (const std::string& cell : points[on.point].cells) csv.cell(cell);
    csv.cell(on.x).cell(on.y);
    if (!front.colour.empty()) csv.cell(on.colour);
    csv.end_row();
  }
  return csv.take();
}

}  // namespace spineleaf
