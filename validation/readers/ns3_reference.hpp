#pragma once
// Reference runs of the HPCC ns-3 simulator in the CSV form of validation/data/ns3/, for replaying
// them here. Node numbers are the simulator's own: hosts first, then switches.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/input/csv_table.hpp"
#include "scenarios/input/problems.hpp"
#include "sim/units.hpp"

namespace spineleaf {

/// ECN marking on ports of one rate.
struct Ns3Marking {
  Rate rate;
  Bytes kmin, kmax;
  double pmax = 0;
};

/// Keys of the simulator's configuration that a replay needs; the field's name in brackets.
struct Ns3Config {
  std::map<std::string, std::string> raw;  ///< every key as written
  Bytes payload;                           ///< PACKET_PAYLOAD_SIZE; headers add 48 B
  std::int64_t congestion_control = 0;     ///< CC_MODE: 1 = DCQCN
  bool dynamic_pfc = false;                ///< USE_DYNAMIC_PFC_THRESHOLD
  Time alpha_timer;                        ///< ALPHA_RESUME_INTERVAL [dce_tcp_rtt]
  Time rate_decrease;                      ///< RATE_DECREASE_INTERVAL [rate_reduce_monitor_period]
  Time rate_increase;                      ///< RP_TIMER [rpg_time_reset]
  double g = 0;                            ///< EWMA_GAIN [dce_tcp_g]
  std::int64_t threshold = 0;              ///< FAST_RECOVERY_TIMES [rpg_threshold]
  Rate ai_rate, hai_rate, min_rate;        ///< RATE_AI, RATE_HAI, MIN_RATE
  bool clamp_target_rate = false;          ///< CLAMP_TARGET_RATE [clamp_tgt_rate]
  bool window = false;                     ///< HAS_WIN
  bool ack_high_priority = false;          ///< ACK_HIGH_PRIO
  Bytes buffer;                            ///< BUFFER_SIZE: of a switch
  std::vector<Ns3Marking> marking;         ///< KMIN_MAP, KMAX_MAP, PMAX_MAP; ascending rate
};

struct Ns3Link {
  std::uint32_t a = 0, b = 0;
  Rate rate;
  Time delay;  ///< one way
};

struct Ns3Flow {
  std::string variant;  ///< of the parameters; "" in files of one run
  std::uint32_t from = 0, to = 0;
  std::int64_t source_port = 0;  ///< 0 where the file has none
  Bytes bytes;
  Time start;                       ///< after t0
  Time fct;                         ///< to the sender's last ACK
  Time ideal{-1};                   ///< alone on the path, as that simulator counts; -1 = not told
  std::vector<std::uint32_t> path;  ///< switches passed, in order; empty = not told
};

struct Ns3PauseEvent {
  Time at;                 ///< after t0
  std::uint32_t node = 0;  ///< that received the frame
  bool node_is_switch = false;
  std::uint32_t interface = 0;  ///< from 1, in the order of the node's links
  bool pause = false;           ///< false = resume
};

/// One sample of the bottleneck port. Intervals are [at, at + interval).
struct Ns3Sample {
  Time at;
  Bytes largest_queue, last_queue;
  std::int64_t packets = 0;
  std::int64_t marked = 0;
  std::vector<double> goodput_gbps;  ///< per source, in column order
};

template <typename Value>
struct Ns3Read {
  Value value;  ///< what could be read, even with problems
  std::vector<InputProblem> problems;
};

Ns3Read<Ns3Config> read_ns3_config(std::string_view text, const std::string& file);
Ns3Read<std::vector<Ns3Link>> read_ns3_topology(std::string_view text, const std::string& file);
Ns3Read<std::vector<Ns3Flow>> read_ns3_flows(std::string_view text, const std::string& file);
Ns3Read<std::vector<Ns3PauseEvent>> read_ns3_pauses(std::string_view text, const std::string& file);
Ns3Read<std::vector<Ns3Sample>> read_ns3_series(std::string_view text, const std::string& file);

/// The same from a file: `read_ns3_file(path, read_ns3_flows)`.
template <typename Value>
Ns3Read<Value> read_ns3_file(const std::string& path,
                             Ns3Read<Value> (*read)(std::string_view, const std::string&)) {
  FileText file = read_file(path);
  if (!file.problems.empty()) return {{}, std::move(file.problems)};
  return read(file.text, path);
}

/// "100Gbps", "20Mb/s", "1000ns": a number and a unit. False if the text is none of these.
bool parse_ns3_rate(std::string_view text, Rate& rate);
bool parse_ns3_delay(std::string_view text, Time& delay);

}  // namespace spineleaf
