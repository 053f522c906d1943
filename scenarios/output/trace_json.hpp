#pragma once
// A run as a trace in Chrome's JSON format, which ui.perfetto.dev and chrome://tracing open.
//
// Processes are the fabric, hosts, switches and the ranks of jobs. Counters: queues, rates that
// DCQCN allows, the run's time series. Slices: messages (at the sender from posting to the last
// ACK, at the receiver to the last byte, joined by an arrow), times at which ports were held,
// collectives and their steps. Source of the format: "Trace Event Format", Google, 2016.
//
// Size is bounded: of more than `most_messages` messages each n-th is written; ports and steps are
// those that Result::history keeps. The file says so under "otherData".

#include <string>

#include "scenarios/result.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

inline constexpr std::size_t kMostTracedMessages = 20'000;

/// `topology` is the one that was run.
std::string trace_json(const Result& result, const Topology& topology,
                       std::size_t most_messages = kMostTracedMessages);

}  // namespace spineleaf
