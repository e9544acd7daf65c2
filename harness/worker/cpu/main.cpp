#include "worker/cpu/cpu_runner.hpp"
#include "worker/program.hpp"

int main(int argument_count, char** arguments) {
  const auto make_runner = [](int, bool) -> std::unique_ptr<mskb::worker::Runner> { return std::make_unique<mskb::worker::CpuRunner>(); };
  return mskb::worker::run_program(argument_count, arguments, make_runner, false);
}
