#include "worker/serve.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <stdexcept>

#include "wire/socket.hpp"
#include "worker/field.hpp"
#include "worker/loaded_candidate.hpp"

namespace mskb::worker {

namespace {

using SteadyClock = std::chrono::steady_clock;

double milliseconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

class Server {
 public:
  Server(int socket, Runner& runner) : socket_(socket), runner_(runner) {}

  bool answer(std::uint32_t kind, const std::string& body, UniqueFd descriptor) {
    try {
      return dispatch(kind, body, std::move(descriptor));
    } catch (const std::exception& reason) {
      wire::WorkerFailure failure{};
      set_field(failure.text, reason.what());
      return wire::send(socket_, failure);
    }
  }

 private:
  bool dispatch(std::uint32_t kind, const std::string& body, UniqueFd descriptor) {
    if (wire::decode<wire::LoadCandidate>(kind, body)) {
      const auto start = SteadyClock::now();
      candidate_.reset();
      candidate_ = std::make_unique<LoadedCandidate>(std::move(descriptor));
      return wire::send(socket_, wire::Loaded{milliseconds_since(start)});
    }
    if (const auto request = wire::decode<wire::MapArena>(kind, body)) {
      const auto start = SteadyClock::now();
      if (!descriptor) {
        throw std::runtime_error("its descriptor could not be received: the process has none left to give");
      }
      arena_ = nullptr;
      arena_ = runner_.map(std::move(descriptor), request->bytes);
      arena_bytes_ = request->bytes;
      return wire::send(socket_, wire::Loaded{milliseconds_since(start)});
    }
    if (const auto request = wire::decode<wire::Call>(kind, body)) {
      wire::Called called = runner_.call(*request, bind(*request));
      called.nonce = request->nonce;
      if (runner_.lost()) {
        called.status = wire::CallStatus::context_lost;
      }
      if (candidate_) {
        candidate_->look_for_libraries();
        called.libraries = static_cast<std::uint32_t>(candidate_->libraries().size());
      }
      return wire::send(socket_, called) && !runner_.lost();
    }
    if (const auto request = wire::decode<wire::AskLaunches>(kind, body)) {
      return wire::send(socket_, launch_page(request->first));
    }
    if (const auto request = wire::decode<wire::AskLibraries>(kind, body)) {
      return wire::send(socket_, library_page(request->first));
    }
    throw std::runtime_error("message of unknown kind " + std::to_string(kind) + " or size " + std::to_string(body.size()));
  }

  Invocation bind(const wire::Call& request) const {
    Invocation invocation;
    if (!candidate_ || arena_ == nullptr) {
      throw std::runtime_error(!candidate_ ? "a call came before a candidate was loaded" : "a call came before an arena was mapped");
    }
    if (request.argument_count > wire::max_arguments || request.prologue_argument >= wire::max_arguments) {
      throw std::runtime_error("a call has more arguments than the protocol allows");
    }
    invocation.function = candidate_->function();
    for (std::uint32_t i = 0; i < request.argument_count; ++i) {
      if (request.roles[i] <= wire::ArgumentRole::inout) {
        if (request.offsets[i] > arena_bytes_ || request.bytes[i] > arena_bytes_ - request.offsets[i]) {
          throw std::runtime_error("argument " + std::to_string(i) + " lies outside the arena");
        }
        invocation.buffers[i] = arena_ + request.offsets[i];
      } else {
        invocation.values[i] = request.values[i];
      }
    }
    return invocation;
  }

  wire::LaunchPage launch_page(std::size_t first) const {
    wire::LaunchPage page{};
    const std::vector<wire::LaunchEntry>& all = runner_.launches();
    for (std::size_t i = first; i < all.size() && page.count < std::size(page.entries); ++i) {
      page.entries[page.count++] = all[i];
    }
    return page;
  }

  wire::LibraryPage library_page(std::size_t first) const {
    wire::LibraryPage page{};
    const std::vector<std::string> all = candidate_ ? candidate_->libraries() : std::vector<std::string>{};
    page.total = static_cast<std::uint32_t>(all.size());
    for (std::size_t i = first; i < all.size() && page.count < std::size(page.paths); ++i) {
      const std::size_t room = sizeof page.paths[0] - 1;
      set_field(page.paths[page.count++], all[i].substr(all[i].size() - std::min(all[i].size(), room)));
    }
    return page;
  }

  int socket_;
  Runner& runner_;
  std::unique_ptr<LoadedCandidate> candidate_;
  std::byte* arena_ = nullptr;
  std::uint64_t arena_bytes_ = 0;
};

}  // namespace

void serve(int socket, Runner& runner) {
  if (!wire::send(socket, runner.introduce())) {
    return;
  }
  Server server(socket, runner);
  for (;;) {
    std::uint32_t kind = 0;
    std::string body;
    UniqueFd descriptor;
    const wire::Received received = wire::receive_packet(socket, kind, body, &descriptor, std::chrono::hours(1));
    if (received == wire::Received::closed ||
        (received == wire::Received::message && !server.answer(kind, body, std::move(descriptor)))) {
      return;
    }
  }
}

}  // namespace mskb::worker
