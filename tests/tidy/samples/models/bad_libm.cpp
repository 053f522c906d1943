#include <cmath>

// std::exp in a comment is prose.
double decay(double x) {
  const double y = std::exp(-x);  // expect: banned-word
  const auto h = std::hash<int>{}(3);  // expect: banned-word
  const float z = 0;  // expect: banned-word
  return std::sqrt(y) + std::pow(x, 2) + static_cast<double>(h) + z;  // expect: banned-word
}
