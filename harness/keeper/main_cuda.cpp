#include "keeper/serve.hpp"

// mskb-keeper [number [seconds]]: the keeper of a CUDA device (default 0), on the socket that is descriptor 3.
int main(int argc, char** argv) {
  return mskb::keeper::serve(mskb::keeper::open_cuda_device, argc, argv);
}
