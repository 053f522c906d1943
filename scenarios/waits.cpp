#include "scenarios/waits.hpp"

#include <algorithm>
#include <map>

namespace spineleaf {
namespace {

struct Vertex {
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  std::uint32_t traffic_class = 0;
  auto operator<=>(const Vertex&) const = default;
};

struct Blocked {
  bool moved = false;  ///< has sent since the last check
  bool down = false;   ///< its link is down
  bool may_be_on_cycle() const { return !moved && !down; }
};

class WaitSearch {
 public:
  WaitSearch(Fabric& fabric, const Topology& topology, Time at,
             const std::vector<std::int64_t>& sent_before)
      : fabric_(fabric), topology_(topology), at_(at) {
    std::size_t row = 0;
    const std::vector<std::int64_t> sent = packets_sent_by_port(fabric, topology);
    for (std::uint32_t n = 0; n < topology.nodes.size(); ++n) {
      Ports& ports = fabric.ports_of(n);
      for (std::uint32_t p = 0; p < ports.count(); ++p, ++row) {
        const bool moved = row < sent_before.size() && sent[row] != sent_before[row];
        for (std::uint32_t c = 0; c < ports.classes(); ++c) {
          if (ports.head(p, c) == nullptr) continue;
          const bool down = !ports.up(p);
          if (down || ports.paused(p, c, at) || ports.credit_blocked(p, c)) {
            blocked_[{n, p, c}] = {moved, down};
          }
        }
      }
    }
  }

  WaitGraph run() {
    for (const auto& [vertex, state] : blocked_) add_edges(vertex);
    for (const auto& [vertex, state] : blocked_) {
      if (color_[vertex] == 0) visit(vertex);
    }
    WaitGraph graph;
    graph.cycle = !on_cycle_.empty();
    for (const auto& [from, tos] : edges_) {
      for (const Vertex& to : tos) graph.edges.push_back(describe(from, to));
    }
    return graph;
  }

 private:
  void add_edges(const Vertex& v) {
    const Link& link = fabric_.ports_of(v.node).out_link(v.port);
    std::vector<Vertex>& to = edges_[v];
    if (topology_.is_host(NodeId{link.to}) || blocked_.at(v).down) {
      to.push_back({link.to, link.to_port, v.traffic_class});
      return;
    }
    for (const std::uint32_t out :
         fabric_.ports_of(link.to).egress_ports_of(link.to_port, v.traffic_class)) {
      to.push_back({link.to, out, v.traffic_class});
    }
  }

  // Depth-first search over blocked queues that have not sent since the last check; a back edge
  // closes a cycle, whose members are those on the search path from its target on. A queue before a
  // link that is down waits for nobody's buffer.
  void visit(const Vertex& root) {
    struct Frame {
      Vertex vertex;
      std::size_t next = 0;
    };
    std::vector<Frame> path{{root, 0}};
    if (!blocked_.at(root).may_be_on_cycle()) return;
    color_[root] = 1;
    while (!path.empty()) {
      Frame& top = path.back();
      const std::vector<Vertex>& to = edges_[top.vertex];
      if (top.next == to.size()) {
        color_[top.vertex] = 2;
        path.pop_back();
        continue;
      }
      const Vertex next = to[top.next++];
      const auto it = blocked_.find(next);
      if (it == blocked_.end() || !it->second.may_be_on_cycle()) continue;
      if (color_[next] == 0) {
        color_[next] = 1;
        path.push_back({next, 0});
      } else if (color_[next] == 1) {
        const auto first = std::find_if(path.begin(), path.end(),
                                        [&](const Frame& f) { return f.vertex == next; });
        for (auto f = first; f != path.end(); ++f) on_cycle_[f->vertex] = true;
      }
    }
  }

  std::string name(const Vertex& v) const {
    return topology_.nodes[v.node].name + " port " + std::to_string(v.port) + " class " +
           std::to_string(v.traffic_class);
  }
  WaitsFor describe(const Vertex& from, const Vertex& to) {
    Ports& ports = fabric_.ports_of(from.node);
    WaitsFor edge;
    edge.waiting = name(from);
    edge.waits_for = name(to);
    edge.reason = blocked_.at(from).down                             ? "link down"
                  : ports.paused(from.port, from.traffic_class, at_) ? "paused"
                                                                     : "no credits";
    edge.queued = Bytes{ports.queued_bytes(from.port, from.traffic_class)};
    edge.on_cycle = on_cycle_.count(from) != 0 && on_cycle_.count(to) != 0;
    return edge;
  }

  Fabric& fabric_;
  const Topology& topology_;
  Time at_;
  std::map<Vertex, Blocked> blocked_;
  std::map<Vertex, std::vector<Vertex>> edges_;
  std::map<Vertex, int> color_;
  std::map<Vertex, bool> on_cycle_;
};

}  // namespace

std::vector<std::int64_t> packets_sent_by_port(Fabric& fabric, const Topology& topology) {
  std::vector<std::int64_t> sent;
  for (std::uint32_t n = 0; n < topology.nodes.size(); ++n) {
    const Ports& ports = fabric.ports_of(n);
    for (std::uint32_t p = 0; p < ports.count(); ++p) sent.push_back(ports.packets_sent(p));
  }
  return sent;
}

WaitGraph wait_graph(Fabric& fabric, const Topology& topology, Time at,
                     const std::vector<std::int64_t>& sent_before) {
  return WaitSearch(fabric, topology, at, sent_before).run();
}

}  // namespace spineleaf
