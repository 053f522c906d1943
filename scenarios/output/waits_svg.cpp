#include "scenarios/output/waits_svg.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "scenarios/output/svg.hpp"
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

  std::string str() const {
    SvgPicture picture(kWidth, kHeight, "", "Wait-for graph of queues");
    for (const bool on_cycle : {false, true}) {
      for (const WaitsFor& edge : waits_) {
        if (edge.on_cycle == on_cycle) draw(picture, edge);
      }
    }
    for (const auto& [name, at] : places_) {
      const bool on_cycle = std::find(cycle_.begin(), cycle_.end(), name) != cycle_.end();
      picture.marker(at, 0, on_cycle ? "mark s1" : "mark s0", name);
      const double side = at.x < kWidth / 2 - 1 ? -1 : 1;
      picture.text({at.x + side * 10, at.y - 8}, side < 0 ? Anchor::End : Anchor::Start, "",
                   short_name(name));
    }
    return picture.str();
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

  void draw(SvgPicture& picture, const WaitsFor& edge) const {
    const auto from = places_.find(edge.waiting);
    const auto to = places_.find(edge.waits_for);
    if (from == places_.end() || to == places_.end()) return;
    const std::string look = edge.on_cycle ? "curve s1" : "axis";
    const XY a = from->second;
    const XY b = to->second;
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length < 1) return;
    const XY along{(b.x - a.x) / length, (b.y - a.y) / length};
    const XY tip{b.x - 7 * along.x, b.y - 7 * along.y};
    picture.line(a, tip, look);
    for (const double side : {-1.0, 1.0}) {
      picture.line(
          tip, {tip.x - 9 * along.x - side * 5 * along.y, tip.y - 9 * along.y + side * 5 * along.x},
          look);
    }
  }

  const std::vector<WaitsFor>& waits_;
  std::vector<std::string> cycle_;
  std::map<std::string, XY> places_;
};

}  // namespace

std::string waits_svg(const std::vector<WaitsFor>& waits) {
  const WaitsPicture picture(waits);
  return picture.empty() ? std::string() : picture.str();
}

}  // namespace spineleaf
