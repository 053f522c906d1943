#include "scenarios/output/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <functional>
#include <set>
#include <vector>

namespace spineleaf {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_continuation(char c) { return (c & 0xC0) == 0x80; }

/// Length of the UTF-8 character at the beginning of `text`; 0 when it is broken or overlong.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool outside = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

std::string_view markup_of(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

bool all_different(const std::vector<std::string>& labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size() == labels.size();
}

}  // namespace

std::string number_text(double value) {
  if (!std::isfinite(value)) return {};
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return "-";
  std::array<char, 400> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  std::string text(buffer.data(), end);
  const bool zero = text.find_first_not_of("-0.") == std::string::npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

std::string short_text(double value) {
  const double size = std::fabs(value);
  if (value == 0) return "0";
  if (size >= 1e15 || size < 1e-6) return number_text(value);
  const int decimals = size >= 999.5    ? 0
                       : size >= 99.95  ? 1
                       : size >= 9.995  ? 2
                       : size >= 0.9995 ? 3
                       : size >= 0.001  ? 5
                                        : 8;
  std::string text = fixed_text(value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string gbps_text(double gbps) {
  const bool large = gbps >= 1000 && gbps < 1e15;
  return (large ? count_text(std::llround(gbps)) : short_text(gbps)) + " Gb/s";
}

std::string count_text(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = digits.front() == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string bytes_text(Bytes bytes) {
  constexpr std::array<std::string_view, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  std::int64_t scale = 1;
  while (unit + 1 < kUnits.size() && std::abs(bytes.count) / scale >= 1024) {
    scale *= 1024;
    ++unit;
  }
  const std::string number =
      bytes.count % scale == 0
          ? std::to_string(bytes.count / scale)
          : fixed_text(static_cast<double>(bytes.count) / static_cast<double>(scale), 2);
  return number + " " + std::string(kUnits[unit]);
}

std::string time_text(Time time) {
  if (time.ps < 0) return "-";
  if (time.ps == 0) return "0 us";
  const double ps = static_cast<double>(time.ps);
  if (time.ps >= 1'000'000'000'000) return short_text(ps / 1e12) + " s";
  if (time.ps >= 1'000'000'000) return short_text(ps / 1e9) + " ms";
  if (time.ps >= 1'000'000) return short_text(ps / 1e6) + " us";
  if (time.ps >= 1'000) return short_text(ps / 1e3) + " ns";
  return std::to_string(time.ps) + " ps";
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; fingerprint >>= 4) {
    text[i] = "0123456789abcdef"[fingerprint & 15];
  }
  return text;
}

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::Ok: return "ok";
    case Verdict::AsExpected: return "as_expected";
    case Verdict::PhysicsAlarm: return "physics_alarm";
    case Verdict::BudgetExceeded: return "budget_exceeded";
    case Verdict::Incomplete: return "incomplete";
    case Verdict::Invalid: return "invalid";
  }
  return "invalid";
}

std::string_view to_text(StopReason reason) {
  switch (reason) {
    case StopReason::Finished: return "finished";
    case StopReason::Deadline: return "deadline";
    case StopReason::NoProgress: return "no_progress";
    case StopReason::Stuck: return "stuck";
    case StopReason::Deadlock: return "deadlock";
    case StopReason::EventBudget: return "event_budget";
    case StopReason::Interrupted: return "interrupted";
    case StopReason::InvariantBroken: return "invariant_broken";
  }
  return "invariant_broken";
}

std::string plain_words(std::string_view word) {
  std::string out(word);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::string_view to_text(DropCause cause) {
  switch (cause) {
    case DropCause::QueueFull: return "queue_full";
    case DropCause::HeadroomFull: return "headroom_full";
    case DropCause::LinkDown: return "link_down";
    case DropCause::NoRoute: return "no_route";
    case DropCause::TtlExpired: return "ttl_expired";
    case DropCause::ReceiverFull: return "receiver_full";
    case DropCause::Watchdog: return "watchdog";
    case DropCause::BitError: return "bit_error";
    case DropCause::HeadOfQueue: return "head_of_queue";
    case DropCause::PacketLifetime: return "packet_lifetime";
    case DropCause::VlStall: return "vl_stall";
  }
  return "unknown";
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const bool control = static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7F;
    const bool space = text[0] == '\n' || text[0] == '\t';
    if (length == 0 || (control && !space)) {
      out += kReplacement;
    } else if (const std::string_view markup = markup_of(text[0]); !markup.empty()) {
      out += markup;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::vector<std::string> run_labels(const std::vector<const Result*>& runs) {
  using Naming = std::function<std::string(const Result&)>;
  const std::array<Naming, 4> namings{
      [](const Result& r) { return r.fabric.empty() ? r.name : r.fabric; },
      [](const Result& r) { return r.name; },
      [](const Result& r) { return r.name + ", " + r.fabric; },
      [](const Result& r) { return r.name + ", " + r.fabric + ", seed " + std::to_string(r.seed); },
  };
  std::vector<std::string> labels;
  for (const Naming& naming : namings) {
    labels.clear();
    for (const Result* run : runs) labels.push_back(naming(*run));
    if (all_different(labels)) return labels;
  }
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] += " #" + std::to_string(i + 1);
  return labels;
}

}  // namespace spineleaf
