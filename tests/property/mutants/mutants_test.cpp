// Mutants must die: each wrong choice of the rules of time, made by an epoch executor only, must
// show in some case as a difference from the reference executor. If one lives through all cases,
// the property tests are blind to it.

#include <gtest/gtest.h>

#include "sim/mutants.hpp"
#include "tests/property/compare.hpp"
#include "tests/property/random_world.hpp"
#include "tests/property/seeds.hpp"
#include "tests/sim/chaos.hpp"

namespace spineleaf::property {
namespace {

/// Switches a mutant on for as long as it lives.
class Switched {
 public:
  explicit Switched(Mutant mutant) { active_mutant = mutant; }
  ~Switched() { active_mutant = Mutant::None; }
  Switched(const Switched&) = delete;
  Switched& operator=(const Switched&) = delete;
};

bool world_differs(std::uint64_t seed, Mutant mutant) {
  RunOptions reference;
  reference.reference = true;
  const Result judge = run_world(random_world(Case(seed)), reference);
  const Switched on(mutant);
  return !differences(judge, run_world(random_world(Case(seed)), {})).empty();
}

bool chaos_differs(std::uint64_t seed, Mutant mutant) {
  const test::ChaosResult judge = test::run_chaos(seed, {"reference", true, {}});
  const Switched on(mutant);
  return !(test::run_chaos(seed, {"epochs W", false, {}}) == judge);
}

/// The first case in which the mutant shows; kDefaultCases if it lives.
std::uint64_t death_of(Mutant mutant, bool (*differs)(std::uint64_t, Mutant)) {
  std::uint64_t seed = 0;
  while (seed < kDefaultCases && !differs(seed, mutant)) ++seed;
  return seed;
}

/// Where a mutant must show. What no model can tell shows among actors without a model: their
/// events of one delay come in any order, and they have local events in the classes of records.
struct Wanted {
  const char* name;
  Mutant mutant;
  bool (*differs)(std::uint64_t, Mutant);
};

constexpr Wanted kWanted[] = {
    {"ArbitrateAtOnce", Mutant::ArbitrateAtOnce, world_differs},
    {"TiesAsAppended", Mutant::TiesAsAppended, world_differs},
    {"TiesByLink", Mutant::TiesByLink, world_differs},
    {"TiesByHead", Mutant::TiesByHead, world_differs},
    {"TicksAfter", Mutant::TicksAfter, world_differs},
    {"LostIfDown", Mutant::LostIfDown, world_differs},
    {"CnpSeesDueTimers", Mutant::CnpSeesDueTimers, world_differs},
    {"RingUnsorted", Mutant::RingUnsorted, chaos_differs},
    {"RecordBeforeLocal", Mutant::RecordBeforeLocal, chaos_differs},
};

class Mutants : public testing::TestWithParam<Wanted> {};

TEST_P(Mutants, Die) {
  const std::uint64_t died = death_of(GetParam().mutant, GetParam().differs);
  EXPECT_LT(died, kDefaultCases) << GetParam().name << " lives";
  RecordProperty("died_in_case", static_cast<int>(died));
}

INSTANTIATE_TEST_SUITE_P(EveryOne, Mutants, testing::ValuesIn(kWanted),
                         [](const testing::TestParamInfo<Wanted>& wanted) {
                           return std::string(wanted.param.name);
                         });

TEST(MutantsOff, LeaveEveryCaseEqual) {
  EXPECT_EQ(death_of(Mutant::None, world_differs), kDefaultCases);
  EXPECT_EQ(death_of(Mutant::None, chaos_differs), kDefaultCases);
}

}  // namespace
}  // namespace spineleaf::property
