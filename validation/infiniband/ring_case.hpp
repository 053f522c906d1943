#pragma once
// Rings of switches in which every host sends to the one some switches on: credit loops.

#include <string>
#include <vector>

#include "validation/infiniband/case.hpp"

namespace spineleaf {

/// What keeps the loop open.
enum class Escape { None, Updn, Lanes, Dfsssp };

struct Ring {
  int switches = 5;
  int hosts = 2;  ///< per switch
  int hops = 2;   ///< clockwise, between switches
  double gbps = 400;
  Escape escape = Escape::None;
  const char* mode = "min_spacing";
  const char* order = "voq";

  const char* bytes = "4GiB";  ///< of a flow; the default outlasts all
  /// Over those of all cases.
  std::vector<Override> sets = {};

  std::string host(int sw, int k) const;
  std::string id() const;
};

/// Ends at the first deadlock, unless `sets` of the ring says otherwise.
ValidSpec ring_case(const Ring& ring, const std::string& deadline);

}  // namespace spineleaf
