#include "topologies/readers/nccl_xml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <pugixml.hpp>
#include <utility>

namespace spineleaf {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr std::size_t kMostParts = 100'000;
constexpr std::size_t kMostDepth = 64;

/// "line 3, column 14" of a place in the text.
std::string place_of(std::string_view text, std::ptrdiff_t offset) {
  const auto end = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text.size())));
  const std::string_view before = text.substr(0, end);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? end + 1 : end - start;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// GB/s of a PCIe link as NCCL has it: lanes x speed / 80, the speed in units of 100 Mb/s after
/// encoding (src/graph/topo.cc, kvDictPciGen).
double pci_gbytes(std::string_view speed, double width) {
  constexpr std::pair<std::string_view, double> kSpeeds[] = {{"2.5", 15}, {"5", 30},   {"8", 60},
                                                             {"16", 120}, {"32", 240}, {"64", 480}};
  double value = 0;
  const auto [at, error] = std::from_chars(speed.data(), speed.data() + speed.size(), value);
  if (error != std::errc{} || !(width > 0 && width <= 32)) return 0;
  for (const auto& [name, units] : kSpeeds) {
    double known = 0;
    std::from_chars(name.data(), name.data() + name.size(), known);
    if (std::fabs(known - value) < 0.01) return width * units / 80;
  }
  return 0;
}

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  NcclXml read() {
    if (text_.size() > kMostBytes) {
      error(0, "is larger than NCCL's files are", std::to_string(text_.size()) + " bytes",
            "at most 16 MiB");
      return std::move(out_);
    }
    pugi::xml_document document;
    const pugi::xml_parse_result parsed =
        document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!parsed) {
      error(parsed.offset, std::string("is no XML: ") + parsed.description());
      return std::move(out_);
    }
    const pugi::xml_node root = document.document_element();
    const std::string_view name = root.name();
    if (name == "system") {
      for (const pugi::xml_node cpu : root.children("cpu")) take_cpu(cpu);
      if (out_.topology.gpus.empty() && out_.topology.nets.empty()) {
        error(root.offset_debug(), "holds neither a GPU nor a NIC");
      }
    } else if (name == "graphs") {
      for (const pugi::xml_node graph : root.children("graph")) take_graph(graph);
    } else {
      error(root.offset_debug(), "is no file of NCCL", "<" + std::string(name.substr(0, 40)) + ">",
            "<system> (NCCL_TOPO_DUMP_FILE) or <graphs> (NCCL_GRAPH_DUMP_FILE)");
    }
    return std::move(out_);
  }

 private:
  void error(std::ptrdiff_t offset, std::string what, std::string found = {},
             std::string expected = {}) {
    if (out_.problems.size() >= 100) return;
    out_.problems.push_back(make_error(place_of(text_, offset), std::move(what), std::move(found),
                                       std::move(expected)));
  }

  double number(const pugi::xml_node& node, const char* name, double otherwise = 0) {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (attribute.empty()) return otherwise;
    const std::string_view text = attribute.value();
    double value = 0;
    const auto [at, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc{} || !std::isfinite(value) || std::fabs(value) > 1e12) {
      error(node.offset_debug(), std::string(name) + " of <" + node.name() + "> is no number",
            in_quotes(text));
      return otherwise;
    }
    return value;
  }

  std::int64_t integer(const pugi::xml_node& node, const char* name, std::int64_t otherwise) {
    return static_cast<std::int64_t>(number(node, name, static_cast<double>(otherwise)));
  }

  void take_cpu(const pugi::xml_node& node) {
    if (out_.topology.cpus.size() >= kMostParts) return;
    out_.topology.cpus.push_back({integer(node, "numaid", -1), node.attribute("arch").value(),
                                  node.attribute("vendor").value()});
    take_devices(node, -1, 1);
  }

  void take_devices(const pugi::xml_node& parent, std::int64_t pci, std::size_t depth) {
    if (depth > kMostDepth) {
      return error(parent.offset_debug(), "PCIe devices are nested too deeply");
    }
    for (const pugi::xml_node node : parent.children()) {
      const std::string_view name = node.name();
      if (name == "pci") {
        take_pci(node, pci, depth);
      } else if (name == "nic") {
        for (const pugi::xml_node net : node.children("net")) take_net(net, pci);
      } else if (name == "gpu") {
        take_gpu(node, pci);
      }
    }
  }

  void take_pci(const pugi::xml_node& node, std::int64_t parent, std::size_t depth) {
    NcclTopology& topology = out_.topology;
    if (topology.pcis.size() >= kMostParts) return;
    NcclPci pci;
    pci.bus_id = node.attribute("busid").value();
    pci.parent = parent;
    pci.cpu = static_cast<std::int64_t>(topology.cpus.size()) - 1;
    pci.gbytes = pci_gbytes(node.attribute("link_speed").value(), number(node, "link_width"));
    topology.pcis.push_back(std::move(pci));
    take_devices(node, static_cast<std::int64_t>(topology.pcis.size()) - 1, depth + 1);
  }

  void take_gpu(const pugi::xml_node& node, std::int64_t pci) {
    if (out_.topology.gpus.size() >= kMostParts) return;
    NcclGpu gpu;
    gpu.dev = integer(node, "dev", 0);
    gpu.sm = integer(node, "sm", 0);
    gpu.rank = integer(node, "rank", -1);
    gpu.gdr = integer(node, "gdr", 0) != 0;
    for (const pugi::xml_node link : node.children("nvlink")) {
      gpu.nvlinks = std::min<std::int64_t>(gpu.nvlinks + integer(link, "count", 0), 1'000'000);
    }
    gpu.pci = pci;
    out_.topology.gpus.push_back(gpu);
  }

  void take_net(const pugi::xml_node& node, std::int64_t pci) {
    if (out_.topology.nets.size() >= kMostParts) return;
    NcclNet net;
    net.dev = integer(node, "dev", 0);
    net.name = node.attribute("name").value();
    net.gbps = number(node, "speed") / 1000;
    net.gdr = integer(node, "gdr", 0) != 0;
    net.latency_us = number(node, "latency");
    net.pci = pci;
    out_.topology.nets.push_back(std::move(net));
  }

  void take_graph(const pugi::xml_node& node) {
    if (out_.graphs.size() >= 64) return;
    NcclGraph graph;
    graph.id = integer(node, "id", 0);
    graph.pattern = integer(node, "pattern", 0);
    graph.cross_nic = integer(node, "crossnic", 0);
    graph.speed_intra = number(node, "speedintra");
    graph.speed_inter = number(node, "speedinter");
    graph.type_intra = node.attribute("typeintra").value();
    graph.type_inter = node.attribute("typeinter").value();
    for (const pugi::xml_node channel : node.children("channel")) {
      if (graph.channels.size() >= 1024) break;
      take_channel(channel, graph);
    }
    const std::int64_t told = integer(node, "nchannels", -1);
    if (told >= 0 && told != static_cast<std::int64_t>(graph.channels.size())) {
      error(node.offset_debug(), "the graph says another number of channels than it has",
            std::to_string(told), std::to_string(graph.channels.size()));
    }
    out_.graphs.push_back(std::move(graph));
  }

  void take_channel(const pugi::xml_node& node, NcclGraph& graph) {
    NcclGraphChannel channel;
    for (const pugi::xml_node part : node.children()) {
      const std::string_view name = part.name();
      if (name == "net") {
        std::int64_t& net = channel.gpus.empty() ? channel.net_in : channel.net_out;
        net = integer(part, "dev", -1);
      } else if (name == "gpu" && channel.gpus.size() < kMostParts) {
        channel.gpus.push_back(integer(part, "dev", 0));
      }
    }
    graph.channels.push_back(std::move(channel));
  }

  std::string_view text_;
  NcclXml out_;
};

}  // namespace

bool has_xml_reader() { return true; }

NcclXml read_nccl_xml(std::string_view text) { return XmlReader(text).read(); }

}  // namespace spineleaf
