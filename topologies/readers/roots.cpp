#include "topologies/readers/roots.hpp"

#include <algorithm>
#include <map>

#include "topologies/nearest.hpp"
#include "topologies/readers/text.hpp"

namespace spineleaf {

RootsRead read_roots(std::string_view text, const std::string& file, const Subnet& subnet) {
  RootsRead result;
  FileProblems problems(file);
  std::map<std::uint64_t, std::uint32_t> by_guid;
  std::map<std::string_view, std::uint32_t> by_name;
  std::vector<std::string_view> names;
  for (std::uint32_t row = 0; row < subnet.switches.size(); ++row) {
    by_guid[subnet.switches[row].guid] = row;
    names.push_back(subnet.topology.nodes[subnet.topology.host_count + row].name);
    by_name[names.back()] = row;
  }
  Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    const std::string_view word = without_blanks(line.substr(0, line.find('#')));
    if (word.empty()) continue;
    if (const auto named = by_name.find(word); named != by_name.end()) {
      result.rows.push_back(named->second);
      continue;
    }
    Cursor at(word);
    const auto guid = at.number(16);
    const auto found = guid && at.at_end() ? by_guid.find(*guid) : by_guid.end();
    if (found != by_guid.end()) {
      result.rows.push_back(found->second);
      continue;
    }
    // One hint is enough: a list of strangers is of another fabric.
    const std::string near = problems.has_errors() ? "" : nearest(word, names);
    problems.add(make_error(problems.at(lines.number()), "is no switch of this fabric",
                            in_quotes(word), "a GUID or a name",
                            near.empty() ? "" : "Did you mean " + in_quotes(near) + "?"));
  }
  std::sort(result.rows.begin(), result.rows.end());
  result.rows.erase(std::unique(result.rows.begin(), result.rows.end()), result.rows.end());
  if (result.rows.empty() && !problems.has_errors()) {
    problems.add(make_error(file, "names no root switch"));
  }
  result.problems = problems.take();
  return result;
}

}  // namespace spineleaf
