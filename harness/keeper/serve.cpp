#include "keeper/serve.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/errors.hpp"
#include "keeper/keeper.hpp"
#include "keeper/oracle_guard.hpp"
#include "keeper/text.hpp"
#include "wire/socket.hpp"

namespace mskb::keeper {

namespace {

enum class Blame { keeper, case_size, oracle };

bool send_failure(Blame blame, const std::string& text) {
  wire::Failure failure{};
  failure.skip = blame == Blame::case_size ? 1 : 0;
  failure.oracle = blame == Blame::oracle ? 1 : 0;
  set_text(failure.text, text);
  return wire::send(socket_descriptor, failure);
}

// One request as it came.
struct Request {
  std::uint32_t kind;
  std::string body;
  UniqueFd fd;

  template <class T>
  T as() const {
    const std::optional<T> message = wire::decode<T>(kind, body);
    if (!message) {
      throw HarnessError("request " + std::to_string(kind) + " has the wrong size");
    }
    return *message;
  }
};

bool send_done(std::uint64_t value = 0) { return wire::send(socket_descriptor, wire::Done{value}); }

// Answers one request; false when the other end is gone.
bool answer(Keeper& keeper, Request& request) {
  switch (request.kind) {
    case wire::LoadModule::kind:
      if (!request.fd) {
        throw HarnessError("a task module's descriptor is missing");
      }
      keeper.load_module(std::move(request.fd));
      return send_done();
    case wire::OpenCase::kind: keeper.open_case(request.as<wire::OpenCase>()); return send_done();
    case wire::OpenArena::kind: {
      int descriptor = -1;
      const wire::ArenaOpened opened = keeper.open_arena(request.as<wire::OpenArena>(), descriptor);
      return wire::send(socket_descriptor, opened, descriptor);
    }
    case wire::CloseArena::kind: keeper.close_arena(request.as<wire::CloseArena>()); return send_done();
    case wire::Generate::kind: keeper.generate(request.as<wire::Generate>()); return send_done();
    case wire::Prepare::kind: return wire::send(socket_descriptor, keeper.prepare(request.as<wire::Prepare>()));
    case wire::Check::kind: return wire::send(socket_descriptor, keeper.check(request.as<wire::Check>()));
    case wire::Produce::kind: return send_done(keeper.produce(request.as<wire::Produce>()));
    case wire::AskSpread::kind: return wire::send(socket_descriptor, keeper.spread());
    case wire::Probe::kind: return send_done(keeper.probe());
    case wire::AskFreeMemory::kind: return send_done(keeper.free_memory());
    case wire::AskClockRate::kind: return send_done(keeper.clock_rate());
    default: throw HarnessError("unknown request " + std::to_string(request.kind));
  }
}

}  // namespace

int serve(std::unique_ptr<Device> (*open_device)(int number), int argument_count, char** arguments) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int number = argument_count > 1 ? std::atoi(arguments[1]) : 0;
  watch_oracles(argument_count > 2 ? std::atoi(arguments[2]) : 300);
  std::optional<Keeper> keeper;
  try {
    keeper.emplace(open_device(number));
    if (!wire::send(socket_descriptor, keeper->facts())) {
      return 0;
    }
  } catch (const DoesNotFit& error) {
    send_failure(Blame::case_size, error.what());
    return 0;
  } catch (const std::exception& error) {
    send_failure(Blame::keeper, error.what());
    return 3;
  }
  for (;;) {
    Request request{};
    const wire::Received received =
        wire::receive_packet(socket_descriptor, request.kind, request.body, &request.fd, std::chrono::hours(1));
    if (received == wire::Received::closed) {
      return 0;
    }
    if (received == wire::Received::timed_out) {
      continue;
    }
    bool connected = true;
    try {
      connected = answer(*keeper, request);
    } catch (const DoesNotFit& error) {
      connected = send_failure(Blame::case_size, error.what());
    } catch (const OracleFailure& error) {
      connected = send_failure(Blame::oracle, error.what());
    } catch (const std::exception& error) {
      connected = send_failure(Blame::keeper, error.what());
    }
    if (!connected) {
      return 0;
    }
  }
}

}  // namespace mskb::keeper
