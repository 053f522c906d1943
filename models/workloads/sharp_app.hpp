#pragma once
// SharpApp: one host in operations that the switches carry out, one member of a group per rail.

#include <cstdint>
#include <string>
#include <vector>

#include "models/host/app.hpp"

namespace spineleaf {

struct SharpAppSetup {
  std::uint32_t job = 0;
  std::uint32_t host = 0;
  std::string operation;  ///< "all_reduce"
  std::string algorithm;  ///< "sharp_sat"
  std::uint32_t hosts = 0;
  Bytes bytes;  ///< of one operation, all rails together
  std::uint32_t warm_up = 0;
  std::uint32_t iterations = 1;
  std::uint32_t in_flight = 1;
  Time start;
  std::int64_t bytes_planned = 0;
  std::vector<MemberRow> members;  ///< by rail; cookies are rail numbers
};

class SharpApp final : public HostApp {
 public:
  explicit SharpApp(SharpAppSetup setup);

  void start(HostServices& host) override;
  void on_wake(HostServices& host, std::uint32_t row) override;
  void on_sent(HostServices&, std::uint32_t, std::uint32_t) override {}
  void on_received(HostServices& host, std::uint32_t cookie, std::uint32_t number,
                   Bytes bytes) override;
  void collect(JobReport& report) const override;
  std::int64_t bytes_planned() const override { return setup_.bytes_planned; }

 private:
  struct Operation {
    Time start;
    std::uint32_t open_rails = 0;
  };
  std::uint32_t total() const { return setup_.warm_up + setup_.iterations; }
  void post_next(HostServices& host);
  CollectiveRecord record_of(std::uint32_t operation, Time start, Time end) const;

  SharpAppSetup setup_;
  std::vector<Operation> open_;  ///< of operation i: i mod in_flight
  std::uint32_t posted_ = 0;
  std::uint32_t ended_ = 0;
  std::vector<CollectiveRecord> records_;
};

/// Part `i` of `bytes` cut into `parts` that differ by a byte at most.
constexpr std::int64_t even_part(std::int64_t bytes, std::int64_t parts, std::int64_t i) {
  return bytes / parts + (i < bytes % parts ? 1 : 0);
}

}  // namespace spineleaf
