#include "validation/probe/verbs/verbs.hpp"

#include <algorithm>
#include <cstring>

#include "validation/probe/sections.hpp"
#include "validation/probe/sysfs.hpp"

namespace spineleaf::probe {

void verbs_trouble(const std::string& call, int error, const std::string& how) {
  throw Unavailable(call + ": " + (error == 0 ? "failed" : std::strerror(error)), how);
}

Verbs::Verbs(const Options& options, Progress& progress)
    : library_(options, {"libibverbs.so.1"}, "libibverbs",
               "install rdma-core (Debian: ibverbs-providers; Rocky: libibverbs)"),
      progress_(progress) {
  VerbsApi& api = api_;
  library_.need(api.list, {"ibv_get_device_list@IBVERBS_1.1", "ibv_get_device_list"});
  library_.need(api.name, {"ibv_get_device_name@IBVERBS_1.1", "ibv_get_device_name"});
  library_.need(api.open, {"ibv_open_device@IBVERBS_1.1", "ibv_open_device"});
  library_.need(api.query_device, {"ibv_query_device@IBVERBS_1.1", "ibv_query_device"});
  library_.need(api.query_port, {"ibv_query_port@IBVERBS_1.1", "ibv_query_port"});
  library_.need(api.query_gid, {"ibv_query_gid@IBVERBS_1.1", "ibv_query_gid"});
  library_.need(api.allocate_domain, {"ibv_alloc_pd@IBVERBS_1.1", "ibv_alloc_pd"});
  library_.need(api.register_memory, {"ibv_reg_mr@IBVERBS_1.1", "ibv_reg_mr"});
  library_.want(api.register_dmabuf, {"ibv_reg_dmabuf_mr@IBVERBS_1.12", "ibv_reg_dmabuf_mr"});
  library_.need(api.create_cq, {"ibv_create_cq@IBVERBS_1.1", "ibv_create_cq"});
  library_.need(api.destroy_cq, {"ibv_destroy_cq@IBVERBS_1.1", "ibv_destroy_cq"});
  library_.need(api.create_qp, {"ibv_create_qp@IBVERBS_1.1", "ibv_create_qp"});
  library_.need(api.modify_qp, {"ibv_modify_qp@IBVERBS_1.1", "ibv_modify_qp"});
  library_.need(api.destroy_qp, {"ibv_destroy_qp@IBVERBS_1.1", "ibv_destroy_qp"});
  int count = 0;
  step("ibv_get_device_list");
  ibv_device** listed = api.list(&count);
  if (listed != nullptr) devices_.assign(listed, listed + std::max(count, 0));
  if (devices_.empty()) {
    throw Unavailable("libibverbs lists no device",
                      "load the NIC's RDMA driver; in a container pass /dev/infiniband through");
  }
  std::sort(devices_.begin(), devices_.end(),
            [&](ibv_device* a, ibv_device* b) { return natural_less(api.name(a), api.name(b)); });
}

std::vector<std::string> Verbs::names() const {
  std::vector<std::string> names;
  for (ibv_device* device : devices_) names.emplace_back(api_.name(device));
  return names;
}

ibv_context* Verbs::open(std::size_t device) {
  step("ibv_open_device");
  errno = 0;
  ibv_context* context = api_.open(devices_.at(device));
  if (context == nullptr) {
    verbs_trouble("ibv_open_device " + names()[device], errno,
                  "/dev/infiniband/uverbs* must be open to this user (normally mode 0666)");
  }
  return context;
}

}  // namespace spineleaf::probe
