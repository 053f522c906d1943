#include "models/workloads/host_table.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "topologies/nearest.hpp"

namespace spineleaf {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool parse_number(std::string_view text, std::uint32_t& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc{} && result.ptr == end;
}

}  // namespace

HostTable::HostTable(const Topology& topology) : topology_(topology) {
  first_.resize(std::size_t{topology.host_count} + 1);
  for (const Endpoint& endpoint : topology.endpoints) ++first_[index(endpoint.host) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  by_name_.resize(topology.host_count);
  std::iota(by_name_.begin(), by_name_.end(), 0U);
  std::sort(by_name_.begin(), by_name_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return topology.nodes[a].name < topology.nodes[b].name;
  });
}

std::uint32_t HostTable::nics(std::uint32_t host) const {
  std::uint32_t count = 0;
  for (std::uint32_t e = first_[host]; e < first_[host + 1]; ++e) {
    count = std::max(count, topology_.endpoints[e].nic + 1U);
  }
  return count;
}

bool HostTable::has_nic(std::uint32_t host, std::uint32_t nic) const {
  for (std::uint32_t e = first_[host]; e < first_[host + 1]; ++e) {
    if (topology_.endpoints[e].nic == nic) return true;
  }
  return false;
}

EndpointId HostTable::nic_endpoint(std::uint32_t host, std::uint32_t nic,
                                   std::uint32_t turn) const {
  std::uint32_t ports = 0;
  for (std::uint32_t e = first_[host]; e < first_[host + 1]; ++e) {
    ports += topology_.endpoints[e].nic == nic ? 1 : 0;
  }
  std::uint32_t wanted = turn % std::max(ports, 1U);
  for (std::uint32_t e = first_[host]; e < first_[host + 1]; ++e) {
    if (topology_.endpoints[e].nic == nic && wanted-- == 0) return EndpointId{e};
  }
  return endpoint(host, 0);
}

bool HostTable::number_of(std::string_view name, std::uint32_t& host) const {
  const auto at = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [&](std::uint32_t h, std::string_view n) { return topology_.nodes[h].name < n; });
  if (at == by_name_.end() || topology_.nodes[*at].name != name) return false;
  host = *at;
  return true;
}

Problem HostTable::unknown(std::string_view name, const std::string& where) const {
  std::vector<std::string_view> names;
  for (std::uint32_t h = 0; h < count(); ++h) names.push_back(topology_.nodes[h].name);
  const std::string near = nearest(name, names);
  const std::string known =
      names.empty() ? "" : in_quotes(names.front()) + " to " + in_quotes(names.back());
  return make_error(where, "is no host of the topology", in_quotes(name), known,
                    near.empty() ? "" : "Did you mean " + in_quotes(near) + "?");
}

bool HostTable::find_host(std::string_view name, const std::string& where, std::uint32_t& host,
                          std::vector<Problem>& problems) const {
  if (!number_of(name, host)) {
    problems.push_back(unknown(name, where));
    return false;
  }
  if (endpoints(host) == 0) {
    problems.push_back(make_error(where, "is a host without a cabled port", in_quotes(name)));
    return false;
  }
  return true;
}

bool HostTable::find_endpoint(std::string_view name, const std::string& where,
                              EndpointId& endpoint_id, std::vector<Problem>& problems) const {
  std::uint32_t host = 0;
  const std::size_t colon = name.rfind(':');
  const bool whole = colon == std::string_view::npos || number_of(name, host);
  if (!find_host(whole ? name : name.substr(0, colon), where, host, problems)) return false;
  if (whole) {
    endpoint_id = endpoint(host, 0);
    return true;
  }
  std::uint32_t nic = 0;
  if (!parse_number(name.substr(colon + 1), nic) || !has_nic(host, nic)) {
    const std::string& known = topology_.nodes[host].name;
    problems.push_back(make_error(where, "names no NIC of " + known, in_quotes(name),
                                  in_quotes(known + ":0") + " to " +
                                      in_quotes(known + ":" + std::to_string(nics(host) - 1))));
    return false;
  }
  endpoint_id = nic_endpoint(host, nic, 0);
  return true;
}

std::vector<std::uint32_t> HostTable::select(std::string_view list, const std::string& where,
                                             std::vector<Problem>& problems) const {
  std::vector<std::uint32_t> hosts;
  if (trimmed(list).empty()) {
    for (std::uint32_t h = 0; h < count(); ++h) {
      if (endpoints(h) > 0) hosts.push_back(h);
    }
    return hosts;
  }
  std::vector<bool> taken(count(), false);
  while (!list.empty() && problems.size() < kMostProblems) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = trimmed(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    const std::size_t dots = item.find("..");
    std::uint32_t first = 0, last = 0;
    if (!find_host(item.substr(0, std::min(dots, item.size())), where, first, problems)) continue;
    last = first;
    if (dots != std::string_view::npos &&
        !find_host(item.substr(dots + 2), where, last, problems)) {
      continue;
    }
    if (last < first) {
      problems.push_back(make_error(where, "is a range that runs backwards", in_quotes(item)));
      continue;
    }
    for (std::uint32_t h = first; h <= last; ++h) {
      if (taken[h] || endpoints(h) == 0) continue;
      taken[h] = true;
      hosts.push_back(h);
    }
  }
  return hosts;
}

std::vector<Rate> HostTable::endpoint_rates() const {
  std::vector<Rate> rates(topology_.endpoints.size());
  const auto note = [&](PortRef end, Rate rate) {
    if (!topology_.is_host(end.node)) return;
    for (std::uint32_t e = first_[index(end.node)]; e < first_[index(end.node) + 1]; ++e) {
      if (topology_.endpoints[e].port == end.port) rates[e] = rate;
    }
  };
  for (const Cable& cable : topology_.cables) {
    note(cable.a, cable.rate);
    note(cable.b, cable.rate);
  }
  return rates;
}

}  // namespace spineleaf
