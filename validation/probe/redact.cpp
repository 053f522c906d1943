#include "validation/probe/redact.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace spineleaf::probe {
namespace {

constexpr std::pair<const char*, const char*> kKinds[] = {
    {"host", "host"}, {"uuid", "gpu"}, {"serial", "serial"}, {"node_guid", "guid"}, {"gid", "gid"}};
constexpr std::size_t kShortestName = 4;  ///< inside other text; "0" would be found everywhere

class Tokens {
 public:
  void collect(const Json& node) {
    if (node.is_object()) {
      for (const auto& [key, value] : node.items()) {
        for (const auto& [name, kind] : kKinds) {
          if (key == name && value.is_string()) add(value.get<std::string>(), kind);
        }
        collect(value);
      }
    } else if (node.is_array()) {
      for (const Json& one : node) collect(one);
    }
  }

  /// Longer names first: one may be part of another.
  void replace(Json& root) {
    std::sort(names_.begin(), names_.end(), [](const auto& a, const auto& b) {
      return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a < b;
    });
    replace_in(root);
  }

 private:
  void add(const std::string& name, const std::string& kind) {
    if (name.empty() || !tokens_.emplace(name, "").second) return;
    tokens_[name] = kind + std::to_string(++counts_[kind]);
    names_.emplace_back(name, tokens_[name]);
  }

  void replace_in(Json& node) {
    if (node.is_string()) {
      node = replaced(node.get<std::string>());
    } else if (node.is_structured()) {
      for (Json& one : node) replace_in(one);
    }
  }

  std::string replaced(std::string text) const {
    if (const auto whole = tokens_.find(text); whole != tokens_.end()) return whole->second;
    for (const auto& [name, token] : names_) {
      if (name.size() < kShortestName) continue;
      for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
        text.replace(at, name.size(), token);
        at += token.size();
      }
    }
    return text;
  }

  std::map<std::string, std::string> tokens_;
  std::map<std::string, int> counts_;
  std::vector<std::pair<std::string, std::string>> names_;
};

}  // namespace

void redact(Json& file) {
  Tokens tokens;
  tokens.collect(file);
  tokens.replace(file);
}

}  // namespace spineleaf::probe
