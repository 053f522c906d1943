#pragma once

#include "validation/nccl/endpoint_shape.hpp"

namespace spineleaf {

EndpointTime endpoint_ring(const EndpointSystem& system, const EndpointCosts& costs,
                           const EndpointShape& shape, NcclFunction function, NcclProtocol protocol,
                           std::int64_t bytes);

}  // namespace spineleaf
