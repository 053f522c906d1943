#include "scenarios/import/sonic.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "scenarios/input/json_source.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostKeys = 100'000;  // of one file, expanded

constexpr std::int64_t kMostSpeed = 100'000'000;  // Mb/s

// Tables whose fields name rows of other tables; only there may a text in brackets be a reference.
constexpr std::array<std::string_view, 7> kReferring{"BUFFER_PROFILE",
                                                     "BUFFER_PG",
                                                     "BUFFER_QUEUE",
                                                     "BUFFER_PORT_INGRESS_PROFILE_LIST",
                                                     "QUEUE",
                                                     "PORT_QOS_MAP",
                                                     "BUFFER_PORT_EGRESS_PROFILE_LIST"};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

bool whole_number(std::string_view text, std::int64_t& value) {
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && at == text.data() + text.size() && !text.empty();
}

/// "[BUFFER_POOL|name]" is "name"; of a comma list each member.
std::string without_brackets(const std::string& text) {
  if (!text.starts_with('[')) return text;
  std::string out;
  for (const std::string& part : split(text, ',')) {
    const std::size_t bar = part.find('|');
    const bool reference = part.starts_with('[') && part.ends_with(']') && bar != std::string::npos;
    out += out.empty() ? "" : ",";
    out += reference ? part.substr(bar + 1, part.size() - bar - 2) : part;
  }
  return out;
}

/// "3-4" as 3 and 4; anything else as it is.
std::vector<std::string> expand_range(const std::string& text) {
  const std::size_t dash = text.find('-');
  std::int64_t first = 0, last = 0;
  if (dash == std::string::npos || !whole_number(std::string_view(text).substr(0, dash), first) ||
      !whole_number(std::string_view(text).substr(dash + 1), last) || last < first ||
      last - first > 63) {
    return {text};
  }
  std::vector<std::string> out;
  for (std::int64_t i = first; i <= last; ++i) out.push_back(std::to_string(i));
  return out;
}

/// "Ethernet0,Ethernet8|3-4" as its four keys.
std::vector<std::string> expand_key(const std::string& key) {
  const std::size_t bar = key.find('|');
  std::vector<std::string> keys;
  for (const std::string& port : split(std::string_view(key).substr(0, bar), ',')) {
    if (bar == std::string::npos) {
      keys.push_back(port);
      continue;
    }
    for (const std::string& index : expand_range(key.substr(bar + 1))) {
      keys.push_back(port + "|" + index);
    }
  }
  return keys;
}

class ConfigReader {
 public:
  ConfigReader(SonicDevice& device, std::vector<InputProblem>& problems)
      : device_(device), problems_(problems) {}

  void read(std::string text) {
    const JsonSource source(device_.file, std::move(text), problems_);
    const JsonNode* root = source.root();
    if (root == nullptr) return;
    if (root->kind != JsonNode::Kind::Object) {
      return refuse(root->place, "", "this is no config_db.json", "an object of tables");
    }
    for (const JsonNode& table : root->children) read_table(table);
    if (device_.tables.find("PORT") == device_.tables.end()) {
      refuse(root->place, "PORT", "there is no table of ports", "a config_db.json with PORT");
    }
    const SonicRow* self = device_.row("DEVICE_METADATA", "localhost");
    device_.name = self != nullptr ? self->text("hostname") : "";
    if (device_.name.empty()) {
      refuse(root->place, "DEVICE_METADATA", "the device has no name",
             "\"DEVICE_METADATA\": {\"localhost\": {\"hostname\": \"leaf1\"}}");
    }
    read_ports();
  }

 private:
  void refuse(Place place, std::string path, std::string what, std::string expected) {
    append(problems_, {Severity::Error,
                       device_.file,
                       place,
                       std::move(path),
                       std::move(what),
                       std::move(expected),
                       {},
                       false});
  }

  void read_table(const JsonNode& table) {
    if (table.kind != JsonNode::Kind::Object) return;
    const std::string name(table.key);
    SonicTable& rows = device_.tables[name];
    for (const JsonNode& entry : table.children) {
      if (entry.kind != JsonNode::Kind::Object) continue;
      SonicRow row;
      row.written = entry.key;
      row.place = entry.key_place;
      for (const JsonNode& field : entry.children) add_field(name, field, row);
      for (std::string& key : expand_key(row.written)) {
        if (++keys_ > kMostKeys) return refuse(entry.place, name, "there are too many keys", "");
        rows[std::move(key)] = row;
      }
    }
  }

  static void add_field(const std::string& table, const JsonNode& field, SonicRow& row) {
    const bool text = field.kind == JsonNode::Kind::String || field.kind == JsonNode::Kind::Number;
    if (!text) return;
    const bool refers = std::find(kReferring.begin(), kReferring.end(), table) != kReferring.end();
    const std::string value(field.text);
    row.fields[std::string(field.key)] = {refers ? without_brackets(value) : value, field.place};
  }

  void read_ports() {
    for (const auto& [name, row] : device_.tables["PORT"]) {
      SonicPort port;
      port.name = name;
      port.place = row.place;
      port.speed_mbps = row.number("speed");
      if (port.speed_mbps <= 0 || port.speed_mbps > kMostSpeed) {
        refuse(row.place, "PORT|" + name + ".speed", "the port has no speed",
               "Mb/s, such as \"400000\"");
        continue;
      }
      port.mtu = std::max<std::int64_t>(row.number("mtu"), 0);
      port.up = row.text("admin_status") != "down";
      read_cable(port);
      if (const SonicRow* peer = device_.row("DEVICE_NEIGHBOR", name)) {
        port.neighbor = peer->text("name");
        port.neighbor_port = peer->text("port");
      }
      device_.ports[name] = std::move(port);
    }
  }

  void read_cable(SonicPort& port) {
    for (const auto& [group, lengths] : device_.tables["CABLE_LENGTH"]) {
      const SonicField* field = lengths.find(port.name);
      if (field == nullptr) continue;
      const std::string& text = field->text;
      const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), port.cable);
      const bool metres = error == std::errc{} && std::string_view(at) == "m";
      if (metres && port.cable >= 0 && port.cable <= 1e6) continue;
      port.cable = -1;
      refuse(field->place, "CABLE_LENGTH|" + group + "." + port.name,
             in_quotes(text) + " is no length", "metres such as \"5m\"");
    }
  }

  SonicDevice& device_;
  std::vector<InputProblem>& problems_;
  std::size_t keys_ = 0;
};

/// lldp.json: device -> port -> neighbor, neighbor_port. Goes over what DEVICE_NEIGHBOR says.
void read_lldp(const NamedText& lldp, SonicFabric& fabric, std::vector<InputProblem>& problems) {
  const JsonSource source(lldp.file, lldp.text, problems);
  if (source.root() == nullptr) return;
  for (const JsonNode& device : source.root()->children) {
    const auto known = std::find_if(fabric.devices.begin(), fabric.devices.end(),
                                    [&](const SonicDevice& d) { return d.name == device.key; });
    if (known == fabric.devices.end()) continue;
    for (const JsonNode& entry : device.children) {
      const auto port = known->ports.find(std::string(entry.key));
      const bool object = entry.kind == JsonNode::Kind::Object;
      const JsonNode* name = object ? entry.find("neighbor") : nullptr;
      if (port == known->ports.end() || name == nullptr) {
        append(problems, {Severity::Error,
                          lldp.file,
                          entry.key_place,
                          known->name + "." + std::string(entry.key),
                          name == nullptr ? "no neighbor is named" : "the device has no such port",
                          name == nullptr ? "\"neighbor\" and \"neighbor_port\"" : "",
                          {},
                          false});
        continue;
      }
      const JsonNode* peer = entry.find("neighbor_port");
      port->second.neighbor = name->text;
      port->second.neighbor_port = peer != nullptr ? std::string(peer->text) : "";
    }
  }
}

/// Lines "speed cable size xon xoff threshold [xon_offset]"; '#' begins a comment.
void read_lookup(const NamedText& lookup, SonicFabric& fabric,
                 std::vector<InputProblem>& problems) {
  int number = 0;
  for (const std::string& line : split(lookup.text, '\n')) {
    ++number;
    std::vector<std::string> words;
    for (const std::string& word : split(line.substr(0, line.find('#')), ' ')) {
      for (std::string& part : split(word, '\t')) {
        while (part.ends_with('\r')) part.pop_back();
        if (!part.empty()) words.push_back(std::move(part));
      }
    }
    if (words.empty()) continue;
    SonicHeadroomRow row;
    bool good = words.size() >= 5 && words[1].ends_with('m');
    if (good) {
      const std::string& cable = words[1];
      const auto [at, error] =
          std::from_chars(cable.data(), cable.data() + cable.size(), row.cable);
      good = error == std::errc{} && std::string_view(at) == "m" &&
             whole_number(words[0], row.speed_mbps) && whole_number(words[2], row.size) &&
             whole_number(words[3], row.xon) && whole_number(words[4], row.xoff);
    }
    if (good && fabric.lookup.size() < kMostKeys) {
      fabric.lookup.push_back(row);
    } else {
      append(problems,
             {Severity::Error,
              lookup.file,
              {number, 1},
              {},
              in_quotes(line) + " is no row of headroom",
              "speed cable size xon xoff threshold, such as 400000 5m 250880 19456 231424 "
              "0",
              {},
              false});
    }
  }
}

}  // namespace

const SonicField* SonicRow::find(const std::string& name) const {
  const auto field = fields.find(name);
  return field == fields.end() ? nullptr : &field->second;
}

std::optional<std::int64_t> SonicRow::integer(const std::string& name) const {
  const SonicField* field = find(name);
  std::int64_t value = 0;
  if (field == nullptr || !whole_number(field->text, value)) return std::nullopt;
  return value;
}

std::int64_t SonicRow::number(const std::string& name) const { return integer(name).value_or(-1); }

std::string SonicRow::text(const std::string& name) const {
  const SonicField* field = find(name);
  return field != nullptr ? field->text : "";
}

const SonicRow* SonicDevice::row(const std::string& table, const std::string& key) const {
  const auto rows = tables.find(table);
  if (rows == tables.end()) return nullptr;
  const auto found = rows->second.find(key);
  return found == rows->second.end() ? nullptr : &found->second;
}

const SonicRow* SonicDevice::qos(const std::string& port) const {
  const SonicRow* own = row("PORT_QOS_MAP", port);
  return own != nullptr ? own : row("PORT_QOS_MAP", "global");
}

SonicClass SonicDevice::classify(const std::string& port, std::int64_t dscp) const {
  SonicClass out;
  out.dscp = dscp;
  const SonicRow* qos_row = qos(port);
  if (qos_row == nullptr) return out;
  const auto look_up = [&](const char* field, const char* table, std::int64_t key) {
    const SonicRow* map = row(table, qos_row->text(field));
    return map == nullptr || key < 0 ? std::int64_t{-1} : map->number(std::to_string(key));
  };
  out.tc = look_up("dscp_to_tc_map", "DSCP_TO_TC_MAP", dscp);
  out.queue = look_up("tc_to_queue_map", "TC_TO_QUEUE_MAP", out.tc);
  out.pg = look_up("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", out.tc);
  return out;
}

std::set<std::int64_t> SonicDevice::pfc(const std::string& port) const {
  std::set<std::int64_t> priorities;
  const SonicRow* qos_row = qos(port);
  if (qos_row == nullptr) return priorities;
  for (const std::string& word : split(qos_row->text("pfc_enable"), ',')) {
    std::int64_t priority = 0;
    if (whole_number(word, priority)) priorities.insert(priority);
  }
  return priorities;
}

const SonicRow* SonicDevice::pg_profile(const std::string& port, std::int64_t pg) const {
  const SonicRow* entry = row("BUFFER_PG", port + "|" + std::to_string(pg));
  return entry == nullptr ? nullptr : row("BUFFER_PROFILE", entry->text("profile"));
}

const SonicRow* SonicDevice::queue_wred(const std::string& port, std::int64_t queue) const {
  const SonicRow* entry = row("QUEUE", port + "|" + std::to_string(queue));
  return entry == nullptr ? nullptr : row("WRED_PROFILE", entry->text("wred_profile"));
}

const SonicRow* SonicDevice::queue_scheduler(const std::string& port, std::int64_t queue) const {
  const SonicRow* entry = row("QUEUE", port + "|" + std::to_string(queue));
  return entry == nullptr ? nullptr : row("SCHEDULER", entry->text("scheduler"));
}

bool SonicDevice::lossless(const std::string& port, const SonicClass& c) const {
  const SonicRow* profile = pg_profile(port, c.pg);
  return profile != nullptr && profile->number("xoff") > 0 && pfc(port).count(c.tc) > 0;
}

std::int64_t sonic_xoff_point(const SonicDevice& device, const SonicRow& profile) {
  const std::int64_t fixed = profile.number("static_th");
  if (fixed >= 0) return fixed;
  const auto exponent = profile.integer("dynamic_th");
  const SonicRow* pool = device.row("BUFFER_POOL", profile.text("pool"));
  if (!exponent || *exponent < -8 || *exponent > 7 || pool == nullptr || pool->number("size") < 0) {
    return -1;
  }
  const double alpha = std::ldexp(1.0, static_cast<int>(*exponent));
  return static_cast<std::int64_t>(static_cast<double>(pool->number("size")) * alpha / (1 + alpha));
}

std::int64_t sonic_headroom_demand(const SonicDevice& device) {
  std::int64_t demand = 0;
  const auto groups = device.tables.find("BUFFER_PG");
  if (groups == device.tables.end()) return 0;
  for (const auto& [key, row] : groups->second) {
    const SonicRow* profile = device.row("BUFFER_PROFILE", row.text("profile"));
    if (profile == nullptr) continue;
    // A file may state any number: the sum stays in range.
    demand += std::clamp<std::int64_t>(profile->number("xoff"), 0, std::int64_t{1} << 40);
  }
  return demand;
}

SonicFabric read_sonic(const std::vector<NamedText>& configs, const NamedText& lldp,
                       const NamedText& lookup, std::vector<InputProblem>& problems) {
  SonicFabric fabric;
  for (const NamedText& config : configs) {
    SonicDevice device;
    device.file = config.file;
    ConfigReader(device, problems).read(config.text);
    const auto same = [&](const SonicDevice& other) { return other.name == device.name; };
    if (!device.name.empty() && std::any_of(fabric.devices.begin(), fabric.devices.end(), same)) {
      append(problems, {Severity::Error,
                        config.file,
                        {1, 1},
                        "DEVICE_METADATA",
                        in_quotes(device.name) + " is the name of another file's device too",
                        "one file per device",
                        {},
                        false});
      continue;
    }
    fabric.devices.push_back(std::move(device));
  }
  if (!lldp.text.empty()) read_lldp(lldp, fabric, problems);
  if (!lookup.text.empty()) read_lookup(lookup, fabric, problems);
  return fabric;
}

}  // namespace spineleaf
