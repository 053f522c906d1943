#pragma once
// What tools print about one machine, as facts: of what, what, which value, in which line. One form
// for all of them, so that whoever asks need not know where an answer comes from.
//
//   lspci -vvv        subject "0000:17:00.0": class, LnkCap.speed, LnkSta.width, ACSCtl,
//   bus.secondary ibv_devinfo -v    subject "mlx5_0/1": active_mtu, max_mtu, state, link_layer
//   ibstat            subject "mlx5_0/1": State, Physical state, Rate, Link layer
//   lsmod             subject "nvidia_peermem": loaded
//   ethtool -S        subject "": counters by name
//   hw_counters       subject "mlx5_0/1": counters by name; lines PATH:VALUE, as `grep . PATH/*`
//   prints mlnx_qos          subject "": trust, pfc.enabled ("3" or "3,4") nvidia-smi -q subject
//   "0000:17:00.0": product, pcie.current, pcie.max, width.current, width.max nvbandwidth subject
//   of the test: SUM, and lowest and highest of its matrix ip link           subject "ens1np0": mtu
//   spineleaf-probe   the same names, from its JSON
//
// Readers take a line at a time, so that a file of any length needs little memory.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

struct Fact {
  std::string subject;
  std::string name;
  std::string value;
  int line = 0;
};

/// Facts of one file; what does not fit any more is counted, not kept.
class Facts {
 public:
  static constexpr std::size_t kMost = 200'000;

  void add(std::string_view subject, std::string_view name, std::string_view value, int line);
  const std::vector<Fact>& all() const { return all_; }
  std::size_t left_out() const { return left_out_; }
  /// The first of this subject and name; null where there is none.
  const Fact* find(std::string_view subject, std::string_view name) const;

 private:
  std::vector<Fact> all_;
  std::size_t left_out_ = 0;
};

/// Takes the lines of one file, one after the other.
class FactReader {
 public:
  virtual ~FactReader() = default;
  virtual void take(std::string_view line, int number, Facts& facts) = 0;
};

struct FactFormat {
  const char* name;
  bool (*knows)(std::string_view head);  ///< from the begin of a file, up to 64 KiB
  std::unique_ptr<FactReader> (*reader)();
};
/// The format whose file begins so, or null.
const FactFormat* fact_format_of(std::string_view head);
/// Names of all formats, for messages.
std::string fact_format_names();

struct FactsResult {
  std::string format;  ///< "" where no reader knows the file
  Facts facts;
  std::vector<InputProblem> problems;
};
/// A whole text, whatever it is: lines of a tool, or the probe's JSON.
FactsResult read_facts(std::string_view text, const std::string& file);

/// The probe's JSON. A newer schema is read as far as it is known, with a warning.
FactsResult read_probe_json(std::string_view text, const std::string& file);
bool is_probe_json(std::string_view head);

/// "0000:17:00.0" from "17:00.0" or "00000000:17:00.0"; "" for what is no address.
std::string pci_address(std::string_view text);

}  // namespace spineleaf
