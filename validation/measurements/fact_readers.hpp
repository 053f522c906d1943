#pragma once
// The readers behind fact_format_of(), one maker each.

#include <memory>

#include "validation/measurements/facts.hpp"

namespace spineleaf {

std::unique_ptr<FactReader> lspci_reader();
std::unique_ptr<FactReader> ibv_devinfo_reader();
std::unique_ptr<FactReader> ibstat_reader();
std::unique_ptr<FactReader> mlnx_qos_reader();
std::unique_ptr<FactReader> ip_link_reader();
std::unique_ptr<FactReader> lsmod_reader();
std::unique_ptr<FactReader> ethtool_reader();
std::unique_ptr<FactReader> port_counter_reader();
std::unique_ptr<FactReader> nvidia_smi_reader();
std::unique_ptr<FactReader> nvbandwidth_reader();

}  // namespace spineleaf
