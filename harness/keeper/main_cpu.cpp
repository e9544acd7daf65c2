#include <sys/prctl.h>

#include "keeper/serve.hpp"

// mskb-keeper-cpu [number [seconds]]: the keeper of the CPU backend, on the socket that is descriptor 3. There is one
// CPU; the number is ignored.
int main(int argc, char** argv) {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // below the full sandbox candidates see it: contents and truth in its memory are not theirs to read
  return mskb::keeper::serve([](int) { return mskb::keeper::open_cpu_device(); }, argc, argv);
}
