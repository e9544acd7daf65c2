#include "simt/runtime/races.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.hpp"
#include "simt/runtime/faults.hpp"
#include "simt/runtime/race_hooks.hpp"
#include "simt/runtime/race_order.hpp"
#include "simt/runtime/scheduler.hpp"
#include "simt/runtime/shared_memory.hpp"

namespace mskb::simt::races {
namespace {

struct Conflict {
  Access earlier, now;
  std::uintptr_t word = 0;
  std::size_t size = 0;
  std::uint32_t value = 0;  // of the word before
};

Shadow shadow;
Order order;
std::set<std::pair<const void*, const void*>> told;  // places that were reported together in this launch
// A write that meets another access is judged when it is done: one that changes nothing is left out, as what the threads leave is the same in
// any order.
bool write_waits = false;
Conflict waiting_write;
// A read of what others update atomically is judged when its thread reaches a barrier: if it updates the place atomically itself by then, it
// was the beginning of a loop round atomicCAS.
std::vector<Conflict> waiting_reads;

bool is_sync(Kind kind) { return kind >= Kind::atomic; }
bool is_read(Kind kind) { return kind == Kind::read || kind == Kind::volatile_read; }
bool conflicting(Kind a, Kind b) { return !(is_read(a) && is_read(b)) && !(is_sync(a) && is_sync(b)); }

// "{0x1a2b}": an address in the candidate's object, which the harness turns into file and line.
std::string place(const void* pc) {
  Dl_info info{};
  const auto at = reinterpret_cast<std::uintptr_t>(pc) - 1;
  const auto base = dladdr(pc, &info) != 0 ? reinterpret_cast<std::uintptr_t>(info.dli_fbase) : 0;
  char text[32];
  std::snprintf(text, sizeof text, "{0x%zx}", static_cast<std::size_t>(at - base));
  return text;
}

std::string position(std::uint64_t index, const Index3& size) {
  return "(" + std::to_string(index % size.x) + "," + std::to_string(index / size.x % size.y) + "," + std::to_string(index / size.x / size.y) + ")";
}

const char* does(Kind kind) {
  return is_read(kind) ? "reads" : kind == Kind::atomic ? "updates atomically" : "writes";
}
const char* did(Kind kind) { return is_read(kind) ? "read" : kind == Kind::atomic ? "updated atomically" : "wrote"; }

void report(const Conflict& conflict) {
  if (!told.insert({conflict.earlier.pc, conflict.now.pc}).second) return;
  const Access& before = conflict.earlier;
  const bool same_block = before.block == conflict.now.block;
  const char* shared = shared_variable(reinterpret_cast<const void*>(conflict.word));
  std::string text = std::string(does(conflict.now.kind)) + " " + counted(conflict.size, "byte") + " of ";
  text += shared == nullptr ? "global memory" : *shared == '\0' ? "dynamic shared memory" : std::string("__shared__ ") + shared;
  text += " that " + (same_block ? std::string() : "block " + position(before.block - 1, gridDim) + ", ");
  text += "thread " + position(before.thread, blockDim) + (same_block ? " of the same block " : " ") + did(before.kind) + " at " + place(before.pc);
  text += same_block ? "; no barrier lies between the two" : "; blocks run in any order, and no atomic orders the two";
  const std::string file = place(conflict.now.pc);
  report_fault(FaultKind::race, {file.c_str(), 0}, std::move(text));
}

std::uint32_t bytes_of(std::uintptr_t word, std::uint8_t mask) {
  std::uint32_t value = 0;
  for (std::uintptr_t i = 0; i < 4; ++i) {
    if ((mask >> i & 1) != 0) value |= static_cast<std::uint32_t>(*reinterpret_cast<const volatile unsigned char*>(word + i)) << (8 * i);
  }
  return value;
}

void judge_write() {
  if (!write_waits) return;
  write_waits = false;
  if (bytes_of(waiting_write.word, waiting_write.now.mask) != waiting_write.value) report(waiting_write);
}

void meet(const Conflict& conflict) {
  if (told.contains({conflict.earlier.pc, conflict.now.pc})) return;
  constexpr std::size_t most_waiting = 4096;
  if (conflict.now.kind == Kind::write) {
    if (write_waits) return;  // one of this access is enough
    write_waits = true;
    waiting_write = conflict;
    waiting_write.value = bytes_of(conflict.word, conflict.now.mask);
  } else if (conflict.now.kind == Kind::read && conflict.earlier.kind == Kind::atomic) {
    if (waiting_reads.size() < most_waiting) waiting_reads.push_back(conflict);
  } else {
    report(conflict);
  }
}

void look_at_word(std::uintptr_t address, std::size_t size, Access now, bool shared) {
  Word& word = shadow.word(address);
  for (Access& earlier : word) {
    if (shared && earlier.block != now.block) earlier = {};  // the memory of a block that has ended
    if ((earlier.mask & now.mask) == 0 || !conflicting(earlier.kind, now.kind) || order.before_now(earlier, now.thread)) continue;
    meet({earlier, now, address, size, 0});
  }
  remember(word, now);
}

}  // namespace

void access(const void* address, std::size_t size, Kind kind, const void* pc) {
  if (!scheduler().in_kernel() || scheduler().on_stack(address)) return;
  judge_write();
  const int thread = scheduler().thread();
  const auto begin = reinterpret_cast<std::uintptr_t>(address), end = begin + size;
  if (kind == Kind::atomic) {
    std::erase_if(waiting_reads, [&](const Conflict& read) { return read.now.thread == thread && read.word == begin / 4 * 4; });
  }
  if (is_sync(kind) && kind != Kind::volatile_write) order.acquire(begin, thread);
  const bool shared = shared_variable(address) != nullptr;
  Access now = order.stamp(thread, kind, pc);
  for (std::uintptr_t word = begin / 4 * 4; word < end; word += 4) {
    now.mask = 0;
    for (std::uintptr_t i = 0; i < 4; ++i) {
      if (word + i >= begin && word + i < end) now.mask |= static_cast<std::uint8_t>(1U << i);
    }
    look_at_word(word, size, now, shared);
  }
  if (is_sync(kind) && kind != Kind::volatile_read) order.release(begin, thread);
}

void begin_launch() {
  shadow.begin_launch();
  order.begin_launch();
  told.clear();
  waiting_reads.clear();
  write_waits = false;
}

void begin_block(int threads) { order.begin_block(threads); }

void arrive(int thread) {
  judge_write();
  for (const Conflict& read : waiting_reads) {
    if (read.now.thread == thread) report(read);
  }
  std::erase_if(waiting_reads, [&](const Conflict& read) { return read.now.thread == thread; });
}

void barrier_passed() { order.barrier_passed(); }

void lanes_met(int warp, unsigned lanes) { order.lanes_met(warp, lanes); }

void pause() { judge_write(); }

}  // namespace mskb::simt::races
