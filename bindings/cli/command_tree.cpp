#include "bindings/cli/command_tree.hpp"

#include <functional>

namespace spineleaf::cli {

namespace {

CommandOption described(const CLI::Option& option) {
  CommandOption read;
  for (const std::string& name : option.get_snames()) read.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) read.names.push_back("--" + name);
  if (read.names.empty()) read.positional = option.get_name(true);
  if (option.get_items_expected_max() > 0) read.value = option.get_type_name();
  // "N:INT in [0 - 9]": the first word is the name that the verb gave it.
  read.value = read.value.substr(0, read.value.find(':'));
  read.description = option.get_description();
  read.repeatable = option.get_items_expected_max() > 1;
  return read;
}

Command described(const CLI::App& app, const std::string& above) {
  Command command;
  command.name = app.get_name();
  command.path = above.empty() ? command.name : above + " " + command.name;
  command.description = app.get_description();
  command.group = app.get_group();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) command.options.push_back(described(*option));
  }
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (!verb->get_group().empty()) command.commands.push_back(described(*verb, command.path));
  }
  return command;
}

}  // namespace

Command command_tree(const CLI::App& app) { return described(app, {}); }

std::vector<const Command*> flattened(const Command& root) {
  std::vector<const Command*> all;
  const std::function<void(const Command&)> walk = [&](const Command& command) {
    all.push_back(&command);
    for (const Command& below : command.commands) walk(below);
  };
  walk(root);
  return all;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace spineleaf::cli
