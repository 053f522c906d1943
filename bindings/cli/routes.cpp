// spineleaf routes: what routing engines make of a fabric: loads, permutations, credit loops.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/fabric_arguments.hpp"
#include "bindings/cli/terminal.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/output/write.hpp"
#include "topologies/nearest.hpp"
#include "topologies/readers/lfts.hpp"
#include "topologies/readers/roots.hpp"
#include "topologies/subnet/engine.hpp"
#include "topologies/subnet/loads.hpp"
#include "topologies/subnet/verdict.hpp"
#include "topologies/writers/lfts_text.hpp"

namespace spineleaf::cli {

namespace {

struct RoutesArguments {
  FabricArguments fabric;
  std::vector<std::string> engines{"minhop"};
  std::vector<std::string> roots;
  std::string lfts;
  unsigned lmc = 0;
  unsigned lanes = 8;
  std::size_t random = 200;
  std::size_t shifts = 2048;
  std::uint64_t seed = 1;
  std::string write;
};

/// What is given on the command line beside the fabric, or nothing and `exit_code` set.
struct EngineInput {
  EngineOptions options;
  ForwardingTables tables;
};

bool read_roots_option(const RoutesArguments& arguments, const Subnet& subnet, EngineOptions& out,
                       int& exit_code) {
  std::string list;
  std::string file = "--roots";
  for (const std::string& root : arguments.roots) {
    if (root.starts_with('@')) {
      const auto text = load_text(root.substr(1), exit_code);
      if (!text) return false;
      list += *text + "\n";
      file = root.substr(1);
    } else {
      list += root + "\n";
    }
  }
  if (arguments.roots.empty()) return true;
  RootsRead read = read_roots(list, file, subnet);
  if (print_problems(stderr, read.problems) > 0) {
    exit_code = kBadInput;
    return false;
  }
  out.roots = std::move(read.rows);
  return true;
}

bool read_input(const RoutesArguments& arguments, Subnet& subnet, EngineInput& input,
                int& exit_code) {
  if (arguments.lmc > 0) {
    if (print_problems(stderr, assign_lids(subnet, arguments.lmc)) > 0) {
      exit_code = kBadInput;
      return false;
    }
  }
  input.options.most_lanes = arguments.lanes;
  if (!read_roots_option(arguments, subnet, input.options, exit_code)) return false;
  if (arguments.lfts.empty()) return true;
  const auto text = load_text(arguments.lfts, exit_code);
  if (!text) return false;
  TablesRead read = read_lfts(*text, arguments.lfts, subnet);
  if (print_problems(stderr, read.problems) > 0) {
    exit_code = kBadInput;
    return false;
  }
  input.tables = std::move(read.tables);
  input.options.tables = &input.tables;
  return true;
}

void print_fabric(const Subnet& subnet) {
  const Topology& topology = subnet.topology;
  std::size_t between = 0;
  for (const Cable& cable : topology.cables) between += topology.is_host(cable.a.node) ? 0U : 1U;
  std::printf("%s: %zu host ports on %u hosts, %zu switches, %zu cables (%zu between switches)",
              topology.name.c_str(), topology.endpoints.size(), topology.host_count,
              subnet.switches.size(), topology.cables.size(), between);
  if (!subnet.bystanders.empty()) {
    std::printf("; %zu aggregation nodes or routers are no hosts", subnet.bystanders.size());
  }
  std::printf("\n\n");
}

void print_heading() {
  std::printf("%-8s %5s %12s   %8s %8s %7s   %11s %6s   %11s %6s   %s\n", "", "", "cables a",
              "routes a cable", "", "", "shifts", "", "random", "", "credit");
  std::printf("%-8s %5s %12s   %8s %8s %7s   %11s %6s   %11s %6s   %s\n", "engine", "lanes", "path",
              "least", "most", "unused", "worst load", "mean", "worst load", "mean", "loop");
}

struct Report {
  AllPairsLoads loads;
  LoopVerdict verdict;
};

Report report(const Subnet& subnet, const std::string& engine, const SubnetRoutes& routes,
              const RoutesArguments& arguments) {
  const RouteWalker walker(subnet, routes.tables);
  Report result{all_pairs(walker), credit_loops(subnet, routes)};
  const PermutationLoads shifts = shift_permutations(walker, arguments.shifts, arguments.seed);
  const PermutationLoads random = random_permutations(walker, arguments.random, arguments.seed);
  std::string links = "-";
  if (const auto& paths = result.loads.pairs_by_links; !paths.empty()) {
    links = std::to_string(paths.begin()->first);
    if (paths.size() > 1) links += "-" + std::to_string(paths.rbegin()->first);
  }
  const bool loop = result.verdict.cycles.has_cycle;
  const std::string word = loop ? coloured(stdout, Colour::Red, "YES") : "none";
  std::printf(
      "%-8s %5u %12s   %8llu %8llu %7zu   %11u %6.2f   %11u %6.2f   %s\n", engine.c_str(),
      routes.lanes.lanes, links.c_str(), static_cast<unsigned long long>(result.loads.least),
      static_cast<unsigned long long>(result.loads.most), result.loads.channels - result.loads.used,
      shifts.worst, shifts.mean_of_worst, random.worst, random.mean_of_worst, word.c_str());
  return result;
}

void print_loop(const Subnet& subnet, const CreditLoop& loop) {
  constexpr std::size_t kShown = 12;
  std::printf("  %zu buffers on VL %u, each held by a route that waits for the next:\n",
              loop.buffers.size(), loop.lane);
  const auto channels = static_cast<std::uint32_t>(2 * subnet.topology.cables.size());
  for (std::size_t i = 0; i < std::min(kShown, loop.buffers.size()); ++i) {
    std::printf("    %s", channel_text(subnet, loop.buffers[i] % channels).c_str());
    if (i < loop.routes.size()) {
      std::printf("   (%s to %s)", subnet.endpoints[index(loop.routes[i].from)].name.c_str(),
                  subnet.endpoints[index(loop.routes[i].to)].name.c_str());
    }
    std::printf("\n");
  }
  if (loop.buffers.size() > kShown) {
    std::printf("    ... and %zu more\n", loop.buffers.size() - kShown);
  }
}

void print_findings(const Subnet& subnet, const std::string& engine, const Report& report) {
  if (report.loads.lost > 0) {
    std::printf("%s: %llu pairs of hosts have no route: %s\n", engine.c_str(),
                static_cast<unsigned long long>(report.loads.lost),
                report.loads.lost_example.c_str());
  }
  if (!report.verdict.cycles.has_cycle) return;
  std::printf("%s: %zu buffers lie on credit loops:\n", engine.c_str(),
              report.verdict.cycles.channels_in_cycles);
  for (const CreditLoop& loop : report.verdict.loops) print_loop(subnet, loop);
}

const RoutingEngine* find_engine(const std::string& name, int& exit_code) {
  if (const RoutingEngine* engine = find_routing_engine(name)) return engine;
  std::vector<std::string_view> names;
  std::string list;
  for (const RoutingEngine& engine : routing_engines()) {
    names.push_back(engine.name);
    list += (list.empty() ? "" : ", ") + std::string{engine.name};
  }
  const std::string near = nearest(name, names);
  const Problem problem = make_error("--engine", "there is no such engine", in_quotes(name), list,
                                     near.empty() ? "" : "Did you mean " + in_quotes(near) + "?");
  print_problems(stderr, {problem});
  exit_code = kBadInput;
  return nullptr;
}

void write_tables(const Subnet& subnet, const SubnetRoutes& routes, const std::string& path,
                  int& exit_code) {
  const std::string problem = write_text_file(path, lfts_text(subnet, routes.tables));
  if (problem.empty()) {
    std::printf("\ntables: %s\n", path.c_str());
  } else {
    std::fprintf(stderr, "%s\n", problem.c_str());
    exit_code = 1;
  }
}

void run(RoutesArguments arguments, int& exit_code) {
  if (!arguments.lfts.empty() && arguments.engines == std::vector<std::string>{"minhop"}) {
    arguments.engines = {"file"};
  }
  std::vector<const RoutingEngine*> engines;
  for (const std::string& name : arguments.engines) {
    engines.push_back(find_engine(name, exit_code));
    if (engines.back() == nullptr) return;
  }
  if (!arguments.write.empty() && engines.size() != 1) {
    print_problems(stderr, {make_error("--write-lfts", "takes the tables of one engine",
                                       std::to_string(engines.size()) + " engines")});
    exit_code = kBadInput;
    return;
  }
  auto fabric = load_fabric(arguments.fabric, exit_code);
  EngineInput input;
  if (fabric && print_problems(stderr, fabric->no_lids) > 0) {
    exit_code = kBadInput;
    return;
  }
  if (!fabric || !read_input(arguments, fabric->subnet, input, exit_code)) return;
  const Subnet& subnet = fabric->subnet;
  print_fabric(subnet);
  std::vector<std::pair<std::string, Report>> reports;
  std::vector<Problem> refusals;
  print_heading();
  for (const RoutingEngine* engine : engines) {
    EngineResult result = engine->route(subnet, input.options);
    refusals.insert(refusals.end(), result.problems.begin(), result.problems.end());
    const std::string name{engine->name};
    if (!result.ok()) {
      std::printf("%-8s refused\n", name.c_str());
      continue;
    }
    reports.emplace_back(name, report(subnet, name, result.routes, arguments));
    if (!arguments.write.empty()) write_tables(subnet, result.routes, arguments.write, exit_code);
  }
  if (!refusals.empty()) std::printf("\n");
  std::fflush(stdout);
  if (print_problems(stderr, refusals) > 0) exit_code = kBadInput;
  for (const auto& [engine, result] : reports) {
    const bool alarm = result.loads.lost > 0 || result.verdict.cycles.has_cycle;
    if (!alarm) continue;
    std::printf("\n");
    print_findings(subnet, engine, result);
    if (exit_code == 0) exit_code = kAlarm;
  }
}

}  // namespace

void add_routes(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "routes", "Route a fabric as an InfiniBand subnet manager would: loads, credit loops");
  verb->group(kCheckGroup);
  const auto arguments = std::make_shared<RoutesArguments>();
  arguments->fabric.add_to(*verb);
  std::string engines;
  for (const RoutingEngine& engine : routing_engines()) {
    engines += "\n  " + std::string{engine.name} + ": " + std::string{engine.text};
  }
  verb->add_option("--engine", arguments->engines, "Engines, default minhop:" + engines)
      ->type_name("NAME")
      ->delimiter(',');
  verb->add_option("--roots", arguments->roots,
                   "Root switches for updn: names or GUIDs, or @FILE with one a line; default: "
                   "found")
      ->type_name("LIST")
      ->delimiter(',');
  verb->add_option("--lfts", arguments->lfts,
                   "Forwarding tables of this fabric as OpenSM dumps them, for engine file")
      ->type_name("FILE");
  verb->add_option("--lmc", arguments->lmc, "Give every host port 2^LMC LIDs; default 0")
      ->check(CLI::Range(0U, kMostLmc))
      ->type_name("N");
  verb->add_option("--lanes", arguments->lanes, "Virtual lanes that dfsssp may use; default 8")
      ->check(CLI::Range(1U, 15U))
      ->type_name("N");
  verb->add_option("--random", arguments->random, "Random permutations to try; default 200")
      ->check(CLI::Range(0, 100'000))
      ->type_name("N");
  verb->add_option("--shifts", arguments->shifts,
                   "Shift permutations to try, drawn at random where there are more; default 2048")
      ->check(CLI::Range(0, 100'000))
      ->type_name("N");
  verb->add_option("--seed", arguments->seed, "Of the permutations; default 1")->type_name("N");
  verb->add_option("--write-lfts", arguments->write,
                   "Write the tables as OpenSM dumps them (its engine file reads them)")
      ->type_name("FILE");
  examples(*verb, {"routes rail-optimised --engine minhop,updn,ftree",
                   "routes validation/data/examples/ibnetdiscover-damaged-tree.txt "
                   "--engine minhop,updn,dfsssp"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
