#pragma once
// The parameters of the end-point model: what servers, NICs and NCCL cost, each a thing that one
// could measure by itself. No parameter belongs to one size or one measured set.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace spineleaf {

enum class Cost : std::uint8_t {
  Launch,
  Hop,
  HopLl128,
  HopSimple,
  RateLl,
  RateLl128,
  ChannelRate,
  NvlinkShare,
  NvlsOverhead,
  NvlsRate,
  NetLl,
  NetLl128,
  NetSimple,
  NicGoodput,
  NicMessage,
  ProxyStep,
  NvlsTreeOverhead,
  NvlsTreeRate,
  PeerNet,
  PeerLocal,
  PeerStep,
  PeerRate
};
inline constexpr std::size_t kCosts = 22;

/// Whose property it is: parameters are shared by all sets with the same owner.
enum class CostOwner : std::uint8_t { Gpu, Network, Nccl };

struct CostInfo {
  std::string_view name;
  std::string_view unit;  ///< "us", "GB/s" or "" for a ratio
  CostOwner owner = CostOwner::Gpu;
  double prior = 0;
  double spread = 0;  ///< of the prior: standard deviation of the logarithm; 0 = held
  double low = 0;     ///< physical bounds: a fit that ends on one has a wrong schedule or selection
  double high = 0;
  std::string_view text;
  std::string_view source;  ///< of the prior
};
std::span<const CostInfo, kCosts> cost_infos();
inline const CostInfo& info_of(Cost cost) { return cost_infos()[static_cast<std::size_t>(cost)]; }

/// Values of all parameters for one system.
class EndpointCosts {
 public:
  double operator[](Cost cost) const { return values_[static_cast<std::size_t>(cost)]; }
  double& operator[](Cost cost) { return values_[static_cast<std::size_t>(cost)]; }

 private:
  std::array<double, kCosts> values_{};
};

/// Every parameter at its prior.
EndpointCosts prior_costs();

}  // namespace spineleaf
