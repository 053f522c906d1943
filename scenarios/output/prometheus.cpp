#include "scenarios/output/prometheus.hpp"

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

/// In label values, a backslash, a quote and a line break are written as escapes.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

/// Samples of one name must stand together, whatever the order in which they are found.
class Exposition {
 public:
  void add(const std::string& name, std::string_view help, std::string_view type,
           const std::string& labels, double value) {
    auto [entry, isnew] = metrics_.try_emplace(name);
    if (isnew) {
      entry->second = "# HELP " + name + " " + std::string(help) + "\n# TYPE " + name + " " +
                      std::string(type) + "\n";
      order_.push_back(name);
    }
    entry->second += name + "{" + labels + "} " + number_text(value) + "\n";
  }
  std::string str() const {
    std::string out;
    for (const std::string& name : order_) out += metrics_.at(name);
    return out;
  }

 private:
  std::map<std::string, std::string> metrics_;
  std::vector<std::string> order_;
};

class Counters {
 public:
  Counters(const Result& result, const Topology& topology)
      : result_(result), infiniband_(result.fabric.rfind("InfiniBand", 0) == 0) {
    for (std::uint32_t i = 0; i < topology.host_count; ++i) hosts_.insert(topology.nodes[i].name);
  }

  std::string str() {
    for (const LinkRow& link : result_.links) {
      sent(link);
      arrived(link);
    }
    for (const PortClassRow& row : result_.port_classes) {
      if (infiniband_) {
        waited(row);
      } else if (is_host(row.node)) {
        host_pauses(row);
      } else {
        switch_pauses(row);
        switch_queue(row);
      }
    }
    whole_run();
    return out_.str();
  }

 private:
  bool is_host(const std::string& node) const { return hosts_.count(node) > 0; }
  std::string labels(const std::string& node, std::uint16_t port) const {
    return "device=\"" + escaped(node) + "\",port=\"" + std::to_string(port) + "\"";
  }
  std::string labels(const PortClassRow& row) const { return labels(row.node, row.port); }
  void count(const std::string& name, std::string_view help, const std::string& labels,
             double value) {
    out_.add(name, help, "counter", labels, value);
  }
  void count(const std::string& name, std::string_view help, const std::string& labels,
             std::int64_t value) {
    count(name, help, labels, static_cast<double>(value));
  }

  void sent(const LinkRow& link) {
    const std::string at = labels(link.from, link.from_port);
    if (infiniband_) {
      count("port_xmit_data", "words of 4 bytes sent", at, link.bytes.count / 4);
      count("port_xmit_packets", "packets sent", at, link.packets);
    } else if (is_host(link.from)) {
      count("tx_bytes_phy", "bytes sent on the wire", at, link.bytes.count);
      count("tx_packets_phy", "packets sent", at, link.packets);
    } else {
      count("SAI_PORT_STAT_IF_OUT_OCTETS", "bytes sent on the wire", at, link.bytes.count);
      count("SAI_PORT_STAT_IF_OUT_UCAST_PKTS", "packets sent", at, link.packets);
    }
  }

  /// What the peer sent, less what a failing link lost on the way.
  void arrived(const LinkRow& link) {
    const std::string at = labels(link.to, link.to_port);
    const std::int64_t lost = link.drops[static_cast<int>(DropCause::LinkDown)];
    std::int64_t discarded = 0;
    for (int i = 0; i < kDropCauses; ++i) discarded += link.drops[i];
    discarded -= lost;
    if (infiniband_) {
      count("port_rcv_packets", "packets received", at, link.packets - lost);
    } else if (is_host(link.to)) {
      count("rx_packets_phy", "packets received", at, link.packets - lost);
      count("rx_discards_phy", "packets dropped for lack of buffers", at, discarded);
    } else {
      count("SAI_PORT_STAT_IF_IN_UCAST_PKTS", "packets received", at, link.packets - lost);
      count("SAI_PORT_STAT_IN_DROPPED_PKTS", "packets dropped after arrival", at, discarded);
    }
  }

  void waited(const PortClassRow& row) {
    // PortXmitWait counts ticks of the device's own clock: here nanoseconds.
    const std::string at = labels(row) + ",vl=\"" + std::to_string(row.traffic_class) + "\"";
    count("port_xmit_wait", "nanoseconds in which the lane had no credits", at,
          row.credit_stalled.ps / 1000);
  }

  void host_pauses(const PortClassRow& row) {
    const std::string priority = "prio" + std::to_string(row.traffic_class);
    const std::string at = labels(row);
    count("tx_" + priority + "_pause", "pause frames sent", at, row.pauses_sent);
    count("rx_" + priority + "_pause", "pause frames received", at, row.pauses_received);
    count("rx_" + priority + "_pause_duration", "microseconds paused by the peer", at,
          static_cast<double>(row.paused.ps) / 1e6);
    count("tx_" + priority + "_packets", "packets sent", at, row.packets);
  }

  void switch_pauses(const PortClassRow& row) {
    const std::string pfc = "SAI_PORT_STAT_PFC_" + std::to_string(row.traffic_class);
    const std::string at = labels(row);
    count(pfc + "_TX_PKTS", "pause frames sent", at, row.pauses_sent);
    count(pfc + "_RX_PKTS", "pause frames received", at, row.pauses_received);
    count(pfc + "_RX_PAUSE_DURATION_US", "microseconds paused by the peer", at,
          static_cast<double>(row.paused.ps) / 1e6);
  }

  void switch_queue(const PortClassRow& row) {
    const std::string at = labels(row) + ",queue=\"" + std::to_string(row.traffic_class) + "\"";
    count("SAI_QUEUE_STAT_PACKETS", "packets sent from the queue", at, row.packets);
    count("SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS", "packets marked with CE", at, row.marks);
    out_.add("SAI_QUEUE_STAT_WATERMARK_BYTES", "largest queue", "gauge", at,
             static_cast<double>(row.max_queue.count));
    out_.add("SAI_INGRESS_PRIORITY_GROUP_STAT_WATERMARK_BYTES", "largest ingress occupancy",
             "gauge", at, static_cast<double>(row.max_ingress.count));
  }

  /// A run keeps these for all hosts together.
  void whole_run() {
    const Totals& t = result_.totals;
    const std::string all = "device=\"all hosts\"";
    count("out_of_sequence", "packets received out of order", all, t.out_of_order);
    count("local_ack_timeout_err", "retransmission timers that ran out", all, t.timeouts);
    count("packet_seq_err", "NAKs received", all, t.naks);
    if (!infiniband_) count("np_cnp_sent", "congestion notification packets sent", all, t.cnps);
  }

  const Result& result_;
  bool infiniband_;
  std::set<std::string> hosts_;
  Exposition out_;
};

}  // namespace

std::string prometheus_text(const Result& result, const Topology& topology) {
  return Counters(result, topology).str();
}

}  // namespace spineleaf
