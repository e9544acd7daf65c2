#include "evaluate/keeper_client.hpp"

#include <fcntl.h>
#include <signal.h>

#include <cstring>

#include "base/files.hpp"
#include "evaluate/case_spec.hpp"

namespace mskb {

KeeperClient::KeeperClient(Backend backend, int device, std::chrono::seconds limit_of_oracle) : limit_of_oracle_(limit_of_oracle) {
  const auto program = sibling_program(backend == Backend::cuda ? "mskb-keeper" : "mskb-keeper-cpu");
  if (!std::filesystem::exists(program)) {
    throw NoDevice(program.filename().string() + " was not built (no CUDA toolkit at configure time); use --device cpu");
  }
  wire::SocketPair pair = wire::make_socket_pair();
  socket_ = std::move(pair.ours);
  // Trusted, so without a sandbox: the same start, drained output and death with the parent.
  process_ = std::make_unique<SandboxedProcess>(program, std::vector<std::string>{std::to_string(device), std::to_string(limit_of_oracle.count())},
                                                std::move(pair.theirs), SandboxLevel::none);
  std::uint32_t kind = 0;
  std::string body;
  try {
    body = receive(kind, nullptr, std::chrono::seconds(60));
  } catch (const KeeperLost& lost) {
    constexpr int not_loadable = 127;
    if (backend == Backend::cuda && process_->kill().exit_code == not_loadable) {  // built with a toolkit that has gone
      throw NoDevice(std::string("no CUDA device: ") + lost.what());
    }
    throw;
  }
  if (const auto failure = wire::decode<wire::Failure>(kind, body)) {
    throw NoDevice(std::string(failure->text, strnlen(failure->text, sizeof failure->text)));
  }
  const auto facts = wire::decode<wire::DeviceFacts>(kind, body);
  if (!facts) {
    throw KeeperLost("the keeper did not introduce its device");
  }
  facts_ = *facts;
}

std::string KeeperClient::receive(std::uint32_t& kind, UniqueFd* received, std::chrono::milliseconds limit) {
  std::string body;
  switch (wire::receive_packet(socket_.get(), kind, body, received, limit)) {
    case wire::Received::message:
      return body;
    case wire::Received::timed_out:
      process_->kill();
      throw KeeperLost(fmt::format("the keeper gave no answer within {} s and was killed", limit.count() / 1000));
    case wire::Received::closed:
      break;
  }
  lose();
}

void KeeperClient::load(const Problem& problem, const std::filesystem::path& module) {
  task_ = problem.task->name;
  place_ = "problem " + problem.name();
  const UniqueFd file(::open(module.c_str(), O_RDONLY | O_CLOEXEC));
  ask(wire::LoadModule{}, file.get());
}

void KeeperClient::open(const Case& test_case) {
  place_ = fmt::format("problem {}, case {}", test_case.problem.name(), test_case.name());
  ask(wire::OpenCase{case_spec(test_case)});
}

void KeeperClient::blame_oracle(const std::string& what) const {
  throw OracleFailed(fmt::format("tasks/{0}/oracle.hpp: {1}: the oracle {2}; mend it, then try `mskb check --task {0}`", task_, place_, what));
}

void KeeperClient::lose() {
  const ProcessEnd end = process_->kill();
  const std::string printed = process_->output().substr(0, 300);
  if (const int signal = end.exit_code - wire::oracle_exit; signal > 0 && signal < NSIG) {
    blame_oracle((signal == SIGALRM ? fmt::format("had not ended after {} s", limit_of_oracle_.count())
                                    : fmt::format("crashed with signal {} ({})", signal, strsignal(signal))) +
                 (printed.empty() ? "" : ", having printed: " + printed));
  }
  throw KeeperLost(fmt::format("the keeper ended ({} {}){}", end.signal != 0 ? "signal" : "exit code",
                               end.signal != 0 ? end.signal : end.exit_code, printed.empty() ? "" : ": " + printed));
}

}  // namespace mskb
