// Section "sharp".
#include <array>

#include "models/param_tables.hpp"
#include "models/params.hpp"

namespace spineleaf {
namespace {

constexpr std::array<std::string_view, 5> kGenerations{"none", "v1", "v2", "v3", "v4"};

constexpr std::array kSharp{
    param<&SharpParams::generation>(
        "generation", Unit::Choice, "none", 0, 4,
        "none: switches only forward. v1 (Switch-IB 2): small operations only (LLT), 256 B a "
        "packet. v2 (Quantum): streams too (SAT), one job at a time through a switch. v3 "
        "(Quantum-2) and v4 (Quantum-X800): as many jobs as the quota allows.",
        "NVIDIA SHARP documentation, versions 2.6 to 3.6", kGenerations),
    param<&SharpParams::radix>(
        "radix", Unit::Count, "0", 0, 512,
        "Children that an aggregation node takes at most; 0 = as many as it has "
        "ports.",
        "assumed: no public limit"),
    param<&SharpParams::max_depth>("max_depth", Unit::Count, "0", 0, 64,
                                   "Switch levels of a tree at most; 0 = any.",
                                   "assumed: no public limit"),
    param<&SharpParams::groups>("groups", Unit::Count, "1024", 1, 1e6,
                                "Groups that an aggregation node can serve.", "assumed"),
    param<&SharpParams::osts>("osts", Unit::Count, "512", 1, 1e6,
                              "Operation slots of an aggregation node.", "assumed"),
    param<&SharpParams::osts_per_group>(
        "osts_per_group", Unit::Count, "16", 2, 65'536,
        "Operation slots that a group uses at most: LLT packets on their "
        "way at once.",
        "SHARP_COLL_OSTS_PER_GROUP, at least 2; the value is assumed"),
    param<&SharpParams::payload_per_ost>(
        "payload_per_ost", Unit::Bytes, "0B", 0, 4096,
        "Payload of an LLT packet; 0 = 256 B for v1, 1,024 B from v2 on.",
        "SHARP_COLL_JOB_QUOTA_PAYLOAD_PER_OST (256 B on Switch-IB 2, at "
        "most 1,024 B)"),
    param<&SharpParams::llt_quota>("llt_quota", Unit::Count, "20", 1, 100,
                                   "Percent of a node's operation slots that one job gets.",
                                   "SHARP 3.0: default share per priority 20 %"),
    param<&SharpParams::sat_buffer>("sat_buffer", Unit::Bytes, "16MiB", 64, unit::GiB,
                                    "Memory of a node for streams on their way.", "assumed"),
    param<&SharpParams::sat_quota>("sat_quota", Unit::Count, "3", 1, 100,
                                   "Percent of that memory that one job gets.",
                                   "SHARP 3.0: default 3 % for SAT"),
    param<&SharpParams::sat_jobs>(
        "sat_jobs", Unit::Count, "0", 0, 1000,
        "Jobs that stream through a node at most; 0 = 1 for v2 (exclusive lock), "
        "as many as the quota allows from v3 on.",
        "SHARP_COLL_JOB_REQ_EXCLUSIVE_LOCK_MODE (default since 3.0)"),
    param<&SharpParams::sat_threshold>(
        "sat_threshold", Unit::Bytes, "16KiB", 1, unit::GiB,
        "Operations of so many bytes a NIC, and more, stream where both would "
        "do.",
        "assumed"),
    param<&SharpParams::latency>("latency", Unit::Time, "100ns", 0, unit::ms,
                                 "From a packet's tail to its sum, per aggregation node, beside "
                                 "switch.core_latency.",
                                 "assumed"),
};

}  // namespace

ParamTable sharp_table() {
  return {"sharp", "Aggregation in InfiniBand switches (SHARP).", kSharp};
}

}  // namespace spineleaf
