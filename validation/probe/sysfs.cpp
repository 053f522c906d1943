#include "validation/probe/sysfs.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace spineleaf::probe {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFile = 1 << 16;
constexpr std::size_t kMostNames = 10'000;

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    std::size_t end_a = i;
    std::size_t end_b = j;
    while (end_a < a.size() && digit(a[end_a])) ++end_a;
    while (end_b < b.size() && digit(b[end_b])) ++end_b;
    const std::size_t length_a = end_a - i;
    const std::size_t length_b = end_b - j;
    if (length_a != length_b) return length_a < length_b;
    const int order = a.compare(i, length_a, b, j, length_b);
    if (order != 0) return order < 0;
    i = end_a, j = end_b;
  }
  return a.size() - i < b.size() - j;
}

std::string Sysfs::bytes(const std::string& path, std::size_t most) const {
  std::ifstream file(root_ + path, std::ios::binary);
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(file.gcount() > 0 ? static_cast<std::size_t>(file.gcount()) : 0);
  return text;
}

bool Sysfs::exists(const std::string& path) const {
  std::error_code error;
  return fs::exists(root_ + path, error);
}

std::optional<std::string> Sysfs::text(const std::string& path) const {
  std::error_code error;
  if (!fs::exists(root_ + path, error) || fs::is_directory(root_ + path, error)) return {};
  std::ifstream file(root_ + path, std::ios::binary);
  if (!file) return {};
  std::string text = bytes(path, kMostFile);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.pop_back();
  }
  return text;
}

std::optional<std::int64_t> Sysfs::integer(const std::string& path) const {
  const auto read = text(path);
  if (!read || read->empty()) return {};
  char* end = nullptr;
  const std::int64_t value = std::strtoll(read->c_str(), &end, 0);
  if (end == read->c_str()) return {};
  return value;
}

std::vector<std::string> Sysfs::list(const std::string& path) const {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(root_ + path, error);
  for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
    if (names.size() >= kMostNames) break;
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end(), natural_less);
  return names;
}

std::string Sysfs::resolved(const std::string& path) const {
  std::error_code error;
  const fs::path whole = fs::canonical(root_ + path, error);
  if (error) return {};
  const fs::path root = root_.empty() ? fs::path("/") : fs::canonical(root_, error);
  return error ? std::string() : "/" + whole.lexically_relative(root).string();
}

Json as_json(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

Json as_json(const std::optional<std::int64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

}  // namespace spineleaf::probe
