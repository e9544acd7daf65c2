#include "keeper/serve.hpp"

// mskb-keeper-cpu [number]: the keeper of the CPU backend, on the socket that is descriptor 3. There is one CPU; the
// number is ignored.
int main() {
  return mskb::keeper::serve([](int) { return mskb::keeper::open_cpu_device(); }, 0);
}
