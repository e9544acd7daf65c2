#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/acceptance.hpp"
#include "model/element_type.hpp"
#include "model/fill.hpp"

namespace mskb {

enum class Role { in, out, inout, dim, scalar };

// A fill as task.yaml writes it: parameters are expressions over the case's dims, evaluated per case.
struct FillText {
  FillKind kind = FillKind::none;
  std::vector<std::string> parameters;
};

// One parameter of the entry point, in C order.
struct Argument {
  std::string name;
  Role role = Role::in;
  bool real = false;                          // element type follows the precision: float or bf16
  ElementType type = ElementType::f32;        // otherwise; a dim is i32, a scalar f32 unless it is real
  std::vector<std::string> shape;             // buffers: extents as expressions; elements = their product
  FillText fill;                              // in, inout: contents on entry
  double value = 0;                           // scalar: its value where a case does not say otherwise
  bool has_default = false;                   // may be missing at the end of a candidate's parameter list

  bool is_buffer() const { return role == Role::in || role == Role::out || role == Role::inout; }
  ElementType element_type(Precision precision) const {
    return real ? (precision == Precision::fp32 ? ElementType::f32 : ElementType::bf16) : type;
  }
};

// The published reset inside the timed region (protocol `paper` only).
enum class PrologueKind { none, copy_zero, set_zero };  // a blocking host-to-device copy of zeros; cudaMemset

struct CaseText {
  std::vector<double> dims;                      // in the order of Task::dims
  std::map<std::string, FillText> fills;         // by argument, where they differ from the signature's
  std::map<std::string, double> scalars;         // likewise
  std::string why;                               // what a `check` case is there to reveal
  int line = 0;                                  // of task.yaml
};

struct Dimension {
  std::string name, meaning;
};

// A whole number that follows from the dims: in expressions and in the signature like a dim, but not stated by a size.
struct DerivedDimension {
  std::string name, value;
};

struct BaselineNote {
  std::string library, note;
};

struct Task {
  std::string name;
  std::filesystem::path directory;
  std::string summary, scenario, family;
  std::vector<Dimension> dims;                   // all that a case states; those with a `dim` argument are passed to the entry point
  std::vector<DerivedDimension> derived;         // in order; each may use those before it
  std::vector<std::string> valid;                // conditions over dims
  std::vector<Argument> signature;
  std::map<std::string, std::vector<CaseText>> cases;  // by size set: paper, check, smoke, large
  std::map<std::string, std::string> empty_sets;       // size set -> why it is empty
  std::string weight;                            // complexity T(N) as an expression
  std::string cost_bytes, cost_flops;            // fewest bytes and flops; s is the element size of `real`
  bool flops_are_fixed = false;                  // whether no algorithm can do with fewer
  std::string oracle_work;                       // oracle terms per output element
  std::map<std::string, std::map<Precision, Acceptance>> accept;       // by output argument
  std::map<Precision, double> origin_error;      // measured error of the original over the bound's, where it is worse; else absent
  PaperRule paper_rule;
  PrologueKind paper_prologue = PrologueKind::none;
  std::string paper_prologue_argument;
  std::string reset;                             // what the caller guarantees on entry, in words
  std::vector<BaselineNote> baselines;
  std::string no_baseline_reason;
  std::vector<std::string> decisions;
  std::string mended;                            // where our contract differs from the published one; else empty

  int argument_index(std::string_view argument) const;  // -1 when there is none
  std::string file(std::string_view name) const;        // "tasks/x/task.yaml", for messages
};

}  // namespace mskb
