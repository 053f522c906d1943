#pragma once
// RingApp: the ranks of one host in a ring collective, as NCCL runs them.
//
// Each (rank, channel) is a small sequential machine that walks its operations slice by slice. A
// slice step starts when the machine's previous step is done, its input slice is visible and a
// slot towards the next rank is free; it takes an overhead plus bytes / copy rate, the rate being
// that of the channel or its equal part of the GPU's NVLink. Times at which inputs become visible
// and slots become free are known as soon as the step that causes them starts, so inside a node
// one timer per step is enough.
//
// Between nodes a slice is seen by the sender's proxy thread (one per GPU, serial), needs the
// receiver's clear-to-send, crosses the fabric as one message, passes the receiver's proxy thread
// and is seen by its GPU. A slot is free again at the message's last ACK on the sending side, and
// on the receiving side when the GPU has used it; then the next clear-to-send goes out.
//
// Steps that only send or only receive cost half: traces of NCCL primitives (NPKit) show 0.5-0.9
// of a combined step for both. Empty slices, which NCCL synchronises on, are not modelled.
//
// State is a few arrays indexed by (GPU, channel) and slot: it follows what is in flight, not the
// size of the message.

#include <cstdint>
#include <vector>

#include "models/collectives/ring_plan.hpp"
#include "models/host/app.hpp"

namespace spineleaf {

/// One slice step, for tests and traces.
struct RingStep {
  std::uint32_t rank = 0;  ///< ring position
  std::uint32_t channel = 0;
  std::uint32_t iteration = 0;
  std::uint32_t loop = 0;
  std::uint32_t operation = 0;
  std::uint32_t slice = 0;
  std::int64_t bytes = 0;
  Time start;
  Time finish;
};
struct RingObserver {
  void (*step)(void* context, const RingStep& step) = nullptr;
  void* context = nullptr;
};

/// One channel as this host sees it.
struct RingChannel {
  std::uint32_t share = 0;     ///< index in RingSetup::shares
  std::uint32_t entry = 0;     ///< GPU at which the channel enters the host
  SenderRow first_data_row{};  ///< rows of the connections to the next host
  SenderRow clear_row{};       ///< row of the clear-to-send connection to the previous host
  std::int64_t expected = 0;   ///< messages that will come in, all iterations
};

struct RingSetup {
  std::uint32_t job = 0;
  std::uint32_t host = 0;  ///< node index, for the record
  std::uint32_t node = 0;  ///< place of the host in the ring of hosts
  std::uint32_t nodes = 1;
  std::uint32_t gpus = 1;
  std::uint32_t connections = 1;  ///< QPs per channel and direction
  RingShape shape;
  HostParams params;
  std::vector<ChannelShare> shares;
  std::vector<RingChannel> channels;
  Bytes bytes;  ///< nccl-tests size
  std::uint32_t warm_up = 0;
  std::uint32_t iterations = 1;
  Time start;
  std::int64_t bytes_planned = 0;
  RingObserver observer{};
};

/// Receiver cookie of a clear-to-send connection; data connections carry channel * QPs + QP.
inline constexpr std::uint32_t kClearToSendCookie = 0x80000000U;
inline constexpr Bytes kClearToSendBytes{64};

class RingApp final : public HostApp {
 public:
  explicit RingApp(RingSetup setup);

  void start(HostServices& host) override;
  void on_wake(HostServices& host, std::uint32_t row) override;
  void on_sent(HostServices& host, std::uint32_t cookie, std::uint32_t tag) override;
  void on_received(HostServices& host, std::uint32_t cookie, std::uint32_t number,
                   Bytes bytes) override;
  void collect(JobReport& report) const override;
  std::int64_t bytes_planned() const override { return setup_.bytes_planned; }

  std::int64_t steps_run() const { return steps_run_; }
  std::size_t memory_bytes() const;

 private:
  struct Machine {
    Time ready;        ///< previous step done, or launch over
    Time end_due{-1};  ///< end of a step that the proxy must see; -1 = none
    std::int64_t chunk_bytes = 0;
    std::int64_t slice_bytes = 0;  ///< of every slice but the chunk's last
    std::uint32_t loop = 0;
    std::uint32_t operation = 0;
    std::uint32_t slice = 0;
    std::uint32_t slices = 0;
    std::uint32_t sent = 0;  ///< slices sent to the next rank so far
    std::uint32_t received = 0;
    std::uint32_t rank = 0;  ///< ring position
    std::uint32_t up = 0;    ///< machine of the previous and the next rank in this host
    std::uint32_t down = 0;
    bool network_in = false;
    bool network_out = false;
    bool armed = false;      ///< a timer is set for the next step
    bool queued = false;     ///< in the list of machines to look at now
    bool active = false;     ///< inside an iteration
    bool end_sends = false;  ///< what the pending step end tells the proxy
    bool end_receives = false;
  };
  /// The crossing of one channel into and out of this host.
  struct Edge {
    std::uint32_t filled = 0;   ///< slices ready for the proxy
    std::uint32_t cleared = 0;  ///< clear-to-send received
    std::uint32_t handed = 0;   ///< slices taken by the proxy thread
    std::int64_t granted = 0;   ///< clear-to-send given
  };
  struct Post {
    Time at;
    std::uint32_t channel = 0;
    std::uint32_t slice = 0;  ///< kGrant: a clear-to-send
  };
  /// A short queue in order of time: [base, base + capacity) of a list, used as a ring.
  struct Fifo {
    std::uint32_t base = 0;
    std::uint32_t capacity = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    Time armed{-1};  ///< its timer
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
  struct Iteration {
    Time end;
    std::uint32_t open_ranks = 0;
  };
  static constexpr std::uint32_t kGrant = UINT32_MAX;

  Rate nvlink_share() const;
  void lay_out();
  void begin(HostServices& host);
  void begin_iteration(std::uint32_t gpu, Time at);
  void look_at(std::uint32_t machine);
  void settle(HostServices& host);
  void consider(HostServices& host, std::uint32_t machine);
  Time next_start(const Machine& m, std::uint32_t machine) const;
  void run_step(Time now, std::uint32_t machine);
  void hand_over(Machine& m, std::uint32_t machine, Time finish, std::int64_t bytes);
  void take_in(Machine& m, std::uint32_t machine, Time finish);
  void observe(const Machine& m, std::uint32_t machine, std::int64_t bytes, Time start,
               Time finish) const;
  void next_slice(Machine& m, std::uint32_t machine);
  bool find_chunk(Machine& m, std::uint32_t machine);
  void machine_through(Machine& m, std::uint32_t machine);
  void note_iteration_end(HostServices& host);
  CollectiveRecord record_of(std::uint32_t iteration, Time end) const;

  void end_step(HostServices& host, std::uint32_t machine);
  Time proxy_job(Time now, std::uint32_t gpu, Time cost);
  void queue_post(HostServices& host, std::uint32_t gpu, Post post, Time cost);
  void hand_to_proxy(HostServices& host, std::uint32_t channel);
  void grant(HostServices& host, std::uint32_t channel);
  void flush_filled(HostServices& host, std::uint32_t gpu);
  void flush_posts(HostServices& host, std::uint32_t gpu);
  void push(Fifo& fifo, const Post& post);
  bool pop_due(HostServices& host, Fifo& fifo, std::uint32_t row, Post& post);

  std::uint32_t channels() const { return static_cast<std::uint32_t>(setup_.channels.size()); }
  std::uint32_t gpu_of(std::uint32_t machine) const { return machine / channels(); }
  std::uint32_t channel_of(std::uint32_t machine) const { return machine % channels(); }
  std::uint32_t entry_machine(std::uint32_t c) const {
    return setup_.channels[c].entry * channels() + c;
  }
  std::uint32_t exit_machine(std::uint32_t c) const {
    return (setup_.channels[c].entry + setup_.gpus - 1) % setup_.gpus * channels() + c;
  }
  std::uint32_t first_proxy_row() const { return static_cast<std::uint32_t>(machines_.size()); }
  std::uint32_t end_row() const { return first_proxy_row() + 2 * setup_.gpus; }
  std::uint32_t total_iterations() const { return setup_.warm_up + setup_.iterations; }

  RingSetup setup_;
  CopyRate nvlink_copy_;  ///< copies that leave the GPU over NVLink
  CopyRate nic_copy_;     ///< all others
  Time overhead_;
  Time hop_;  ///< flag written to flag seen, over NVLink or PCIe
  std::uint32_t depth_ = 1;
  std::vector<Machine> machines_;   ///< by GPU * channels + channel
  std::vector<Time> visible_;       ///< by machine and slot: input slice visible from
  std::vector<Time> free_;          ///< by machine and slot: output slot free from
  std::vector<std::int64_t> wire_;  ///< by channel and slot: bytes of an outgoing message
  std::vector<Edge> edges_;         ///< by channel
  std::vector<Rank> ranks_;
  std::vector<Post> fifos_;          ///< the cells of all Fifos
  std::vector<std::uint32_t> look_;  ///< machines whose next step may be due
  std::vector<Iteration> iterations_;
  std::vector<CollectiveRecord> records_;
  std::uint32_t ended_ = 0;  ///< iterations that this host has ended
  Time last_end_;
  bool begun_ = false;
  std::int64_t steps_run_ = 0;
};

}  // namespace spineleaf
