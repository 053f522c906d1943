// Long things that are no functions, and functions that are not long.
#include <vector>

namespace spineleaf {

struct alignas(64) Row {
  int field_0 = 0;
  int field_1 = 0;
  int field_2 = 0;
  int field_3 = 0;
  int field_4 = 0;
  int field_5 = 0;
  int field_6 = 0;
  int field_7 = 0;
  int field_8 = 0;
  int field_9 = 0;
  int field_10 = 0;
  int field_11 = 0;
  int field_12 = 0;
  int field_13 = 0;
  int field_14 = 0;
  int field_15 = 0;
  int field_16 = 0;
  int field_17 = 0;
  int field_18 = 0;
  int field_19 = 0;
  int field_20 = 0;
  int field_21 = 0;
  int field_22 = 0;
  int field_23 = 0;
  int field_24 = 0;
  int field_25 = 0;
  int field_26 = 0;
  int field_27 = 0;
  int field_28 = 0;
  int field_29 = 0;
  int field_30 = 0;
  int field_31 = 0;
  int field_32 = 0;
  int field_33 = 0;
  int field_34 = 0;
  int field_35 = 0;
  int field_36 = 0;
  int field_37 = 0;
  int field_38 = 0;
  int field_39 = 0;
  int field_40 = 0;
  int field_41 = 0;
  int field_42 = 0;
  int field_43 = 0;
  int field_44 = 0;
  int field_45 = 0;
  int field_46 = 0;
  int field_47 = 0;
  int field_48 = 0;
  int field_49 = 0;
  int field_50 = 0;
  int field_51 = 0;
  int field_52 = 0;
  int field_53 = 0;
  int field_54 = 0;
  int field_55 = 0;
  int field_56 = 0;
  int field_57 = 0;
  int field_58 = 0;
  int field_59 = 0;
  int field_60 = 0;
  int field_61 = 0;
  int field_62 = 0;
  int field_63 = 0;
  int field_64 = 0;
  int field_65 = 0;
  int field_66 = 0;
  int field_67 = 0;
  int field_68 = 0;
  int field_69 = 0;
  int field_70 = 0;
  int field_71 = 0;
  int field_72 = 0;
  int field_73 = 0;
  int field_74 = 0;
  int field_75 = 0;
  int field_76 = 0;
  int field_77 = 0;
  int field_78 = 0;
  int field_79 = 0;
  int field_80 = 0;
  int field_81 = 0;
  int field_82 = 0;
  int field_83 = 0;
  int field_84 = 0;
  int field_85 = 0;
  int field_86 = 0;
  int field_87 = 0;
  int field_88 = 0;
  int field_89 = 0;
};

inline const std::vector<int> kTable = {
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    16,
    17,
    18,
    19,
    20,
    21,
    22,
    23,
    24,
    25,
    26,
    27,
    28,
    29,
    30,
    31,
    32,
    33,
    34,
    35,
    36,
    37,
    38,
    39,
    40,
    41,
    42,
    43,
    44,
    45,
    46,
    47,
    48,
    49,
    50,
    51,
    52,
    53,
    54,
    55,
    56,
    57,
    58,
    59,
    60,
    61,
    62,
    63,
    64,
    65,
    66,
    67,
    68,
    69,
    70,
    71,
    72,
    73,
    74,
    75,
    76,
    77,
    78,
    79,
    80,
    81,
    82,
    83,
    84,
    85,
    86,
    87,
    88,
    89,
};

enum class Kind {
  Kind0,
  Kind1,
  Kind2,
  Kind3,
  Kind4,
  Kind5,
  Kind6,
  Kind7,
  Kind8,
  Kind9,
  Kind10,
  Kind11,
  Kind12,
  Kind13,
  Kind14,
  Kind15,
  Kind16,
  Kind17,
  Kind18,
  Kind19,
  Kind20,
  Kind21,
  Kind22,
  Kind23,
  Kind24,
  Kind25,
  Kind26,
  Kind27,
  Kind28,
  Kind29,
  Kind30,
  Kind31,
  Kind32,
  Kind33,
  Kind34,
  Kind35,
  Kind36,
  Kind37,
  Kind38,
  Kind39,
  Kind40,
  Kind41,
  Kind42,
  Kind43,
  Kind44,
  Kind45,
  Kind46,
  Kind47,
  Kind48,
  Kind49,
  Kind50,
  Kind51,
  Kind52,
  Kind53,
  Kind54,
  Kind55,
  Kind56,
  Kind57,
  Kind58,
  Kind59,
  Kind60,
  Kind61,
  Kind62,
  Kind63,
  Kind64,
  Kind65,
  Kind66,
  Kind67,
  Kind68,
  Kind69,
  Kind70,
  Kind71,
  Kind72,
  Kind73,
  Kind74,
  Kind75,
  Kind76,
  Kind77,
  Kind78,
  Kind79,
  Kind80,
  Kind81,
  Kind82,
  Kind83,
  Kind84,
  Kind85,
  Kind86,
  Kind87,
  Kind88,
  Kind89,
};

template <class T = int>
class Sum {
 public:
  explicit Sum(int start) : total_{start}, other_{start} {
    total += 0;
    total += 1;
    total += 2;
    total += 3;
    total += 4;
    total += 5;
    total += 6;
    total += 7;
    total += 8;
    total += 9;
    total += 10;
    total += 11;
    total += 12;
    total += 13;
    total += 14;
    total += 15;
    total += 16;
    total += 17;
    total += 18;
    total += 19;
    total += 20;
    total += 21;
    total += 22;
    total += 23;
    total += 24;
    total += 25;
    total += 26;
    total += 27;
    total += 28;
    total += 29;
    total += 30;
    total += 31;
    total += 32;
    total += 33;
    total += 34;
    total += 35;
    total += 36;
    total += 37;
    total += 38;
    total += 39;
    total += 40;
    total += 41;
    total += 42;
    total += 43;
    total += 44;
    total += 45;
    total += 46;
    total += 47;
    total += 48;
    total += 49;
    total += 50;
    total += 51;
    total += 52;
    total += 53;
    total += 54;
    total += 55;
    total += 56;
    total += 57;
    total += 58;
    total += 59;
    total += 60;
    total += 61;
    total += 62;
    total += 63;
    total += 64;
    total += 65;
    total += 66;
    total += 67;
    total += 68;
    total += 69;
  }

  bool operator==(const Sum& o) const { return total_ == o.total_; }

  T value() const {
    T total = 0;
    total += 0;
    total += 1;
    total += 2;
    total += 3;
    total += 4;
    total += 5;
    total += 6;
    total += 7;
    total += 8;
    total += 9;
    total += 10;
    total += 11;
    total += 12;
    total += 13;
    total += 14;
    total += 15;
    total += 16;
    total += 17;
    total += 18;
    total += 19;
    total += 20;
    total += 21;
    total += 22;
    total += 23;
    total += 24;
    total += 25;
    total += 26;
    total += 27;
    total += 28;
    total += 29;
    total += 30;
    total += 31;
    total += 32;
    total += 33;
    total += 34;
    total += 35;
    total += 36;
    total += 37;
    total += 38;
    total += 39;
    total += 40;
    total += 41;
    total += 42;
    total += 43;
    total += 44;
    total += 45;
    total += 46;
    total += 47;
    total += 48;
    total += 49;
    total += 50;
    total += 51;
    total += 52;
    total += 53;
    total += 54;
    total += 55;
    total += 56;
    total += 57;
    total += 58;
    total += 59;
    total += 60;
    total += 61;
    total += 62;
    total += 63;
    total += 64;
    total += 65;
    total += 66;
    total += 67;
    total += 68;
    total += 69;
    return total;
  }

 private:
  T total_{0};
  T other_{0};
};

}  // namespace spineleaf
