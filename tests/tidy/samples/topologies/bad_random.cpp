#include <random>

int draw() {
  std::mt19937_64 engine(3);  // expect: banned-word
  std::uniform_int_distribution<int> pick(0, 9);  // expect: banned-word
  return pick(engine) + rand();  // expect: banned-word
}
