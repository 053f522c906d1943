// spineleaf new: a commented scenario to begin with.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/verbs.hpp"
#include "scenarios/input/problems.hpp"
#include "scenarios/output/write.hpp"
#include "scenarios/templates.hpp"

namespace spineleaf::cli {

namespace {

struct NewArguments {
  std::string kind;
  std::string file;
  bool force = false;
};

void list(std::FILE* stream, const std::vector<ScenarioTemplate>& templates) {
  for (const ScenarioTemplate& one : templates) {
    std::fprintf(stream, "%-12s %s\n", one.kind.c_str(), one.purpose.c_str());
  }
}

/// False, and said, where the kind is none.
bool known_kind(const std::vector<ScenarioTemplate>& templates, const std::string& kind) {
  std::vector<std::string_view> kinds;
  for (const ScenarioTemplate& one : templates) kinds.push_back(one.kind);
  if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return true;
  std::fprintf(stderr, "there is no kind %s. %s\n", in_quotes(kind).c_str(),
               did_you_mean(kind, kinds).c_str());
  list(stderr, templates);
  return false;
}

void write(const ScenarioTemplate& chosen, const NewArguments& arguments, int& exit_code) {
  const std::string text = scenario_from(chosen, arguments.file);
  if (arguments.file.empty()) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  std::error_code ignored;
  if (!arguments.force && std::filesystem::exists(arguments.file, ignored)) {
    std::fprintf(stderr, "%s exists already; --force writes over it\n", arguments.file.c_str());
    exit_code = kBadInput;
    return;
  }
  const std::string problem = write_text_file(arguments.file, text);
  if (!problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    exit_code = 1;
    return;
  }
  std::printf("%s: %s\nIts first lines say what to do with it; `spineleaf run %s` runs it.\n",
              arguments.file.c_str(), chosen.purpose.c_str(), arguments.file.c_str());
}

void run(const NewArguments& arguments, int& exit_code) {
  const std::vector<ScenarioTemplate> templates = scenario_templates();
  if (arguments.kind.empty() && arguments.file.empty()) return list(stdout, templates);
  if (!known_kind(templates, arguments.kind)) {
    exit_code = kBadInput;
    return;
  }
  const auto chosen =
      std::find_if(templates.begin(), templates.end(),
                   [&](const ScenarioTemplate& one) { return one.kind == arguments.kind; });
  write(*chosen, arguments, exit_code);
}

}  // namespace

void add_new(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("new", "Write a commented scenario to begin with");
  verb->group(kRunGroup);
  const auto arguments = std::make_shared<NewArguments>();
  verb->add_option("kind", arguments->kind, "Kind of question; none: a list of them")
      ->type_name("KIND");
  verb->add_option("-o,--out", arguments->file, "File to write; without, it goes to the screen")
      ->type_name("FILE");
  verb->add_flag("--force", arguments->force, "Write over a file that exists");
  examples(*verb, {"new", "new buy -o out/buy.json", "new deadlock"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
