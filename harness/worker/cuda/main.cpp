#include "worker/cuda/cuda_runner.hpp"
#include "worker/cuda/solo_runner.hpp"
#include "worker/program.hpp"

int main(int argument_count, char** arguments) {
  const auto make_runner = [](int device, bool solo) -> std::unique_ptr<mskb::worker::Runner> {
    if (solo) {
      return std::make_unique<mskb::worker::SoloRunner>(device);
    }
    return std::make_unique<mskb::worker::CudaRunner>(device);
  };
  return mskb::worker::run_program(argument_count, arguments, make_runner, true);
}
