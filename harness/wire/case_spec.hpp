#pragma once
#include <cstdint>

#include "model/acceptance.hpp"
#include "model/element_type.hpp"
#include "model/fill.hpp"
#include "model/task_limits.hpp"

namespace mskb::wire {

using mskb::max_arguments;
using mskb::max_dims;

enum class ArgumentRole : std::uint32_t { in, out, inout, dim, scalar };  // as mskb::Role

struct ArgumentSpec {
  ArgumentRole role;
  ElementType type;
  std::uint64_t elements;  // buffers
  Fill fill;               // in, inout
  Acceptance accept;       // out, inout
  double value;            // dim, scalar

  bool is_buffer() const { return role <= ArgumentRole::inout; }
  bool is_read() const { return role == ArgumentRole::in || role == ArgumentRole::inout; }
  bool is_written() const { return role == ArgumentRole::out || role == ArgumentRole::inout; }
};

// One case as the keeper and the task module see it: no names.
struct CaseSpec {
  std::uint32_t argument_count;
  std::uint32_t dim_count;
  ArgumentSpec arguments[max_arguments];
  double dims[max_dims];   // the task's dims in order, then its derived ones
  double oracle_work;      // terms per output element
  PaperRule paper_rule;
};

}  // namespace mskb::wire
