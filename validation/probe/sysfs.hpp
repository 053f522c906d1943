#pragma once
// Files that the kernel shows under /sys and /proc, below a root that tests can move.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validation/probe/section.hpp"

namespace spineleaf::probe {

class Sysfs {
 public:
  explicit Sysfs(std::string root) : root_(std::move(root)) {}

  bool is_this_machine() const { return root_.empty(); }
  bool exists(const std::string& path) const;
  /// Without blanks at the end; at most 64 KiB. Nothing where it can't be read.
  std::optional<std::string> text(const std::string& path) const;
  /// The number a file begins with; decimal, or hexadecimal after 0x.
  std::optional<std::int64_t> integer(const std::string& path) const;
  /// Up to `most` bytes as they are.
  std::string bytes(const std::string& path, std::size_t most) const;
  /// Names in a folder, sorted so that mlx5_10 follows mlx5_9; empty where it can't be read.
  std::vector<std::string> list(const std::string& path) const;
  /// Where the path leads when every link is followed, without the root; "" where nowhere.
  std::string resolved(const std::string& path) const;

 private:
  std::string root_;
};

/// Numbers in names count as numbers.
bool natural_less(const std::string& a, const std::string& b);

/// The text of a file, or null.
Json as_json(const std::optional<std::string>& text);
Json as_json(const std::optional<std::int64_t>& number);

}  // namespace spineleaf::probe
