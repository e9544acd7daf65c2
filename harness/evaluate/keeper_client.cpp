#include "evaluate/keeper_client.hpp"

#include "base/files.hpp"

namespace mskb {

KeeperClient::KeeperClient(Backend backend, int device) {
  const auto program = sibling_program(backend == Backend::cuda ? "mskb-keeper" : "mskb-keeper-cpu");
  if (!std::filesystem::exists(program)) {
    throw NoDevice(program.filename().string() + " was not built (no CUDA toolkit at configure time); use --device cpu");
  }
  wire::SocketPair pair = wire::make_socket_pair();
  socket_ = std::move(pair.ours);
  // Trusted, so without a sandbox: the same start, drained output and death with the parent.
  process_ = std::make_unique<SandboxedProcess>(program, std::vector<std::string>{std::to_string(device)}, std::move(pair.theirs),
                                                SandboxLevel::none);
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

void KeeperClient::lose() {
  const ProcessEnd end = process_->kill();
  throw KeeperLost(fmt::format("the keeper ended ({} {}): {}", end.signal != 0 ? "signal" : "exit code",
                               end.signal != 0 ? end.signal : end.exit_code, process_->output().substr(0, 300)));
}

}  // namespace mskb
