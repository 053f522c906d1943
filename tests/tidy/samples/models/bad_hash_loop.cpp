#include <unordered_map>
#include <unordered_set>

struct Table {
  std::unordered_map<int, std::vector<int>> rows_;
  std::unordered_set<int> seen_;

  int sum() const {
    int total = 0;
    for (const auto& [key, row] : rows_) total += key;  // expect: hash-iteration
    for (auto i = seen_.begin(); i != seen_.end(); ++i) total += *i;  // expect: hash-iteration
    return total + (rows_.count(3) > 0 ? 1 : 0);
  }
};
