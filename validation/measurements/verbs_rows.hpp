#pragma once
// Times of RDMA writes out of a collection: of perftest where it tells how many messages are in
// flight, and of spineleaf-probe.

#include <vector>

#include "validation/measurements/collection.hpp"
#include "validation/measurements/verbs_cost.hpp"

namespace spineleaf {

struct FoundVerbs {
  std::vector<VerbsRow> rows;  ///< at most 200, so that a fit takes milliseconds
  std::vector<Evidence> at;    ///< of each row
  bool loopback = false;       ///< all of one port to itself: no wire between

  /// Where the row with these numbers stands.
  Evidence at_row(const VerbsRow& row) const;
};

/// From host memory, or from GPU memory.
FoundVerbs verbs_rows(const Collection& collection, bool gpu_memory);

/// "16 KiB at depth 8 on 1 QP".
std::string row_text(const VerbsRow& row);

}  // namespace spineleaf
