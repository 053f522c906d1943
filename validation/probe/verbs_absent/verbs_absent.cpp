// Where the headers of libibverbs were not there at build time.

#include "validation/probe/sections.hpp"

namespace spineleaf::probe {
namespace {

[[noreturn]] void refuse() {
  throw Unavailable("this probe was built without the headers of libibverbs",
                    "install libibverbs-dev (Rocky: rdma-core-devel) and build the probe again");
}

}  // namespace

void measure_verbs(const Options& /*options*/, int /*nic*/, Json& /*out*/, Progress& /*progress*/) {
  refuse();
}

Json dmabuf_support(const Options& /*options*/, Progress& /*progress*/) { refuse(); }

}  // namespace spineleaf::probe
