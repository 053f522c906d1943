#pragma once
// Runs the built `spineleaf` and keeps what it says.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace spineleaf {

struct CommandResult {
  int exit_code = -1;
  std::string output;  ///< stdout and stderr together
};

/// A line for the shell; stdin is empty.
inline CommandResult shell_command(const std::string& line) {
  CommandResult result;
  std::FILE* pipe = ::popen(("{ " + line + "\n} 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    result.output.append(buffer.data(), n);
  }
  const int status = ::pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

/// `arguments` go through the shell.
inline CommandResult spineleaf_command(const std::string& arguments,
                                       const std::string& environment = "") {
  return shell_command(environment + " '" SPINELEAF_EXECUTABLE "' " + arguments);
}

/// `spineleaf` on a terminal of its own, as a person sees it. When `until` has appeared, Ctrl-C is
/// pressed.
inline CommandResult spineleaf_on_terminal(const std::vector<std::string>& arguments,
                                           const std::string& until) {
  CommandResult result;
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) return result;
  const std::string name = ::ptsname(terminal);
  const ::pid_t child = ::fork();
  if (child < 0) return result;
  if (child == 0) {
    // The first terminal that the leader of a session opens is the one whose Ctrl-C it gets.
    ::setsid();
    const int own = ::open(name.c_str(), O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(own, stream);
    std::vector<char*> line{const_cast<char*>(SPINELEAF_EXECUTABLE)};
    for (const std::string& word : arguments) line.push_back(const_cast<char*>(word.c_str()));
    line.push_back(nullptr);
    ::execv(line[0], line.data());
    ::_exit(127);
  }
  std::array<char, 4096> buffer{};
  bool pressed = false;
  // Reading fails when the program has ended and closed the terminal.
  for (::ssize_t n = 0; (n = ::read(terminal, buffer.data(), buffer.size())) > 0;) {
    result.output.append(buffer.data(), static_cast<std::size_t>(n));
    if (pressed || result.output.find(until) == std::string::npos) continue;
    pressed = ::write(terminal, "\x03", 1) == 1;
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace spineleaf
