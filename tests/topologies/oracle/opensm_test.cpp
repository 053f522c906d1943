// The real OpenSM as judge: it routes the same fabrics, and ibdmchk looks for credit loops in its
// tables and in ours. Skipped where opensm, ibsim or ibdmchk is not installed.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/topologies/fabrics.hpp"
#include "tests/topologies/walk.hpp"
#include "topologies/readers/lfts.hpp"
#include "topologies/readers/text.hpp"
#include "topologies/subnet/engine.hpp"
#include "topologies/subnet/loads.hpp"
#include "topologies/subnet/verdict.hpp"
#include "topologies/writers/ibnetdiscover_text.hpp"
#include "topologies/writers/lfts_text.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;
using test::all_problems;
using test::make;

bool tools_are_there() {
  return std::system("command -v opensm ibsim ibdmchk >/dev/null 2>&1") == 0;
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

struct Judged {
  std::string ran;  ///< the engine that made the tables
  bool loop = false;
};

/// One fabric in a folder of its own.
class OpenSm {
 public:
  explicit OpenSm(const Subnet& subnet) {
    std::string pattern = (fs::temp_directory_path() / "spineleaf-opensm-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
    std::ofstream(folder_ / "input.txt") << ibnetdiscover_text(subnet, LinkSpeed::Hdr);
  }
  ~OpenSm() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  OpenSm(const OpenSm&) = delete;
  OpenSm& operator=(const OpenSm&) = delete;

  Judged run(const std::string& engine, const std::string& options = "") const {
    const std::string command = SPINELEAF_SOURCE_DIR "/tests/topologies/oracle/opensm.sh '" +
                                (folder_ / "input.txt").string() + "' '" + folder_.string() + "' " +
                                engine + " " + options + " >/dev/null 2>&1";
    fs::remove(folder_ / "log");
    fs::remove(folder_ / "ibdmchk.txt");
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    Judged judged;
    const std::string log = text_of(folder_ / "log");
    const std::size_t end = log.rfind(" tables configured on all switches");
    const std::size_t begin = log.rfind(": ", end);
    if (end != std::string::npos) judged.ran = log.substr(begin + 2, end - begin - 2);
    const std::string verdict = text_of(folder_ / "ibdmchk.txt");
    judged.loop = verdict.find("credit loops in routing") != std::string::npos;
    EXPECT_TRUE(judged.loop || verdict.find("no credit loops found") != std::string::npos)
        << verdict;
    return judged;
  }

  /// The fabric with the LIDs that OpenSM gave.
  Subnet subnet() const {
    ImportOptions options;
    options.group_adapters = false;
    SubnetRead read = read_subnet(text_of(folder_ / "opensm-subnet.lst"), "lst", options);
    EXPECT_TRUE(read.ok()) << all_problems(read.problems);
    return std::move(read.subnet);
  }

  SubnetRoutes routes(const Subnet& subnet) const {
    TablesRead read = read_lfts(text_of(folder_ / "opensm-lfts.dump"), "lfts", subnet);
    EXPECT_TRUE(read.ok()) << all_problems(read.problems);
    return {std::move(read.tables), {}};
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

 private:
  fs::path folder_;
};

struct Fabric {
  std::string name;
  Topology topology;
  std::string roots;  ///< "" = the engine's own
  bool whole = true;  ///< no cable is missing
};

Topology cut(Topology topology, std::size_t every) {
  std::size_t seen = 0;
  for (Cable& cable : topology.cables) {
    if (!topology.is_host(cable.a.node) && ++seen % every == 0) cable.up = false;
  }
  return topology;
}

std::vector<Fabric> fabrics() {
  std::vector<Fabric> list;
  const auto tree = [](double hosts, double radix, double tiers = 2) {
    return make("fat_tree", {{"hosts", hosts}, {"radix", radix}, {"tiers", tiers}});
  };
  for (const auto& [hosts, radix] :
       {std::pair{32.0, 8.0}, {64.0, 16.0}, {128.0, 32.0}, {72.0, 12.0}}) {
    list.push_back({"tree " + std::to_string(hosts), tree(hosts, radix), ""});
  }
  for (const double hosts : {20.0, 50.0, 100.0}) {
    list.push_back({"ragged " + std::to_string(hosts), tree(hosts, 16), ""});
  }
  list.push_back({"tree of 3 tiers", tree(54, 6, 3), ""});
  list.push_back({"larger tree of 3 tiers", tree(128, 8, 3), ""});
  for (const std::size_t every : {7U, 11U, 19U}) {
    list.push_back({"damaged, 2 tiers", cut(tree(64, 16), every), "", false});
    list.push_back({"damaged, 3 tiers", cut(tree(54, 6, 3), every), "", false});
  }
  for (const double switches : {3.0, 4.0, 5.0, 8.0}) {
    const Topology ring = make("switch_ring", {{"switches", switches}, {"hosts_per_switch", 2}});
    list.push_back({"ring " + std::to_string(switches), ring, "sw0"});
  }
  list.push_back({"rails", make("rail_optimised", {{"hosts", 16}, {"radix", 16}}), ""});
  list.push_back(
      {"dragonfly",
       make("dragonfly", {{"hosts_per_switch", 1}, {"switches_per_group", 4}, {"global_links", 2}}),
       "sw0"});
  for (const char* name : {"mesh-3x3", "fat-tree-64-degraded"}) {
    ImportOptions options;
    options.group_adapters = false;
    Topology topology = test::read_fabric(name, "ibnetdiscover.txt", options).topology;
    for (Node& node : topology.nodes) std::replace(node.name.begin(), node.name.end(), ' ', '_');
    list.push_back({name, std::move(topology), name == std::string{"mesh-3x3"} ? "mesh-0-0" : "",
                    name == std::string{"mesh-3x3"}});
  }
  return list;
}

void compare(const Fabric& fabric) {
  SCOPED_TRACE(fabric.name);
  const OpenSm opensm(make_subnet(fabric.topology).subnet);
  opensm.run("minhop");
  const Subnet subnet = opensm.subnet();
  for (const char* name : {"minhop", "updn", "ftree", "dfsssp", "dor"}) {
    SCOPED_TRACE(name);
    std::string roots;
    EngineOptions options;
    if (name == std::string{"updn"} && !fabric.roots.empty()) {
      for (std::uint32_t row = 0; row < subnet.switches.size(); ++row) {
        if (subnet.topology.nodes[subnet.topology.host_count + row].name != fabric.roots) continue;
        options.roots = {row};
        roots = "-a " + opensm.write("roots", hex_text(subnet.switches[row].guid) + "\n");
      }
      ASSERT_FALSE(roots.empty());
    }
    const Judged theirs = opensm.run(name, roots);
    const SubnetRoutes their_routes = opensm.routes(subnet);
    EXPECT_EQ(credit_loops(subnet, their_routes).cycles.has_cycle, theirs.loop);

    const EngineResult own = find_routing_engine(name)->route(subnet, options);
    if (!own.ok()) {
      EXPECT_EQ(theirs.ran, "minhop") << all_problems(own.problems);
      continue;
    }
    // Our tables in the hands of OpenSM: taken as they are, and judged as we judge them.
    SubnetRoutes one_lane{own.routes.tables, {}};
    const std::string file = opensm.write("own.lfts", lfts_text(subnet, own.routes.tables));
    const Judged ours = opensm.run("file", "-U '" + file + "'");
    EXPECT_EQ(ours.ran, "file");
    EXPECT_EQ(credit_loops(subnet, one_lane).cycles.has_cycle, ours.loop);
    EXPECT_EQ(lfts_text(subnet, opensm.routes(subnet).tables),
              lfts_text(subnet, own.routes.tables));

    const RouteWalker a(subnet, own.routes.tables);
    const RouteWalker b(subnet, their_routes.tables);
    const AllPairsLoads own_loads = all_pairs(a);
    const AllPairsLoads their_loads = all_pairs(b);
    EXPECT_EQ(own_loads.lost, 0U) << own_loads.lost_example;
    const PermutationLoads s = shift_permutations(a, 512, 1);
    const PermutationLoads t = shift_permutations(b, 512, 1);
    // The same quality: to the route where the fabric is whole and the engine has no history;
    // elsewhere both are greedy in their own order, and neither may be much worse.
    if (fabric.whole && name != std::string{"dfsssp"}) {
      EXPECT_EQ(own_loads.most, their_loads.most);
      EXPECT_EQ(s.worst, t.worst);
    } else {
      EXPECT_LE(own_loads.most, their_loads.most * 5 / 4);
      EXPECT_LE(s.worst, t.worst + 1);
    }
    if (name == std::string{"dfsssp"}) {
      EXPECT_FALSE(credit_loops(subnet, own.routes).cycles.has_cycle);
    }
  }
}

TEST(FullOpenSm, RoutesTwentyFabricsAsWeDo) {
  if (!tools_are_there()) {
    GTEST_SKIP() << "needs opensm, ibsim and ibdmchk (packages named in opensm.sh)";
  }
  const std::vector<Fabric> list = fabrics();
  EXPECT_GE(list.size(), 20U);
  for (const Fabric& fabric : list) compare(fabric);
}

}  // namespace
}  // namespace spineleaf
