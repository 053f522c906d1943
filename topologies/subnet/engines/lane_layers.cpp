// One lane after the other. The dependencies of a lane are counted per pair of ports of the switch
// where they meet. A depth-first search walks along dependencies; one that leads back onto its own
// path closes a cycle, whose least used dependency is emptied by moving its routes to the next
// lane. Then the search goes on from where the path is still whole: what it has left behind has no
// cycle, and removing dependencies makes none.

#include "topologies/subnet/engines/lane_layers.hpp"

#include <algorithm>

namespace spineleaf {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

class Layering {
 public:
  Layering(const EnginePlan& plan, const ForwardingTables& tables)
      : plan_(plan),
        tables_(tables),
        in_port_(2 * plan.subnet.topology.cables.size(), 0),
        out_(2 * plan.subnet.topology.cables.size()) {
    const std::size_t rows = plan.graph.rows();
    for (std::uint32_t row = 0; row < rows; ++row) {
      const std::size_t ports = plan.subnet.switches[row].numbers.size();
      first_port_.push_back(link_at_.size());
      link_at_.resize(link_at_.size() + ports, {kNone, 0, 0});
      for (const SwitchGraph::Link& link : plan.graph.links(row)) {
        link_at_[first_port_[row] + link.port] = link;
        in_port_[link.channel ^ 1U] = link.port;
        out_[link.channel] = {row, link.port};
      }
      first_pair_.push_back(pairs_);
      pairs_ += ports * ports;
      if (plan.hosts_at[row] > 0) sources_.push_back(row);
    }
    for (const EnginePlan::Target& target : plan.targets) {
      if (target.host) lids_.push_back(target.lid);
    }
    lanes_.lids = plan.lids;
    lanes_.lane_of.assign(rows * plan.lids, 0);
  }

  LayersResult run(unsigned most) {
    for (lane_ = 0; lane_ < most; ++lane_) {
      moved_ = 0;
      count_dependencies();
      search();
      if (moved_ == 0) break;
    }
    LayersResult result;
    result.fits = lane_ < most;
    lanes_.lanes = lane_ + 1;
    if (lane_ == 0) lanes_.lane_of.clear();
    result.lanes = std::move(lanes_);
    return result;
  }

 private:
  struct Out {
    std::uint32_t row = 0;
    std::uint16_t port = 0;
  };

  const SwitchGraph::Link* hop(std::uint32_t row, std::uint32_t lid) const {
    const std::uint16_t port = tables_.at(row, lid);
    if (port >= ForwardingTables::kSelf) return nullptr;
    const SwitchGraph::Link& link = link_at_[first_port_[row] + port];
    return link.row == kNone ? nullptr : &link;
  }

  /// Counter of the dependency from `channel` to port `out` of the switch at its end.
  std::uint32_t& pair(std::uint32_t row, std::uint32_t channel, std::uint16_t out) {
    const std::size_t ports = plan_.subnet.switches[row].numbers.size();
    return count_[first_pair_[row] + in_port_[channel] * ports + out];
  }

  /// Calls visit(channel, row, out) for each dependency of a route.
  template <class Visit>
  void each_dependency(std::uint32_t source, std::uint32_t lid, Visit visit) {
    const SwitchGraph::Link* link = hop(source, lid);
    for (std::size_t steps = 0; link != nullptr && steps < plan_.graph.rows(); ++steps) {
      const SwitchGraph::Link* next = hop(link->row, lid);
      if (next != nullptr) visit(link->channel, link->row, next->port);
      link = next;
    }
  }

  std::uint8_t& lane_of(std::uint32_t source, std::uint32_t lid) {
    return lanes_.lane_of[source * lanes_.lids + lid];
  }

  void count_dependencies() {
    count_.assign(pairs_, 0);
    for (const std::uint32_t lid : lids_) {
      for (const std::uint32_t source : sources_) {
        if (lane_of(source, lid) != lane_) continue;
        each_dependency(source, lid,
                        [&](std::uint32_t channel, std::uint32_t row, std::uint16_t port) {
                          ++pair(row, channel, port);
                        });
      }
    }
  }

  /// The far switch of a channel.
  std::uint32_t end_of(std::uint32_t channel) const { return out_[channel ^ 1U].row; }

  /// The next channel that `channel` can wait for, at link `from` of its far switch or later; kNone
  /// after the last.
  std::uint32_t next_dependency(std::uint32_t channel, std::uint32_t& from) {
    const std::uint32_t row = end_of(channel);
    const auto links = plan_.graph.links(row);
    for (; from < links.size(); ++from) {
      if (pair(row, channel, links[from].port) > 0) return links[from++].channel;
    }
    return kNone;
  }

  void search() {
    state_.assign(out_.size(), State::New);
    for (std::uint32_t row = 0; row < plan_.graph.rows(); ++row) {
      for (const SwitchGraph::Link& link : plan_.graph.links(row)) {
        if (state_[link.channel] == State::New) search_from(link.channel);
      }
    }
  }

  void search_from(std::uint32_t start) {
    path_.assign(1, {start, 0});
    state_[start] = State::OnPath;
    while (!path_.empty()) {
      const std::uint32_t next = next_dependency(path_.back().channel, path_.back().from);
      if (next == kNone) {
        state_[path_.back().channel] = State::Done;
        path_.pop_back();
      } else if (state_[next] == State::New) {
        state_[next] = State::OnPath;
        path_.push_back({next, 0});
      } else if (state_[next] == State::OnPath) {
        open_cycle(next);
      }
    }
  }

  /// The path from `first` to its end, and back to `first`, is a cycle.
  void open_cycle(std::uint32_t first) {
    std::size_t begin = path_.size();
    while (path_[--begin].channel != first) {
    }
    std::size_t weakest = path_.size() - 1;
    std::uint32_t fewest = UINT32_MAX;
    for (std::size_t i = begin; i < path_.size(); ++i) {
      const std::uint32_t next = i + 1 < path_.size() ? path_[i + 1].channel : first;
      const std::uint32_t routes = pair(out_[next].row, path_[i].channel, out_[next].port);
      if (routes >= fewest) continue;
      fewest = routes;
      weakest = i;
    }
    const std::uint32_t next = weakest + 1 < path_.size() ? path_[weakest + 1].channel : first;
    empty_dependency(path_[weakest].channel, next);
    // Keep the path as far as its dependencies are still there; look again at the last.
    std::size_t whole = 1;
    while (whole < path_.size() && pair(out_[path_[whole].channel].row, path_[whole - 1].channel,
                                        out_[path_[whole].channel].port) > 0) {
      ++whole;
    }
    for (std::size_t i = whole; i < path_.size(); ++i) state_[path_[i].channel] = State::New;
    path_.resize(whole);
    path_.back().from = 0;
  }

  /// Moves every route of this lane that holds `channel` while it waits for `next`.
  void empty_dependency(std::uint32_t channel, std::uint32_t next) {
    const Out held = out_[channel];
    const Out wanted = out_[next];
    for (const std::uint32_t lid : lids_) {
      if (tables_.at(held.row, lid) != held.port) continue;
      if (tables_.at(wanted.row, lid) != wanted.port) continue;
      for (const std::uint32_t source : sources_) {
        if (lane_of(source, lid) != lane_ || !passes(source, lid, held.row)) continue;
        each_dependency(source, lid, [&](std::uint32_t c, std::uint32_t row, std::uint16_t port) {
          --pair(row, c, port);
        });
        lane_of(source, lid) = static_cast<std::uint8_t>(lane_ + 1);
        ++moved_;
      }
    }
  }

  bool passes(std::uint32_t source, std::uint32_t lid, std::uint32_t row) const {
    std::uint32_t at = source;
    for (std::size_t steps = 0; steps <= plan_.graph.rows(); ++steps) {
      if (at == row) return true;
      const SwitchGraph::Link* link = hop(at, lid);
      if (link == nullptr) return false;
      at = link->row;
    }
    return false;
  }

  enum class State : std::uint8_t { New, OnPath, Done };
  struct Step {
    std::uint32_t channel = 0;
    std::uint32_t from = 0;  ///< link of the far switch to look at next
  };

  const EnginePlan& plan_;
  const ForwardingTables& tables_;
  std::vector<std::uint32_t> sources_;      ///< switches with hosts
  std::vector<std::uint32_t> lids_;         ///< of hosts
  std::vector<std::size_t> first_port_;     ///< per switch: its first entry in link_at_
  std::vector<SwitchGraph::Link> link_at_;  ///< per switch and port; row kNone: to a host
  std::vector<std::uint16_t> in_port_;      ///< per channel: the port where it ends
  std::vector<Out> out_;                    ///< per channel: where it begins
  std::vector<std::size_t> first_pair_;     ///< per switch: its first entry in count_
  std::size_t pairs_ = 0;
  std::vector<std::uint32_t> count_;  ///< routes of the lane per (in port, out port)
  std::vector<State> state_;          ///< per channel
  std::vector<Step> path_;
  LanePlan lanes_;
  unsigned lane_ = 0;
  std::uint64_t moved_ = 0;
};

}  // namespace

LayersResult make_layers(const EnginePlan& plan, const ForwardingTables& tables, unsigned most) {
  return Layering(plan, tables).run(most);
}

}  // namespace spineleaf
