// custom: nodes and links as given. Everything that is wrong is reported at once.

#include "topologies/custom.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "topologies/builders/assembler.hpp"
#include "topologies/builders/kind.hpp"
#include "topologies/nearest.hpp"

namespace spineleaf {

namespace {

constexpr std::int64_t kHighest = 65'535;  // of the 16-bit numbers of ports and of a radix

std::string at(const char* list, std::size_t i, const char* field) {
  return std::string{list} + "[" + std::to_string(i) + "]" + field;
}

/// One end of a cable while port numbers are still open.
struct End {
  std::size_t cable = 0;
  bool is_a = true;
  std::int64_t stated = -1;
  std::int64_t link = 0;
};

class CustomBuilder {
 public:
  explicit CustomBuilder(const CustomSpec& spec) : spec_(spec) {}

  BuildResult run() {
    add_nodes();
    for (std::size_t i = 0; i < spec_.links.size(); ++i) check_link(i);
    const auto hosts = static_cast<std::int64_t>(graph().host_count);
    const auto switches = static_cast<std::int64_t>(graph().nodes.size()) - hosts;
    check_size({hosts, switches, total_, switches}, result_.problems);
    if (!result_.ok()) return give_up();
    for (std::size_t i = 0; i < spec_.links.size(); ++i) add_link(i);
    number_ports();
    if (!result_.ok()) return give_up();
    set_tiers();
    add_endpoints();
    return std::move(result_);
  }

 private:
  Topology& graph() { return result_.topology; }

  void error(std::string where, std::string what, std::string found = {}, std::string expected = {},
             std::string hint = {}) {
    result_.problems.push_back(
        make_error(where, std::move(what), std::move(found), std::move(expected), std::move(hint)));
  }

  BuildResult give_up() {
    graph() = {};
    return std::move(result_);
  }

  void add_nodes() {
    graph().name = spec_.name;
    std::size_t hosts = 0;
    for (std::size_t i = 0; i < spec_.nodes.size(); ++i) {
      const CustomNode& node = spec_.nodes[i];
      if (node.kind == NodeKind::Host) ++hosts;
      if (node.name.empty()) error(at("nodes", i, ".name"), "is empty");
      if (!index_of_.emplace(node.name, i).second) {
        error(at("nodes", i, ".name"), "is used twice", "\"" + node.name + "\"", "a new name");
      }
      check_range(at("nodes", i, ".tier"), node.tier, -1, 255);
      check_range(at("nodes", i, ".plane"), node.plane, 0, 65'535);
      check_range(at("nodes", i, ".group"), node.group, 0, UINT32_MAX);
      check_range(at("nodes", i, ".radix"), node.radix, 0, kHighest);
    }
    if (hosts == 0) error("nodes", "hold no host", "0 hosts", "at least one");
    id_of_.resize(spec_.nodes.size());
    for (const NodeKind kind : {NodeKind::Host, NodeKind::Switch}) {
      for (std::size_t i = 0; i < spec_.nodes.size(); ++i) {
        const CustomNode& node = spec_.nodes[i];
        if (node.kind != kind) continue;
        id_of_[i] = NodeId{static_cast<std::uint32_t>(graph().nodes.size())};
        graph().nodes.push_back({node.name, kind, static_cast<std::uint8_t>(node.tier),
                                 static_cast<std::uint16_t>(node.plane),
                                 static_cast<std::uint32_t>(node.group), 0,
                                 static_cast<std::uint16_t>(node.radix)});
        spec_row_.push_back(i);
      }
    }
    graph().host_count = static_cast<std::uint32_t>(hosts);
  }

  void check_range(std::string where, std::int64_t value, std::int64_t min, std::int64_t max) {
    if (value >= min && value <= max) return;
    error(std::move(where), "is out of range", std::to_string(value),
          std::to_string(min) + " to " + std::to_string(max));
  }

  void check_end(std::size_t i, const char* field, const std::string& name) {
    if (index_of_.contains(name)) return;
    std::vector<std::string_view> names;
    for (const CustomNode& node : spec_.nodes) names.push_back(node.name);
    const std::string near = nearest(name, names);
    error(at("links", i, field), "names no node", "\"" + name + "\"", {},
          near.empty() ? "" : "Did you mean \"" + near + "\"?");
  }

  void check_link(std::size_t i) {
    const CustomLink& link = spec_.links[i];
    check_end(i, ".a", link.a);
    check_end(i, ".b", link.b);
    if (link.a == link.b) error(at("links", i, ""), "joins a node to itself", "\"" + link.a + "\"");
    check_range(at("links", i, ".port_a"), link.port_a, -1, kHighest - 1);
    check_range(at("links", i, ".port_b"), link.port_b, -1, kHighest - 1);
    check_range(at("links", i, ".count"), link.count, 1, kMostPorts);
    check_range(at("links", i, ".cage"), link.cage, 0, 65'535);
    check_range(at("links", i, ".nic_a"), link.nic_a, -1, 65'535);
    check_range(at("links", i, ".nic_b"), link.nic_b, -1, 65'535);
    if (link.rate.bits_per_second < 1'000'000 || link.rate > kMaxRate) {
      error(at("links", i, ".rate"), "is out of range",
            std::to_string(link.rate.bits_per_second) + "bps", "1Mbps to 100Tbps");
    }
    if (!(link.length >= 0 && link.length <= kMaxCableMetres)) {
      error(at("links", i, ".length"), "is out of range", {}, "0m to 1000000m");
    } else if (link.latency < Time{} || link.latency.seconds() > 1) {
      error(at("links", i, ".latency"), "is out of range", {}, "0ns to 1s");
    } else if (cable_delay(link.length, link.latency).ps <= 0) {
      error(at("links", i, ".length"), "a cable must take some time", "0 m with 0 ns",
            "a length or a latency above zero");
    }
    // A count out of range is refused above; the sum must not overflow over it.
    total_ += std::clamp<std::int64_t>(link.count, 0, kMostPorts);
  }

  void add_link(std::size_t i) {
    const CustomLink& link = spec_.links[i];
    const NodeId a = id_of_[index_of_.at(link.a)];
    const NodeId b = id_of_[index_of_.at(link.b)];
    const Time delay = cable_delay(link.length, link.latency);
    ends_.resize(graph().nodes.size());
    for (std::int64_t n = 0; n < link.count; ++n) {
      const std::size_t cable = graph().cables.size();
      graph().cables.push_back(
          {{a, 0}, {b, 0}, link.rate, delay, 0, static_cast<std::uint16_t>(link.cage), link.up});
      const auto number = static_cast<std::int64_t>(i);
      ends_[index(a)].push_back({cable, true, link.port_a < 0 ? -1 : link.port_a + n, number});
      ends_[index(b)].push_back({cable, false, link.port_b < 0 ? -1 : link.port_b + n, number});
    }
  }

  /// Checks stated numbers, gives the others the free ones in between, then closes the gaps.
  void number_ports() {
    ends_.resize(graph().nodes.size());
    for (std::size_t n = 0; n < ends_.size(); ++n) {
      std::map<std::int64_t, End> taken;
      for (const End& end : ends_[n]) {
        if (end.stated < 0) continue;
        const auto [other, fresh] = taken.emplace(end.stated, end);
        if (fresh) continue;
        const auto link = static_cast<std::size_t>(end.link);
        error(at("links", link, end.is_a ? ".port_a" : ".port_b"),
              "this port of " + graph().nodes[n].name + " is already used by links[" +
                  std::to_string(other->second.link) + "]",
              std::to_string(end.stated), "a free port");
      }
      std::int64_t free = 0;
      for (const End& end : ends_[n]) {
        if (end.stated >= 0) continue;
        while (taken.contains(free)) ++free;
        taken.emplace(free, end);
      }
      if (static_cast<std::int64_t>(taken.size()) > kMostPorts) {
        error(at("nodes", spec_row_[n], ""),
              "\"" + graph().nodes[n].name + "\" has too many cables", std::to_string(taken.size()),
              "at most " + std::to_string(kMostPorts));
        continue;
      }
      close_gaps(n, taken);
    }
  }

  void close_gaps(std::size_t node, const std::map<std::int64_t, End>& taken) {
    std::uint16_t port = 0;
    for (const auto& [stated, end] : taken) {
      Cable& cable = graph().cables[end.cable];
      (end.is_a ? cable.a : cable.b).port = port++;
    }
    graph().nodes[node].ports = port;
    if (port > 0) return;
    const std::string where = at("nodes", spec_row_[node], "");
    if (graph().nodes[node].kind == NodeKind::Host) {
      error(where, "host \"" + graph().nodes[node].name + "\" has no link");
    } else {
      result_.problems.push_back(
          make_warning(where, "switch \"" + graph().nodes[node].name + "\" has no link"));
    }
  }

  /// Switches without a stated tier: hops from the nearest host. Then end a of a cable becomes the
  /// lower one.
  void set_tiers() {
    std::vector<int> tier(graph().nodes.size(), -1);
    std::vector<std::size_t> queue;
    for (std::size_t n = 0; n < graph().host_count; ++n) {
      tier[n] = 0;
      queue.push_back(n);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::size_t n = queue[head];
      for (const End& end : ends_[n]) {
        const Cable& cable = graph().cables[end.cable];
        const std::size_t other = index(end.is_a ? cable.b.node : cable.a.node);
        if (tier[other] >= 0) continue;
        tier[other] = std::min(tier[n] + 1, 255);
        queue.push_back(other);
      }
    }
    for (std::size_t n = 0; n < graph().nodes.size(); ++n) {
      const int stated = spec_.nodes[spec_row_[n]].tier;
      const int derived = std::max(tier[n], n < graph().host_count ? 0 : 1);
      graph().nodes[n].tier = static_cast<std::uint8_t>(stated >= 0 ? stated : derived);
    }
    for (Cable& cable : graph().cables) {
      if (graph().node(cable.a.node).tier > graph().node(cable.b.node).tier) {
        std::swap(cable.a, cable.b);
      }
      cable.tier = graph().node(cable.a.node).tier;
    }
  }

  void add_endpoints() {
    for (std::uint32_t h = 0; h < graph().host_count; ++h) {
      const std::size_t first = graph().endpoints.size();
      for (std::uint16_t p = 0; p < graph().nodes[h].ports; ++p) {
        graph().endpoints.push_back({NodeId{h}, p, p});
      }
      for (const End& end : ends_[h]) {
        const CustomLink& link = spec_.links[static_cast<std::size_t>(end.link)];
        const bool is_a = link.a == graph().nodes[h].name;
        const int nic = is_a ? link.nic_a : link.nic_b;
        const Cable& cable = graph().cables[end.cable];
        const PortRef own = cable.a.node == NodeId{h} ? cable.a : cable.b;
        if (nic >= 0) graph().endpoints[first + own.port].nic = static_cast<std::uint16_t>(nic);
      }
    }
  }

  const CustomSpec& spec_;
  BuildResult result_;
  std::map<std::string, std::size_t, std::less<>> index_of_;  ///< name -> row in the spec
  std::vector<NodeId> id_of_;                                 ///< row in the spec -> node
  std::vector<std::size_t> spec_row_;                         ///< node -> row in the spec
  std::vector<std::vector<End>> ends_;
  std::int64_t total_ = 0;
};

constexpr ParamTable kCustomTable{"custom", "Nodes and links given one by one.", {}};

}  // namespace

BuildResult build_custom(const CustomSpec& spec) { return CustomBuilder(spec).run(); }

TopologyKind custom() {
  return make_kind<CustomSpec, build_custom>("custom", kCustomTable.text, kCustomTable);
}

}  // namespace spineleaf
