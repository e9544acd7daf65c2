#include "worker/cuda/cuda_runner.hpp"
#include "worker/program.hpp"

int main(int argument_count, char** arguments) {
  return mskb::worker::run_program(argument_count, arguments, [](int device) -> std::unique_ptr<mskb::worker::Runner> {
    return std::make_unique<mskb::worker::CudaRunner>(device);
  });
}
