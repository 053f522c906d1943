#include "sim/simulation.hpp"

#include <algorithm>

namespace spineleaf {

std::string Simulation::freeze(bool link_control) {
  std::vector<std::vector<LinkId>> in_links(actors_.size());
  lookahead_ = Time::max();
  for (LinkId id = 0; id < links_.size(); ++id) {
    const Link& link = links_[id];
    std::vector<LinkId>& ports = in_links[link.to];
    if (ports.size() <= link.to_port) ports.resize(link.to_port + std::size_t{1}, UINT32_MAX);
    ports[link.to_port] = id;
    const Time least = link_control ? std::min(link.latency, link.control_latency) : link.latency;
    if (least < lookahead_) {
      lookahead_ = least;
      shortest_link_ = actors_[link.from]->name() + " -> " + actors_[link.to]->name();
    }
  }
  for (std::size_t a = 0; a < actors_.size(); ++a) actors_[a]->bind(seed_, std::move(in_links[a]));
  if (links_.empty()) lookahead_ = Time::from_us(1);
  if (lookahead_ <= Time{0}) {
    return "link " + shortest_link_ +
           " takes no time: propagation, FEC and ingress pipeline are all zero";
  }
  return {};
}

std::uint64_t Simulation::fingerprint() const {
  std::uint64_t sum = 0;
  for (const auto& actor : actors_) sum += actor->fingerprint() + actor->final_fingerprint();
  return sum;
}

}  // namespace spineleaf
