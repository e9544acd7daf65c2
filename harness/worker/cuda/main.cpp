#include "worker/cuda/cuda_runner.hpp"
#include "worker/cuda/solo_runner.hpp"
#include "worker/program.hpp"

int main(int argument_count, char** arguments) {
  return mskb::worker::run_program(argument_count, arguments, [](int device, bool solo) -> std::unique_ptr<mskb::worker::Runner> {
    if (solo) {
      return std::make_unique<mskb::worker::SoloRunner>(device);
    }
    return std::make_unique<mskb::worker::CudaRunner>(device);
  });
}
