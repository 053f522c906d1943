#pragma once
// Actor: a small sequential program that sees only its own state and its inbox.
//
// A derived class is `final`, implements the three handlers, and forwards `advance` to run_epoch()
// (sim/advance.hpp), which then calls the handlers without virtual dispatch. Handlers run in the
// order of the rules of time; they may schedule local events, send records and mark ports.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/check.hpp"
#include "sim/hash.hpp"
#include "sim/link.hpp"
#include "sim/local_queue.hpp"
#include "sim/mailbox.hpp"
#include "sim/prefetcher.hpp"
#include "sim/record.hpp"

namespace spineleaf {

/// One lane of execution: a thread's or rank's mailbox and scratch space.
struct Lane {
  struct BatchEntry {
    std::uint64_t key;  ///< dt | class | index
    const Record* record;
  };

  struct Tie {
    std::uint64_t hash;
    LinkId link;
    BatchEntry entry;
    bool before(const Tie& o) const { return hash != o.hash ? hash < o.hash : link < o.link; }
  };

  Lane(std::size_t actors, std::uint32_t slots, EpochGrid grid) : mailbox(actors, slots, grid) {}
  Mailbox mailbox;
  std::vector<BatchEntry> batch;       ///< scratch of run_epoch
  std::vector<BatchEntry> sort_space;  ///< scratch of sorting
  std::vector<Tie> ties;               ///< scratch of ordering ties
  struct Taken {
    Chunk* chunk;
    std::uint32_t count;
  };
  std::vector<Taken> taken;       ///< chunks of the running visit
  Requests requests;              ///< memory of coming visits
  std::vector<Mailbox*> sources;  ///< every lane's mailbox, own one included
  std::int64_t epoch = 0;         ///< the current epoch
  Time least_acting;              ///< no record may act before this (end of the epoch)
  std::int64_t visits = 0;
  std::vector<FarRecord>* direct = nullptr;  ///< reference executor: records go here instead
};

class Actor {
 public:
  Actor(ActorId id, std::string name) : id_(id), name_(std::move(name)) {}
  virtual ~Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

  /// Runs all instants in [from, to). Implemented as `run_epoch(*this, lane, from, to)`.
  virtual void advance(Lane& lane, Time from, Time to) = 0;
  virtual void on_record(const Record& record) = 0;
  virtual void on_local(const LocalEvent& event) = 0;
  /// Class 5: the port was marked and the instant is otherwise complete.
  virtual void on_arbitrate(std::uint32_t port) = 0;
  /// Called once before time zero; may schedule events and mark ports.
  virtual void on_start() {}
  /// What each visit touches, so that the executor can ask for it in time.
  virtual std::vector<std::span<const std::byte>> hot_memory() const { return {}; }
  /// What the actor has counted by the end of the run, as a term of the fingerprint.
  virtual std::uint64_t final_fingerprint() const { return 0; }
  /// The last instant at which something happened here, once the run has ended.
  virtual Time last_instant() const { return now_; }

  // Derived classes may hide these; run_epoch() calls them without virtual dispatch.
  /// `record` is among the next to act: a chance to ask for the rows that it will need.
  void prefetch_for(const Record&) const {}
  /// Every record and event before `to` is done.
  void on_epoch_end(Time) {}

  ActorId id() const { return id_; }
  const std::string& name() const { return name_; }
  Time now() const { return now_; }
  std::uint64_t seed() const { return seed_; }
  std::uint64_t fingerprint() const { return fingerprint_; }
  Time last_progress() const { return last_progress_; }

  // --- for models -------------------------------------------------------------------------------
  void mark(std::uint32_t port) { marked_.set(port); }
  void schedule(Time at, EventClass event_class, std::uint32_t kind, std::uint32_t row,
                std::uint32_t payload = 0) {
    check_not_now_in_arbitration(at);
    local_.push(at, LocalQueue::make_key(event_class, kind, row), payload);
  }
  /// Where many events share one delay (end of transmission of a packet size).
  void schedule_after(Time delay, EventClass event_class, std::uint32_t kind, std::uint32_t row,
                      std::uint32_t payload = 0) {
    schedule_near(now_ + delay, delay, event_class, kind, row, payload);
  }
  /// Where many events lie about `delay` ahead.
  void schedule_near(Time at, Time delay, EventClass event_class, std::uint32_t kind,
                     std::uint32_t row, std::uint32_t payload = 0) {
    check_not_now_in_arbitration(at);
    local_.push_near(at, delay, LocalQueue::make_key(event_class, kind, row), payload);
  }
  /// Room for a record that acts at `at`, to be filled in whole before the next one is sent.
  Record& send(ActorId to, Time at) {
    if (lane_->direct != nullptr) [[unlikely]] {
      return lane_->direct->emplace_back(FarRecord{to, at, {}}).record;
    }
    SIM_CHECK(at >= lane_->least_acting, "a record that acts inside the current epoch was sent",
              name_);
    return lane_->mailbox.append(to, at);
  }
  void send(ActorId to, const Record& record) { send(to, record.time) = record; }
  /// True if nothing else of classes 1 to 4 is left at this instant: what class 5 would do may then
  /// be done at once. Never true under the reference executor, so that each form judges the other.
  bool instant_is_complete() const { return next_record_ > now_ && local_.peek().time > now_; }
  /// Order-free sum of what happened; see rules of time, rule 1.
  void add_fingerprint(std::uint64_t value) { fingerprint_ += value; }
  void note_progress() { last_progress_ = now_; }

  // --- for executors
  void bind(std::uint64_t seed, std::vector<LinkId> in_links) {
    seed_ = seed;
    tie_seed_ = mix64(seed);
    in_links_ = std::move(in_links);
  }
  void set_lane(Lane* lane) { lane_ = lane; }
  void set_now(Time now) { now_ = now; }
  void set_next_record(Time at) { next_record_ = at; }
  LocalQueue& local_queue() { return local_; }
  PortSet& marked() { return marked_; }
  void set_arbitrating(bool on) { arbitrating_ = on; }
  std::vector<Record>& leftovers() { return leftovers_; }
  LinkId in_link(std::uint32_t port) const { return in_links_[port]; }
  /// Tie of a record that acts at `at`: hash(seed, acting instant, directed link) (rule 2).
  std::uint64_t tie_of(Time at, std::uint32_t port) const {
    return mix64(mix64(tie_seed_ ^ static_cast<std::uint64_t>(at.ps)) ^ in_links_[port]);
  }
  Lane& lane() { return *lane_; }
  Time next_visit() const { return next_visit_; }
  void set_next_visit(Time t) { next_visit_ = t; }

 private:
  void check_not_now_in_arbitration(Time at) const {
    SIM_CHECK(at > now_ || (at == now_ && !arbitrating_),
              "an event at its own instant in arbitration, or in the past, was made", name_);
  }

  ActorId id_;
  bool arbitrating_ = false;
  Time now_{-1};
  Time next_record_{-1};  ///< acting instant of the record after the one being handled
  Lane* lane_ = nullptr;
  std::uint64_t fingerprint_ = 0;
  Time last_progress_;
  Time next_visit_ = Time::max();
  LocalQueue local_;
  std::vector<Record> leftovers_;
  PortSet marked_;
  std::uint64_t seed_ = 0;
  std::uint64_t tie_seed_ = 0;
  std::vector<LinkId> in_links_;
  std::string name_;
};

constexpr EventClass class_of(RecordKind kind) {
  return is_link_control(kind) ? EventClass::LinkControl : EventClass::Arrival;
}

/// More events than this at one instant in one actor end the run with the actor's name.
inline constexpr std::uint32_t kInstantLimit = 1'000'000;

}  // namespace spineleaf
