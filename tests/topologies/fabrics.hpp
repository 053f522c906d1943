#pragma once
// The fabrics under tests/topologies/fabrics/ with what OpenSM says of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "topologies/readers/subnet_reader.hpp"

namespace spineleaf::test {

inline const std::vector<std::string>& fabric_names() {
  static const std::vector<std::string> names{"fat-tree-64", "fat-tree-64-degraded", "mesh-3x3",
                                              "rail-1024", "ring-5"};
  return names;
}

/// The text of a fixture; one that is packed is unpacked by xz.
inline std::string fabric_text(const std::string& fabric, const std::string& file) {
  const std::string path =
      std::string(SPINELEAF_SOURCE_DIR) + "/tests/topologies/fabrics/" + fabric + "/" + file;
  if (std::filesystem::exists(path)) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }
  std::string text;
  std::FILE* pipe = ::popen(("xz -dc '" + path + ".xz'").c_str(), "r");
  if (pipe != nullptr) {
    std::array<char, 65536> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
      text.append(buffer.data(), n);
    }
    EXPECT_EQ(::pclose(pipe), 0) << path << ".xz: is xz there?";
  }
  return text;
}

inline bool has_fabric_file(const std::string& fabric, const std::string& file) {
  const std::string path =
      std::string(SPINELEAF_SOURCE_DIR) + "/tests/topologies/fabrics/" + fabric + "/" + file;
  return std::filesystem::exists(path) || std::filesystem::exists(path + ".xz");
}

inline std::string all_problems(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += to_string(problem) + "\n";
  return text;
}

inline Subnet read_fabric(const std::string& fabric, const std::string& file = "ibnetdiscover.txt",
                          const ImportOptions& options = {}) {
  SubnetRead read = read_subnet(fabric_text(fabric, file), file, options);
  EXPECT_TRUE(read.ok()) << all_problems(read.problems);
  return std::move(read.subnet);
}

/// A line of expected.txt that begins with "engine".
struct ExpectedRun {
  std::string engine;
  std::string ran;     ///< the engine that made the tables
  std::string tables;  ///< file
  bool loop = false;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::size_t used = 0;
  std::size_t holes = 0;
  std::map<unsigned, std::uint64_t> pairs_by_links;
  std::map<unsigned, std::uint64_t> ports_by_lids;
};

struct ExpectedFabric {
  std::size_t hosts = 0;
  std::size_t switches = 0;
  std::size_t links = 0;
  std::size_t between_switches = 0;
  std::vector<ExpectedRun> runs;
};

/// "3:10,4:10"
inline std::map<unsigned, std::uint64_t> read_histogram(const std::string& text) {
  std::map<unsigned, std::uint64_t> histogram;
  std::istringstream entries(text);
  for (std::string entry; std::getline(entries, entry, ',');) {
    const std::size_t colon = entry.find(':');
    histogram[static_cast<unsigned>(std::stoul(entry))] = std::stoull(entry.substr(colon + 1));
  }
  return histogram;
}

inline ExpectedFabric expected_fabric(const std::string& fabric) {
  ExpectedFabric expected;
  std::istringstream lines(fabric_text(fabric, "expected.txt"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    std::string skip;
    words >> first;
    if (first == "fabric") {
      words >> skip >> expected.hosts >> skip >> expected.switches >> skip >> expected.links >>
          skip >> expected.between_switches;
    } else if (first == "engine") {
      ExpectedRun run;
      std::string loop;
      std::string links;
      std::string lids;
      words >> run.engine >> run.ran >> run.tables >> loop >> run.least >> run.most >> run.used >>
          run.holes >> links >> lids;
      EXPECT_TRUE(words && (loop == "loop" || loop == "none")) << line;
      run.loop = loop == "loop";
      run.pairs_by_links = read_histogram(links);
      run.ports_by_lids = read_histogram(lids);
      expected.runs.push_back(run);
    }
  }
  EXPECT_GE(expected.runs.size(), 5U) << fabric;
  return expected;
}

}  // namespace spineleaf::test
