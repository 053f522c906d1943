#include <algorithm>
#include <array>
#include <string>

#include "tests/tidy/rules.hpp"

namespace spineleaf::tidy {
namespace {

/// Bottom to top.
constexpr std::array<std::string_view, 6> kLayers{"sim",       "topologies", "models",
                                                  "scenarios", "validation", "bindings"};

struct Library {
  std::string_view name;
  std::string_view include;  ///< how its includes begin
  std::string_view folders;  ///< folders that may include it, separated by spaces
};

constexpr Library kLibraries[] = {
    {"CLI11", "CLI/", "bindings/cli/"},
    {"pybind11", "pybind11/", "bindings/python/"},
    {"Eigen", "Eigen/", "validation/"},
    {"Google Benchmark", "benchmark/", "validation/"},
    {"nlohmann/json", "nlohmann/", "validation/ scenarios/ tests/probe/"},
    {"oneTBB", "tbb/", "scenarios/ sim/"},
    {"oneTBB", "oneapi/tbb", "scenarios/ sim/"},
    {"Boost.Graph", "boost/", "topologies/"},
    {"pugixml", "pugixml.hpp", "topologies/"},
    {"MPI", "mpi.h", "sim/"},
    {"libibverbs", "infiniband/", "validation/probe/verbs/ tests/probe/fakes/"},
    {"GoogleTest", "gtest/", "tests/"},
    {"GoogleTest", "gmock/", "tests/"},
};

constexpr std::string_view kPosix[] = {"unistd.h", "fcntl.h",  "signal.h", "poll.h",
                                       "dlfcn.h",  "net/if.h", "linux/",   "sys/"};

int rank(std::string_view folder) {
  const auto at = std::find(kLayers.begin(), kLayers.end(), folder);
  return at == kLayers.end() ? -1 : static_cast<int>(at - kLayers.begin());
}

std::string_view first_folder(std::string_view path) {
  return path.substr(0, std::min(path.find('/'), path.size()));
}

/// The file named by an #include line, empty for any other line.
std::string_view included(std::string_view line, bool& quoted) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#') return {};
  const std::size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string_view::npos || !line.substr(word).starts_with("include")) return {};
  const std::size_t open = line.find_first_of("<\"", word);
  if (open == std::string_view::npos) return {};
  quoted = line[open] == '"';
  const std::size_t close = line.find(quoted ? '"' : '>', open + 1);
  if (close == std::string_view::npos) return {};
  return line.substr(open + 1, close - open - 1);
}

bool allowed(const Library& library, std::string_view path) {
  // A test may use what the layer it mirrors uses: tests/scenarios/ reads JSON as scenarios/ does.
  const bool is_test = path.starts_with("tests/");
  const std::string_view mirrored = is_test ? path.substr(6) : path;
  std::string_view folders = library.folders;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(' '), folders.size());
    const std::string_view folder = folders.substr(0, end);
    if (path.starts_with(folder) || mirrored.starts_with(folder)) return true;
    if (is_test && first_folder(folder) == first_folder(mirrored)) return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

bool is_standard(std::string_view name) {
  return name.find_first_of("./") == std::string_view::npos ||
         std::any_of(std::begin(kPosix), std::end(kPosix),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

void check_third_party(const SourceFile& file, int line, std::string_view name, Findings& out) {
  if (is_standard(name)) return;
  const auto library =
      std::find_if(std::begin(kLibraries), std::end(kLibraries),
                   [&](const Library& one) { return name.starts_with(one.include); });
  if (library == std::end(kLibraries)) {
    out.push_back({file.path, line, "third-party", std::string(name) + " is of no known library"});
  } else if (!allowed(*library, file.path)) {
    out.push_back(
        {file.path, line, "third-party",
         std::string(library->name) + " is allowed only in " + std::string(library->folders)});
  }
}

}  // namespace

void check_includes(const SourceFile& file, Findings& out) {
  const std::string_view own = first_folder(file.path);
  const int own_rank = own == "tests" ? static_cast<int>(kLayers.size()) : rank(own);
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const int line = static_cast<int>(i) + 1;
    bool quoted = false;
    const std::string_view name = included(file.lines[i], quoted);
    if (name.empty()) continue;
    const std::string_view target = first_folder(name);
    if (rank(target) > own_rank) {
      out.push_back({file.path, line, "layer",
                     std::string(own) + " must not know " + std::string(target) +
                         ": arrows point down only"});
    } else if (target == "tests" && own != "tests") {
      out.push_back({file.path, line, "layer", "the product must not know its tests"});
    } else if (rank(target) < 0 && target != "tests") {
      check_third_party(file, line, name, out);
      if (quoted && is_standard(name)) {
        out.push_back({file.path, line, "layer",
                       "write the path from the root of the tree: " + std::string(name)});
      }
    }
  }
}

}  // namespace spineleaf::tidy
