#pragma once
// Arena: memory for what a run touches all the time, laid out in the order of asking.
//
// An actor's visit walks its rows once; where they lie side by side, and apart from what is seldom
// touched, fewer pages and lines are fetched for it. Freed as a whole, with the arena.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <span>
#include <utility>

namespace spineleaf {

/// Blocks of 2 MiB and more come aligned to that and marked for huge pages.
class HugePages final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t align) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t align) override;
  bool do_is_equal(const memory_resource& other) const noexcept override;
};

class Arena {
 public:
  void* take(std::size_t bytes, std::size_t align);
  /// Under AddressSanitizer every piece stands alone, so that it sees what reaches beyond.
  static void give(void* piece) noexcept;

 private:
  static constexpr std::size_t kFirstBlock = 64 * 1024;
  HugePages pages_;
  std::pmr::monotonic_buffer_resource memory_{kFirstBlock, &pages_};
};

/// A fixed number of rows in an arena, which must outlive them.
template <class T>
class Rows {
 public:
  Rows() = default;
  Rows(Arena& arena, std::size_t n) : Rows(arena, n, [](std::size_t) { return T{}; }) {}
  /// `make(i)` gives row i.
  template <class Make>
  Rows(Arena& arena, std::size_t n, const Make& make)
      : rows_(n == 0 ? nullptr : static_cast<T*>(arena.take(n * sizeof(T), alignof(T)))) {
    while (size_ < n) {
      new (rows_ + size_) T(make(std::size_t{size_}));
      ++size_;
    }
  }
  Rows(Rows&& o) noexcept
      : rows_(std::exchange(o.rows_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  Rows& operator=(Rows&& o) noexcept {
    std::swap(rows_, o.rows_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~Rows() {
    std::destroy_n(rows_, size_);
    Arena::give(rows_);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return rows_; }
  const T* data() const { return rows_; }
  T& operator[](std::size_t i) { return rows_[i]; }
  const T& operator[](std::size_t i) const { return rows_[i]; }
  T* begin() { return rows_; }
  T* end() { return rows_ + size_; }
  const T* begin() const { return rows_; }
  const T* end() const { return rows_ + size_; }

 private:
  T* rows_ = nullptr;
  std::uint32_t size_ = 0;
};

}  // namespace spineleaf
