#include "topologies/writers/dot_text.hpp"

#include <map>
#include <tuple>
#include <vector>

namespace spineleaf {

namespace {

std::string escaped(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

}  // namespace

std::string dot_text(const Topology& topology) {
  std::string text = "graph " + escaped(topology.name) + " {\n  rankdir=BT;\n  node [shape=box];\n";
  std::map<unsigned, std::vector<std::uint32_t>> tiers;
  for (std::uint32_t n = 0; n < topology.nodes.size(); ++n) {
    tiers[topology.nodes[n].tier].push_back(n);
  }
  for (const auto& [tier, nodes] : tiers) {
    text += "  { rank=same;";
    if (tier == 0) text += " node [shape=ellipse];";
    for (const std::uint32_t n : nodes) text += " " + escaped(topology.nodes[n].name) + ";";
    text += " }\n";
  }
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool, std::int64_t>, unsigned> edges;
  for (const Cable& cable : topology.cables) {
    ++edges[{index(cable.a.node), index(cable.b.node), cable.up, cable.rate.bits_per_second}];
  }
  for (const auto& [edge, count] : edges) {
    const auto& [a, b, up, rate] = edge;
    const std::string speed = std::to_string(rate / 1'000'000'000) + "G";
    text += "  " + escaped(topology.nodes[a].name) + " -- " + escaped(topology.nodes[b].name) +
            " [label=\"" + (count > 1 ? std::to_string(count) + " x " : "") + speed + "\"" +
            (up ? "" : ", style=dashed") + "];\n";
  }
  return text + "}\n";
}

}  // namespace spineleaf
