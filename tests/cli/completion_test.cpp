// Completion scripts and manual page know every verb and option that `--help` shows, and work in
// the shells themselves.

#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/command.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;

/// An empty folder with `spineleaf` in it, which is where PATH begins.
class ShellFolder {
 public:
  ShellFolder() {
    std::string pattern = (fs::temp_directory_path() / "spineleaf-shell-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
    fs::create_symlink(SPINELEAF_EXECUTABLE, folder_ / "spineleaf");
  }
  ~ShellFolder() { fs::remove_all(folder_); }

  /// What a script says, run by `shell` in the folder.
  std::string output(const std::string& shell, const std::string& script) const {
    std::ofstream(folder_ / "script") << script;
    return shell_command("cd '" + folder_.string() +
                         "' && PATH=$PWD:$PATH && HOME=$PWD timeout 60 " + shell + " script")
        .output;
  }

 private:
  fs::path folder_;
};

bool installed(const std::string& program) {
  return shell_command("command -v " + program).exit_code == 0;
}

/// "run", "check", "check deadlock", ...: what the help lists below `verb`.
void add_verbs(const std::string& verb, std::vector<std::string>& verbs) {
  std::istringstream lines(spineleaf_command(verb + " --help").output);
  bool listed = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ') listed = line.back() == ':' && line != "Options:";
    if (line.find("Positionals:") == 0 || line.find("Example") == 0) listed = false;
    if (!listed || line.size() < 3 || line[2] == ' ' || line.rfind("  ", 0) != 0) continue;
    const std::string below = line.substr(2, line.find(' ', 2) - 2);
    verbs.push_back(verb.empty() ? below : verb + " " + below);
    add_verbs(std::string(verbs.back()), verbs);
  }
}

/// The long options that the help of a verb shows. `probe run` shows the help of another program.
std::vector<std::string> options_of(const std::string& verb) {
  std::vector<std::string> options;
  if (verb == "probe run") return options;
  std::istringstream lines(spineleaf_command(verb + " --help").output);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  -", 0) != 0) continue;
    const std::size_t from = line.find("--");
    if (from != std::string::npos && from < 8) {
      options.push_back(line.substr(from, line.find_first_of(" ,=", from) - from));
    }
  }
  return options;
}

/// Offers of bash for the last of the words; each call prints a line.
std::string bash_try(const std::string& words) {
  return "COMP_WORDS=(" + words +
         "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _spineleaf spineleaf; echo "
         "\"${COMPREPLY[*]}\"\n";
}

TEST(Completion, BashOffersEveryVerbAndOption) {
  std::vector<std::string> verbs;
  add_verbs("", verbs);
  ASSERT_GT(verbs.size(), 30U);
  std::string script = "source <(spineleaf completion bash)\n";
  std::string wanted;
  for (const std::string& verb : verbs) {
    script += bash_try("spineleaf " + verb);
    wanted += verb.substr(verb.rfind(' ') + 1) + "\n";
    for (const std::string& option : options_of(verb)) {
      script += bash_try("spineleaf " + verb + " " + option) + "echo " + option + "\n";
    }
  }
  // An offer has the word itself; other verbs or options may begin with it.
  const std::string output = ShellFolder().output("bash", script);
  std::istringstream lines(output);
  for (const std::string& verb : verbs) {
    std::string offer;
    std::getline(lines, offer);
    EXPECT_NE((" " + offer + " ").find(" " + verb.substr(verb.rfind(' ') + 1) + " "),
              std::string::npos)
        << verb << ": " << offer;
    for (std::size_t i = options_of(verb).size(); i > 0; --i) {
      std::string option;
      std::getline(lines, offer);
      std::getline(lines, option);
      EXPECT_NE((" " + offer + " ").find(" " + option + " "), std::string::npos)
          << verb << ": " << offer << " without " << option;
    }
  }
}

TEST(Completion, BashOffersScenariosKindsAndFiles) {
  const std::string script =
      "source <(spineleaf completion bash)\ntouch quickstart-incast-mine.json\n" +
      bash_try("spineleaf run quickstart-incast-") + bash_try("spineleaf new deadl") +
      bash_try("spineleaf run --out quick") + bash_try("spineleaf check deadlock --set quick") +
      bash_try("spineleaf completion ''");
  EXPECT_EQ(ShellFolder().output("bash", script),
            "quickstart-incast-ndr quickstart-incast-roce quickstart-incast-mine.json\n"
            "deadlock\n\n\nbash zsh\n");
}

TEST(Completion, ZshOffersTheSame) {
  if (!installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const std::string script = R"zsh(
spineleaf completion zsh > _spineleaf
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "unset zle_bracketed_paste; fpath=($PWD \$fpath); autoload -U compinit; compinit -u -D
show() { zle -I; print -r -- \"<\$BUFFER>\"; BUFFER= }; zle -N show; bindkey '^X' show"
for typed in 'swe' 'run --tra' 'run quickstart-incast-r' 'check dead' 'check deadlock --failu' \
    'new deadl' 'completion z' 'validate ro'; do
  zpty -w -n shell "spineleaf $typed"$'\t\x18'
  zpty -r shell line $'*\n<*>*'
  print -r -- ${${line##*$'\n'<}%%>*}
done
)zsh";
  EXPECT_EQ(ShellFolder().output("zsh -f", script),
            "spineleaf sweep \nspineleaf run --trace \nspineleaf run quickstart-incast-roce \n"
            "spineleaf check deadlock \nspineleaf check deadlock --failures \n"
            "spineleaf new deadlock \nspineleaf completion zsh \nspineleaf validate roce \n");
}

TEST(Completion, AnUnknownShellIsNamed) {
  const CommandResult result = spineleaf_command("completion bsh");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.output.find("Did you mean \"bash\"?"), std::string::npos) << result.output;
}

TEST(ManualPage, HasEveryVerbAndOption) {
  if (!installed("groff")) GTEST_SKIP() << "groff is not installed";
  const ShellFolder folder;
  EXPECT_EQ(folder.output("bash", "spineleaf man | groff -man -ww -z"), "");
  const std::string page = folder.output("bash", "spineleaf man | groff -man -Tascii -P-cbou");
  std::vector<std::string> verbs;
  add_verbs("", verbs);
  for (const std::string& verb : verbs) {
    const std::size_t at = page.find("\n   spineleaf " + verb + "\n");
    ASSERT_NE(at, std::string::npos) << verb;
    const std::string section = page.substr(at, page.find("\n   spineleaf ", at + 1) - at);
    for (const std::string& option : options_of(verb)) {
      EXPECT_NE(section.find(option), std::string::npos) << verb << " " << option;
    }
  }
}

}  // namespace
}  // namespace spineleaf
