#include "validation/readers/gpu_topo.hpp"

#include <algorithm>
#include <utility>

#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostDevices = 256;
constexpr int kOwnSwitch = 2;

bool is_device(std::string_view word) {
  return word.starts_with("GPU") || word.starts_with("NIC") || word.starts_with("mlx") ||
         word.starts_with("bnxt") || word.starts_with("ib");
}

class TopoReader {
 public:
  explicit TopoReader(const std::string& file) : file_(file) {}

  GpuTopoResult read(std::string_view raw) {
    const std::string text = without_escapes(raw);
    for_each_line(text, [this](std::string_view line, int number) { take(line, number); });
    check();
    return std::move(result_);
  }

 private:
  GpuTopo& topo() { return result_.topo; }

  void take(std::string_view line, int number) {
    const auto words = words_of(line, 2 * kMostDevices);
    if (words.empty()) return;
    if (topo().devices.empty()) {
      if (words.size() > 1 && is_device(words[0]) && is_device(words[1])) take_header(line, words);
      if (words.size() == 1 && words[0] == "GPU0") take_header(line, words);
      return;
    }
    const std::size_t row = topo().paths.size();
    if (row < topo().devices.size() && words[0] == topo().devices[row]) {
      take_row(line, words, number);
    } else if (words.size() == 2 && words[0].ends_with(':')) {
      take_legend(words[0].substr(0, words[0].size() - 1), words[1]);
    }
  }

  /// Devices come first, then "CPU Affinity" and its kin.
  void take_header(std::string_view line, const std::vector<std::string_view>& words) {
    for (const std::string_view word : words) {
      if (!is_device(word) || topo().devices.size() >= kMostDevices) break;
      topo().devices.emplace_back(word);
    }
    // "GPU NUMA ID" is a column behind the affinities, not a device.
    if (topo().devices.back() == "GPU") topo().devices.pop_back();
    topo().names = topo().devices;
    has_numa_ = line.find("NUMA Affinity") != std::string_view::npos;
  }

  void take_row(std::string_view, const std::vector<std::string_view>& words, int number) {
    std::vector<std::string> row;
    for (std::size_t i = 1; i < words.size() && row.size() < topo().devices.size(); ++i) {
      if (path_distance(words[i]) < 0) {
        append(result_.problems,
               line_problem(file_, number, in_quotes(words[i]) + " is no kind of path",
                            "X, NV1 to NV36, PIX, PXB, PHB, NODE or SYS"));
        return;
      }
      row.emplace_back(words[i]);
    }
    if (row.size() != topo().devices.size()) {
      append(result_.problems, line_problem(file_, number,
                                            "the row of " + std::string(words[0]) + " has " +
                                                std::to_string(row.size()) + " cells",
                                            std::to_string(topo().devices.size())));
      return;
    }
    const std::size_t numa = topo().devices.size() + 2;
    topo().numa.emplace_back(has_numa_ && words.size() > numa ? words[numa] : "");
    topo().paths.push_back(std::move(row));
  }

  void take_legend(std::string_view device, std::string_view name) {
    const auto it = std::find(topo().devices.begin(), topo().devices.end(), device);
    if (it != topo().devices.end()) {
      topo().names[static_cast<std::size_t>(it - topo().devices.begin())] = name.substr(0, 64);
    }
  }

  void check() {
    if (topo().devices.empty()) {
      append(result_.problems, line_problem(file_, 0, "holds no matrix of nvidia-smi topo -m",
                                            "a line \"GPU0 GPU1 ...\" and a row per device"));
    } else if (topo().paths.size() != topo().devices.size() && !has_errors(result_.problems)) {
      append(result_.problems,
             line_problem(file_, 0,
                          "has rows for " + std::to_string(topo().paths.size()) + " of " +
                              std::to_string(topo().devices.size()) + " devices"));
    }
  }

  const std::string& file_;
  GpuTopoResult result_;
  bool has_numa_ = false;
};

}  // namespace

GpuTopoResult read_gpu_topo(std::string_view text, const std::string& file) {
  return TopoReader(file).read(text);
}

int path_distance(std::string_view path) {
  if (path == "X") return 0;
  if (path.starts_with("NV") && to_integer(path.substr(2)).value_or(0) > 0) return 0;
  constexpr std::string_view kPaths[] = {"PIX", "PXB", "PHB", "NODE", "SYS"};
  const auto* it = std::find(std::begin(kPaths), std::end(kPaths), path);
  return it == std::end(kPaths) ? -1 : static_cast<int>(it - std::begin(kPaths)) + 1;
}

std::vector<std::string> findings(const GpuTopo& topo) {
  std::vector<std::string> lines;
  if (topo.paths.size() != topo.devices.size()) return lines;
  std::string far;
  std::string unlinked;
  std::size_t nics = 0;
  std::size_t gpus = 0;
  for (std::size_t i = 0; i < topo.devices.size(); ++i) {
    if (!topo.is_gpu(i)) {
      ++nics;
      continue;
    }
    ++gpus;
    int nearest = 6;
    for (std::size_t j = 0; j < topo.devices.size(); ++j) {
      if (!topo.is_gpu(j)) nearest = std::min(nearest, path_distance(topo.paths[i][j]));
      if (topo.is_gpu(j) && j > i && path_distance(topo.paths[i][j]) != 0) {
        unlinked += (unlinked.empty() ? "" : ", ") + topo.devices[i] + "-" + topo.devices[j];
      }
    }
    if (nearest > kOwnSwitch) far += (far.empty() ? "" : ", ") + topo.devices[i];
  }
  lines.push_back(std::to_string(gpus) + " GPUs, " + std::to_string(nics) + " NICs");
  if (nics > 0 && !far.empty()) {
    lines.push_back("no NIC under the PCIe switch of " + far +
                    ": GPU Direct RDMA crosses the CPU or is off");
  }
  if (!unlinked.empty()) {
    lines.push_back("no NVLink between " + unlinked.substr(0, 200) +
                    (unlinked.size() > 200 ? ", ..." : ""));
  }
  return lines;
}

}  // namespace spineleaf
