// The manual page, in roff with the man macros.

#include <sstream>

#include "bindings/cli/command_tree.hpp"

namespace spineleaf::cli {

namespace {

/// Text in which roff reads no mark of its own.
std::string roff_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
      safe += c;
    }
  }
  return safe;
}

/// Several lines that stay several lines.
std::string roff_lines(const std::string& text) { return ".nf\n" + roff_text(text) + "\n.fi\n"; }

std::string roff_option(const CommandOption& option) {
  std::string heading;
  for (const std::string& name : option.names) {
    heading += (heading.empty() ? "\\fB" : ", \\fB") + roff_text(name) + "\\fR";
  }
  if (option.names.empty()) {
    heading = "\\fI" + roff_text(option.positional) + "\\fR";
  } else if (!option.value.empty()) {
    heading += " \\fI" + roff_text(option.value) + "\\fR";
  }
  const bool lines = option.description.find('\n') != std::string::npos;
  return ".TP\n" + heading + "\n" +
         (lines ? roff_lines(option.description) : roff_text(option.description) + "\n");
}

/// "Examples:\n  spineleaf ..." as a paragraph and lines.
std::string roff_footer(const std::string& footer) {
  if (footer.empty()) return {};
  const std::size_t end = footer.find('\n');
  std::string text = ".PP\n" + roff_text(footer.substr(0, end)) + "\n";
  if (end != std::string::npos) text += ".PP\n" + roff_lines(footer.substr(end + 1));
  return text;
}

}  // namespace

std::string manual_page(const Command& root, const std::string& version) {
  std::string text = ".\\\" written by `spineleaf man`\n.TH SPINELEAF 1 \"\" \"spineleaf " +
                     roff_text(version) + "\" \"User Commands\"\n";
  text += ".SH NAME\nspineleaf \\- packet\\-level simulator of GPU\\-cluster fabrics\n";
  text += ".SH SYNOPSIS\n.B spineleaf\n\\fIverb\\fR [\\fIoption\\fR]...\n";
  text += ".SH DESCRIPTION\n" + roff_text(root.description) + "\n";
  text += ".SH OPTIONS\n";
  for (const CommandOption& option : root.options) text += roff_option(option);
  text += ".SH VERBS\n";
  for (const Command* command : flattened(root)) {
    if (command == &root) continue;
    text += ".SS " + roff_text(command->path) + "\n" + roff_text(command->description) + "\n";
    for (const CommandOption& option : command->options) text += roff_option(option);
    text += roff_footer(command->footer);
  }
  return text;
}

}  // namespace spineleaf::cli
