// Completion for zsh.

#include <algorithm>

#include "bindings/cli/command_tree.hpp"
#include "bindings/cli/completion_words.hpp"

namespace spineleaf::cli {

namespace {

constexpr const char* kZshHead = R"sh(#compdef spineleaf
# zsh completion of spineleaf, written by `spineleaf completion zsh`.

# The words of a list of `spineleaf completion`; a scenario may be a file as well.
_spineleaf_words() {
  local -a known expl
  known=(${(f)"$(spineleaf completion $1 2>/dev/null)"})
  _wanted words expl $1 compadd -a known
  [[ $1 != scenarios ]] || _files
}
)sh";

constexpr const char* kZshTail = R"sh(
if [[ ${funcstack[1]} == _spineleaf ]]; then
  _spineleaf "$@"
else
  compdef _spineleaf spineleaf
fi
)sh";

/// Text inside single quotes, in which _arguments and _describe read no mark of theirs.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : first_line(text)) {
    if (c == '\'') {
      safe += "'\\''";
    } else {
      if (c == ':' || c == '[' || c == ']' || c == '\\') safe += '\\';
      safe += c;
    }
  }
  return safe;
}

std::string zsh_function(const std::string& path) {
  std::string name = path;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return "_" + name;
}

/// ":what:how to complete it".
std::string zsh_value(const Command& command, const CommandOption& option) {
  const std::string words = completion_words(command, option);
  std::string how = " ";
  if (takes_file(option)) how = takes_directory(option) ? "_files -/" : "_files";
  if (!words.empty()) how = " _spineleaf_words " + words;  // the space: as it stands
  return ":" + zsh_text(option.names.empty() ? option.positional : option.value) + ":" + how;
}

std::string zsh_argument(const Command& command, const CommandOption& option) {
  if (option.names.empty()) {
    return std::string("    '") + (option.repeatable ? "*" : "") + zsh_value(command, option) + "'";
  }
  std::string line;
  for (const std::string& name : option.names) {
    std::string excluded;
    for (const std::string& other : option.names) excluded += (excluded.empty() ? "" : " ") + other;
    const std::string before = option.repeatable ? "*" : "(" + excluded + ")";
    if (!line.empty()) line += " \\\n";
    line += "    '" + before + name + "[" + zsh_text(option.description) + "]";
    line += (option.value.empty() ? "" : zsh_value(command, option)) + "'";
  }
  return line;
}

/// A command with verbs below it: its own options, then a verb, then what that one takes.
std::string zsh_verbs(const Command& command) {
  std::string names;
  std::string cases;
  for (const Command& below : command.commands) {
    names += "      '" + below.name + ":" + zsh_text(below.description) + "'\n";
    cases += "      " + below.name + ") " + zsh_function(below.path) + " ;;\n";
  }
  return " \\\n    ':verb:->verb' '*::argument:->arguments'\n  case $state in\n  verb)\n"
         "    verbs=(\n" +
         names + "    )\n    _describe verb verbs\n    ;;\n  arguments)\n    case $line[1] in\n" +
         cases + "    esac\n    ;;\n  esac\n";
}

}  // namespace

std::string zsh_completion(const Command& root) {
  std::string text = kZshHead;
  for (const Command* command : flattened(root)) {
    const bool verbs = !command->commands.empty();
    text += "\n" + zsh_function(command->path) + "() {\n";
    if (verbs) text += "  local context state state_descr line\n  local -a verbs\n";
    text += verbs ? "  _arguments -C" : "  _arguments";
    for (const CommandOption& option : command->options) {
      text += " \\\n" + zsh_argument(*command, option);
    }
    text += verbs ? zsh_verbs(*command) : "\n";
    text += "}\n";
  }
  return text + kZshTail;
}

}  // namespace spineleaf::cli
