#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/unique_fd.hpp"
#include "keeper/device.hpp"
#include "truth/module.hpp"
#include "wire/keeper_messages.hpp"
#include "wire/layout.hpp"

namespace mskb::keeper {

// What a worker's arena holds.
struct Arena {
  std::unique_ptr<SharedMemory> memory;
  std::uint64_t beyond_key = 0;   // pattern of the bytes behind the case's range
  std::uint64_t beyond_from = 0;  // they are intact from here to the arena's end
  bool prepared = false;          // for the current case and contents
  wire::Layout layout{};
  wire::Poison poison = wire::Poison::nan;
  std::uint64_t poison_key = 0;
};

// The trusted side of a device, as its requests ask. Every function throws DoesNotFit or HarnessError (a request out of
// order, a device error).
class Keeper {
 public:
  explicit Keeper(std::unique_ptr<Device> device);

  wire::DeviceFacts facts() { return device_->facts(); }
  void load_module(UniqueFd module);
  void open_case(const wire::OpenCase& request);
  // The descriptor to send is -1 where the arena is not new; it stays the keeper's.
  wire::ArenaOpened open_arena(const wire::OpenArena& request, int& descriptor);
  void close_arena(const wire::CloseArena& request);
  void generate(const wire::Generate& request);
  wire::Prepared prepare(const wire::Prepare& request);
  wire::Findings check(const wire::Check& request);
  // Elements of all outputs that differ from truth rounded to the output's type. Throws DoesNotFit where a damage
  // cannot apply or changes nothing.
  std::uint64_t produce(const wire::Produce& request);
  wire::Spread spread();
  std::uint64_t probe();  // nanoseconds
  std::uint64_t free_memory() { return device_->facts().free_bytes; }
  std::uint64_t clock_rate() { return device_->clock_rate(); }

 private:
  using Keys = std::uint64_t[wire::max_arguments];

  const wire::ArgumentSpec& argument(int k) const { return spec_.arguments[k]; }
  std::byte* contents(int k) const { return private_->data() + contents_at_[k]; }
  std::byte* kept(int k) const { return private_->data() + kept_at_[k]; }
  int argument_count() const { return static_cast<int>(spec_.argument_count); }

  void require_case() const;
  void require_contents() const;
  Arena& arena(std::uint32_t id);
  Arena& prepared_arena(std::uint32_t id);
  std::byte* buffer(const Arena& arena, int k) const { return arena.memory->data() + arena.layout.offsets[k]; }
  // At least that much private memory for samples, values and sorted contents; what it held is lost.
  std::byte* workspace(std::uint64_t bytes);
  void allow(int status, const char* call) const;  // a module's status

  Guards guards(const Arena& arena) const;
  Guards beyond(const Arena& arena, std::uint64_t from, std::uint64_t to) const;
  void write_contents(const Keys& keys);
  truth::View view() const;
  void fill_stages(truth::Arithmetic arithmetic, truth::InputRounding rounding);  // no effect where they are so already

  void launch_truth(const Arena& arena, int k, const wire::Check& request, std::uint64_t& at);
  void find_guards(const Arena& arena, const Results& results, wire::Findings& findings) const;
  void find_order(const Arena& arena, int k, const Results& results, wire::OutputFindings& found);
  double spread_one(int k, wire::Spread& spread);
  void write_damaged(const Arena& arena, int k, const wire::Produce& request);
  std::uint64_t count_different(const Arena& arena, int k);
  // The exact output k of the current step as doubles, made once; null where it is not what is asked for, or where the
  // device has no room for it.
  const double* held_truth(int k);
  // body(at, count, want) for pieces of the true output k; `want` may lie in the workspace.
  template <class Body>
  void over_truth(int k, const Body& body);

  std::unique_ptr<Device> device_;
  std::vector<UniqueFd> module_files_;  // kept open: the loader tells modules apart by the number in /proc/self/fd
  const truth::Module* module_ = nullptr;
  std::map<std::uint32_t, Arena> arenas_;

  bool case_open_ = false;
  wire::CaseSpec spec_{};
  std::unique_ptr<Memory> private_;  // contents, kept outputs, stages
  std::uint64_t contents_at_[wire::max_arguments]{}, kept_at_[wire::max_arguments]{}, stages_at_ = 0;
  std::unique_ptr<Memory> workspace_;
  struct HeldTruth {
    std::unique_ptr<Memory> memory;
    bool asked = false, filled = false;  // asked: whether memory was tried for; filled: with the current contents
  };
  HeldTruth held_[wire::max_arguments];

  bool generated_ = false;
  std::uint64_t step_ = 0;
  Keys keys_{};
  bool stages_filled_ = false;
  truth::Arithmetic arithmetic_ = truth::Arithmetic::exact;
  truth::InputRounding rounding_ = truth::InputRounding::none;
  bool kept_valid_ = false;
  std::uint64_t kept_step_ = 0;
};

// The poison key of one argument.
std::uint64_t argument_key(std::uint64_t key, int argument);

}  // namespace mskb::keeper
