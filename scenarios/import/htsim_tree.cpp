#include <algorithm>
#include <map>
#include <utility>

#include "scenarios/import/htsim.hpp"
#include "scenarios/import/words.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kMostTree = 1'000'000;
constexpr std::int64_t kMostPairs = 5'000'000;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

constexpr std::array<std::string_view, 9> kTierKeys{
    "Downlink_speed_Gbps", "Radix_Down", "Radix_Up",          "Queue_Down",         "Queue_Up",
    "Oversubscribed",      "Bundle",     "Switch_Latency_ns", "Downlink_Latency_ns"};

class TreeReader {
 public:
  TreeReader(const NamedText& file, HtsimTree& tree, std::vector<InputProblem>& problems)
      : text_(file.text), reader_(file.file, problems), problems_(problems), tree_(tree) {}

  void read() {
    for (const std::vector<Word>& line : word_lines(text_)) {
      if (line.size() != 2) {
        reader_.refuse(line[0], "", "expected a key and a value on a line");
        continue;
      }
      read_line(line[0], line[1]);
    }
    if (!has_errors(problems_)) derive();
  }

 private:
  void read_line(const Word& key, const Word& value) {
    const std::string name = lower(key.text);
    if (name == "nodes") return top(key, value, tree_.hosts, 1, kMostTree);
    if (name == "tiers") return top(key, value, tree_.tiers, 2, 3);
    if (name == "podsize") return top(key, value, tree_.pod_hosts, 1, kMostTree);
    if (name == "tier") {
      const auto number = reader_.count(value, "Tier", 0, 2);
      if (!number) return;
      tier_ = static_cast<int>(*number);
      HtsimTier& tier = tree_.tier[static_cast<std::size_t>(tier_)];
      if (tier.given)
        reader_.refuse(value, "Tier", "tier " + std::to_string(tier_) + " is given twice");
      tier.given = true;
      return;
    }
    for (const std::string_view known : kTierKeys) {
      if (lower(known) == name) return in_tier(key, value, known);
    }
    std::vector<std::string_view> names(kTierKeys.begin(), kTierKeys.end());
    names.insert(names.end(), {"Nodes", "Tiers", "Podsize", "Tier"});
    reader_.refuse(key, "", "unknown key " + std::string(key.text) + " (htsim ignores it silently)",
                   {}, did_you_mean(key.text, names));
  }

  void top(const Word& key, const Word& value, std::int64_t& into, std::int64_t least,
           std::int64_t most) {
    const auto number = reader_.count(value, std::string(key.text), least, most);
    if (into != 0) reader_.refuse(key, "", std::string(key.text) + " given twice");
    if (number) into = *number;
  }

  void in_tier(const Word& key, const Word& value, std::string_view name) {
    if (tier_ < 0) {
      return reader_.refuse(key, "", std::string(name) + " stands before the first Tier");
    }
    if (!places_.emplace(std::pair(tier_, std::string(name)), key).second) {
      return reader_.refuse(key, "",
                            std::string(name) + " given twice in tier " + std::to_string(tier_));
    }
    HtsimTier& tier = tree_.tier[static_cast<std::size_t>(tier_)];
    const bool may_be_zero = name == "Switch_Latency_ns" || name == "Downlink_Latency_ns";
    const bool large = may_be_zero || name == "Queue_Down" || name == "Queue_Up";
    const auto number = reader_.count(value, std::string(name), may_be_zero ? 0 : 1,
                                      large ? 1'000'000'000'000 : kMostTree);
    if (!number) return;
    if (name == "Downlink_speed_Gbps") tier.gbps = *number;
    if (name == "Radix_Down") tier.down = *number;
    if (name == "Radix_Up") tier.up = *number;
    if (name == "Bundle") tier.bundle = *number;
    if (name == "Switch_Latency_ns") tier.switch_ns = *number;
    if (name == "Downlink_Latency_ns") tier.link_ns = *number;
    if (name == "Oversubscribed") oversubscribed_[tier_] = *number;
  }

  /// Where a key of a tier stands, or the file's begin.
  Word place(int tier, const char* name) const {
    const auto at = places_.find({tier, name});
    return at == places_.end() ? Word{{}, {1, 1}} : at->second;
  }

  bool require(bool holds, const Word& at, std::string what, std::string expected = {}) {
    if (!holds) reader_.refuse(at, "", std::move(what), std::move(expected));
    return holds;
  }

  bool check_given() {
    const Word begin{{}, {1, 1}};
    if (!require(tree_.hosts > 0 && tree_.tiers > 0 && tree_.pod_hosts > 0, begin,
                 "Nodes, Tiers or Podsize is missing")) {
      return false;
    }
    for (int t = 0; t < tree_.tiers; ++t) {
      const HtsimTier& tier = tree_.tier[static_cast<std::size_t>(t)];
      const std::string name = "tier " + std::to_string(t);
      const bool top_tier = t + 1 == tree_.tiers;
      if (!require(tier.given, begin,
                   "Tiers " + std::to_string(tree_.tiers) + " but " + name + " absent") ||
          !require(tier.gbps > 0 && tier.down > 0 && (top_tier || tier.up > 0), begin,
                   name + " lacks Downlink_speed_Gbps, Radix_Down or Radix_Up")) {
        return false;
      }
    }
    return true;
  }

  void derive() {
    if (!check_given()) return;
    HtsimTree& t = tree_;
    const HtsimTier& tor = t.tier[0];
    const HtsimTier& agg = t.tier[1];
    const auto text = [](std::int64_t n) { return std::to_string(n); };
    const Word begin{{}, {1, 1}};
    if (!require(t.hosts % t.pod_hosts == 0, begin,
                 text(t.hosts) + " hosts are not a multiple of pod size " + text(t.pod_hosts)) ||
        !require(t.pod_hosts % tor.down == 0, place(0, "Radix_Down"),
                 "pod size " + text(t.pod_hosts) + " is not a multiple of ToR Radix_Down " +
                     text(tor.down))) {
      return;
    }
    t.pods = t.hosts / t.pod_hosts;
    t.tors = t.hosts / tor.down;
    for (const auto& [tier, ratio] : oversubscribed_) {
      const HtsimTier& at = t.tier[static_cast<std::size_t>(tier)];
      if (at.up == 0 || at.down == ratio * at.up) continue;
      reader_.refuse(
          place(tier, "Oversubscribed"), "",
          "Oversubscribed " + text(ratio) + " but Radix_Down/Radix_Up = " +
              (at.down % at.up == 0 ? text(at.down / at.up) : text(at.down) + "/" + text(at.up)));
      return;
    }
    const std::int64_t uplinks = t.tors_per_pod() * tor.up;
    if (!require(uplinks % agg.down == 0, place(1, "Radix_Down"),
                 text(uplinks) + " ToR uplinks of a pod not divisible by Radix_Down " +
                     text(agg.down))) {
      return;
    }
    const std::int64_t aggs = uplinks / agg.down;
    t.aggs = aggs * t.pods;
    if (!require(tor.up % aggs == 0, place(0, "Radix_Up"),
                 "a ToR's " + text(tor.up) + " uplinks do not spread evenly over " + text(aggs) +
                     " switches above")) {
      return;
    }
    t.tor_agg_cables = tor.up / aggs;
    if (!require(t.tors <= kMostPairs / aggs, begin, "the fabric is too large",
                 "at most " + text(kMostPairs) + " pairs of joined switches")) {
      return;
    }
    if (t.tiers == 3) derive_cores(aggs);
  }

  void derive_cores(std::int64_t aggs_per_pod) {
    const std::int64_t uplinks = tree_.aggs * tree_.tier[1].up;
    const std::int64_t down = tree_.tier[2].down;
    if (!require(uplinks % down == 0, place(2, "Radix_Down"),
                 std::to_string(uplinks) + " agg uplinks not divisible by core Radix_Down " +
                     std::to_string(down))) {
      return;
    }
    tree_.cores = uplinks / down;
    if (!require(tree_.aggs <= kMostPairs / std::max<std::int64_t>(tree_.tier[1].up, 1),
                 place(2, "Radix_Down"), "the fabric is too large")) {
      return;
    }
    require(tree_.cores % aggs_per_pod == 0 &&
                tree_.cores / aggs_per_pod == tree_.tier[1].up / tree_.tier[2].bundle,
            place(2, "Radix_Down"),
            std::to_string(tree_.cores) + " cores do not spread evenly over " +
                std::to_string(aggs_per_pod) + " aggregation switches of a pod");
  }

  std::string_view text_;
  WordReader reader_;
  std::vector<InputProblem>& problems_;
  HtsimTree& tree_;
  int tier_ = -1;
  std::map<std::pair<int, std::string>, Word> places_;
  std::map<int, std::int64_t> oversubscribed_;
};

}  // namespace

HtsimTree read_htsim_tree(const NamedText& file, std::vector<InputProblem>& problems) {
  HtsimTree tree;
  std::vector<InputProblem> own;
  TreeReader(file, tree, own).read();
  problems.insert(problems.end(), own.begin(), own.end());
  return tree;
}

}  // namespace spineleaf
