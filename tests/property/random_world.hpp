#pragma once
// A random small world from one seed: topology, parameters, traffic, faults, samples.
//
// Buffers hold a few packets, pauses and timers last about as long as packets, faults come while
// traffic runs: what is rare in a sensible fabric is common here. In half of the worlds every delay
// is a multiple of one quantum and packets take few sizes, so that many events share an instant.

#include <string>
#include <string_view>

#include "scenarios/run.hpp"
#include "tests/property/dice.hpp"

namespace spineleaf::property {

inline constexpr Time kNs = Time::from_ns(1);
inline constexpr Time kUs = Time::from_us(1);

enum class Family { Pair, Star, Dumbbell, Ring, LeafSpine, FatTree, RandomGraph };
inline constexpr std::uint64_t kFamilies = 7;
std::string_view family_name(Family family);

/// Consecutive seeds go through the families, then through tie-rich or not, then through the flow
/// controls.
struct Case {
  explicit Case(std::uint64_t n)
      : seed(n),
        family(static_cast<Family>(n % kFamilies)),
        tie_rich(n / kFamilies % 2 == 0),
        flow_control(static_cast<FlowControlKind>(n / (2 * kFamilies) % 3)),
        whole_nanoseconds(n / (6 * kFamilies) % 2 == 0) {}

  /// Of delays: 512 B at 800 Gb/s, 256 B at 400 Gb/s and 64 B at 100 Gb/s, or whole nanoseconds,
  /// to which then every frame is rounded; 0 = none.
  Time quantum() const {
    if (!tie_rich) return Time{0};
    return whole_nanoseconds ? Time{4000} : Time{5120};
  }

  std::uint64_t seed;
  Family family;
  bool tie_rich;
  FlowControlKind flow_control;
  bool whole_nanoseconds;
};

/// Throws std::logic_error if a builder refuses what was drawn.
World random_world(const Case& wanted);

/// Parameters of every model, in ranges where each mechanism acts within microseconds.
ModelParams random_params(Dice& dice, const Case& wanted);
Topology random_topology(Dice& dice, const Case& wanted);

/// One line for a failure message.
std::string describe(const Case& wanted, const World& world);

}  // namespace spineleaf::property
