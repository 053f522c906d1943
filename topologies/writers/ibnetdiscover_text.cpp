#include "topologies/writers/ibnetdiscover_text.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "topologies/switch_graph.hpp"

namespace spineleaf {

namespace {

std::string hex(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(number));
  return text;
}

std::string key(char letter, std::uint64_t guid) {
  const std::string digits = hex(guid);
  return std::string{'"', letter, '-'} + std::string(16 - digits.size(), '0') + digits + '"';
}

class Writer {
 public:
  Writer(const Subnet& subnet, LinkSpeed speed_limit)
      : subnet_(subnet),
        topology_(subnet.topology),
        speed_limit_(speed_limit),
        first_endpoint_(first_endpoints(subnet.topology)),
        lines_(subnet.topology.nodes.size()) {}

  std::string run() {
    for (std::uint32_t c = 0; c < topology_.cables.size(); ++c) {
      const Cable& cable = topology_.cables[c];
      if (!cable.up) continue;
      add_line(cable.a, cable.b, subnet_.forms[c]);
      add_line(cable.b, cable.a, subnet_.forms[c]);
    }
    std::string text = "# " + topology_.name + "\n";
    for (std::uint32_t n = topology_.host_count; n < topology_.nodes.size(); ++n)
      add_switch(n, text);
    for (std::uint32_t n = 0; n < topology_.host_count; ++n) add_adapters(n, text);
    return text;
  }

 private:
  struct Line {
    std::uint16_t number = 0;  ///< port on the box
    std::uint32_t endpoint = 0;
    std::string text;
  };

  const AdapterPort& adapter(PortRef port) const {
    return subnet_.endpoints[first_endpoint_[index(port.node)] + port.port];
  }
  const SwitchDevice& device(PortRef port) const {
    return subnet_.switches[index(port.node) - topology_.host_count];
  }

  std::string form_text(LinkForm form) const {
    if (!form.known()) return "";
    form.speed = std::min(form.speed, speed_limit_);
    return " " + to_string(form);
  }

  void add_line(PortRef own, PortRef far, LinkForm form) {
    Line line;
    std::string peer;
    std::string peer_comment;
    if (topology_.is_host(far.node)) {
      const AdapterPort& port = adapter(far);
      peer = key('H', port.node_guid) + "[" + std::to_string(port.number) + "](" +
             hex(port.port_guid) + ") ";
      peer_comment = "\"" + port.name + "\" lid " + std::to_string(port.lid);
    } else {
      const SwitchDevice& box = device(far);
      peer = key('S', box.guid) + "[" + std::to_string(box.numbers[far.port]) + "]";
      peer_comment = "\"" + topology_.node(far.node).name + "\" lid " + std::to_string(box.lid);
    }
    peer_comment += form_text(form);
    if (topology_.is_host(own.node)) {
      const AdapterPort& port = adapter(own);
      line.number = port.number;
      line.endpoint = first_endpoint_[index(own.node)] + own.port;
      line.text = "[" + std::to_string(port.number) + "](" + hex(port.port_guid) + ") \t" + peer +
                  "\t\t# lid " + std::to_string(port.lid) + " lmc " + std::to_string(port.lmc) +
                  " " + peer_comment + "\n";
    } else {
      line.number = device(own).numbers[own.port];
      line.text = "[" + std::to_string(line.number) + "]\t" + peer + "\t\t# " + peer_comment + "\n";
    }
    lines_[index(own.node)].push_back(std::move(line));
  }

  void add_switch(std::uint32_t node, std::string& text) {
    std::vector<Line>& lines = lines_[node];
    if (lines.empty()) return;
    std::sort(lines.begin(), lines.end(),
              [](const Line& x, const Line& y) { return x.number < y.number; });
    const SwitchDevice& box = subnet_.switches[node - topology_.host_count];
    const unsigned ports = std::max<unsigned>(topology_.nodes[node].radix, box.numbers.back());
    text += "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x" + hex(box.guid) + "\nswitchguid=0x" +
            hex(box.guid) + "(" + hex(box.guid) + ")\nSwitch\t" + std::to_string(ports) + " " +
            key('S', box.guid) + "\t\t# \"" + topology_.nodes[node].name +
            "\" enhanced port 0 lid " + std::to_string(box.lid) + " lmc 0\n";
    for (const Line& line : lines) text += line.text;
  }

  /// A record per adapter: the ports of a host that share a node GUID.
  void add_adapters(std::uint32_t node, std::string& text) {
    std::map<std::uint64_t, std::vector<Line>> adapters;
    for (Line& line : lines_[node]) {
      adapters[subnet_.endpoints[line.endpoint].node_guid].push_back(std::move(line));
    }
    for (auto& [guid, lines] : adapters) {
      std::sort(lines.begin(), lines.end(),
                [](const Line& x, const Line& y) { return x.number < y.number; });
      text += "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x" + hex(guid) + "\ncaguid=0x" + hex(guid) +
              "\nCa\t" + std::to_string(lines.back().number) + " " + key('H', guid) + "\t\t# \"" +
              subnet_.endpoints[lines.front().endpoint].name + "\"\n";
      for (const Line& line : lines) text += line.text;
    }
  }

  const Subnet& subnet_;
  const Topology& topology_;
  const LinkSpeed speed_limit_;
  const std::vector<std::uint32_t> first_endpoint_;
  std::vector<std::vector<Line>> lines_;  ///< per node
};

}  // namespace

std::string ibnetdiscover_text(const Subnet& subnet, LinkSpeed speed_limit) {
  return Writer(subnet, speed_limit).run();
}

}  // namespace spineleaf
