#pragma once

// How a task module is made from a task's oracle.hpp. The build writes one translation unit per task and precision and
// compiles it as a shared object: with the host compiler for the CPU keeper (-std=c++20 -O2 -fPIC -shared
// -fvisibility=hidden -pthread), with nvcc for the CUDA keeper (-std=c++20 -O2 -cudart shared -shared
// -Xcompiler -fPIC,-fvisibility=hidden). Hidden, because one keeper holds the modules of many tasks whose templates bear
// equal names. Include paths: harness and harness/include. For (const T* in, T* out, int B, int D, float epsilon):
//
//   #include "truth/module_cpu.hpp"         // the CUDA keeper's module: "truth/module_cuda.cuh"
//   #include "<task directory>/oracle.hpp"  // at global scope
//   namespace mskb_task {
//   struct Case {
//     mskb::truth::Reader in;               // for each argument with role in or inout: Reader(view, argument index)
//     std::int64_t B, D;                    // for each dim of the task: view.spec.dims[position in the task's dims]
//     double epsilon;                       // for each scalar argument: view.spec.arguments[argument index].value
//     MSKB_FN explicit Case(const mskb::truth::View& view)
//         : in(view, 0),
//           B(static_cast<std::int64_t>(view.spec.dims[0])),
//           D(static_cast<std::int64_t>(view.spec.dims[1])),
//           epsilon(view.spec.arguments[4].value) {}
//   };
//   }  // namespace mskb_task
//   MSKB_TASK_OUTPUT(out, 1)                // for each output of the oracle: its name, the index of its argument
//   MSKB_TASK_MODULE(mskb_task::Case)       // last; exports mskb_task_module
//
// `size(x)` of a stage is asked on the host before there are contents: it may use dims and scalars, not buffers.
// `terms` may read buffers. An inout argument may be both a Reader of Case and an output of the same name.
#include <cstdint>
#include <utility>

#include "truth/reader.hpp"

namespace mskb::truth {

// The argument that an output type of the oracle describes; MSKB_TASK_OUTPUT specialises it.
template <class Output>
struct OutputArgument;

// What an oracle type is made of.
template <class T, class Case, class Stages>
concept CountedByStages = requires(const Case& x, const Stages& s) {
  T::terms(x, s, std::int64_t{});
};
template <class T, class Case, class Stages>
concept SumOfTerms = CountedByStages<T, Case, Stages> || requires(const Case& x) { T::terms(x, std::int64_t{}); };
template <class T, class Case, class Stages>
concept Finished = requires(const Case& x, const Stages& s) {
  T::finish(x, s, std::int64_t{}, double{});
};
template <class T, class Case, class Stages>
concept Scaled = requires(const Case& x, const Stages& s) {
  T::scale(x, s, std::int64_t{});
};
template <class T>
concept AscendingStage = requires { requires T::ascending; };
template <class T, class Case>
concept SortedContents = requires(const Case& x) {
  T::sorted(x);
};

template <class Item, class Case, class Stages>
MSKB_FN std::int64_t term_count(const Case& x, [[maybe_unused]] const Stages& s, std::int64_t i) {
  if constexpr (CountedByStages<Item, Case, Stages>) {
    return Item::terms(x, s, i);
  } else {
    return Item::terms(x, i);
  }
}

// A sum of terms and of their absolute values, before finish.
struct TermSum {
  double sum, magnitude;
};

template <class Item, class Case, class Stages>
MSKB_FN Value finished(const Case& x, const Stages& s, std::int64_t i, TermSum total) {
  Value value{total.sum, total.magnitude};
  if constexpr (Finished<Item, Case, Stages>) {
    value.want = Item::finish(x, s, i, total.sum);
  }
  if constexpr (Scaled<Item, Case, Stages>) {
    value.magnitude *= std::fabs(static_cast<double>(Item::scale(x, s, i)));
  } else if constexpr (Finished<Item, Case, Stages>) {
    // What finish makes of a small error in the sum: a large step would widen the bound where finish curves upwards.
    constexpr double small = 1.0 / 65536;
    const double moved = static_cast<double>(Item::finish(x, s, i, total.sum + small * total.magnitude));
    const double through = std::fabs(moved - value.want) / small;
    value.magnitude = through < 1.7e308 ? through : value.magnitude;
  }
  return value;
}

// An element that is not a sum.
template <class Item, class Case, class Stages>
MSKB_FN Value direct(const Case& x, const Stages& s, std::int64_t i) {
  const auto value = Item::value(x, s, i);
  if constexpr (std::is_same_v<std::remove_cv_t<decltype(value)>, Value>) {
    return value;
  } else {
    return Value{static_cast<double>(value), std::fabs(static_cast<double>(value))};
  }
}

MSKB_FN bool is_fp32_arithmetic(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::forward_fp32 || arithmetic == Arithmetic::blocked_fp32 ||
         arithmetic == Arithmetic::strided_fp32;
}

// A stage's element as such arithmetic would keep it: honest FP32 kernels keep intermediate results in FP32. Integers,
// which may be indices, stay as they are.
MSKB_FN double stored(double value, Arithmetic arithmetic) {
  if (is_fp32_arithmetic(arithmetic) && value != std::floor(value)) {
    return static_cast<double>(static_cast<float>(value));
  }
  return value;
}

// The module's functions, for one side: ModuleSide (module_cpu.hpp or module_cuda.cuh) does the loops.
template <class Side, class Case, class StageList, class OutputList>
struct TaskModule;

template <class Side, class Case, class... StageItems, class... OutputItems>
struct TaskModule<Side, Case, List<StageItems...>, List<OutputItems...>> {
  using Stages = StageReader<List<StageItems...>>;

  static constexpr int no_such_output = 1;  // cudaErrorInvalidValue

  static std::uint64_t stage_count(const View& view) {
    return static_cast<std::uint64_t>(Stages(Case(view), nullptr).total()) + Side::scratch_doubles;
  }

  static int fill_stages(const View& view, [[maybe_unused]] void* stream) {
    const Case x(view);
    const Stages s(x, view.stages);
    int status = 0;
    [[maybe_unused]] int position = 0;
    ((status = status != 0 ? status : fill<StageItems>(view, x, s, position, stream), ++position), ...);
    return status;
  }

  static int check(const View& view, const OutputRequest& request, wire::OutputFindings* findings, void* stream) {
    const Case x(view);
    const Stages s(x, view.stages);
    int status = no_such_output;
    ((status = OutputArgument<OutputItems>::argument != request.argument
                   ? status
                   : check_one<OutputItems>(view, x, s, request, findings, stream)),
     ...);
    return status;
  }

  static int want(const View& view, std::uint32_t argument, std::uint64_t count, const std::uint64_t* index,
                  double* wanted, double* magnitude, void* stream) {
    const Case x(view);
    const Stages s(x, view.stages);
    int status = no_such_output;
    ((status = OutputArgument<OutputItems>::argument != argument
                   ? status
                   : want_one<OutputItems>(view, x, s, count, index, wanted, magnitude, stream)),
     ...);
    return status;
  }

  static int has_sums() {
    return ((SumOfTerms<StageItems, Case, Stages> || ...) || (SumOfTerms<OutputItems, Case, Stages> || ...)) ? 1 : 0;
  }

  static constexpr Module module() {
    return Module{module_abi, sizeof(wire::CaseSpec), stage_count, fill_stages, check, want, has_sums};
  }

 private:
  static double* scratch(const View& view, const Stages& s) { return view.stages + s.total(); }

  template <class Item>
  static int fill(const View& view, const Case& x, const Stages& s, int position, void* stream) {
    double* to = view.stages + s.begin(position);
    const int status =
        Side::template fill<Item>(x, s, to, s.size(position), view.arithmetic, scratch(view, s), stream);
    if constexpr (AscendingStage<Item>) {
      return status != 0 ? status : Side::sort(to, s.size(position), stream);
    }
    return status;
  }

  // Sorted contents need no oracle: the keeper checks and makes them itself.
  template <class Item>
  static int check_one(const View& view, const Case& x, const Stages& s, const OutputRequest& request,
                       wire::OutputFindings* findings, void* stream) {
    if constexpr (SortedContents<Item, Case>) {
      return no_such_output;
    } else {
      return Side::template check<Item>(x, s, view.spec.arguments[request.argument].type, request, view.arithmetic,
                                        findings, scratch(view, s), stream);
    }
  }

  template <class Item>
  static int want_one(const View& view, const Case& x, const Stages& s, std::uint64_t count, const std::uint64_t* index,
                      double* wanted, double* magnitude, void* stream) {
    if constexpr (SortedContents<Item, Case>) {
      return no_such_output;
    } else {
      return Side::template want<Item>(x, s, count, index, wanted, magnitude, view.arithmetic, scratch(view, s),
                                       stream);
    }
  }
};

}  // namespace mskb::truth

#define MSKB_TASK_OUTPUT(output, index)              \
  template <>                                        \
  struct mskb::truth::OutputArgument<output> {       \
    static constexpr std::uint32_t argument = index; \
  };

// The table has internal linkage: a function-local static of a template would be one object for all modules of the
// process.
#define MSKB_TASK_MODULE(...)                                                                       \
  static const mskb::truth::Module mskb_task_module_table =                                         \
      mskb::truth::TaskModule<mskb::truth::ModuleSide, __VA_ARGS__, stages, outputs>::module();     \
  extern "C" __attribute__((visibility("default"))) const mskb::truth::Module* mskb_task_module() { \
    return &mskb_task_module_table;                                                                 \
  }
