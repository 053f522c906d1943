#pragma once
// ParamDecl: a model parameter declared once, beside the struct it fills.
//
// A model owns a plain struct of parameters and a table of ParamDecl, one per field: name, unit,
// default as a user would write it, range, meaning and source. Scenario readers, the JSON schema,
// `explain` and the lock file walk these tables; no other place knows a parameter's name.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/units.hpp"

namespace spineleaf {

/// How a value is written and what its canonical number means.
enum class Unit : std::uint8_t {
  Time,    ///< "1.5us"; canonical integer: picoseconds
  Bytes,   ///< "4KiB", "9.5MB"; canonical integer: bytes
  Rate,    ///< "400Gbps"; canonical integer: bits per second
  Length,  ///< "5m"; canonical real: metres
  Count,   ///< bare integer
  Ratio,   ///< bare real number
  Flag,    ///< true / false; canonical integer 0 / 1
  Choice,  ///< one of a list of words; canonical integer: index in the list
  Text,    ///< free text (a name, a file)
};

/// A value in canonical form. Which member counts follows from the declaration's unit.
struct ParamValue {
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
};

/// Canonical numbers of common units, for the ranges of declarations.
namespace unit {
inline constexpr double ns = 1e3, us = 1e6, ms = 1e9, s = 1e12;
inline constexpr double KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB, TiB = 1024 * GiB;
inline constexpr double Tbps = 1e12;
}  // namespace unit

struct ParamDecl {
  std::string_view name;  ///< the field's standard term, snake_case
  Unit unit = Unit::Count;
  std::string_view default_text;  ///< as a user writes it, without JSON quotes: "0.256us", "true"
  double min = 0;                 ///< inclusive, canonical unit (ps, bytes, bit/s, m, ...)
  double max = 0;                 ///< inclusive
  std::string_view text;          ///< one or two sentences for `explain` and the schema
  std::string_view source;        ///< paper, manual, measurement, or "assumed"
  std::span<const std::string_view> choices;  ///< for Unit::Choice
  void (*set)(void* object, const ParamValue& value) = nullptr;
  ParamValue (*get)(const void* object) = nullptr;
};

/// The parameters of one section of a scenario ("switch", "dcqcn", the topology kind "fat_tree").
struct ParamTable {
  std::string_view name;
  std::string_view text;
  std::span<const ParamDecl> params;
};

namespace detail {
template <class>
struct MemberOf;
template <class Object, class Field>
struct MemberOf<Field Object::*> {
  using object = Object;
  using field = Field;
};

template <class Field>
void assign(Field& field, const ParamValue& value) {
  if constexpr (std::is_same_v<Field, Time>) {
    field = Time{value.integer};
  } else if constexpr (std::is_same_v<Field, Bytes>) {
    field = Bytes{value.integer};
  } else if constexpr (std::is_same_v<Field, Rate>) {
    field = Rate{value.integer};
  } else if constexpr (std::is_floating_point_v<Field>) {
    field = static_cast<Field>(value.real);
  } else if constexpr (std::is_same_v<Field, std::string>) {
    field = value.text;
  } else {
    field = static_cast<Field>(value.integer);
  }
}

template <class Field>
ParamValue read(const Field& field) {
  ParamValue value;
  if constexpr (std::is_same_v<Field, Time>) {
    value.integer = field.ps;
  } else if constexpr (std::is_same_v<Field, Bytes>) {
    value.integer = field.count;
  } else if constexpr (std::is_same_v<Field, Rate>) {
    value.integer = field.bits_per_second;
  } else if constexpr (std::is_floating_point_v<Field>) {
    value.real = static_cast<double>(field);
  } else if constexpr (std::is_same_v<Field, std::string>) {
    value.text = field;
  } else {
    value.integer = static_cast<std::int64_t>(field);
  }
  return value;
}
}  // namespace detail

/// Binds a declaration to a field: `param<&PfcParams::alpha>("alpha", Unit::Ratio, "0.125", ...)`.
/// Field types: Time, Bytes, Rate, double, std::string, bool, integers and enums (Choice).
template <auto Member>
constexpr ParamDecl param(std::string_view name, Unit unit, std::string_view default_text,
                          double min, double max, std::string_view text, std::string_view source,
                          std::span<const std::string_view> choices = {}) {
  using Object = typename detail::MemberOf<decltype(Member)>::object;
  ParamDecl decl{name, unit, default_text, min, max, text, source, choices, nullptr, nullptr};
  decl.set = [](void* object, const ParamValue& value) {
    detail::assign(static_cast<Object*>(object)->*Member, value);
  };
  decl.get = [](const void* object) {
    return detail::read(static_cast<const Object*>(object)->*Member);
  };
  return decl;
}

}  // namespace spineleaf
