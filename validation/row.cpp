#include "validation/row.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace spineleaf {

std::string rows_text(const std::vector<ValidationRow>& rows) {
  std::size_t id = 2, expected = 8, got = 3;
  for (const ValidationRow& row : rows) {
    id = std::max(id, row.id.size());
    expected = std::max(expected, row.expected.size());
    got = std::max(got, row.got.size());
  }
  const auto pad = [](const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, text.size()), ' ') + "  ";
  };
  std::string out =
      pad("", 4) + pad("id", id) + pad("expected", expected) + pad("got", got) + "tolerance\n";
  std::size_t passed = 0, judged = 0;
  for (const ValidationRow& row : rows) {
    judged += row.report_only ? 0 : 1;
    passed += row.pass && !row.report_only ? 1 : 0;
    const std::string word = row.report_only ? "-" : row.pass ? "ok" : "FAIL";
    out += pad(word, 4) + pad(row.id, id) + pad(row.expected, expected) + pad(row.got, got) +
           row.tolerance + "\n";
  }
  return out + "\n" + std::to_string(passed) + " of " + std::to_string(judged) + " rows hold; " +
         std::to_string(rows.size() - judged) + " are for information\n";
}

std::string rows_json(const std::vector<ValidationRow>& rows) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const ValidationRow& row : rows) {
    nlohmann::ordered_json object = {
        {"id", row.id}, {"expected", row.expected}, {"got", row.got}, {"tolerance", row.tolerance}};
    object["pass"] =
        row.report_only ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(row.pass);
    object["source"] = row.source;
    array.push_back(std::move(object));
  }
  return array.dump(2) + "\n";
}

}  // namespace spineleaf
