int next_stub();  // expect: banned-word
int parseHelper();  // expect: banned-word
int last;  // FIXME // expect: banned-word
constexpr int kDummyRows = 3;  // expect: banned-word
using namespace std;  // expect: banned-word
