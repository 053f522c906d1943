#include "scenarios/templates.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "scenarios/data_dir.hpp"

namespace spineleaf {

namespace {

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
}

/// Whether a shell takes it as one word, and a comment as one line.
bool is_plain_word(std::string_view text) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,@%=";
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

ScenarioTemplate read_template(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  ScenarioTemplate read{file.stem().string(), {}, {std::istreambuf_iterator<char>(stream), {}}};
  const std::size_t begin = read.text.find_first_not_of("/ ");
  if (begin != std::string::npos) {
    read.purpose = read.text.substr(begin, read.text.find('\n') - begin);
  }
  return read;
}

}  // namespace

std::vector<ScenarioTemplate> scenario_templates() {
  std::vector<ScenarioTemplate> found;
  std::error_code ignored;
  const std::string folder = data_file("scenarios/templates");
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".json") found.push_back(read_template(entry.path()));
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.kind < b.kind; });
  return found;
}

std::string scenario_from(const ScenarioTemplate& from, std::string_view file) {
  std::string text = from.text;
  const std::string data = data_file("validation/data");
  if (is_plain_word(file)) replace_all(text, from.kind + ".json", file);
  replace_all(text, "@DATA@", data);
  return text;
}

}  // namespace spineleaf
