#include "models/workloads/sharp_app.hpp"

#include <utility>

namespace spineleaf {

SharpApp::SharpApp(SharpAppSetup setup) : setup_(std::move(setup)), open_(setup_.in_flight) {}

void SharpApp::start(HostServices& host) {
  if (setup_.start > host.now()) {
    host.wake(0, setup_.start);
  } else {
    post_next(host);
  }
}

void SharpApp::on_wake(HostServices& host, std::uint32_t) { post_next(host); }

void SharpApp::post_next(HostServices& host) {
  const auto rails = static_cast<std::uint32_t>(setup_.members.size());
  while (posted_ < total() && posted_ - ended_ < setup_.in_flight) {
    open_[posted_ % setup_.in_flight] = {host.now(), rails};
    const std::uint32_t number = posted_++;
    for (std::uint32_t rail = 0; rail < rails; ++rail) {
      host.aggregate(setup_.members[rail], Bytes{even_part(setup_.bytes.count, rails, rail)},
                     number);
    }
  }
}

// Operations of one group end in order; rails may be ahead of each other.
void SharpApp::on_received(HostServices& host, std::uint32_t, std::uint32_t number, Bytes) {
  --open_[number % setup_.in_flight].open_rails;
  while (ended_ < posted_ && open_[ended_ % setup_.in_flight].open_rails == 0) {
    if (ended_ >= setup_.warm_up) {
      records_.push_back(record_of(ended_, open_[ended_ % setup_.in_flight].start, host.now()));
    }
    ++ended_;
  }
  if (ended_ == total()) return host.done();
  post_next(host);
}

CollectiveRecord SharpApp::record_of(std::uint32_t operation, Time start, Time end) const {
  CollectiveRecord record;
  record.job = setup_.job;
  record.host = setup_.host;
  record.iteration = operation - setup_.warm_up;
  record.collective = setup_.operation;
  record.algorithm = setup_.algorithm;
  record.protocol = "sharp";
  record.channels = static_cast<std::int64_t>(setup_.members.size());
  record.ranks = setup_.hosts;
  record.bytes = setup_.bytes;
  record.start = start;
  record.end = end;
  return record;
}

void SharpApp::collect(JobReport& report) const {
  report.collectives.insert(report.collectives.end(), records_.begin(), records_.end());
  if (posted_ > ended_ && ended_ >= setup_.warm_up) {
    report.collectives.push_back(
        record_of(ended_, open_[ended_ % setup_.in_flight].start, Time{-1}));
  }
}

}  // namespace spineleaf
