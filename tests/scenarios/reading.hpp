#pragma once
// What the scenario tests share: read a text, look for a message.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/input/read.hpp"

namespace spineleaf {

inline std::vector<std::string> messages_of(const std::vector<InputProblem>& problems) {
  std::vector<std::string> messages;
  for (const InputProblem& problem : problems) messages.push_back(to_string(problem));
  return messages;
}

inline std::string joined(const std::vector<std::string>& messages) {
  std::string all;
  for (const std::string& message : messages) all += "  " + message + "\n";
  return all;
}

inline ValidateResult read(std::string text, std::vector<Override> overrides = {}) {
  ReadOptions options;
  options.overrides = std::move(overrides);
  return read_scenario(std::move(text), "s.json", options);
}

/// A scenario whose sections are `more`, on two hosts and one switch.
inline std::string small(const std::string& more) {
  return R"({"topology": {"kind": "single_switch", "hosts": 2}, )"
         R"("workload": {"kind": "incast", "bytes": "64KiB"})" +
         (more.empty() ? "" : ", " + more) + "}";
}

/// Some message of `result` has all of these parts.
inline void expect_message(const ValidateResult& result, const std::vector<std::string>& parts) {
  const std::vector<std::string> messages = messages_of(result.problems);
  const bool found = std::any_of(messages.begin(), messages.end(), [&](const std::string& m) {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return m.find(part) != std::string::npos; });
  });
  EXPECT_TRUE(found) << "no message with all of:\n" << joined(parts) << "in:\n" << joined(messages);
}

/// The same, and the scenario is refused.
inline void expect_refused(const std::string& text, const std::vector<std::string>& parts) {
  const ValidateResult result = read(text);
  EXPECT_FALSE(result.spec.has_value()) << text;
  expect_message(result, parts);
}

}  // namespace spineleaf
