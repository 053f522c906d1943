// Completion for bash, 4.4 or newer.

#include "bindings/cli/command_tree.hpp"
#include "bindings/cli/completion_words.hpp"

namespace spineleaf::cli {

namespace {

constexpr const char* kBashHead =
    R"sh(# bash completion of spineleaf, written by `spineleaf completion bash`.

_spineleaf() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path=spineleaf i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path ${COMP_WORDS[i]}" in
)sh";

constexpr const char* kBashMiddle = R"sh() path+=" ${COMP_WORDS[i]}" ;;
    esac
  done
  # What the options take: a file, or something else; and the words that stand without an option.
  local verbs='' options='' files='' values='' words=''
  case $path in
)sh";

constexpr const char* kBashTail = R"sh(  esac
  COMPREPLY=()
  if [[ " $files " == *" $before "* ]]; then
    return
  elif [[ " $values " == *" $before "* ]]; then
    compopt +o default 2>/dev/null
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  elif [[ -n $verbs ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$word")
    compopt +o default 2>/dev/null
  elif [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$1" completion "$words" 2>/dev/null)" -- "$word"
                             [[ $words != scenarios ]] || compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  fi
}

complete -o default -F _spineleaf spineleaf
)sh";

/// ` NAME='a b c'`, or nothing.
std::string bash_list(const char* name, const std::string& words) {
  return words.empty() ? "" : std::string(" ") + name + "='" + words + "'";
}

void add_word(std::string& words, const std::string& word) {
  if (!words.empty()) words += ' ';
  words += word;
}

std::string bash_case(const Command& command) {
  std::string verbs;
  std::string options;
  std::string files;
  std::string values;
  std::string words;
  for (const Command& below : command.commands) add_word(verbs, below.name);
  for (const CommandOption& option : command.options) {
    if (option.names.empty() && words.empty()) words = completion_words(command, option);
    for (const std::string& name : option.names) {
      add_word(options, name);
      if (!option.value.empty()) add_word(takes_file(option) ? files : values, name);
    }
  }
  return "    '" + command.path + "')" + bash_list("verbs", verbs) + bash_list("options", options) +
         bash_list("files", files) + bash_list("values", values) + bash_list("words", words) +
         " ;;\n";
}

}  // namespace

std::string bash_completion(const Command& root) {
  std::string paths;
  std::string cases;
  for (const Command* command : flattened(root)) {
    cases += bash_case(*command);
    if (command == &root) continue;
    paths += (paths.empty() ? "      '" : "|\\\n      '") + command->path + "'";
  }
  return kBashHead + paths + kBashMiddle + cases + kBashTail;
}

}  // namespace spineleaf::cli
