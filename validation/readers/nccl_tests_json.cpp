#include "validation/readers/nccl_tests_json.hpp"

#include <utility>

#include "scenarios/input/json_source.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

std::string text_at(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node == nullptr ? std::string() : std::string(node->text);
}

double number_at(const JsonNode& object, std::string_view key, double otherwise) {
  const JsonNode* node = object.find(key);
  return node == nullptr ? otherwise : to_number(node->text).value_or(otherwise);
}

std::int64_t integer_at(const JsonNode& object, std::string_view key, std::int64_t otherwise) {
  const double value = number_at(object, key, static_cast<double>(otherwise));
  return value >= -1e15 && value <= 1e15 ? static_cast<std::int64_t>(value) : otherwise;
}

bool is_object(const JsonNode* node) {
  return node != nullptr && node->kind == JsonNode::Kind::Object;
}

NcclTestsTiming timing_of(const JsonNode* node) {
  NcclTestsTiming timing;
  if (!is_object(node)) return timing;
  for (const JsonNode& member : node->children) {
    if (!member.key.starts_with("time")) continue;
    timing.time_us = to_number(member.text).value_or(-1);
    timing.present = timing.time_us >= 0;
    break;
  }
  timing.algbw = number_at(*node, "alg_bw", 0);
  timing.busbw = number_at(*node, "bus_bw", 0);
  timing.wrong = integer_at(*node, "nwrong", -1);
  return timing;
}

/// "all_reduce" from the program's name in the arguments.
std::string collective_of(const JsonNode& root) {
  const JsonNode* arguments = root.find("args");
  std::string text = arguments == nullptr ? std::string() : std::string(arguments->text);
  if (arguments != nullptr && !arguments->children.empty()) text = arguments->children[0].text;
  const std::size_t end = text.find("_perf");
  if (end == std::string::npos) return {};
  const std::size_t begin = text.find_last_of("/ ", end);
  return begin == std::string::npos ? text.substr(0, end) : text.substr(begin + 1, end - begin - 1);
}

void take_devices(const JsonNode& root, NcclTestsRun& run) {
  const JsonNode* devices = root.find("devices");
  if (devices == nullptr || devices->kind != JsonNode::Kind::Array) return;
  HostTokens hosts;
  for (const JsonNode& node : devices->children) {
    if (!is_object(&node)) continue;
    run.devices.push_back({integer_at(node, "rank", 0), hosts.token(text_at(node, "hostname")),
                           integer_at(node, "device", 0), text_at(node, "device_info")});
  }
}

}  // namespace

NcclTestsResult read_nccl_tests_json(std::string_view text, const std::string& file) {
  NcclTestsResult result;
  const JsonSource source(file, std::string(text), result.problems);
  const JsonNode* root = source.root();
  if (root == nullptr || has_errors(result.problems)) return result;
  const auto fail = [&](const JsonNode& node, std::string what, std::string expected) {
    InputProblem problem =
        line_problem(file, node.place.line, std::move(what), std::move(expected));
    problem.place = node.place;
    append(result.problems, std::move(problem));
  };
  const JsonNode* rows = is_object(root) ? root->find("results") : nullptr;
  if (rows == nullptr || rows->kind != JsonNode::Kind::Array) {
    fail(*root, "holds no results of nccl-tests", "an object with a list \"results\"");
    return result;
  }
  NcclTestsRun run;
  run.collective = collective_of(*root);
  run.nccl_version = text_at(*root, "nccl_version");
  if (const auto code = to_integer(run.nccl_version)) run.nccl_version = nccl_version_text(*code);
  run.average_busbw = number_at(*root, "average_bus_bandwidth", 0);
  take_devices(*root, run);
  for (const JsonNode& node : rows->children) {
    if (!is_object(&node) || node.find("size") == nullptr) {
      fail(node, "is no result", "an object with size, out_of_place and in_place");
      continue;
    }
    NcclTestsRow row;
    row.bytes = integer_at(node, "size", -1);
    row.count = integer_at(node, "count", 0);
    row.type = text_at(node, "type");
    row.redop = text_at(node, "redop");
    row.out_of_place = timing_of(node.find("out_of_place"));
    row.in_place = timing_of(node.find("in_place"));
    if (row.bytes < 0) {
      fail(node, "has no size", "bytes, 0 or more");
      continue;
    }
    run.rows.push_back(std::move(row));
  }
  result.runs.push_back(std::move(run));
  return result;
}

}  // namespace spineleaf
