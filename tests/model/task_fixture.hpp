#pragma once
#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "model/task_file.hpp"

namespace mskb {

inline constexpr const char* small_task = R"(task: scale
summary: "Scaling: y[i] = a * x[i]"
scenario: algebra
family: element_wise
dims:
  rows: number of rows
  cols: number of columns
valid:
  - rows >= 1 and cols >= 1
signature:
  - {name: y, role: out, type: real, shape: [rows, cols]}
  - {name: x, role: in, type: real, shape: [rows, cols], fill: {uniform: [-1, 1]}}
  - {name: order, role: in, type: i32, shape: [rows], fill: {indices: [rows]}}
  - {name: rows, role: dim}
  - {name: a, role: scalar, value: 0.1, default: true}
cases:
  paper:
    - [8, 16]
    - [16, 32]
  check:
    - size: [3, 5]
      fills: {x: {spike: [0, cols, rows]}}
      scalars: {a: 2}
      why: "a few elements"
  smoke:
    - [4, 4]
  large: {empty: "none larger"}
weight: rows*cols
cost: {bytes: 2*rows*cols*s, flops: rows*cols, fixed: true}
oracle_work: 1
accept:
  y:
    fp32: {elementwise: {rel: 1e-6, mag: 2^-20}}
    bf16: {normwise: {l2: 0.004, peak: 0.02}}
origin_error: {bf16: 1.5}
paper_accept: {relative: 1e-3, share: 0.01}
paper_prologue: {copy_zero: y}
reset: nothing
baselines: {mathlib: the same}
decisions:
  - The output comes first.
mended: nothing was
)";

// A home directory with one task, whose text is small_task with one part exchanged.
class TaskHome {
 public:
  explicit TaskHome(std::string_view from = "", std::string_view to = "", const std::string& folder = "scale")
      : directory_(home_.path() / "tasks" / folder) {
    std::string text = small_task;
    if (!from.empty()) {
      const std::size_t at = text.find(from);
      if (at == std::string::npos) throw HarnessError("the fixture has no such text");
      text.replace(at, from.size(), to);
    }
    std::filesystem::create_directories(directory_);
    write_file_atomically(directory_ / "task.yaml", text);
  }

  const std::filesystem::path& home() const { return home_.path(); }
  Task load() const { return load_task(directory_); }

  // The refusal's text, or "accepted".
  std::string refusal() const {
    try {
      load();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

 private:
  TemporaryDirectory home_;
  std::filesystem::path directory_;
};

}  // namespace mskb
