// ibv_devinfo, ibstat, mlnx_qos, ip link, lsmod, ethtool -S, counters of RDMA ports.

#include <algorithm>

#include "validation/measurements/fact_readers.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

/// Name and value around the first colon; the name is "" where there is none.
std::pair<std::string_view, std::string_view> parted(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return {trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))};
}

/// What tells one NIC from all others in the world stays out.
bool is_name(std::string_view name) {
  return name.find("guid") != std::string_view::npos ||
         name.find("GUID") != std::string_view::npos || name.starts_with("GID") ||
         name == "Serial number";
}

class IbvDevinfo : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const auto [name, value] = parted(line);
    if (name.empty() || value.empty() || is_name(name)) return;
    if (name == "hca_id") {
      device_ = value.substr(0, 64);
      subject_ = device_;
    } else if (name == "port") {
      subject_ = device_ + "/" + std::string(value.substr(0, 8));
    } else if (!device_.empty()) {
      // "4096 (5)", "PORT_ACTIVE (4)": the word is what counts.
      const std::string_view word = value.substr(0, value.find(" ("));
      facts.add(subject_, name, name == "active_speed" || name == "active_width" ? value : word,
                number);
    }
  }

 private:
  std::string device_, subject_;
};

class Ibstat : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const std::string_view text = trimmed(line);
    if (const auto device = between(text, "CA '", "'"); device && text.starts_with("CA '")) {
      device_ = device->substr(0, 64);
      subject_ = device_;
      return;
    }
    const auto [name, value] = parted(text);
    if (name.starts_with("Port ") && value.empty()) {
      subject_ = device_ + "/" + std::string(name.substr(5, 8));
    } else if (!device_.empty() && !name.empty() && !value.empty() && !is_name(name)) {
      facts.add(subject_, name, value, number);
    }
  }

 private:
  std::string device_, subject_;
};

class MlnxQos : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const auto words = words_of(line, 64);
    if (words.empty()) return;
    if (line.find("trust state") != std::string_view::npos) {
      facts.add("", "trust", parted(line).second, number);
    }
    if (line.find("PFC configuration") != std::string_view::npos) pfc_ = true;
    if (pfc_ && words[0] == "enabled") {
      std::string enabled;
      for (std::size_t i = 1; i < std::min<std::size_t>(words.size(), 9); ++i) {
        if (words[i] == "1") enabled += (enabled.empty() ? "" : ",") + std::to_string(i - 1);
      }
      facts.add("", "pfc.enabled", enabled.empty() ? "none" : enabled, number);
      pfc_ = false;
    }
  }

 private:
  bool pfc_ = false;
};

class IpLink : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const auto words = words_of(line, 64);
    if (words.size() < 4) return;
    for (std::size_t i = 2; i + 1 < words.size(); ++i) {
      if (words[i] != "mtu") continue;
      std::string_view name = words[1];
      if (name.ends_with(':')) name.remove_suffix(1);
      facts.add(name, "mtu", words[i + 1], number);
    }
  }
};

class Lsmod : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const auto words = words_of(line, 3);
    if (words.size() < 3 || words[0] == "Module" || !to_integer(words[1])) return;
    facts.add(words[0], "loaded", words[1], number);
  }
};

class Ethtool : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const auto [name, value] = parted(line);
    if (!name.empty() && to_integer(value)) facts.add("", name, value, number);
  }
};

/// "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/np_cnp_sent:5"
class PortCounters : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const auto device = between(line, "/sys/class/infiniband/", "/ports/");
    const auto port = between(line, "/ports/", "/");
    const std::size_t colon = line.rfind(':');
    const std::size_t slash = line.rfind('/');
    if (!device || !port || colon == std::string_view::npos || slash == std::string_view::npos ||
        slash > colon) {
      return;
    }
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (!to_integer(value)) return;
    facts.add(std::string(*device) + "/" + std::string(*port),
              line.substr(slash + 1, colon - slash - 1), value, number);
  }
};

}  // namespace

std::unique_ptr<FactReader> ibv_devinfo_reader() { return std::make_unique<IbvDevinfo>(); }
std::unique_ptr<FactReader> ibstat_reader() { return std::make_unique<Ibstat>(); }
std::unique_ptr<FactReader> mlnx_qos_reader() { return std::make_unique<MlnxQos>(); }
std::unique_ptr<FactReader> ip_link_reader() { return std::make_unique<IpLink>(); }
std::unique_ptr<FactReader> lsmod_reader() { return std::make_unique<Lsmod>(); }
std::unique_ptr<FactReader> ethtool_reader() { return std::make_unique<Ethtool>(); }
std::unique_ptr<FactReader> port_counter_reader() { return std::make_unique<PortCounters>(); }

}  // namespace spineleaf
