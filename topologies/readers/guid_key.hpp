#pragma once
// Names such as "S-0200c0de00100000": the letter of the kind and the node GUID.

#include <string_view>

#include "topologies/readers/discovery.hpp"

namespace spineleaf {

struct GuidKey {
  Discovery::Kind kind = Discovery::Kind::Unknown;  ///< Unknown: the key is a free name
  std::uint64_t guid = 0;
};

inline GuidKey read_guid_key(std::string_view key) {
  if (key.size() != 18 || key[1] != '-') return {};
  Cursor digits(key.substr(2));
  const auto guid = digits.number(16);
  if (!guid || !digits.at_end()) return {};
  switch (key[0]) {
    case 'S': return {Discovery::Kind::Switch, *guid};
    case 'H': return {Discovery::Kind::Adapter, *guid};
    case 'R': return {Discovery::Kind::Router, *guid};
    default: return {};
  }
}

/// The key of a device of which only its GUID is known.
inline std::string guid_key(char letter, std::uint64_t guid) {
  const std::string digits = hex_text(guid).substr(2);
  return std::string{letter} + "-" + std::string(16 - digits.size(), '0') + digits;
}

}  // namespace spineleaf
