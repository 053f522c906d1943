#include "scenarios/export.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "scenarios/input/values.hpp"
#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

constexpr std::array<std::pair<std::string_view, ExportFormat>, 5> kFormats{
    {{"sonic", ExportFormat::Sonic},
     {"nvue", ExportFormat::Nvue},
     {"junos", ExportFormat::Junos},
     {"arista", ExportFormat::Arista},
     {"mlxconfig", ExportFormat::Mlxconfig}}};

class Exporter {
 public:
  Exporter(const ModelParams& models, const ExportOptions& options)
      : models_(models), ecn_(models.ecn), options_(options) {}

  Exported run(ExportFormat format) {
    if (format == ExportFormat::Mlxconfig) {
      mlxconfig();
      return std::move(out_);
    }
    if (!ecn_.enabled) {
      out_.problem = "ecn.enabled is false: there are no thresholds to write";
      return std::move(out_);
    }
    switch (format) {
      case ExportFormat::Sonic: sonic(); break;
      case ExportFormat::Nvue: nvue(); break;
      case ExportFormat::Junos: junos(); break;
      default: arista(); break;
    }
    return std::move(out_);
  }

 private:
  /// A whole number near `value`; what is lost is said.
  std::int64_t whole(std::string_view key, double value, std::string_view unit,
                     std::int64_t least = 0) {
    const std::int64_t rounded = std::max<std::int64_t>(std::llround(value), least);
    if (std::fabs(static_cast<double>(rounded) - value) > 1e-9 * std::fabs(value)) {
      out_.warnings.push_back(std::string(key) + ": " + number_text(value) + " " +
                              std::string(unit) + " is written as " + std::to_string(rounded));
    }
    return rounded;
  }

  /// A probability of zero would mark nothing up to kmax: one percent is the least.
  std::int64_t percent() { return whole("ecn.pmax", ecn_.pmax * 100, "%", 1); }

  void sonic() {
    nlohmann::ordered_json profile;
    const std::string chance = std::to_string(percent());
    profile["ecn"] = "ecn_all";
    for (const char* const colour : {"green", "yellow", "red"}) {
      const std::string name = colour;
      profile["wred_" + name + "_enable"] = "true";
      profile[name + "_min_threshold"] = std::to_string(ecn_.kmin.count);
      profile[name + "_max_threshold"] = std::to_string(ecn_.kmax.count);
      profile[name + "_drop_probability"] = chance;
    }
    nlohmann::ordered_json root;
    root["WRED_PROFILE"][options_.profile] = std::move(profile);
    out_.text = root.dump(2) + "\n";
    const double exponent = models_.pfc.alpha > 0 ? std::log2(models_.pfc.alpha) : 0;
    if (models_.pfc.alpha > 0 && exponent == std::floor(exponent)) {
      out_.warnings.push_back("pfc.alpha " + number_text(models_.pfc.alpha) + " is dynamic_th " +
                              number_text(exponent) +
                              " in the BUFFER_PROFILE of the lossless priority groups");
    }
  }

  void nvue() {
    const std::string begin = "nv set qos congestion-control default-global traffic-class " +
                              std::to_string(options_.traffic_class) + " ";
    out_.text = begin + "min-threshold " + std::to_string(ecn_.kmin.count) + "\n";
    out_.text += begin + "max-threshold " + std::to_string(ecn_.kmax.count) + "\n";
    out_.text += begin + "probability " + std::to_string(percent()) + "\n";
    out_.text += begin + "ecn enable\nnv config apply\n";
  }

  void junos() {
    if (options_.queue_bytes <= 0) {
      out_.problem = "Junos counts in percent of the queue's buffer: expected --queue-buffer";
      return;
    }
    if (ecn_.kmax.count > options_.queue_bytes) {
      out_.problem = "ecn.kmax " + to_text(ecn_.kmax) + " is more than the queue's buffer of " +
                     to_text(Bytes{options_.queue_bytes});
      return;
    }
    const auto fill = [&](std::string_view key, Bytes bytes) {
      const double share =
          100.0 * static_cast<double>(bytes.count) / static_cast<double>(options_.queue_bytes);
      return std::to_string(whole(key, share, "% of the queue"));
    };
    const std::string low = fill("ecn.kmin", ecn_.kmin);
    const std::string high = fill("ecn.kmax", ecn_.kmax);
    if (low == high) {
      out_.problem = "ecn.kmin and ecn.kmax are the same percentage of the queue's buffer";
      return;
    }
    const std::string profile =
        "set class-of-service drop-profiles " + options_.profile + " interpolate ";
    const std::string scheduler =
        "set class-of-service schedulers " + options_.profile + "-scheduler ";
    out_.text = profile + "fill-level " + low + "\n" + profile + "fill-level " + high + "\n";
    out_.text += profile + "drop-probability 0\n" + profile + "drop-probability " +
                 std::to_string(percent()) + "\n";
    out_.text += scheduler + "drop-profile-map loss-priority any protocol any drop-profile " +
                 options_.profile + "\n" + scheduler + "explicit-congestion-notification\n";
  }

  void arista() {
    out_.text = "qos profile " + options_.profile + "\n   uc-tx-queue " +
                std::to_string(options_.traffic_class) + "\n      random-detect ecn " +
                "minimum-threshold " + std::to_string(ecn_.kmin.count) +
                " bytes maximum-threshold " + std::to_string(ecn_.kmax.count) +
                " bytes max-mark-probability " + std::to_string(percent()) + " weight 0\n";
  }

  void mlxconfig() {
    const DcqcnParams& d = models_.dcqcn;
    if (models_.transport.congestion_control != CongestionControlKind::DcqcnConnectx) {
      out_.problem = "transport.congestion_control is not dcqcn_connectx: firmware has no other";
      return;
    }
    const auto add = [&](std::string_view name, std::int64_t value) {
      out_.text += std::string(name) + "_P1=" + std::to_string(value) + "\n";
    };
    const auto us = [&](std::string_view key, Time time) {
      return whole(key, static_cast<double>(time.ps) / 1e6, "us");
    };
    const auto mbps = [&](std::string_view key, Rate rate) {
      return whole(key, static_cast<double>(rate.bits_per_second) / 1e6, "Mb/s");
    };
    add("ROCE_CC_PRIO_MASK", std::int64_t{1} << options_.traffic_class);
    add("CLAMP_TGT_RATE", d.clamp_tgt_rate ? 1 : 0);
    add("CLAMP_TGT_RATE_AFTER_TIME_INC", d.clamp_tgt_rate_after_time_inc ? 1 : 0);
    add("RPG_TIME_RESET", us("dcqcn.rpg_time_reset", d.rpg_time_reset));
    if (d.rpg_byte_reset.count > 0) {
      out_.warnings.emplace_back(
          "dcqcn.rpg_byte_reset is left out: the firmware's unit is not "
          "documented");
    } else {
      add("RPG_BYTE_RESET", 32767);
    }
    add("RPG_THRESHOLD", d.rpg_threshold);
    add("RPG_AI_RATE", mbps("dcqcn.rpg_ai_rate", d.rpg_ai_rate));
    add("RPG_HAI_RATE", mbps("dcqcn.rpg_hai_rate", d.rpg_hai_rate));
    add("RPG_MIN_DEC_FAC", whole("dcqcn.rpg_min_dec_fac", d.rpg_min_dec_fac * 100, "%"));
    add("RPG_MIN_RATE", mbps("dcqcn.rpg_min_rate", d.rpg_min_rate));
    add("DCE_TCP_G", 1024 - whole("dcqcn.g", d.g * 1024, "/1024"));
    add("DCE_TCP_RTT", us("dcqcn.alpha_timer", d.alpha_timer));
    add("RATE_REDUCE_MONITOR_PERIOD",
        us("dcqcn.rate_reduce_monitor_period", d.rate_reduce_monitor_period));
    add("INITIAL_ALPHA_VALUE",
        std::min<std::int64_t>(1023,
                               whole("dcqcn.initial_alpha", d.initial_alpha * 1024, "/1024")));
    add("MIN_TIME_BETWEEN_CNPS", us("dcqcn.min_time_between_cnps", d.min_time_between_cnps));
    add("CNP_DSCP", options_.cnp_dscp);
    add("CNP_802P_PRIO", options_.cnp_priority);
  }

  const ModelParams& models_;
  const EcnParams& ecn_;
  const ExportOptions& options_;
  Exported out_;
};

}  // namespace

std::optional<ExportFormat> find_export_format(std::string_view name) {
  for (const auto& [known, format] : kFormats) {
    if (known == name) return format;
  }
  return std::nullopt;
}

Exported export_settings(const ModelParams& models, ExportFormat format,
                         const ExportOptions& options) {
  return Exporter(models, options).run(format);
}

}  // namespace spineleaf
