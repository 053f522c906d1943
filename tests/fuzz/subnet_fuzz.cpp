// Any bytes as a fabric's dump, in every format that is recognised, and as forwarding tables of it:
// the part of the text after a line "====" is read as the tables.

#include <cstdlib>
#include <string>

#include "topologies/channel_graph.hpp"
#include "topologies/readers/lfts.hpp"
#include "topologies/readers/subnet_reader.hpp"
#include "topologies/subnet/loads.hpp"

namespace spineleaf {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_problems(const std::vector<Problem>& problems) {
  require(problems.size() <= 101);
  for (const Problem& problem : problems) {
    require(!problem.what.empty() && to_string(problem).size() < 20'000);
  }
}

void check_subnet(const Subnet& subnet) {
  const Topology& topology = subnet.topology;
  require(subnet.endpoints.size() == topology.endpoints.size());
  require(subnet.switches.size() + topology.host_count == topology.nodes.size());
  require(subnet.forms.size() == topology.cables.size());
  for (std::size_t row = 0; row < subnet.switches.size(); ++row) {
    require(subnet.switches[row].numbers.size() == topology.nodes[topology.host_count + row].ports);
  }
  for (const Cable& cable : topology.cables) {
    require(cable.a.port < topology.node(cable.a.node).ports);
    require(cable.b.port < topology.node(cable.b.node).ports);
    require(cable.rate.bits_per_second > 0 && !port_text(subnet, cable.a).empty());
  }
  for (const Bystander& bystander : subnet.bystanders) require(!topology.is_host(bystander.at));
  for (const AdapterPort& port : subnet.endpoints) {
    require(port.lid > 0 && port.lid + (1U << port.lmc) - 1 <= kLastUnicastLid);
  }
}

void check_tables(const Subnet& subnet, const ForwardingTables& tables) {
  const RouteWalker walker(subnet, tables);
  const AllPairsLoads loads = all_pairs(walker);
  std::uint64_t attached = 0;
  for (const Attachment& at : walker.attachments()) attached += at.row != Attachment::kNoLeaf;
  require(loads.pairs + loads.lost == attached * (attached - (attached > 0 ? 1 : 0)));
  const TableRoutes routes = to_routes(subnet, tables);
  TrafficClass traffic;
  traffic.routes = &routes.routes;
  const ChannelGraph graph = channel_dependencies(subnet.topology, {&traffic, 1});
  for (const auto& cycle : find_cycles(subnet.topology, graph).cycles) {
    require(witnesses_of(subnet.topology, {&traffic, 1}, graph, cycle).size() == cycle.size());
  }
}

}  // namespace
}  // namespace spineleaf

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  if (size > (1U << 16)) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find("\n====\n");
  const SubnetRead read = read_subnet(text.substr(0, cut), "fuzz.txt");
  check_problems(read.problems);
  if (!read.ok()) {
    require(read.subnet.topology.nodes.empty());
    return 0;
  }
  check_subnet(read.subnet);
  if (cut == std::string::npos) return 0;
  const TablesRead tables = read_lfts(text.substr(cut + 6), "fuzz.dump", read.subnet);
  check_problems(tables.problems);
  if (tables.ok()) check_tables(read.subnet, tables.tables);
  return 0;
}
