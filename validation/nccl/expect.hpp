#pragma once
// What a healthy cluster shows in nccl-tests, before anything runs: the model with the shipped
// calibration, and how far it was off on measurements that it was not fitted on.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validation/nccl/study.hpp"

namespace spineleaf {

struct ExpectQuery {
  std::string node = "hgx-h100";  ///< of scenarios/catalog/nccl-nodes.json
  std::string nics;               ///< "8x400", "6x400,2x324"; "" = the node's own
  std::int64_t nodes = 2;
  std::string collective = "all_reduce";
  std::string network = "IB";  ///< "IB", "RoCE", ...
  std::string nccl = "2.26.2";
  std::string flags;  ///< "NCCL_ALGO=Ring NCCL_MIN_CTAS=24"
};

struct ExpectAlgorithm {
  std::string name;  ///< "Ring/Simple": the protocol that NCCL takes with this algorithm
  double busbw = 0;
};

struct ExpectRow {
  std::int64_t bytes = 0;
  std::string choice;
  std::string bound;
  double time_us = 0;
  double busbw = 0;          ///< GB/s
  double low = 0, high = 0;  ///< of busbw: nine of ten sizes of sets not fitted lay so near
  std::vector<ExpectAlgorithm> algorithms;  ///< each that may run, were it forced
};

struct Expectation {
  std::vector<ExpectRow> rows;
  std::vector<std::string> remarks;
  std::string problem;  ///< what is wrong with the question; "" where all is well
};

Expectation expect(const ExpectQuery& query);
/// The same by a study of the shipped measurements that is at hand: a fit takes a second.
Expectation expect(const ExpectQuery& query, const Study& study);
std::string expectation_text(const ExpectQuery& query, const Expectation& expectation);

}  // namespace spineleaf
