#include "validation/oracles/pfc_forms.hpp"

namespace spineleaf {

double headroom_bytes(const PfcLoop& loop) {
  const Time flight = loop.there + loop.back + loop.response;
  return flight.seconds() * static_cast<double>(loop.rate.bits_per_second) / 8 +
         static_cast<double>(loop.frame + loop.reverse_frame + loop.pause_frame);
}

Time pause_time(std::int64_t quanta, Rate rate) {
  return serialisation(Bytes{quanta * 512 / 8}, rate);
}

}  // namespace spineleaf
