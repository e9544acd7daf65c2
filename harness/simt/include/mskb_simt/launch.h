// What the translator makes of kernel<<<grid, block, shared, stream>>>(arguments):
//   ::mskb_simt::launch("kernel", kernel)(grid, block, shared, stream)(arguments)
// Arguments are evaluated once and converted to the kernel's parameter types; each thread gets its own copy.
#pragma once

#include "mskb_simt/abi.h"
#include "mskb_simt/driver_types.h"
#include "mskb_simt/qualifiers.h"
#include "vector_types.h"

namespace mskb_simt {

template <class Body>
inline void start(const LaunchRequest& request, Body& body) {
  mskb_simt_launch(
      &request, [](void* state) { (*static_cast<Body*>(state))(); }, &body,
      [](void* state) -> void* { return new Body(*static_cast<Body*>(state)); },
      [](void* state) { delete static_cast<Body*>(state); });
}

inline LaunchRequest request(const char* name, const char* file, int line, const void* kernel) {
  return {name, file, line, kernel, {1, 1, 1}, {1, 1, 1}, 0, nullptr};
}
inline LaunchRequest configured(LaunchRequest r, dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  r.grid[0] = grid.x, r.grid[1] = grid.y, r.grid[2] = grid.z;
  r.block[0] = block.x, r.block[1] = block.y, r.block[2] = block.z;
  r.dynamic_shared = shared;
  r.stream = stream;
  return r;
}

template <class... P>
struct ConfiguredLaunch {
  LaunchRequest request;
  void (*kernel)(P...);
  void operator()(P... parameters) const {
    auto body = [kernel = kernel, parameters...]() mutable { kernel(parameters...); };
    start(request, body);
  }
};
template <class... P>
struct KernelLaunch {
  LaunchRequest request;
  void (*kernel)(P...);
  ConfiguredLaunch<P...> operator()(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr) const {
    return {configured(request, grid, block, shared, stream), kernel};
  }
};
template <class... P>
inline KernelLaunch<P...> launch(const char* name, void (*kernel)(P...), MSKB_SIMT_HERE) {
  return {request(name, mskb_file, mskb_line, reinterpret_cast<const void*>(kernel)), kernel};
}

// The same for a kernel that only a call can choose: an overloaded one, one whose template arguments are deduced, or
// one with default arguments. `call` is a generic lambda that calls it.
template <class Call>
struct ConfiguredCall {
  LaunchRequest request;
  Call call;
  template <class... A>
  void operator()(A... arguments) const {
    auto body = [call = call, arguments...]() mutable { call(arguments...); };
    start(request, body);
  }
};
template <class Call>
struct KernelCall {
  LaunchRequest request;
  Call call;
  ConfiguredCall<Call> operator()(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr) const {
    return {configured(request, grid, block, shared, stream), call};
  }
};
template <class Call>
inline KernelCall<Call> launch_call(const char* name, Call call, MSKB_SIMT_HERE) {
  return {request(name, mskb_file, mskb_line, nullptr), call};
}

template <size_t... I>
struct Indices {};
template <size_t N, size_t... I>
struct CountTo : CountTo<N - 1, N - 1, I...> {};
template <size_t... I>
struct CountTo<0, I...> {
  using type = Indices<I...>;
};

// cudaLaunchKernel hands over an array of pointers to the arguments.
template <class... P, size_t... I>
inline void launch_from_pointers(const ConfiguredLaunch<P...>& launch, void** arguments, Indices<I...>) {
  launch(*static_cast<P*>(arguments[I])...);
}

}  // namespace mskb_simt
