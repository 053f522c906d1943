#include "tests/cli/documents.hpp"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "tests/cli/command.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = SPINELEAF_SOURCE_DIR;

/// Held back: what would compile, run the tests inside a test, or change the machine. Targets of
/// `cmake --build --preset PRESET [--target TARGET...]` must exist.
constexpr const char* kHeldBack = R"sh(
cmake() {
  if [[ $1 != --build ]]; then command cmake "$@"; return; fi
  local targets=("${@:5}")
  [[ $2 == --preset ]] && ninja -C "build/$3" -t query "${targets[@]:-all}" >/dev/null
}
ctest() { command ctest "$@" -N; }
sudo() { echo "would run: $*" >&2; return 1; }
apt-get() { sudo apt-get "$@"; }
export -f cmake ctest sudo apt-get
)sh";

bool is_fence(const std::string& line) { return line.rfind("```", 0) == 0; }

/// The value of "name" at the top of a scenario.
std::string scenario_name(const std::string& json) {
  const std::string key = "\"name\": \"";
  const std::size_t begin = json.find(key);
  if (begin == std::string::npos) return {};
  const std::size_t from = begin + key.size();
  return json.substr(from, json.find('"', from) - from);
}

/// Whether a path, perhaps with * in it or a line's worth of words after it, exists in the project.
bool exists_in_project(const std::string& path) {
  const std::string line = "cd '" + kSource.string() + "' && ls -d " + path + " >/dev/null";
  return shell_command(line).exit_code == 0;
}

bool names_a_source(const std::string& span) {
  static const std::vector<std::string> folders = {
      "bindings/",  "cmake/",      "docs/",    "models/", "sim/",
      "scenarios/", "topologies/", "scripts/", "tests/",  "validation/"};
  // A word in capitals stands for a name of the reader's own.
  return span.find("NAME") == std::string::npos &&
         std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return span.rfind(folder, 0) == 0; });
}

/// Whether a function named as `Class::function` is defined somewhere below sim/, models/,
/// topologies/ or scenarios/: in its class, or by its full name. `std` is not ours.
bool exists_in_code(const std::string& name) {
  const std::size_t colons = name.find("::");
  const std::string type = name.substr(0, colons);
  const std::string function = name.substr(colons + 2, name.find('(') - colons - 2);
  const std::string line = "cd '" + kSource.string() + "' && grep -rlE '(class|struct) " + type +
                           "\\b' sim models topologies scenarios | xargs grep -qE '\\b" + function +
                           "\\('";
  return type == "std" || shell_command(line).exit_code == 0;
}

/// Whether `words` begin with a verb that the help lists; their arguments may be placeholders.
bool is_verb(const std::string& words) {
  static const std::string help = spineleaf_command("--help").output;
  const std::string verb = words.substr(0, words.find(' '));
  return help.find("\n  " + verb + " ") != std::string::npos;
}

}  // namespace

std::vector<FencedBlock> fenced_blocks(const std::string& document) {
  std::vector<FencedBlock> blocks;
  bool inside = false;
  int number = 0;
  std::istringstream lines(document);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (is_fence(line)) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), "", number + 1});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

std::vector<std::string> code_spans(const std::string& document) {
  std::string text;
  bool inside = false;
  std::istringstream lines(document);
  for (std::string line; std::getline(lines, line);) {
    if (is_fence(line)) inside = !inside;
    if (!inside && !is_fence(line)) text += line + " ";
  }
  std::vector<std::string> spans;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at)) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string::npos) break;
    spans.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return spans;
}

ProjectMirror::ProjectMirror() {
  std::string pattern = (fs::temp_directory_path() / "spineleaf-documents-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for the mirror");
  folder_ = pattern;
  for (const auto& entry : fs::directory_iterator(kSource)) {
    const std::string name = entry.path().filename().string();
    if (name == "build" || name == "out") continue;
    fs::create_symlink(entry.path(), folder_ / name);
  }
  fs::create_directories(folder_ / "build/release");
  fs::create_symlink(SPINELEAF_EXECUTABLE, folder_ / "build/release/spineleaf");
  fs::create_symlink(SPINELEAF_EXECUTABLE "-probe", folder_ / "build/release/spineleaf-probe");
}

ProjectMirror::~ProjectMirror() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string ProjectMirror::problems_of_commands(const std::string& document) const {
  std::string problems;
  std::string commands = "set -euo pipefail\n" + std::string(kHeldBack);
  for (const FencedBlock& block : fenced_blocks(document)) {
    const std::string place = "line " + std::to_string(block.line) + ": ";
    if (block.language == "sh") {
      commands += "echo 'at " + place + "'\n" + block.text;
    } else if (block.language == "json") {
      const std::string name = scenario_name(block.text);
      if (name.empty()) problems += place + "a scenario without a name\n";
      std::ofstream(folder_ / (name + ".json")) << block.text;
    } else if (block.language != "text" && block.language != "python") {
      problems += place + "a block that is neither sh, json, python nor text\n";
    }
  }
  std::ofstream(folder_ / "commands.sh") << commands;
  const CommandResult result = shell_command("cd '" + folder_.string() + "' && bash commands.sh");
  if (result.exit_code != 0) {
    problems += "exit code " + std::to_string(result.exit_code) + " after:\n" + result.output;
  }
  return problems;
}

std::string ProjectMirror::problems_of_names(const std::string& document) const {
  std::string problems;
  for (const std::string& span : code_spans(document)) {
    const std::string first = span.substr(0, span.find(' '));
    if (first == span && span.find("::") != std::string::npos && !exists_in_code(span)) {
      problems += "no " + span + "\n";
    }
    if (names_a_source(span) && !exists_in_project(first)) problems += "no " + first + "\n";
    if (first == "spineleaf" && span != first && !is_verb(span.substr(first.size() + 1))) {
      problems += "no `" + span + "`\n";
    }
  }
  return problems;
}

std::string problems_of_links(const std::string& name, const std::string& document) {
  std::string problems;
  for (std::size_t at = document.find("]("); at != std::string::npos;
       at = document.find("](", at)) {
    at += 2;
    const std::string link = document.substr(at, document.find_first_of(")#", at) - at);
    if (link.rfind("http", 0) == 0) continue;
    if (!fs::exists(kSource / fs::path(name).parent_path() / link)) problems += "no " + link + "\n";
  }
  return problems;
}

std::vector<std::string> documents() {
  std::vector<std::string> found{"README.md", "CHANGELOG.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "docs")) {
    if (entry.path().extension() == ".md") {
      found.push_back(fs::relative(entry.path(), kSource).string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace spineleaf
