#include "evaluate/worker_client.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

#include "base/available_memory.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "evaluate/code_places.hpp"
#include "evaluate/mapped_files.hpp"
#include "evaluate/sanitizer_output.hpp"

namespace mskb {

namespace {

using End = Observation::End;
using std::chrono::milliseconds;

constexpr milliseconds start_limit{60000};  // process, context
constexpr std::uint32_t most_libraries = 4096;
constexpr milliseconds answer_limit{5000};  // of what runs no candidate's code: one answer, or all pages of a list
// Of a process that has closed its connection. A driver may need seconds to take down what a crash leaves.
milliseconds end_limit(Backend backend) { return milliseconds(backend == Backend::cuda ? 15000 : 2000); }

template <std::size_t N>
std::string text_of(const char (&field)[N]) {
  return std::string(field, strnlen(field, N));
}

// What any candidate may load: the CUDA runtime and driver, the C and C++ libraries, the sanitizers' run time.
const std::vector<std::string> runtime_loads{"libcudart.so", "libcuda.so", "libnvidia-", "libstdc++.so", "libgcc_s.so",
                                             "libm.so",      "libc.so",    "libdl.so",   "librt.so",     "libpthread.so",
                                             "ld-linux",     "libasan.so", "libubsan.so"};

bool starts_with_any(const std::string& name, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) { return name.starts_with(prefix); });
}

// In a full sandbox: fresh directories, to which nothing else comes but what stood there when the worker started.
bool lies_where_it_may_write(const std::string& file) { return file.starts_with("/tmp/") || file.starts_with("/dev/"); }

Observation observed(End end, std::string text) {
  // One line, and nothing that a terminal would obey.
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return {end, std::move(text), std::nullopt};
}

std::string program_name(const WorkerClient::Options& options) {
  if (options.backend == Backend::cuda) {
    return "mskb-worker";
  }
  return options.races ? "mskb-worker-cpu-races" : options.sanitize ? "mskb-worker-cpu-asan" : "mskb-worker-cpu";
}

}  // namespace

WorkerClient::WorkerClient(Options options, std::filesystem::path object, std::vector<std::string> allowed_loads)
    : options_(options), object_(std::move(object)), allowed_loads_(std::move(allowed_loads)) {}

void WorkerClient::set_arena(UniqueFd fd, std::uint64_t bytes) {
  arena_ = std::move(fd);
  arena_bytes_ = bytes;
  mapped_ = false;
}

void WorkerClient::freeze(bool frozen) {
  if (process_ && frozen != frozen_) {
    process_->freeze(frozen);
    woke_ |= process_->woken();
    frozen_ = frozen;
  }
}

bool WorkerClient::woke() {
  if (!process_ || !(woke_ || process_->woken())) {
    return false;
  }
  drop();
  return true;
}

void WorkerClient::drop() {
  if (process_) {
    process_->kill();
  }
  process_.reset();
  socket_.reset();
  mapped_ = false;
}

bool WorkerClient::release() {
  const bool running = process_ != nullptr;
  drop();
  return running;
}

// Four times the arena: a worker of the CPU backend maps it, and its candidate may hold three times as much in buffers of its own; with --races 32 bytes
// are remembered of each of these. A CUDA driver's own host memory is generously allowed for.
void WorkerClient::limit_memory() {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  const std::uint64_t wanted = (options_.backend == Backend::cuda ? 32 : 4) * gib + (options_.races ? 100 : 4) * arena_bytes_;
  const std::uint64_t least = gib + arena_bytes_;
  memory_limit_ = std::max(least, std::min(wanted, available_memory() / 4 * 3));
  process_->limit_memory(memory_limit_);
}

Observation WorkerClient::ended(const std::string& during) {
  const bool by_itself = process_->wait(end_limit(options_.backend)).ended;
  const ProcessEnd end = process_->kill();
  const std::string output = telling_line(process_->output());
  process_.reset();
  socket_.reset();
  mapped_ = false;
  if (end.memory > 0) {
    return observed(End::died, fmt::format("it held {:.2f} GiB of memory, more than its limit of {:.2f} GiB, and was killed during {}",
                                           static_cast<double>(end.memory) / 0x1p30, static_cast<double>(memory_limit_) / 0x1p30, during));
  }
  if (end.threads > 0) {
    return observed(End::died, fmt::format("it had {} threads, more than the {} that it may have, and was killed during {}", end.threads, most_threads, during));
  }
  if (end.signal == SIGSYS) {
    return observed(End::violation, fmt::format("a forbidden system call: one that reaches for other processes, wakes a stopped one, or takes memory that the memory "
                                                "limit ({:.2f} GiB) would not see, during {}", static_cast<double>(memory_limit_) / 0x1p30, during));
  }
  if ((!by_itself && !under_a_tool()) || end.exit_code == wire::connection_lost) {
    return observed(End::violation, fmt::format("it closed its worker's connection to the harness, during {}", during));
  }
  std::string text = end.signal != 0 ? fmt::format("signal {} ({}) during {}", end.signal, strsignal(end.signal), during)
                                     : fmt::format("the process left with code {} during {}", end.exit_code, during);
  if (options_.sanitize && options_.compute_sanitizer.empty() && !output.empty()) {
    const bool bounds = output.find("overflow") != std::string::npos || output.find("use-after-poison") != std::string::npos;
    return observed(End::fault, (bounds ? "out of bounds: " : "sanitizer: ") + output);
  }
  if (!output.empty()) {
    text += "; it printed: " + output;
  }
  return observed(End::died, std::move(text));
}

std::string WorkerClient::sanitizer_report() {
  constexpr milliseconds to_be_printed{30};
  std::this_thread::sleep_for(to_be_printed);
  const std::string output = process_->output();
  const std::string fresh = output.substr(std::min(output_seen_, output.size()));
  output_seen_ = output.size();
  return first_finding(fresh);
}

template <class Reply, class Request>
Observation WorkerClient::exchange(const Request& request, Reply& reply, int fd, const TimeLimit& limit, const std::string& what) {
  std::uint32_t kind = 0;
  std::string body;
  if (wire::readable(socket_.get())) {
    if (wire::receive_packet(socket_.get(), kind, body, nullptr, milliseconds(0)) != wire::Received::message) {
      return ended(what);
    }
    drop();
    return observed(End::violation, fmt::format("before {} it sent an answer that nobody had asked for", what));
  }
  if (!wire::writable(socket_.get())) {
    drop();
    return observed(End::violation, fmt::format("it does not read what it is asked, before {}", what));
  }
  if (!wire::send(socket_.get(), request, fd)) {
    return ended(what);
  }
  switch (wire::receive_packet(socket_.get(), kind, body, nullptr, limit.left())) {
    case wire::Received::closed:
      return ended(what);
    case wire::Received::timed_out:
      drop();
      return observed(End::timed_out, fmt::format("{} had not ended after {:.1f} s and was killed", what,
                                                  static_cast<double>(limit.total.count()) / 1000));
    case wire::Received::message:
      break;
  }
  if (const auto failure = wire::decode<wire::WorkerFailure>(kind, body)) {
    drop();  // the candidate's code has run in it
    const bool loading = std::is_same_v<Request, wire::LoadCandidate>;
    return observed(loading ? End::unloadable : End::died, fmt::format("{}{}: {}", loading ? "" : "its worker could not go on, ", what, text_of(failure->text)));
  }
  const auto decoded = wire::decode<Reply>(kind, body);
  if (!decoded) {
    drop();
    return observed(End::violation, what + ": the worker's answer is not one of the protocol");
  }
  reply = *decoded;
  return {};
}

void WorkerClient::launch() {
  if (process_) {
    return;
  }
  const auto program = sibling_program(program_name(options_));
  if (!std::filesystem::exists(program)) {
    throw InputError(fmt::format("{} was not built; build it or leave --sanitize and --races out", program.string()));
  }
  wire::SocketPair pair = wire::make_socket_pair();
  std::vector<std::string> arguments{std::to_string(options_.device)};
  std::filesystem::path started = program;
  if (!options_.compute_sanitizer.empty()) {
    arguments = {"--tool", options_.sanitizer_tool, "--report-api-errors", "no", "--print-limit", "10", program.string(), arguments[0], "solo"};
    started = options_.compute_sanitizer;
    output_seen_ = 0;
  }
  if (!options_.profiler.empty()) {
    started = options_.profiler.front();
    arguments.assign(options_.profiler.begin() + 1, options_.profiler.end());
    arguments.insert(arguments.end(), {program.string(), std::to_string(options_.device), "solo"});
  }
  process_ = std::make_unique<SandboxedProcess>(started, arguments, std::move(pair.theirs), options_.sandbox);
  socket_ = std::move(pair.ours);
  introduced_ = frozen_ = woke_ = called_before_ = false;
}

Observation WorkerClient::start() {
  const bool launched_ahead = process_ != nullptr;
  launch();
  freeze(false);
  std::uint32_t kind = 0;
  std::string body;
  if (wire::receive_packet(socket_.get(), kind, body, nullptr, start_limit) != wire::Received::message) {
    const ProcessEnd end = process_->kill();
    const std::string output = process_->output();
    process_.reset();
    if (launched_ahead) {
      return start();  // somebody killed it before its turn
    }
    throw HarnessError(fmt::format("{} did not start (exit code {}, signal {}): {}", program_name(options_), end.exit_code, end.signal,
                                    output.substr(0, 300)));
  }
  if (const auto failure = wire::decode<wire::WorkerFailure>(kind, body)) {
    process_.reset();
    throw HarnessError("the worker could not start: " + text_of(failure->text));
  }
  const auto ready = wire::decode<wire::WorkerReady>(kind, body);
  if (!ready) {
    throw HarnessError("the worker did not introduce itself");
  }
  introduced_ = true;
  activity_available_ = ready->activity_available != 0;
  note_ = text_of(ready->note);

  mapped_before_ = mapped_code(process_->pid());
  libraries_seen_ = 0;
  const UniqueFd object(::open(object_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!object) {
    throw_errno("open " + object_.string());
  }
  wire::Loaded loaded{};
  limit_memory();
  Observation observation = exchange(wire::LoadCandidate{}, loaded, object.get(), load_limit_, "loading the candidate");
  if (observation.end == End::timed_out) {
    observation.end = End::never_loaded;
    observation.text = fmt::format("while loading: the constructors of its static objects had not ended after {:.1f} s and were killed",
                                   static_cast<double>(load_limit_.count()) / 1000);
  }
  return observation.end == End::answered ? check_libraries() : observation;
}

Observation WorkerClient::judge_library(const std::string& name) {
  if (starts_with_any(name, runtime_loads) || starts_with_any(name, allowed_loads_)) {
    return {};
  }
  drop();
  return observed(End::violation, fmt::format("it loads {}, which its origin does not allow", name));
}

// What the worker lists is testimony. The kernel's own list of what is mapped shows also what the loader does not; not everybody may read it.
Observation WorkerClient::check_mapped_code() {
  if (under_a_tool()) {
    return {};
  }
  std::error_code error;
  const std::string object = std::filesystem::canonical(object_, error).string();
  for (const std::string& file : mapped_code(process_->pid())) {
    const std::string name = std::filesystem::path(file).filename();
    if (!mapped_before_.contains(file) && file != object) {
      if (options_.sandbox == SandboxLevel::full && lies_where_it_may_write(file)) {
        drop();
        return observed(End::violation, fmt::format("it runs code of a file that it has written itself, {}", file));
      }
      if (const Observation judged = judge_library(name); judged.end != End::answered) {
        return judged;
      }
    }
  }
  return {};
}

Observation WorkerClient::check_libraries() {
  if (!options_.profiler.empty()) {
    return {};  // it loads libraries during the call; what it profiles was judged before
  }
  const TimeLimit limit(answer_limit);
  for (std::uint32_t first = 0;;) {
    wire::LibraryPage page{};
    const Observation observation = exchange(wire::AskLibraries{first}, page, -1, limit, "listing the loaded libraries");
    if (observation.end != End::answered) {
      return observation;
    }
    const std::uint32_t count = std::min<std::uint32_t>(page.count, std::size(page.paths));
    if (count < std::size(page.paths) && first + count < page.total) {
      drop();
      return observed(End::violation, "its list of loaded libraries has a page that is not full before the last");
    }
    if (first + count > most_libraries) {
      drop();
      return observed(End::violation, fmt::format("it lists more than {} loaded libraries", most_libraries));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string name = std::filesystem::path(text_of(page.paths[i])).filename();
      if (const Observation judged = judge_library(name); judged.end != End::answered) {
        return judged;
      }
    }
    first += count;
    if (count == 0 || first >= page.total) {
      return check_mapped_code();
    }
  }
}

Observation WorkerClient::look_around() {
  return process_ ? check_mapped_code() : Observation{};
}

Observation WorkerClient::ensure_ready() {
  if (!process_ || !introduced_) {
    const Observation started = start();
    if (started.end != End::answered) {
      return started;
    }
  }
  freeze(false);
  if (woke()) {
    return observed(End::violation, ran_while_stopped);
  }
  if (!mapped_ && arena_) {
    limit_memory();
    wire::Loaded reply{};
    const Observation mapping = exchange(wire::MapArena{arena_bytes_}, reply, arena_.get(), load_limit_, "mapping the arena");
    if (mapping.end != End::answered) {
      return mapping;
    }
    mapped_ = true;
  }
  return {};
}

// What the worker says of its times is testimony, bounded by our own clock around the call.
bool plausible_times(const wire::Called& called, const wire::Call& request, double go_to_done_us) {
  const auto within = [&](double us) { return std::isfinite(us) && us >= 0 && us <= go_to_done_us; };
  return within(called.call_us) && within(called.span_us) && within(called.busy_us) && std::isfinite(called.lead_us) &&
         std::isfinite(called.tail_us) && within(called.null_span_us) && std::isfinite(called.null_host_us) &&
         std::fabs(called.null_host_us) <= go_to_done_us && std::fabs(called.lead_us) <= go_to_done_us && std::fabs(called.tail_us) <= go_to_done_us &&
         within(called.batch_us * std::max(request.repeats, 1u));
}

CallOutcome WorkerClient::call(wire::Call request, milliseconds limit) {
  CallOutcome outcome;
  request.nonce = nonces_();
  outcome.observation = ensure_ready();
  if (outcome.observation.end != End::answered) {
    return outcome;
  }
  const auto go = std::chrono::steady_clock::now();
  outcome.observation = exchange(request, outcome.called, -1, limit, "the call");
  outcome.go_to_done_us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - go).count();
  if (outcome.observation.end != End::answered) {
    return outcome;
  }
  if (outcome.called.nonce != request.nonce) {
    drop();
    outcome.observation = observed(End::violation, "it answered a call before it had been made");
    return outcome;
  }
  if (!plausible_times(outcome.called, request, outcome.go_to_done_us)) {
    drop();
    outcome.observation = observed(End::violation, "the times that it reported are not possible by the harness's own clock");
    return outcome;
  }
  // Without its context the worker is about to end: the failure is the answer, not that it lists nothing.
  const bool lost = outcome.called.status == wire::CallStatus::context_lost;
  if (!lost && (!called_before_ || outcome.called.libraries != libraries_seen_)) {
    called_before_ = true;
    libraries_seen_ = outcome.called.libraries;
    const Observation libraries = check_libraries();
    if (libraries.end != End::answered) {
      outcome.observation = libraries;
      return outcome;
    }
  }
  const std::string text = text_of(outcome.called.text);
  if (!options_.compute_sanitizer.empty()) {
    if (const std::string report = sanitizer_report(); !report.empty()) {
      const bool bounds = report.starts_with("Invalid __");
      outcome.observation = observed(End::fault, (bounds ? "out of bounds: " : "sanitizer: ") + report);
      drop();
      return outcome;
    }
  }
  switch (outcome.called.status) {
    case wire::CallStatus::ok:
      break;
    case wire::CallStatus::launch_failed:
      outcome.observation = observed(End::launch_failed, text);
      drop();  // a fresh one owes nothing to the failure
      break;
    case wire::CallStatus::context_lost:
      outcome.observation = observed(End::context_lost, text);
      drop();
      break;
    case wire::CallStatus::threw:
      outcome.observation = observed(End::threw, text);
      break;
    case wire::CallStatus::unsupported:
      outcome.observation = observed(End::unsupported, text);
      break;
    case wire::CallStatus::fault:
      outcome.observation = observed(End::fault, options_.races ? name_code_places(text, object_) : text);
      break;
    default:
      outcome.observation = observed(End::violation, "the worker answered with an unknown status");
  }
  return outcome;
}

std::string WorkerClient::finish(milliseconds limit) {
  if (!process_) {
    return "";
  }
  freeze(false);
  socket_.reset();
  process_->wait(limit);
  process_->kill();
  std::string output = process_->output();
  drop();
  return output;
}

Observation WorkerClient::list_launches(std::vector<KernelLaunch>& all) {
  const TimeLimit limit(answer_limit);
  all.clear();
  while (process_ && all.size() < 256) {
    wire::LaunchPage page{};
    const wire::AskLaunches request{static_cast<std::uint32_t>(all.size())};
    if (Observation observation = exchange(request, page, -1, limit, "listing the launches"); observation.end != End::answered) {
      return observation;
    }
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(page.count, std::size(page.entries)); ++i) {
      const wire::LaunchEntry& entry = page.entries[i];
      KernelLaunch launch;
      launch.kernel = text_of(entry.kernel);
      std::copy_n(entry.grid, 3, launch.grid);
      std::copy_n(entry.block, 3, launch.block);
      launch.registers = entry.registers;
      launch.static_shared = entry.static_shared;
      launch.dynamic_shared = entry.dynamic_shared;
      launch.count = entry.count;
      all.push_back(std::move(launch));
    }
    if (page.count < std::size(page.entries)) {
      break;
    }
  }
  return {};
}

}  // namespace mskb
