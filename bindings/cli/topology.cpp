// spineleaf topology: what a fabric is worth before a packet is sent, and a drawing of it.

#include <cstdio>
#include <memory>
#include <string>

#include "bindings/cli/fabric_arguments.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/output/topology_svg.hpp"
#include "scenarios/output/write.hpp"
#include "topologies/audit.hpp"
#include "topologies/writers/dot_text.hpp"
#include "topologies/writers/ibnetdiscover_text.hpp"

namespace spineleaf::cli {

namespace {

struct TopologyArguments {
  FabricArguments fabric;
  std::string svg;
  std::string dot;
  std::string ibnetdiscover;
};

void print_tiers(const AuditReport& report) {
  std::printf("%-5s %9s %11s %9s %8s %14s %14s %9s\n", "tier", "switches", "cables down",
              "cables up", "across", "down Gb/s", "up Gb/s", "oversub");
  for (const TierCapacity& tier : report.tiers) {
    std::printf("%-5u %9u %11u %9u %8u %14.0f %14.0f", tier.tier, tier.switches, tier.cables_down,
                tier.cables_up, tier.cables_across, tier.down_gbps, tier.up_gbps);
    if (tier.up_gbps > 0) {
      std::printf(" %7.2f:1\n", tier.oversubscription);
    } else {
      std::printf(" %9s\n", "-");
    }
  }
}

int print_audit(const Topology& graph) {
  const AuditReport report = audit(graph);
  std::printf("%s: %u hosts, %u switches, %u endpoints, %u cables", graph.name.c_str(),
              report.hosts, report.switches, report.endpoints, report.cables);
  if (report.cables_off > 0) std::printf(" (%u of them down)", report.cables_off);
  std::printf("\n\n");
  if (!report.tiers.empty()) print_tiers(report);
  const bool counted = report.bisection.method == BisectionMethod::MaxFlow;
  std::printf("\nbisection: %.0f Gb/s one way, %.0f %% of what half of the hosts can send (%s)\n",
              report.bisection.gbps, report.bisection.ratio() * 100,
              counted ? "maximum flow" : "from the thinnest tier");
  std::printf("connected: %s\n", report.connected ? "every host reaches every other" : "NO");
  const int errors = print_problems(stdout, report.problems);
  if (report.problems.empty()) std::printf("no findings\n");
  return errors;
}

void write(const std::string& path, const char* what, const std::string& text, int& exit_code) {
  const std::string problem = write_text_file(path, text);
  if (problem.empty()) {
    std::printf("%s: %s\n", what, path.c_str());
  } else {
    std::fprintf(stderr, "%s\n", problem.c_str());
    exit_code = 1;
  }
}

void run(const TopologyArguments& arguments, int& exit_code) {
  const auto fabric = load_fabric(arguments.fabric, exit_code);
  if (!fabric) return;
  const Topology& graph = fabric->subnet.topology;
  if (print_audit(graph) > 0) exit_code = kBadInput;
  TopologySvgOptions options;
  options.title = fabric->title;
  if (!arguments.svg.empty()) {
    write(arguments.svg, "drawing", topology_svg(graph, options), exit_code);
  }
  if (!arguments.dot.empty()) write(arguments.dot, "Graphviz", dot_text(graph), exit_code);
  if (!arguments.ibnetdiscover.empty() && print_problems(stderr, fabric->no_lids) > 0) {
    exit_code = kBadInput;
  } else if (!arguments.ibnetdiscover.empty()) {
    write(arguments.ibnetdiscover, "ibnetdiscover", ibnetdiscover_text(fabric->subnet), exit_code);
  }
}

}  // namespace

void add_topology(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "topology", "Audit of a fabric: tiers, oversubscription, bisection, cuts; drawing");
  verb->group(kCheckGroup);
  const auto arguments = std::make_shared<TopologyArguments>();
  arguments->fabric.add_to(*verb);
  verb->add_option("--svg", arguments->svg, "Write a drawing to this file")->type_name("FILE");
  verb->add_option("--dot", arguments->dot, "Write it for Graphviz")->type_name("FILE");
  verb->add_option("--ibnetdiscover", arguments->ibnetdiscover,
                   "Write it as ibnetdiscover prints it, which ibsim reads")
      ->type_name("FILE");
  examples(*verb, {"topology rail-optimised --svg fabric.svg",
                   "topology validation/data/examples/ibnetdiscover-damaged-tree.txt"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
