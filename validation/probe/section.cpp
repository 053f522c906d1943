#include "validation/probe/section.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace spineleaf::probe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kMostSection = 16U << 20;

bool write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

/// A length, then that many bytes of JSON: the last whole one counts.
void send(int pipe, const Json& message) {
  const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kMostSection) return;
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string framed(reinterpret_cast<const char*>(&size), sizeof size);
  framed += text;
  write_all(pipe, framed.data(), framed.size());
}

Json with_state(bool available, const std::string& reason, const std::string& how,
                const Json& content) {
  Json out;
  out["available"] = available;
  out["complete"] = reason.empty();
  out["reason"] = reason;
  out["how_to_get_it"] = how;
  if (content.is_object()) out.update(content);
  return out;
}

[[noreturn]] void run_child(const Part& part, int pipe, char* step) {
  ::signal(SIGINT, SIG_IGN);  // The watching process gets it and ends this one.
  Json content = Json::object();
  Json message;
  Progress progress(pipe, step);
  try {
    part(content, progress);
    message["final"] = with_state(true, "", "", content);
  } catch (const Unavailable& trouble) {
    message["final"] =
        with_state(!content.empty(), trouble.what(), trouble.how_to_get_it(), content);
  } catch (const std::exception& trouble) {
    message["final"] = with_state(!content.empty(), trouble.what(), "", content);
  }
  send(pipe, message);
  // Whatever libraries want to do at the end may hang and is not needed.
  ::_exit(0);
}

/// What came through the pipe; knows the last whole message.
class Inbox {
 public:
  /// False at the end of the pipe.
  bool take(int pipe) {
    char buffer[65536];
    const ssize_t n = ::read(pipe, buffer, sizeof buffer);
    if (n < 0) return errno == EINTR || errno == EAGAIN;
    if (n == 0) return false;
    text_.append(buffer, static_cast<std::size_t>(n));
    std::uint32_t size = 0;
    while (text_.size() >= sizeof size) {
      std::memcpy(&size, text_.data(), sizeof size);
      if (size > kMostSection || text_.size() < sizeof size + size) break;
      last_ = Json::parse(text_.begin() + sizeof size, text_.begin() + sizeof size + size, nullptr,
                          false);
      text_.erase(0, sizeof size + size);
    }
    return true;
  }
  const Json& last() const { return last_; }

 private:
  std::string text_;
  Json last_ = Json::object();
};

/// Ends a child and does not wait for ever: one that hangs inside the kernel can't be ended.
int end_child(pid_t child, bool kill_it) {
  int status = 0;
  if (kill_it) ::kill(-child, SIGKILL);
  for (int tries = 0; tries < 200; ++tries) {
    if (::waitpid(child, &status, WNOHANG) != 0) return status;
    ::usleep(5000);
    if (tries == 100) ::kill(-child, SIGKILL);
  }
  return status;
}

std::string seconds_text(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

void Progress::step(const char* name) {
  std::strncpy(step_, name, kStepBytes - 1);
  step_[kStepBytes - 1] = '\0';
}

void Progress::publish(const Json& so_far) {
  Json message;
  message["so_far"] = so_far;
  send(pipe_, message);
}

Json unavailable(const std::string& reason, const std::string& how_to_get_it) {
  return with_state(false, reason, how_to_get_it, Json::object());
}

Json run_part(const Part& part, double seconds, const volatile int& interrupted) {
  int ends[2];
  void* shared = ::mmap(nullptr, Progress::kStepBytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return unavailable("no memory to watch a part", "");
  char* step = static_cast<char*>(shared);
  if (::pipe2(ends, O_CLOEXEC) != 0) return unavailable("no pipe to watch a part", "");
  const pid_t child = ::fork();
  if (child < 0) return unavailable(std::string("fork: ") + std::strerror(errno), "");
  if (child == 0) {
    ::setpgid(0, 0);
    ::close(ends[0]);
    run_child(part, ends[1], step);
  }
  ::setpgid(child, child);
  ::close(ends[1]);
  Inbox inbox;
  const auto deadline =
      Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  bool late = false;
  while (interrupted == 0) {
    late = Clock::now() >= deadline;
    if (late) break;
    pollfd wait{ends[0], POLLIN, 0};
    const int ready = ::poll(&wait, 1, 20);
    if (ready > 0 && !inbox.take(ends[0])) break;
    if (inbox.last().contains("final")) break;
  }
  const bool done = inbox.last().contains("final");
  const int status = end_child(child, !done && (late || interrupted != 0));
  ::close(ends[0]);
  const std::string where = step[0] == '\0' ? "" : std::string(" in ") + step;
  ::munmap(shared, Progress::kStepBytes);
  if (done) return inbox.last()["final"];
  const Json so_far = inbox.last().value("so_far", Json::object());
  std::string reason = "interrupted" + where;
  if (interrupted == 0) {
    reason = late ? "no answer within " + seconds_text(seconds) + " s" + where
                  : "ended by signal " + std::to_string(WTERMSIG(status)) + where;
  }
  return with_state(!so_far.empty(), reason,
                    late ? "look at dmesg for errors of the driver, then run the probe again" : "",
                    so_far);
}

}  // namespace spineleaf::probe
