#pragma once
// The verbs and options of the command as plain data, read off its parser: what completion and
// manual page are written from, so that neither can tell of an option that is not there.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace spineleaf::cli {

struct CommandOption {
  std::vector<std::string> names;  ///< with their dashes; none: a positional
  std::string positional;          ///< its name, such as "scenario"
  std::string value;               ///< what it takes, such as "FILE"; "": a flag
  std::string description;
  bool repeatable = false;
};

struct Command {
  std::string path;  ///< "spineleaf check deadlock"
  std::string name;  ///< "deadlock"
  std::string description;
  std::string group;
  std::string footer;  ///< examples
  std::vector<CommandOption> options;
  std::vector<Command> commands;
};

Command command_tree(const CLI::App& app);

/// The whole tree, a command before those below it.
std::vector<const Command*> flattened(const Command& root);

/// Up to the first line's end.
std::string first_line(const std::string& text);

/// Completion scripts for the two shells, and the manual page in roff.
std::string bash_completion(const Command& root);
std::string zsh_completion(const Command& root);
std::string manual_page(const Command& root, const std::string& version);

}  // namespace spineleaf::cli
