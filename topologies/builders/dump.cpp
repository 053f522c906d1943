// dump: a fabric as it is, from what its tools print (topologies/readers/).

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "topologies/builders/assembler.hpp"
#include "topologies/builders/kind.hpp"
#include "topologies/builders/params.hpp"
#include "topologies/readers/subnet_reader.hpp"

namespace spineleaf {

namespace {

constexpr std::array kDumpDecls{
    param<&DumpParams::file>("file", Unit::Text, "", 0, 0,
                             "What ibnetdiscover, iblinkinfo, opensm or another tool of "
                             "docs/subnet-routing.md prints; beside the scenario.",
                             "convention"),
    param<&DumpParams::group_adapters>(
        "group_adapters", Unit::Flag, "true", 0, 1,
        "Adapters named \"node1 mlx5_0\", \"node1 mlx5_1\" are NICs of one "
        "host; false = a host each.",
        "convention"),
    param<&DumpParams::host_cable>("host_cable", Unit::Length, "2m", 0.001, kMaxCableMetres,
                                   "Length of cables to hosts, which no tool knows, at 5 ns/m.",
                                   "assumed"),
    param<&DumpParams::switch_cable>("switch_cable", Unit::Length, "20m", 0.001, kMaxCableMetres,
                                     "Length of cables between switches, at 5 ns/m.", "assumed"),
};

constexpr ParamTable kDumpTable{
    "dump", "A fabric as its tools describe it: ibnetdiscover and others.", kDumpDecls};

/// The text of a file of at most `limit` bytes and one more; a problem where it can't be had.
std::string text_of(const std::string& file, std::size_t limit, std::vector<Problem>& problems) {
  std::error_code failed;
  std::string text;
  if (!std::filesystem::is_regular_file(file, failed)) {
    problems.push_back(make_error("file", "there is no such file", in_quotes(file)));
    return text;
  }
  std::ifstream stream(file, std::ios::binary);
  char buffer[65536];
  while (stream && text.size() <= limit) {
    stream.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.eof() && text.size() <= limit) {
    problems.push_back(
        make_error("file", "can't be read: " + std::string(std::strerror(errno)), in_quotes(file)));
  }
  return text;
}

}  // namespace

BuildResult build_dump(const DumpParams& params) {
  BuildResult result;
  result.problems = check_ranges(kDumpTable, &params);
  if (params.file.empty()) {
    result.problems.push_back(make_error("file", "no file is named", {},
                                         "such as \"ibnetdiscover.txt\"",
                                         "Print one with: ibnetdiscover > ibnetdiscover.txt"));
  }
  if (!result.ok()) return result;
  const std::string text = text_of(params.file, kMostSubnetBytes, result.problems);
  if (!result.ok()) return result;
  ImportOptions options;
  options.host_cable = params.host_cable;
  options.switch_cable = params.switch_cable;
  options.group_adapters = params.group_adapters;
  SubnetRead read = read_subnet(text, params.file, options);
  for (Problem& problem : read.problems) {
    problem.what = problem.where + ": " + problem.what;
    problem.where = "file";
    result.problems.push_back(std::move(problem));
  }
  if (!result.ok()) return result;
  result.topology = read.subnet.topology;
  result.subnet = std::make_shared<const Subnet>(std::move(read.subnet));
  return result;
}

TopologyKind dump() {
  return make_kind<DumpParams, build_dump>("dump", kDumpTable.text, kDumpTable);
}

}  // namespace spineleaf
