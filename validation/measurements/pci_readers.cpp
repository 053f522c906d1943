// lspci -vvv and nvidia-smi -q: links of PCIe devices, and what their bridges redirect.

#include <algorithm>
#include <cctype>

#include "validation/measurements/fact_readers.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

/// What follows `before` up to the next comma or blank run.
std::string_view word_after(std::string_view text, std::string_view before) {
  const auto rest = between(text, before, "");
  if (!rest) return {};
  const std::string_view word = *rest;
  return trimmed(word.substr(0, word.find_first_of(",;(")));
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

class Lspci : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const bool indented = !line.empty() && (line[0] == ' ' || line[0] == '\t');
    const std::string_view text = trimmed(line);
    if (!indented) {
      const std::size_t blank = text.find(' ');
      address_ = pci_address(text.substr(0, blank));
      if (address_.empty() || blank == std::string_view::npos) return;
      const std::string_view rest = text.substr(blank + 1);
      facts.add(address_, "class", rest.substr(0, rest.find(':')), number);
      facts.add(address_, "device", rest, number);
      return;
    }
    if (address_.empty()) return;
    if (text.starts_with("LnkCap:") || text.starts_with("LnkSta:")) {
      const std::string name(text.substr(0, 6));
      if (const auto speed = word_after(text, "Speed "); !speed.empty()) {
        facts.add(address_, name + ".speed", speed, number);
      }
      if (const auto width = word_after(text, "Width x"); !width.empty()) {
        facts.add(address_, name + ".width", width, number);
      }
    } else if (lower(text.substr(0, 7)) == "acsctl:") {
      facts.add(address_, "ACSCtl", trimmed(text.substr(7)), number);
    } else if (text.starts_with("Bus: primary=")) {
      facts.add(address_, "bus.secondary", word_after(text, "secondary="), number);
      facts.add(address_, "bus.subordinate", word_after(text, "subordinate="), number);
    } else if (const auto most = word_after(text, "MaxReadReq "); !most.empty()) {
      facts.add(address_, "MaxReadReq", most.substr(0, most.find(' ')), number);
    }
  }

 private:
  std::string address_;
};

class NvidiaSmi : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const std::string_view text = trimmed(line);
    if (text.starts_with("GPU ") && !text.empty() && line[0] == 'G') {
      gpu_ = pci_address(trimmed(text.substr(4)));
      part_.clear();
      return;
    }
    const std::size_t colon = text.find(" : ");
    if (colon == std::string_view::npos) {
      if (text == "PCIe Generation")
        part_ = "pcie";
      else if (text == "Link Width")
        part_ = "width";
      else if (!text.starts_with("GPU Link Info"))
        part_.clear();
      return;
    }
    const std::string_view name = trimmed(text.substr(0, colon));
    std::string_view value = trimmed(text.substr(colon + 3));
    if (name == "Driver Version" || name == "CUDA Version") facts.add("", name, value, number);
    if (gpu_.empty()) return;
    if (name == "Product Name") facts.add(gpu_, "product", value, number);
    if (part_.empty()) return;
    if (value.ends_with('x')) value.remove_suffix(1);
    if (name == "Current") facts.add(gpu_, part_ + ".current", value, number);
    if (name == "Max") facts.add(gpu_, part_ + ".max", value, number);
  }

 private:
  std::string gpu_, part_;
};

/// Matrices of GB/s with a title, then "SUM name value".
class Nvbandwidth : public FactReader {
 public:
  void take(std::string_view line, int number, Facts& facts) override {
    const auto words = words_of(line, 128);
    if (words.empty()) return;
    if (words[0] == "Running" && words.size() == 2) {
      test_ = words[1];
      if (test_.ends_with('.')) test_.pop_back();
    } else if (words[0] == "SUM" && words.size() >= 3) {
      if (to_number(words[2])) facts.add(words[1], "SUM", words[2], number);
    } else if (words[0] == "nvbandwidth" && words.size() >= 3) {
      facts.add("", "version", words[2], number);
    } else if (words.size() >= 2 && to_integer(words[0]) && !test_.empty() && has_point(line)) {
      for (std::size_t i = 1; i < words.size(); ++i) {
        if (!to_number(words[i])) continue;
        facts.add(test_, std::string(words[0]) + "," + std::to_string(i - 1), words[i], number);
      }
    }
  }

 private:
  /// A row of numbers of columns has none.
  static bool has_point(std::string_view line) { return line.find('.') != std::string_view::npos; }

  std::string test_;
};

}  // namespace

std::unique_ptr<FactReader> lspci_reader() { return std::make_unique<Lspci>(); }
std::unique_ptr<FactReader> nvidia_smi_reader() { return std::make_unique<NvidiaSmi>(); }
std::unique_ptr<FactReader> nvbandwidth_reader() { return std::make_unique<Nvbandwidth>(); }

}  // namespace spineleaf
