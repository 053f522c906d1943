#include "validation/measurements/facts.hpp"

#include <algorithm>
#include <cctype>

#include "validation/measurements/fact_readers.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostText = 256;
constexpr std::size_t kFormatHead = 1 << 16;

// The first that knows a file reads it.
constexpr FactFormat kFormats[] = {
    {"nvidia-smi -q",
     [](std::string_view head) { return has(head, "NVSMI LOG") || has(head, "Attached GPUs"); },
     nvidia_smi_reader},
    {"nvbandwidth",
     [](std::string_view head) {
       return has(head, "nvbandwidth Version") || has(head, "_memcpy_");
     },
     nvbandwidth_reader},
    {"ibv_devinfo", [](std::string_view head) { return has(head, "hca_id:"); }, ibv_devinfo_reader},
    {"ibstat", [](std::string_view head) { return has(head, "CA '") && has(head, "CA type:"); },
     ibstat_reader},
    {"counters of RDMA ports",
     [](std::string_view head) {
       return has(head, "/sys/class/infiniband/") && has(head, "counters/");
     },
     port_counter_reader},
    {"ethtool -S", [](std::string_view head) { return has(head, "NIC statistics:"); },
     ethtool_reader},
    {"mlnx_qos",
     [](std::string_view head) {
       return has(head, "PFC configuration:") || has(head, "DCBX mode");
     },
     mlnx_qos_reader},
    {"lsmod", [](std::string_view head) { return has(head, "Used by") && has(head, "Module"); },
     lsmod_reader},
    {"ip link", [](std::string_view head) { return has(head, " mtu ") && has(head, ">"); },
     ip_link_reader},
    {"lspci -vvv",
     [](std::string_view head) {
       return has(head, "LnkCap:") || has(head, "PCI bridge") || has(head, "Capabilities:");
     },
     lspci_reader},
};

}  // namespace

void Facts::add(std::string_view subject, std::string_view name, std::string_view value, int line) {
  if (all_.size() >= kMost) {
    ++left_out_;
    return;
  }
  all_.push_back({std::string(subject.substr(0, kMostText)), std::string(name.substr(0, kMostText)),
                  std::string(value.substr(0, kMostText)), line});
}

const Fact* Facts::find(std::string_view subject, std::string_view name) const {
  const auto it = std::find_if(all_.begin(), all_.end(), [&](const Fact& fact) {
    return fact.subject == subject && fact.name == name;
  });
  return it == all_.end() ? nullptr : &*it;
}

const FactFormat* fact_format_of(std::string_view head) {
  head = head.substr(0, kFormatHead);
  const auto* const it = std::find_if(std::begin(kFormats), std::end(kFormats),
                                      [&](const FactFormat& one) { return one.knows(head); });
  return it == std::end(kFormats) ? nullptr : it;
}

std::string fact_format_names() {
  std::string names = "spineleaf-probe";
  for (const FactFormat& format : kFormats) names += std::string(", ") + format.name;
  return names;
}

FactsResult read_facts(std::string_view text, const std::string& file) {
  if (is_probe_json(text.substr(0, kFormatHead))) return read_probe_json(text, file);
  FactsResult result;
  const FactFormat* format = fact_format_of(text);
  if (format == nullptr) {
    append(result.problems,
           line_problem(file, 0, "is no format that is known here", fact_format_names()));
    return result;
  }
  result.format = format->name;
  const auto reader = format->reader();
  for_each_line(
      text, [&](std::string_view line, int number) { reader->take(line, number, result.facts); });
  if (result.facts.all().empty()) {
    append(result.problems, line_problem(file, 0, "holds nothing of " + result.format));
  }
  return result;
}

std::string pci_address(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto digits = [&](std::size_t begin, std::size_t count) {
    return begin + count <= out.size() &&
           std::all_of(out.begin() + static_cast<std::ptrdiff_t>(begin),
                       out.begin() + static_cast<std::ptrdiff_t>(begin + count),
                       [](unsigned char c) { return std::isxdigit(c) != 0; });
  };
  if (out.size() == 7) out.insert(0, "0000:");
  if (out.size() == 16) out.erase(0, 4);
  const bool good = out.size() == 12 && digits(0, 4) && out[4] == ':' && digits(5, 2) &&
                    out[7] == ':' && digits(8, 2) && out[10] == '.' && digits(11, 1);
  return good ? out : std::string();
}

}  // namespace spineleaf
