#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/task.hpp"

namespace mskb {

// Task x precision. P and tau are per problem.
struct Problem {
  const Task* task = nullptr;
  Precision precision = Precision::fp32;

  std::string name() const;  // "<task>/bf16"
  std::string entry() const;  // "<task>_bf16"; a candidate may also export it with "_optimized" appended
};

// One argument of one case, with all expressions evaluated.
struct CaseArgument {
  std::string name;
  Role role = Role::in;
  ElementType type = ElementType::f32;
  std::uint64_t elements = 0;  // buffers
  Fill fill;                   // in, inout
  double value = 0;            // dim, scalar
  Acceptance accept;           // out, inout
};

struct Case {
  Problem problem;
  std::string set;             // paper, check, smoke, large
  int index = 0;
  std::vector<double> dims;     // in the order of Task::dims
  std::vector<double> derived;  // in the order of Task::derived
  std::vector<CaseArgument> arguments;
  double weight = 0;
  double bytes = 0, flops = 0;  // fewest
  double oracle_work = 1;       // per output element
  std::string why;

  std::string name() const;     // "<task>/bf16/paper/3"
  std::string size_text() const;  // "32768x2048x671088"
};

// All cases of one size set, in order. Throws InputError (file, line where known, case index) for an expression that fails, a size outside
// `valid:`, or a buffer of 2^31 elements or more.
std::vector<Case> make_cases(const Problem& problem, const std::string& set);

}  // namespace mskb
