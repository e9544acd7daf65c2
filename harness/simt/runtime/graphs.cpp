#include "simt/runtime/graphs.hpp"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "simt/include/mskb_simt/driver_types.h"
#include "simt/runtime/errors.hpp"
#include "simt/runtime/host_threads.hpp"

struct CUgraph_st {
  std::vector<std::function<void()>> actions;
};
struct CUgraphExec_st {
  std::vector<std::function<void()>> actions;
};

namespace mskb::simt {
namespace {

std::map<void*, std::shared_ptr<CUgraph_st>> captured;  // by stream; forked streams share their origin's

}  // namespace

bool capturing(void* stream) {
  const OneHostThread alone(host_threads);
  return !captured.empty() && captured.count(stream) != 0;
}

bool capture(void* stream, std::function<void()> action) {
  const OneHostThread alone(host_threads);
  if (captured.empty()) return false;
  const auto graph = captured.find(stream);
  if (graph == captured.end()) return false;
  graph->second->actions.push_back(std::move(action));
  return true;
}

void fork_capture(void* from, void* to) {
  const OneHostThread alone(host_threads);
  const auto graph = captured.find(from);
  if (graph != captured.end() && to != nullptr) captured.try_emplace(to, graph->second);
}

}  // namespace mskb::simt

using namespace mskb::simt;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  const OneHostThread alone(host_threads);
  if (stream == nullptr || capturing(stream)) return remember(cudaErrorNotPermitted);
  captured[stream] = std::make_shared<CUgraph_st>();
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const OneHostThread alone(host_threads);
  const auto found = captured.find(stream);
  if (found == captured.end()) return remember(cudaErrorNotPermitted);
  const auto ended = found->second;
  std::erase_if(captured, [&](const auto& entry) { return entry.second == ended; });
  *graph = new CUgraph_st(std::move(*ended));
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  *executable = new CUgraphExec_st{graph->actions};
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void*), void* data) {
  if (!capture(stream, [=] { function(data); })) function(data);
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t) {
  const OneHostThread alone(host_threads);
  for (const auto& action : executable->actions) action();
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
}
