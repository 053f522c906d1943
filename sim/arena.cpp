#include "sim/arena.hpp"

#include <sys/mman.h>

namespace spineleaf {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t alignment_of(std::size_t bytes, std::size_t align) {
  return bytes >= kHugePage ? kHugePage : align;
}

#if defined(__SANITIZE_ADDRESS__)
#define SPINELEAF_PIECES_ALONE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPINELEAF_PIECES_ALONE 1
#endif
#endif
#if !defined(SPINELEAF_PIECES_ALONE)
#define SPINELEAF_PIECES_ALONE 0
#endif
constexpr std::align_val_t kAloneAlignment{64};

}  // namespace

void* HugePages::do_allocate(std::size_t bytes, std::size_t align) {
  const std::size_t alignment = alignment_of(bytes, align);
  void* const block = ::operator new (bytes, std::align_val_t{alignment});
#if defined(MADV_HUGEPAGE)
  // A hint: where it is refused, the run is slower.
  if (alignment == kHugePage) madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return block;
}

void HugePages::do_deallocate(void* block, std::size_t bytes, std::size_t align) {
  ::operator delete (block, std::align_val_t{alignment_of(bytes, align)});
}

bool HugePages::do_is_equal(const memory_resource& other) const noexcept { return this == &other; }

void* Arena::take(std::size_t bytes, std::size_t align) {
  if (SPINELEAF_PIECES_ALONE) return ::operator new(bytes, kAloneAlignment);
  return memory_.allocate(bytes, align);
}

void Arena::give(void* piece) noexcept {
  if (SPINELEAF_PIECES_ALONE) ::operator delete(piece, kAloneAlignment);
}

}  // namespace spineleaf
