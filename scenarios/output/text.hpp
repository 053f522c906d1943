#pragma once
// Numbers and names as text: the same characters on every machine and in every locale.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/result.hpp"
#include "sim/units.hpp"

namespace spineleaf {

/// Fewest digits that read back as the same double: "0.08356", "400", "1e+30". "" for what is not
/// finite.
std::string number_text(double value);

/// A fixed number of decimals, rounded: fixed_text(2.345, 1) is "2.3". "-" for what is not finite.
std::string fixed_text(double value, int decimals);

/// About four significant digits: "1234", "12.34", "0.01234".
std::string short_text(double value);

/// A data rate in Gb/s: "45,044 Gb/s", "397.3 Gb/s".
std::string gbps_text(double gbps);

/// With thousands separators: "1,234,567".
std::string count_text(std::int64_t value);

/// In binary units, exact or with two decimals: "8 MiB", "1.50 KiB", "712 B".
std::string bytes_text(Bytes bytes);

/// In the largest unit that keeps it at or above one: "83.56 ns", "1.234 ms"; "-" below zero, which
/// in records stands for "never".
std::string time_text(Time time);

/// 16 hexadecimal digits.
std::string fingerprint_text(std::uint64_t fingerprint);

/// Words of the schema: "as_expected", "no_progress", "headroom_full".
std::string_view to_text(Verdict verdict);
std::string_view to_text(StopReason reason);
std::string_view to_text(DropCause cause);

/// A word of the schema for people: "no_progress" is "no progress".
std::string plain_words(std::string_view word);

/// For HTML and SVG, in text and in quoted attributes. Control characters and bytes that are no
/// UTF-8 become U+FFFD, so that the page stays well-formed whatever a name holds.
std::string escape_markup(std::string_view text);

/// Names of runs that stand side by side: the fabric where that tells them apart, else with the
/// run's name, else with the seed, else numbered.
std::vector<std::string> run_labels(const std::vector<const Result*>& runs);

}  // namespace spineleaf
