#pragma once
// The exact deadlock test: which egress queues of switches can never send again.
//
// Start with every queue that is blocked and holds packets, whose receiver is a switch and has
// nothing on the way to the sender that would free it. Take out, again and again, a queue whose
// receiver would let it go on once everything but the queues still in the set had left. What
// remains can't move by itself: a queue outside would have to empty one inside. No waiting time is
// needed, and a cycle of waits that dissolves is never reported. Faults and a watchdog are outside
// the argument: they can end what is found. So can pauses that run out before their refresh comes
// (pfc.quanta of a few hundred bytes' time). With pfc.never_expires and a dynamic threshold a pause
// is looked at again only when its own ingress sends, and a fabric may stand still that could go
// on: that is no deadlock here.

#include <cstdint>
#include <string>
#include <vector>

#include "models/fabric.hpp"
#include "scenarios/result.hpp"

namespace spineleaf {

struct DeadQueue {
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  std::uint32_t traffic_class = 0;
};

/// Reads a fabric at an instant that no epoch crosses (rules of time, rule 10).
class DeadlockTest {
 public:
  DeadlockTest(Fabric& fabric, const Topology& topology);

  /// True if some queue can never send again.
  bool stands(Time at);
  /// The queues that the last stands() found.
  std::vector<DeadQueue> dead_queues() const;
  /// The same for a person: their cycles, what is trapped, who is held up behind.
  DeadlockReport describe(Time at) const;

 private:
  struct Held {
    std::uint32_t ingress = 0;
    std::int64_t units = 0;  ///< cells or blocks
  };
  /// A blocked egress queue of a switch, and the ingress that it waits for.
  struct Candidate {
    std::uint32_t node = 0, port = 0, traffic_class = 0;
    std::uint32_t peer = 0, peer_port = 0;
    bool in = true;
    std::vector<Held> held;  ///< what waits in it, by ingress port of its own switch
  };
  struct SwitchState {
    std::vector<std::uint32_t> here;     ///< candidates of this switch still in
    std::vector<std::uint32_t> waiting;  ///< candidates that wait for an ingress of this switch
    std::vector<std::int64_t> standing;  ///< per ingress (port, class)
    bool queued = false;                 ///< in the list of switches to look at
  };

  void collect(Time at);
  void leave_out_free();
  void add_up();
  void settle();
  bool may_go_on(const Candidate& candidate, std::int64_t shared) const;
  std::int64_t shared_of(std::uint32_t node) const;
  void take_out(std::uint32_t number);
  std::string name(const Candidate& candidate) const;

  Fabric& fabric_;
  const Topology& topology_;
  bool credits_ = false;
  std::vector<Candidate> candidates_;
  std::vector<SwitchState> switches_;  ///< by node
  std::vector<std::uint32_t> touched_;
};

}  // namespace spineleaf
