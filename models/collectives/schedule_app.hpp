#pragma once
// ScheduleApp: the ranks of one host in a collective, as NCCL runs them.
//
// Each (rank, channel, role) is a small sequential machine that walks its program slice by slice. A
// slice step starts when the machine's previous step is done, its input slices are visible and
// slots towards the next machines are free; it takes an overhead plus bytes / copy rate, the rate
// being that of its part of the channel or of the GPU's NVLink. Times at which inputs become
// visible and slots become free are known as soon as the step that causes them starts, so inside a
// node one timer per step is enough.
//
// Between nodes a slice is seen by the sender's proxy thread (one per GPU, serial), needs the
// receiver's clear-to-send, crosses the fabric as one message, passes the receiver's proxy thread
// and is seen by its GPU. A slot is free again at the message's last ACK on the sending side, and
// on the receiving side when the GPU has used it; then the next clear-to-send goes out.
//
// With protocol LL a flag travels with every 8 bytes: inside a node the next GPU begins when the
// first of them are there and ends after the last (cut-through). The other protocols hand over
// whole slices.
//
// Steps that only send or only receive cost half: traces of NCCL primitives (NPKit) show 0.5-0.9
// of a combined step for both. Empty slices, which NCCL synchronises on, are not modelled.
//
// State is a few arrays indexed by machine, link and slot: it follows what is in flight, not the
// size of the message.

#include <cstdint>
#include <memory>
#include <vector>

#include "models/collectives/ring_plan.hpp"
#include "models/collectives/schedule.hpp"
#include "models/host/app.hpp"

namespace spineleaf {

/// One slice step, for tests and traces.
struct ScheduleStep {
  MachineId place;
  std::uint32_t iteration = 0;
  ScheduleCursor cursor;
  ChunkStep chunk;
  std::uint32_t slice = 0;
  std::int64_t bytes = 0;
  Time start;
  Time finish;
};
struct ScheduleObserver {
  void (*step)(void* context, const ScheduleStep& step) = nullptr;
  void* context = nullptr;
};

/// No link inside this host: it goes over the network.
inline constexpr std::uint32_t kOverNetwork = UINT32_MAX;

/// An input of a machine. `other` is the output that feeds it, numbered like ScheduleSetup::outs.
struct ScheduleIn {
  std::uint32_t machine = 0;
  std::uint32_t other = kOverNetwork;
  SenderRow clear_row{};                ///< of the clear-to-send connection
  std::int64_t expected = 0;            ///< messages of one iteration, over the network
  std::uint32_t source = kOverNetwork;  ///< from the switches: the output that feeds them
};
/// An output of a machine.
struct ScheduleOut {
  std::uint32_t machine = 0;
  std::uint32_t other = kOverNetwork;
  SenderRow first_data_row{};
  std::uint32_t proxy = 0;   ///< GPU whose proxy thread sends
  std::uint32_t number = 0;  ///< among this host's network outputs, in the order of connections
  bool aggregated = false;   ///< into the switches
  MemberRow member{};
};

struct ScheduleSetup {
  std::uint32_t job = 0;
  std::uint32_t host = 0;         ///< node index, for the record
  std::uint32_t node = 0;         ///< place of the host among the collective's nodes
  std::uint32_t connections = 1;  ///< QPs per link and direction
  Collective collective = Collective::AllReduce;
  std::shared_ptr<const Schedule> schedule;
  HostParams params;
  std::vector<ScheduleIn> ins;        ///< machine by machine, in the order of its links
  std::vector<ScheduleOut> outs;      ///< the same
  std::vector<std::uint32_t> inlets;  ///< inputs over the network, in the order of connections
  Bytes bytes;                        ///< nccl-tests size
  std::uint32_t warm_up = 0;
  std::uint32_t iterations = 1;
  Time start;
  std::int64_t bytes_planned = 0;
  ScheduleObserver observer{};
};

/// Receiver cookie of a clear-to-send connection, with the number of the output; data connections
/// carry input * QPs + QP.
inline constexpr std::uint32_t kClearToSendCookie = 0x80000000U;
inline constexpr Bytes kClearToSendBytes{64};

class ScheduleApp final : public HostApp {
 public:
  explicit ScheduleApp(ScheduleSetup setup);

  void start(HostServices& host) override;
  void on_wake(HostServices& host, std::uint32_t row) override;
  void on_sent(HostServices& host, std::uint32_t cookie, std::uint32_t tag) override;
  void on_received(HostServices& host, std::uint32_t cookie, std::uint32_t number,
                   Bytes bytes) override;
  void collect(JobReport& report) const override;
  std::int64_t bytes_planned() const override { return setup_.bytes_planned; }

  /// Before the run: called at every step from now on, on the thread that runs this host.
  void observe_with(ScheduleObserver observer) { setup_.observer = observer; }
  /// The lowest of this host's ranks.
  std::uint32_t first_rank() const { return place_of(0).rank; }
  std::int64_t steps_run() const { return steps_run_; }
  std::size_t memory_bytes() const;

  /// Machines of a host with so many GPUs, and the number of one of them.
  static std::uint32_t machine_of(const Schedule& schedule, const MachineId& place) {
    const std::uint32_t gpu = place.rank % schedule.communicator().gpus;
    return (gpu * schedule.channels() + place.channel) * schedule.roles() + place.role;
  }

 private:
  /// Inputs and outputs of a step, as ranges of ins_ and outs_.
  struct Ends {
    std::uint32_t first_in = 0;
    std::uint32_t first_out = 0;
    std::uint16_t ins = 0;
    std::uint16_t outs = 0;
  };
  struct Machine {
    Time ready;        ///< previous step done, or launch over
    Time end_due{-1};  ///< end of a step that the proxy must see; -1 = none
    std::int64_t chunk_bytes = 0;
    std::int64_t slice_bytes = 0;  ///< of every slice but the chunk's last
    Ends now;                      ///< of the present chunk
    Ends ended;                    ///< of the pending step end
    ScheduleCursor cursor;
    std::uint32_t slice = 0;
    std::uint32_t slices = 0;
    std::uint32_t first_in = 0;
    std::uint32_t first_out = 0;
    std::uint8_t cost = 0;  ///< index in costs_
    bool armed = false;     ///< a timer is set for the next step
    bool queued = false;    ///< in the list of machines to look at now
    bool active = false;    ///< inside an iteration
  };
  struct In {
    std::uint32_t machine = 0;
    std::uint32_t other = kOverNetwork;
    std::uint32_t received = 0;  ///< slices
    SenderRow clear_row{};
    std::int64_t granted = 0;  ///< clear-to-send given
    std::int64_t limit = 0;    ///< clear-to-send that may be given by now
    std::int64_t expected = 0;
    std::uint32_t source = kOverNetwork;
  };
  struct Out {
    std::uint32_t machine = 0;
    std::uint32_t other = kOverNetwork;
    std::uint32_t sent = 0;     ///< slices
    std::uint32_t filled = 0;   ///< slices ready for the proxy
    std::uint32_t cleared = 0;  ///< clear-to-send received
    std::uint32_t handed = 0;   ///< slices taken by the proxy thread
    SenderRow first_data_row{};
    std::uint32_t proxy = 0;
    std::uint32_t number = 0;
    bool aggregated = false;
    MemberRow member{};
  };
  struct Post {
    Time at;
    std::uint32_t link = 0;   ///< output; for a clear-to-send, input
    std::uint32_t slice = 0;  ///< kGrant: a clear-to-send
  };
  /// A short queue in order of time that grows when needed.
  struct Fifo {
    std::vector<Post> cells;  ///< a power of two, used as a ring
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    Time armed{-1};  ///< its timer
    void push(const Post& post);
    Post& front() { return cells[first]; }
    void pop();
  };
  struct Rank {  ///< a GPU and its proxy thread
    Time proxy_free;
    Time finish;             ///< latest end over the machines that are through
    std::uint32_t open = 0;  ///< machines still inside the iteration
    std::uint32_t iteration = 0;
    Fifo filled;  ///< slices on their way from the GPU to the proxy thread
    Fifo posts;   ///< what the proxy thread will post
  };
  /// A rate with the last answer kept: slices of one size follow each other.
  struct CopyRate {
    Rate rate;
    std::int64_t last_bytes = -1;
    Time last_time;
    Time time(std::int64_t bytes);
  };
  struct Cost {
    MachineCost step;
    CopyRate nvlink;  ///< copies that leave the GPU over NVLink
    CopyRate nic;     ///< all others
  };
  struct Iteration {
    Time end;
    std::uint32_t open_ranks = 0;
  };
  static constexpr std::uint32_t kGrant = UINT32_MAX;

  Rate nvlink_share() const;
  void lay_out();
  void lay_out_machines();
  std::uint8_t cost_of(std::uint32_t machine);
  void begin(HostServices& host);
  void begin_iteration(HostServices& host, std::uint32_t gpu, Time at);
  void look_at(std::uint32_t machine);
  void settle(HostServices& host);
  void consider(HostServices& host, std::uint32_t machine);
  Time next_start(const Machine& m) const;
  void run_step(HostServices& host, std::uint32_t machine);
  bool hand_over(std::uint32_t out, Time first, Time finish, std::int64_t bytes);
  Time after_inputs(const Machine& m, Time finish) const;
  bool take_in(std::uint32_t in, Time finish);
  void observe(const Machine& m, std::uint32_t machine, std::int64_t bytes, Time start,
               Time finish) const;
  void next_slice(HostServices& host, Machine& m, std::uint32_t machine);
  bool find_chunk(HostServices& host, Machine& m, std::uint32_t machine);
  bool leaves_gpu(const Machine& m, std::uint32_t machine) const;
  void close_rank(HostServices& host, std::uint32_t gpu);
  void machine_through(HostServices& host, Machine& m, std::uint32_t machine);
  void note_iteration_end(HostServices& host);
  CollectiveRecord record_of(std::uint32_t iteration, Time end) const;

  void end_step(HostServices& host, std::uint32_t machine);
  Time proxy_job(Time now, std::uint32_t gpu, Time cost);
  void queue_post(HostServices& host, std::uint32_t gpu, Post post, Time cost);
  void hand_to_proxy(HostServices& host, std::uint32_t out);
  void grant(HostServices& host, std::uint32_t in);
  void open_inlets(HostServices& host, const Machine& m);
  void flush_filled(HostServices& host, std::uint32_t gpu);
  void flush_posts(HostServices& host, std::uint32_t gpu);
  bool pop_due(HostServices& host, Fifo& fifo, std::uint32_t row, Post& post);

  std::uint32_t channels() const { return channels_; }
  std::uint32_t gpus() const { return static_cast<std::uint32_t>(ranks_.size()); }
  std::uint32_t gpu_of(std::uint32_t machine) const { return machine / machines_per_gpu_; }
  MachineId place_of(std::uint32_t machine) const;
  std::uint32_t first_proxy_row() const { return static_cast<std::uint32_t>(machines_.size()); }
  std::uint32_t end_row() const { return first_proxy_row() + 2 * gpus(); }
  std::uint32_t total_iterations() const { return setup_.warm_up + setup_.iterations; }

  ScheduleSetup setup_;
  const Schedule& schedule_;
  std::uint32_t channels_ = 1;
  std::uint32_t roles_ = 1;
  std::uint32_t machines_per_gpu_ = 1;
  std::uint32_t depth_ = 1;
  bool cut_through_ = false;
  std::vector<Cost> costs_;  ///< the few that there are
  std::vector<Machine> machines_;
  std::vector<In> ins_;
  std::vector<Out> outs_;
  std::vector<Time> visible_;       ///< by input and slot: slice visible from
  std::vector<Time> whole_;         ///< cut-through: by input and slot, slice whole from
  std::vector<Time> free_;          ///< by output and slot: free from
  std::vector<std::int64_t> wire_;  ///< by network output and slot: bytes of a message
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> look_;  ///< machines whose next step may be due
  std::vector<Iteration> iterations_;
  std::vector<CollectiveRecord> records_;
  std::uint32_t ended_ = 0;  ///< iterations that this host has ended
  Time last_end_;
  bool begun_ = false;
  std::int64_t steps_run_ = 0;
};

}  // namespace spineleaf
