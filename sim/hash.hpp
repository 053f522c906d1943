#pragma once
// 64-bit mixing for ties and fingerprints: the SplitMix64 finaliser (Steele, Lea, Flood,
// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, with Stafford's variant 13).

#include <cstdint>

namespace spineleaf {

constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
constexpr std::uint64_t mix64(std::uint64_t a, std::uint64_t b) { return mix64(mix64(a) ^ b); }
constexpr std::uint64_t mix64(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix64(mix64(a, b) ^ c);
}

}  // namespace spineleaf
