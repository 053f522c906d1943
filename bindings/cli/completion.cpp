// spineleaf completion, spineleaf man: what a shell and `man` are told of this command.

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/command_tree.hpp"
#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/problems.hpp"
#include "scenarios/templates.hpp"
#include "scenarios/version.hpp"

namespace spineleaf::cli {

namespace {

constexpr std::string_view kLists[] = {"bash", "zsh", "scenarios", "kinds", "shells"};

/// False where `what` is neither a shell nor a list of words.
bool print_completion(const CLI::App& app, const std::string& what) {
  std::vector<std::string> words;
  if (what == "bash") {
    words = {bash_completion(command_tree(app))};
  } else if (what == "zsh") {
    words = {zsh_completion(command_tree(app))};
  } else if (what == "scenarios") {
    words = shipped_scenarios();
  } else if (what == "kinds") {
    for (const ScenarioTemplate& one : scenario_templates()) words.push_back(one.kind);
  } else if (what == "shells") {
    words = {"bash", "zsh"};
  } else {
    return false;
  }
  for (const std::string& word : words) std::printf("%s\n", word.c_str());
  return true;
}

}  // namespace

void add_completion(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("completion", "Completion of this command for bash or zsh");
  verb->group(kHelpGroup);
  const auto what = std::make_shared<std::string>();
  verb->add_option("shell", *what,
                   "bash or zsh; or scenarios, kinds, shells: lists that the shells ask for")
      ->required()
      ->type_name("SHELL");
  examples(*verb, {"completion bash > spineleaf-completion.bash", "completion zsh > _spineleaf"});
  verb->callback([&app, what, &exit_code] {
    if (print_completion(app, *what)) return;
    std::fprintf(stderr, "there is no completion for %s; bash and zsh are known. %s\n",
                 in_quotes(*what).c_str(), did_you_mean(*what, kLists).c_str());
    exit_code = kBadInput;
  });
}

void add_man(CLI::App& app, int&) {
  CLI::App* verb = app.add_subcommand("man", "Manual page of all verbs, for `man -l`");
  verb->group(kHelpGroup);
  examples(*verb, {"man > spineleaf.1"});
  verb->callback(
      [&app] { std::fputs(manual_page(command_tree(app), program_version()).c_str(), stdout); });
}

}  // namespace spineleaf::cli
