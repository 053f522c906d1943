#pragma once
// Values with units: text to canonical numbers and back, bit for bit.
//
// "400Gbps", "0.256us", "4 KiB", "5m". Integers are exact: the decimal is scaled in 128 bits, never
// through a double. What is finer than the canonical unit (1 ps, 1 bit/s) is rounded to it; bytes
// must be whole.

#include <optional>
#include <string>
#include <string_view>

#include "scenarios/input/json_source.hpp"
#include "sim/param.hpp"

namespace spineleaf {

/// Why a value was refused; the parts of a message.
struct ValueError {
  std::string what;
  std::string expected;
  std::string hint;
};

/// Reads what the scenario gives for `decl`, in its unit and range. On success `value` is set.
std::optional<ValueError> read_value(const ParamDecl& decl, const JsonNode& node,
                                     ParamValue& value);

/// The declared default. Throws std::logic_error where the declaration itself is wrong.
ParamValue default_value(const ParamDecl& decl);

/// The canonical value as a user would write it, without JSON quotes: the largest unit that
/// divides it ("256ns", "4KiB", "400Gbps"), shortest digits that give the same double.
std::string format_value(const ParamDecl& decl, const ParamValue& value);

/// The shortest text that gives the same double.
std::string shortest_digits(double value);

/// Single quantities in the same form.
std::string to_text(Time time);
std::string to_text(Bytes bytes);
std::string to_text(Rate rate);

/// The same as a JSON token: quoted unless it is a count, a ratio or a flag.
std::string format_json(const ParamDecl& decl, const ParamValue& value);

/// "0ns to 1ms"; "" where the unit has no range.
std::string format_range(const ParamDecl& decl);

/// Regular expression (ECMA 262) of the texts accepted for a unit, for the schema; "" if none.
std::string unit_pattern(Unit unit);

/// "a rate such as \"400Gbps\"".
std::string expectation(const ParamDecl& decl);

}  // namespace spineleaf
