#pragma once
// VL arbitration of one output port: a high and a low table of (VL, weight), as InfiniBand's subnet
// managers program them (IBTA volume 1, 7.6.9; the accounting is that of the public Mellanox flit
// model: weights in blocks of 64 bytes, the limit of the high table in units of 4096 bytes).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spineleaf {

struct VlWeight {
  std::uint8_t vl = 0;
  std::uint8_t weight = 0;  ///< blocks of 64 bytes a turn; 0 = the entry is skipped
};

struct VlTables {
  /// The low table and the high one.
  std::array<std::vector<VlWeight>, 2> entries;
  std::int64_t high_limit = 0;  ///< 0 = a packet, 255 = no limit, else units of 4096 bytes
  bool carry = false;           ///< a turn that overdraws its weight shortens the next one

  bool empty() const { return entries[0].empty() && entries[1].empty(); }
  /// VLs that some entry with a weight serves.
  std::uint32_t served() const;
};

/// Reads "0:4,1:12". An empty reason means that all is well.
struct VlTableRead {
  std::vector<VlWeight> entries;
  std::string reason;
};
VlTableRead read_vl_table(std::string_view text);

class VlArbiter {
 public:
  /// `tables`, not empty, must outlive it.
  explicit VlArbiter(const VlTables& tables);

  /// The VL whose packet goes next, of a mask that is not empty and that the tables serve. A turn
  /// lasts until its weight is used up; entries without a packet pass theirs on.
  std::uint32_t choose(std::uint32_t eligible);
  /// What choose() let go: a packet of `size` bytes.
  void sent(std::int32_t size);

 private:
  struct Turn {
    std::size_t at = 0;      ///< entry whose turn it is
    std::int32_t left = 0;   ///< blocks
    std::uint32_t mask = 0;  ///< VLs that the table serves
  };
  std::uint32_t next_of(std::size_t table, std::uint32_t eligible);
  void refill_limit();

  const VlTables* tables_;
  std::array<Turn, 2> turns_;
  std::vector<std::int32_t> deficits_[2];  ///< per entry, with carry
  std::size_t served_ = 0;                 ///< table that the last packet came from
  std::int64_t high_left_ = 0;             ///< bytes that may still leave before a low packet
};

}  // namespace spineleaf
