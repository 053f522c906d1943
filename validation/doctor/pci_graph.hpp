#pragma once
// Which PCIe bridges lie between a GPU and its nearest NICs, from facts of lspci (buses) or of the
// probe (parents).

#include <map>
#include <set>
#include <string>
#include <vector>

#include "validation/measurements/facts.hpp"

namespace spineleaf {

/// A GPU or a NIC, by its class.
bool is_endpoint(const Facts& facts, const std::string& address);

class PciGraph {
 public:
  explicit PciGraph(const Facts& facts);
  bool is_between_gpu_and_nic(const std::string& bridge) const {
    return between_.count(bridge) > 0;
  }

 private:
  std::set<std::string> between_;
};

}  // namespace spineleaf
