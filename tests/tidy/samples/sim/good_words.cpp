// Utilisation, expansion, operand and a stubborn queue are words like any other.
int operand(int utilisation);
int brand(int x) { return operand(x); }
const char* text = "std::rand() and std::exp(1) in a literal";
struct Sampler {
  int rand_rows = 0;
};
