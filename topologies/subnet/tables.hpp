#pragma once
// Linear forwarding tables: which port of a switch leads to which LID, and on which virtual lane a
// route travels. What routing engines make and what a subnet manager dumps.

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/routes.hpp"
#include "topologies/subnet/subnet.hpp"

namespace spineleaf {

class ForwardingTables {
 public:
  static constexpr std::uint16_t kNone = UINT16_MAX;  ///< a hole: packets to this LID are dropped
  static constexpr std::uint16_t kSelf = UINT16_MAX - 1;  ///< port 0: the switch's own LID

  ForwardingTables() = default;
  /// All holes. `lids` is one more than the highest LID.
  ForwardingTables(std::size_t switches, std::size_t lids)
      : lids_(lids), ports_(switches * lids, kNone) {}

  std::size_t lids() const { return lids_; }
  std::size_t switches() const { return lids_ == 0 ? 0 : ports_.size() / lids_; }

  /// The port of the graph (not the number on the box), kNone or kSelf.
  std::uint16_t at(std::size_t row, std::size_t lid) const { return ports_[row * lids_ + lid]; }
  void set(std::size_t row, std::size_t lid, std::uint16_t port) {
    ports_[row * lids_ + lid] = port;
  }
  std::span<const std::uint16_t> row(std::size_t row) const {
    return {ports_.data() + row * lids_, lids_};
  }

 private:
  std::size_t lids_ = 0;
  std::vector<std::uint16_t> ports_;  ///< [switch row][LID]
};

/// Virtual lanes of routes: one per (switch where the traffic enters, LID), the same at every hop.
struct LanePlan {
  unsigned lanes = 1;
  std::size_t lids = 0;
  std::vector<std::uint8_t> lane_of;  ///< [switch row][LID]; empty: everything on lane 0

  unsigned lane(std::size_t source_row, std::size_t lid) const {
    return lane_of.empty() ? 0 : lane_of[source_row * lids + lid];
  }
};

struct SubnetRoutes {
  ForwardingTables tables;
  LanePlan lanes;
};

/// The tables as Routes whose groups are the LIDs of endpoints: what a simulated switch and the
/// audits read. Endpoints are reached by their base LID. `lid_of_group` gives the LID of a group.
struct TableRoutes {
  Routes routes;
  std::vector<std::uint32_t> lid_of_group;
};
TableRoutes to_routes(const Subnet& subnet, const ForwardingTables& tables);

}  // namespace spineleaf
