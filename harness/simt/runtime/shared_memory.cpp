#include "simt/runtime/shared_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "base/counted.hpp"
#include "simt/include/mskb_simt/abi.h"
#include "simt/runtime/device_limits.hpp"
#include "simt/runtime/faults.hpp"
#include "simt/runtime/sanitizer.hpp"

unsigned long long mskb_simt_epoch = 0;

namespace mskb::simt {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t guard = sanitizer::address ? 0 : 256;
constexpr unsigned char uninitialised = 0xCB;
constexpr unsigned char guard_byte = 0x5C;

struct Piece {
  mskb_simt::SharedVariable* variable;  // null: the dynamic memory
  char* base;
  std::size_t size;
  unsigned long long epoch;  // the block it was last filled for
  char* memory() const { return base + guard; }
};

std::vector<Piece> pieces;
std::size_t dynamic_bytes = 0, static_bytes = 0;
std::size_t dynamic_piece = 0;  // index + 1
unsigned long long last_epoch = 0;

Piece make_piece(mskb_simt::SharedVariable* variable, std::size_t size) {
  const std::size_t padded = sanitizer::address ? size : (2 * guard + size + alignment - 1) / alignment * alignment;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, padded) != 0) throw std::bad_alloc();
  if (guard != 0) std::memset(memory, guard_byte, padded);
  return {variable, static_cast<char*>(memory), size, 0};
}

void fill(Piece& piece) {
  std::memset(piece.memory(), uninitialised, piece.size);
  piece.epoch = mskb_simt_epoch;
}

void report_overflow(const Piece& piece, const char* at) {
  const auto offset = at - piece.memory();
  const std::string what = piece.variable ? std::string("__shared__ ") + piece.variable->name : "dynamic shared memory";
  const std::string where =
      offset < 0 ? counted(-offset, "byte") + " before its start"
                 : counted(offset - static_cast<std::ptrdiff_t>(piece.size), "byte") + " behind its end";
  FaultPlace place;
  if (piece.variable) place = {piece.variable->file, piece.variable->line};
  report_fault(FaultKind::shared_overflow, place,
               "out of bounds: a thread of this block wrote " + where + "; " + what + " has " +
                   counted(piece.size, "byte"));
}

void check(Piece& piece) {
  const auto scan = [&](char* begin) {
    for (std::size_t i = 0; i < guard; ++i) {
      if (static_cast<unsigned char>(begin[i]) == guard_byte) continue;
      report_overflow(piece, begin + i);
      std::memset(begin, guard_byte, guard);
      return;
    }
  };
  scan(piece.base);
  scan(piece.memory() + piece.size);
}

}  // namespace

void begin_launch_memory(std::size_t bytes) {
  dynamic_bytes = bytes;
  static_bytes = 0;
}

void begin_block_memory() { mskb_simt_epoch = ++last_epoch; }

void end_block_memory() {
  if (guard == 0) return;
  for (auto& piece : pieces) {
    if (piece.epoch == mskb_simt_epoch) check(piece);
  }
}

std::size_t end_launch_memory() {
  for (auto& piece : pieces) std::free(piece.base);
  pieces.clear();
  dynamic_piece = 0;
  mskb_simt_epoch = 0;
  return static_bytes;
}

const char* shared_variable(const void* address) {
  const char* at = static_cast<const char*>(address);
  for (const auto& piece : pieces) {
    if (at >= piece.memory() && at < piece.memory() + piece.size) return piece.variable ? piece.variable->name : "";
  }
  return nullptr;
}

}  // namespace mskb::simt

using namespace mskb::simt;

extern "C" void* mskb_simt_shared(mskb_simt::SharedVariable* variable, std::size_t size, std::size_t needed_alignment) {
  for (auto& piece : pieces) {
    if (piece.variable != variable) continue;
    if (piece.epoch != mskb_simt_epoch) fill(piece);
    variable->memory = piece.memory();
    variable->epoch = mskb_simt_epoch;
    return variable->memory;
  }
  static_bytes = (static_bytes + needed_alignment - 1) / needed_alignment * needed_alignment + size;
  if (static_bytes > device::shared_per_block || static_bytes + dynamic_bytes > device::shared_per_block_optin) {
    abandon_launch(FaultKind::shared_limit, {variable->file, variable->line},
                   "the kernel has " + std::to_string(static_bytes) + " bytes of static and " +
                       std::to_string(dynamic_bytes) + " bytes of dynamic shared memory; the device allows " +
                       std::to_string(device::shared_per_block) + " static and " +
                       std::to_string(device::shared_per_block_optin) + " together");
  }
  pieces.push_back(make_piece(variable, size));
  fill(pieces.back());
  variable->memory = pieces.back().memory();
  variable->epoch = mskb_simt_epoch;
  return variable->memory;
}

extern "C" void* mskb_simt_dynamic_shared() {
  if (dynamic_piece == 0) {
    pieces.push_back(make_piece(nullptr, dynamic_bytes));
    dynamic_piece = pieces.size();
  }
  Piece& piece = pieces[dynamic_piece - 1];
  if (piece.epoch != mskb_simt_epoch) fill(piece);
  return piece.memory();
}

extern "C" std::size_t mskb_simt_dynamic_shared_size() { return dynamic_bytes; }
