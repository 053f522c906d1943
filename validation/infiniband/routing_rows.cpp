// Random permutations over static, adaptive and per-flow random routing: the share of line rate
// that a flow gets, mean and the first percentile over flows. Bands: an independent packet model,
// 20 permutations. Adaptive routing wins on permutations; on shifts static is at line rate.

#include <algorithm>
#include <numeric>

#include "scenarios/output/text.hpp"
#include "validation/infiniband/case.hpp"
#include "validation/infiniband/row.hpp"

namespace spineleaf {

namespace {

struct Tree {
  const char* id;
  const char* text;
  Time from, to;
  double static_mean, static_band, adaptive_least;
  bool large = false;
  bool deep = false;
};

struct Shares {
  double mean = 0;
  double p1 = 0;
};

/// Static = D-mod-K, the tables of engine ftree.
ValidSpec tree_case(const Tree& tree, const std::string& forwarding, const std::string& pattern) {
  InfinibandCase wanted{
      tree.text,
      R"({"kind": "permutation", "bytes": "16MiB", "start_jitter": "5us", )" + pattern + "}",
      {{"switch.forwarding", forwarding}}};
  if (forwarding == "static") wanted.sets.push_back({"subnet.engine", "ftree"});
  return infiniband_case(wanted);
}

Shares shares_of(const Tree& tree, const std::string& forwarding, const std::string& pattern,
                 int permutations) {
  const ValidSpec spec = tree_case(tree, forwarding, pattern);
  Shares all;
  for (int seed = 1; seed <= permutations; ++seed) {
    std::vector<double> rates =
        host_rates_gbps(spec, tree.from, tree.to, static_cast<std::uint64_t>(seed));
    std::sort(rates.begin(), rates.end());
    const auto n = static_cast<double>(rates.size());
    all.mean += std::accumulate(rates.begin(), rates.end(), 0.0) / n / 400 / permutations;
    all.p1 += rates[rates.size() / 100] / 400 / permutations;
  }
  return all;
}

ValidationRow row_of(const std::string& id, double got, double from, double to) {
  ValidationRow row;
  row.id = "routing." + id;
  row.expected = to >= 1    ? "at least " + fixed_text(from, 2)
                 : from < 0 ? "at most " + fixed_text(to, 3)
                            : fixed_text(from, 3) + " to " + fixed_text(to, 3);
  row.got = fixed_text(got, 3) + " of line";
  row.pass = got >= from && got <= to;
  row.source = "independent packet model, 20 permutations";
  return row;
}

void add_tree(const Tree& tree, const InfinibandOptions& options,
              std::vector<ValidationRow>& rows) {
  const int permutations = options.quick ? 2 : 20;
  const std::string random = R"("pattern": "random")";
  const std::string id = tree.id;
  const Shares fixed = shares_of(tree, "static", random, permutations);
  const Shares adaptive = shares_of(tree, "adaptive", random, permutations);
  const Shares hashed = shares_of(tree, "ecmp", random, permutations);
  const double band = tree.static_band * (options.quick ? 2 : 1);
  rows.push_back(
      row_of(id + ".static", fixed.mean, tree.static_mean - band, tree.static_mean + band));
  rows.push_back(row_of(id + ".adaptive", adaptive.mean, tree.adaptive_least, 1));
  rows.push_back(row_of(id + ".random-per-flow", hashed.mean, -1, fixed.mean - 0.08));
  rows.push_back(row_of(id + ".static.p1", fixed.p1, -1, 0.35));
  if (tree.deep) {
    rows.push_back(row_of(id + ".adaptive-static", adaptive.mean - fixed.mean, 0.2, 1));
  } else {
    rows.push_back(row_of(id + ".adaptive.p1", adaptive.p1, 0.8, 1));
  }
  const std::string shift = R"("pattern": "shift")";
  rows.push_back(row_of(id + ".shift.static", shares_of(tree, "static", shift, 1).mean, 0.998, 1));
  ValidationRow report =
      row_of(id + ".shift.adaptive", shares_of(tree, "adaptive", shift, 1).mean, 0.8, 1);
  report.report_only = true;
  rows.push_back(std::move(report));
}

}  // namespace

std::vector<ValidationRow> routing_rows(const InfinibandOptions& options) {
  const auto us = [](std::int64_t n) { return Time::from_us(n); };
  const Tree trees[] = {
      {"2-tier-256",
       R"({"kind": "fat_tree", "hosts": 256, "radix": 64, "parallel": 8, "host_cable": "10m",
           "spine_cable": "10m"})",
       us(30), us(100), 0.745, 0.02, 0.99},
      {"3-tier-256",
       R"({"kind": "fat_tree", "tiers": 3, "hosts": 256, "radix": 16, "host_cable": "10m",
           "spine_cable": "10m", "core_cable": "10m"})",
       us(30), us(100), 0.614, 0.03, 0.85, false, true},
      {"2-tier-1024",
       R"({"kind": "fat_tree", "hosts": 1024, "radix": 64, "parallel": 2, "host_cable": "10m",
           "spine_cable": "10m"})",
       us(25), us(65), 0.665, 0.02, 0.94, true},
      {"3-tier-1024",
       R"({"kind": "fat_tree", "tiers": 3, "hosts": 1024, "radix": 16, "host_cable": "10m",
           "spine_cable": "10m", "core_cable": "10m"})",
       us(25), us(65), 0.531, 0.03, 0.85, true, true},
  };
  std::vector<ValidationRow> rows;
  for (const Tree& tree : trees) {
    if (!(options.quick && tree.large)) add_tree(tree, options, rows);
  }
  return rows;
}

}  // namespace spineleaf
