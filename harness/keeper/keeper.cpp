#include "keeper/keeper.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "keeper/oracle_guard.hpp"

namespace mskb::keeper {

namespace {
constexpr std::uint64_t guard_key_number = 1000, beyond_key_number = 1001;

void require_sane(const wire::CaseSpec& spec) {
  if (spec.argument_count > wire::max_arguments || spec.dim_count > wire::max_dims) {
    throw HarnessError(fmt::format("a case of {} arguments and {} dims; at most {} and {} are possible",
                                   spec.argument_count, spec.dim_count, wire::max_arguments, wire::max_dims));
  }
  for (std::uint32_t k = 0; k < spec.argument_count; ++k) {
    if (spec.arguments[k].is_buffer() &&
        (spec.arguments[k].elements == 0 || spec.arguments[k].elements >= (std::uint64_t{1} << 31))) {
      throw HarnessError(
          fmt::format("argument {} has {} elements; 1 to 2^31 - 1 are possible", k, spec.arguments[k].elements));
    }
  }
}
}  // namespace

std::uint64_t argument_key(std::uint64_t key, int argument) {
  const PhiloxWords words = philox(key, 0x4b45590000000000u + static_cast<std::uint64_t>(argument));
  return (std::uint64_t{words.word[0]} << 32) | words.word[1];
}

Keeper::Keeper(std::unique_ptr<Device> device) : device_(std::move(device)) {}

void Keeper::load_module(UniqueFd module) {
  const std::string path = fmt::format("/proc/self/fd/{}", module.get());
  void* handle = in_oracle([&] { return ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); });
  if (handle == nullptr) {
    throw OracleFailure(fmt::format("could not be loaded: {}", ::dlerror()));
  }
  module_files_.push_back(std::move(module));
  const auto function = reinterpret_cast<truth::ModuleFunction>(::dlsym(handle, truth::module_symbol));
  const truth::Module* found = function == nullptr ? nullptr : function();
  if (found == nullptr || found->abi != truth::module_abi || found->case_spec_bytes != sizeof(wire::CaseSpec)) {
    throw HarnessError("the task module was made by another version of the harness; empty the cache");
  }
  module_ = found;
  case_open_ = generated_ = stages_filled_ = kept_valid_ = false;
}

void Keeper::open_case(const wire::OpenCase& request) {
  if (module_ == nullptr) {
    throw HarnessError("a case was opened before a task module was loaded");
  }
  require_sane(request.spec);
  case_open_ = generated_ = stages_filled_ = kept_valid_ = false;
  for (auto& [id, known] : arenas_) {
    known.prepared = false;
  }
  for (HeldTruth& held : held_) {
    held = HeldTruth{};
  }
  spec_ = request.spec;
  std::uint64_t bytes = 0;
  for (int k = 0; k < argument_count(); ++k) {
    if (argument(k).is_buffer() && argument(k).is_read()) {
      contents_at_[k] = bytes;
      bytes += wire::aligned(wire::buffer_bytes(argument(k)));
    }
    if (argument(k).is_buffer() && argument(k).is_written()) {
      kept_at_[k] = bytes;
      bytes += wire::aligned(wire::buffer_bytes(argument(k)));
    }
  }
  stages_at_ = bytes;
  truth::View empty{};
  empty.spec = spec_;
  bytes += wire::aligned(in_oracle([&] { return module_->stage_count(empty); }) * sizeof(double)) + wire::buffer_alignment;
  if (private_ == nullptr || private_->bytes() < bytes) {
    private_.reset();
    workspace_.reset();
    private_ = device_->allocate(bytes);
  }
  case_open_ = true;
}

wire::ArenaOpened Keeper::open_arena(const wire::OpenArena& request, int& descriptor) {
  Arena& arena = arenas_[request.arena];
  arena.prepared = false;
  descriptor = -1;
  const bool fresh = arena.memory == nullptr || arena.memory->bytes() < request.bytes;
  if (fresh) {
    arena.memory.reset();
    arena.memory = device_->allocate_shared(request.bytes);
    arena.beyond_from = arena.memory->bytes();
    descriptor = arena.memory->descriptor();
  }
  return {arena.memory->bytes(), fresh ? 1u : 0u};
}

void Keeper::close_arena(const wire::CloseArena& request) { arenas_.erase(request.arena); }

void Keeper::require_case() const {
  if (!case_open_) {
    throw HarnessError("no case is open");
  }
}

void Keeper::require_contents() const {
  require_case();
  if (!generated_) {
    throw HarnessError("the case has no contents yet");
  }
}

Arena& Keeper::arena(std::uint32_t id) {
  const auto found = arenas_.find(id);
  if (found == arenas_.end() || found->second.memory == nullptr) {
    throw HarnessError(fmt::format("arena {} is not open", id));
  }
  return found->second;
}

Arena& Keeper::prepared_arena(std::uint32_t id) {
  Arena& found = arena(id);
  if (!found.prepared) {
    throw HarnessError(fmt::format("arena {} was not prepared with these contents", id));
  }
  return found;
}

std::byte* Keeper::workspace(std::uint64_t bytes) {
  if (workspace_ == nullptr || workspace_->bytes() < bytes) {
    workspace_.reset();
    workspace_ = device_->allocate(std::max<std::uint64_t>(bytes, 1 << 20));
  }
  return workspace_->data();
}

void Keeper::allow(int status, const char* call) const {
  if (status != 0) {
    throw HarnessError(fmt::format("the task module's {}: {}", call, device_->status_text(status)));
  }
}

void Keeper::write_contents(const Keys& keys) {
  for (int k = 0; k < argument_count(); ++k) {
    if (argument(k).is_buffer() && argument(k).is_read()) {
      device_->run(WriteFill{argument(k).fill, argument(k).elements, keys[k], argument(k).type, contents(k)},
                   quads(argument(k).elements));
    }
  }
  stages_filled_ = false;
}

void Keeper::generate(const wire::Generate& request) {
  require_case();
  if (generated_ && step_ == request.step) {
    return;
  }
  for (auto& [id, known] : arenas_) {
    known.prepared = false;
  }
  for (HeldTruth& held : held_) {
    held.filled = false;
  }
  generated_ = false;
  std::copy(std::begin(request.stream_keys), std::end(request.stream_keys), keys_);
  write_contents(keys_);
  fill_stages(truth::Arithmetic::exact, truth::InputRounding::none);
  step_ = request.step;
  generated_ = true;
}

truth::View Keeper::view() const {
  truth::View view{};
  view.spec = spec_;
  for (int k = 0; k < argument_count(); ++k) {
    view.contents[k] = argument(k).is_buffer() && argument(k).is_read() ? contents(k) : nullptr;
  }
  view.stages = reinterpret_cast<double*>(private_->data() + stages_at_);
  view.arithmetic = arithmetic_;
  view.rounding = rounding_;
  return view;
}

void Keeper::fill_stages(truth::Arithmetic arithmetic, truth::InputRounding rounding) {
  if (stages_filled_ && arithmetic == arithmetic_ && rounding == rounding_) {
    return;
  }
  arithmetic_ = arithmetic;
  rounding_ = rounding;
  stages_filled_ = false;
  allow(in_oracle([&] { return module_->fill_stages(view(), device_->stream()); }), "fill_stages");
  stages_filled_ = true;
}

Guards Keeper::guards(const Arena& arena) const {
  Guards guards{};
  guards.arena = arena.memory->data();
  guards.key = argument_key(arena.poison_key, guard_key_number);
  std::uint64_t at = 0;
  for (int b = 0; b < arena.layout.buffers; ++b) {
    const int k = arena.layout.order[static_cast<std::size_t>(b)];
    guards.add(at, arena.layout.offsets[k]);
    at = arena.layout.offsets[k] + wire::buffer_bytes(argument(k));
  }
  guards.add(at, arena.layout.used);
  return guards;
}

Guards Keeper::beyond(const Arena& arena, std::uint64_t from, std::uint64_t to) const {
  Guards guards{};
  guards.arena = arena.memory->data();
  guards.key = arena.beyond_key;
  guards.add(from, to);
  return guards;
}

wire::Prepared Keeper::prepare(const wire::Prepare& request) {
  require_contents();
  Arena& to = arena(request.arena);
  to.prepared = false;
  to.layout = wire::make_layout(spec_, request.layout_key);
  to.poison = request.poison;
  to.poison_key = request.poison_key;
  const std::uint64_t end = to.memory->bytes();
  if (to.layout.used > end) {
    throw HarnessError(fmt::format("arena {} has {} bytes, the case needs {}", request.arena, end, to.layout.used));
  }
  if (to.beyond_from == end) {
    to.beyond_key = argument_key(request.poison_key, beyond_key_number);
  }
  if (to.layout.used < to.beyond_from) {
    const Guards more = beyond(to, to.layout.used, to.beyond_from);
    device_->run(WriteGuards{more}, more.chunks());
  }
  to.beyond_from = to.layout.used;
  const Guards inside = guards(to);
  device_->run(WriteGuards{inside}, inside.chunks());
  wire::Prepared prepared{};
  for (int k = 0; k < argument_count(); ++k) {
    if (!argument(k).is_buffer()) {
      continue;
    }
    prepared.offsets[k] = to.layout.offsets[k];
    if (argument(k).is_read()) {
      device_->copy(buffer(to, k), contents(k), wire::buffer_bytes(argument(k)));
    } else {
      device_->run(WritePoison{request.poison, argument(k).elements, argument_key(request.poison_key, k),
                               argument(k).type, buffer(to, k)},
                   quads(argument(k).elements));
    }
  }
  if (request.flush != 0) {
    device_->flush_cache();
  }
  device_->settle();
  to.prepared = true;
  return prepared;
}

std::uint64_t Keeper::probe() {
  constexpr std::uint64_t n = 1 << 14, key = 0x70726f6265;
  const Fill fill{FillKind::uniform, 0, 0.0, 1.0, 0.0};
  const auto begin = std::chrono::steady_clock::now();
  std::byte* memory = workspace(n * sizeof(float));
  device_->clear_results();
  device_->run(WriteFill{fill, n, key, ElementType::f32, memory}, quads(n));
  device_->run(Fingerprint{memory, n, ElementType::f32}, quads(n), &device_->results()->probe);
  const std::uint64_t got = device_->fetch_results().probe.sum;
  const auto end = std::chrono::steady_clock::now();
  std::uint64_t want = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    want += place_hash(i, fill_element(fill, i, n, key, ElementType::f32));
  }
  if (got != want) {
    throw HarnessError("the device computes wrong results: a probe of known contents came back changed");
  }
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count());
}

}  // namespace mskb::keeper
