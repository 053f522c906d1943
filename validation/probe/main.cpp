// spineleaf-probe: what one machine has and can do, as JSON. No root, no install, no setting
// changed.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "validation/probe/probe.hpp"

namespace {

using namespace spineleaf::probe;

volatile int interrupted = 0;

constexpr const char* kHelp =
    "spineleaf-probe: what this machine has and can do, for `spineleaf import measurements` and\n"
    "`spineleaf doctor`. Needs no root, changes no setting; without GPU and NIC it says so.\n\n"
    "  --out FILE        write the JSON here; else to standard output\n"
    "  --keep-names      host names, serial numbers, GUIDs and GIDs as they are, not as tokens\n"
    "  --sections A,B    only these: inventory,pcie,acs-iommu,gdr,nic,counters,verbs,copies,nccl\n"
    "  --libraries DIR   look for libcuda.so.1, libnvidia-ml.so.1, libnccl.so.2 and\n"
    "                    libibverbs.so.1 in this folder only\n"
    "  --root DIR        read DIR/sys and DIR/proc instead of /sys and /proc\n"
    "  --watchdog S      longest time for a section, or for each GPU or NIC of one; default 30\n"
    "  --budget S        longest time for all; default 300\n"
    "  --version, --help\n\n"
    "Example:\n  spineleaf-probe --out n1.json\n"
    "Exit codes: 0 written, 1 can't write, 2 wrong option, 130 interrupted (what is known is "
    "written).\n";

int refuse(const std::string& what) {
  std::fprintf(stderr, "spineleaf-probe: %s; --help lists the options\n", what.c_str());
  return 2;
}

/// "" or what is wrong.
std::string take_sections(const std::string& list, Options& options) {
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const auto& names = section_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return "there is no section \"" + name + "\"";
    }
    options.sections.push_back(name);
    begin = end + 1;
  }
  return {};
}

std::string take_seconds(const std::string& text, double& seconds) {
  char* end = nullptr;
  seconds = std::strtod(text.c_str(), &end);
  const bool good = end != text.c_str() && *end == '\0' && seconds > 0 && seconds < 1e6;
  return good ? "" : "\"" + text + "\" is no time in seconds";
}

/// "" or what is wrong.
std::string take(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    std::string value;
    if (name == "--keep-names") {
      options.keep_names = true;
      continue;
    }
    const std::size_t equals = name.find('=');
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (i + 1 < argc) {
      value = argv[++i];
    } else {
      return "option " + name + " is not known or lacks its value";
    }
    std::string problem;
    if (name == "--out")
      options.out = value;
    else if (name == "--libraries")
      options.libraries = value;
    else if (name == "--root")
      options.root = value;
    else if (name == "--sections")
      problem = take_sections(value, options);
    else if (name == "--watchdog")
      problem = take_seconds(value, options.watchdog_s);
    else if (name == "--budget")
      problem = take_seconds(value, options.budget_s);
    else
      problem = "option " + name + " is not known";
    if (!problem.empty()) return problem;
  }
  return {};
}

/// Beside its place, then renamed: no reader sees a half.
bool write_file(const std::string& path, const std::string& text) {
  std::error_code error;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  const std::string part = path + ".part";
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  return file.good() && std::rename(part.c_str(), path.c_str()) == 0;
}

void say_summary(const Json& file) {
  for (const auto& [name, section] : file["sections"].items()) {
    const std::string reason = section.value("reason", "");
    const bool available = section.value("available", false);
    std::fprintf(stderr, "%-10s %s%s%s\n", name.c_str(), available ? "yes" : "no ",
                 reason.empty() ? "" : ": ", reason.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("spineleaf-probe " SPINELEAF_VERSION);
    return 0;
  }
  Options options;
  if (const std::string problem = take(argc, argv, options); !problem.empty()) {
    return refuse(problem);
  }
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  const Json file = probe(options, interrupted);
  const std::string text = file.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (options.out.empty()) {
    std::cout << text << std::flush;
    return !std::cout ? 1 : interrupted != 0 ? 130 : 0;
  }
  if (!write_file(options.out, text)) {
    std::fprintf(stderr, "spineleaf-probe: can't write %s: %s\n", options.out.c_str(),
                 std::strerror(errno));
    return 1;
  }
  say_summary(file);
  return interrupted != 0 ? 130 : 0;
}
