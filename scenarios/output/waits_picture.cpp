#include "scenarios/output/waits_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "scenarios/output/charts.hpp"
#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostOutside = 24;
constexpr double kWidth = 760, kHeight = 460, kRing = 95, kOuter = 185;

/// "leaf0 port 3 class 0" as "leaf0:3"; other names as they are.
std::string short_name(const std::string& queue) {
  const std::size_t port = queue.find(" port ");
  if (port == std::string::npos) return queue;
  const std::size_t number = port + 6;
  return queue.substr(0, port) + ":" + queue.substr(number, queue.find(' ', number) - number);
}

class WaitsPicture {
 public:
  explicit WaitsPicture(const std::vector<WaitsFor>& waits) : waits_(waits) {
    order_cycle();
    place(cycle_, kRing);
    place(outside(), kOuter);
  }

  NodeGraph graph() const {
    NodeGraph graph;
    graph.title = "Wait-for graph of queues";
    for (const auto& [name, at] : places_) {
      const bool on_cycle = std::find(cycle_.begin(), cycle_.end(), name) != cycle_.end();
      graph.nodes.push_back({name, short_name(name), at, on_cycle});
    }
    for (const WaitsFor& edge : waits_) {
      if (places_.count(edge.waiting) == 0 || places_.count(edge.waits_for) == 0) continue;
      graph.edges.push_back({edge.waiting, edge.waits_for,
                             edge.reason + ", " + bytes_text(edge.queued) + " queued",
                             edge.on_cycle});
    }
    return graph;
  }
  bool empty() const { return places_.empty(); }

 private:
  /// The queues on cycles, each after one that waits for it where that can be had.
  void order_cycle() {
    std::map<std::string, std::string> next;
    for (const WaitsFor& edge : waits_) {
      if (edge.on_cycle) next.try_emplace(edge.waiting, edge.waits_for);
    }
    std::set<std::string> seen;
    for (const auto& [name, following] : next) {
      for (std::string at = name; seen.insert(at).second; at = next.at(at)) {
        cycle_.push_back(at);
        if (next.count(next.at(at)) == 0) break;
      }
    }
  }

  std::vector<std::string> outside() const {
    std::vector<std::string> names;
    for (const WaitsFor& edge : waits_) {
      for (const std::string& name : {edge.waiting, edge.waits_for}) {
        const bool placed = places_.count(name) > 0;
        if (placed || std::find(names.begin(), names.end(), name) != names.end()) continue;
        if (names.size() < kMostOutside) names.push_back(name);
      }
    }
    return names;
  }

  void place(const std::vector<std::string>& names, double radius) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(names.size()) -
          std::numbers::pi / 2;
      places_[names[i]] = {kWidth / 2 + 1.5 * radius * std::cos(angle),
                           kHeight / 2 + radius * std::sin(angle)};
    }
  }

  const std::vector<WaitsFor>& waits_;
  std::vector<std::string> cycle_;
  std::map<std::string, XY> places_;
};

}  // namespace

std::string waits_picture(const std::vector<WaitsFor>& waits) {
  const WaitsPicture picture(waits);
  return picture.empty() ? std::string() : node_graph(picture.graph());
}

}  // namespace spineleaf
