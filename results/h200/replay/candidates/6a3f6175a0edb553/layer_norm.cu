// output = weight * (input - mean) / sqrt(variance + epsilon) + bias over one vector, biased variance: a graph of one
// normalisation node with one row of N channels, in its inference phase, which returns neither mean nor variance.
// The legacy API has no layer normalisation. Plans are made once per length; which of them runs is found in the first
// call of a length by timing those that the heuristic offers. BF16 weight and bias are widened to FP32 inside the call
// where no plan takes them as they are.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "mskb/baseline.hpp"

#if CUDNN_VERSION < 8500
#error "this baseline needs cuDNN 8.5 or later, for its normalisation node"
#endif

namespace {

using Descriptor = cudnnBackendDescriptor_t;

constexpr std::int64_t input_id = 1, weight_id = 2, bias_id = 3, epsilon_id = 4, output_id = 5;
constexpr int configurations = 3;  // that the heuristic is asked for

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

Descriptor create(cudnnBackendDescriptorType_t type) {
  Descriptor made = nullptr;
  MSKB_CALL(cudnnBackendCreateDescriptor(type, &made));
  return made;
}

template <class Value>
void set(Descriptor descriptor, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
         const std::vector<Value>& values) {
  MSKB_CALL(cudnnBackendSetAttribute(descriptor, name, type, static_cast<std::int64_t>(values.size()), values.data()));
}

void set_descriptor(Descriptor descriptor, cudnnBackendAttributeName_t name, Descriptor value) {
  set(descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, std::vector<Descriptor>{value});
}

// 1 x channels x 1 x 1, packed
Descriptor tensor(std::int64_t id, cudnnDataType_t type, std::int64_t channels) {
  const Descriptor made = create(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  set(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, std::vector<std::int64_t>{id});
  set(made, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector<cudnnDataType_t>{type});
  set(made, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::vector<std::int64_t>{1, channels, 1, 1});
  set(made, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::vector<std::int64_t>{channels, 1, channels, channels});
  set(made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, std::vector<std::int64_t>{16});
  if (id == epsilon_id) set(made, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, std::vector<char>{1});
  MSKB_SUPPORTED(cudnnBackendFinalize(made));
  return made;
}

struct Way {
  Descriptor plan = nullptr;
  std::int64_t scratch = 0;  // bytes
};

struct Plans {
  std::vector<Way> ways;
  bool wide_affine = false;  // whether weight and bias are wanted in FP32
  const Way* fastest = nullptr;
};

Descriptor graph_of(int N, cudnnDataType_t type, cudnnDataType_t affine) {
  const Descriptor node = create(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
  set(node, CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE,
      std::vector<cudnnBackendNormMode_t>{CUDNN_LAYER_NORM});
  set(node, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE,
      std::vector<cudnnBackendNormFwdPhase_t>{CUDNN_NORM_FWD_INFERENCE});
  set_descriptor(node, CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, tensor(input_id, type, N));
  set_descriptor(node, CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, tensor(weight_id, affine, N));
  set_descriptor(node, CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, tensor(bias_id, affine, N));
  set_descriptor(node, CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, tensor(epsilon_id, CUDNN_DATA_FLOAT, 1));
  set_descriptor(node, CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, tensor(output_id, type, N));
  MSKB_SUPPORTED(cudnnBackendFinalize(node));

  const Descriptor graph = create(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  set(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, std::vector<cudnnHandle_t>{handle()});
  set_descriptor(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, node);
  MSKB_SUPPORTED(cudnnBackendFinalize(graph));
  return graph;
}

// Those of the heuristic's configurations that the library can carry out; none if it has no answer. Descriptors that
// plans refer to are kept with them.
std::vector<Way> ways_of(Descriptor graph, cudnnBackendHeurMode_t mode) {
  const Descriptor heuristic = create(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  set_descriptor(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
  set(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, std::vector<cudnnBackendHeurMode_t>{mode});
  const cudnnStatus_t asked = cudnnBackendFinalize(heuristic);
  if (mskb::means_unsupported(asked)) return {};
  mskb::check(asked, "cudnnBackendFinalize of the heuristic", __FILE__, __LINE__);

  std::vector<Descriptor> configured;
  for (int k = 0; k < configurations; ++k) configured.push_back(create(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
  std::int64_t count = 0;
  MSKB_CALL(cudnnBackendGetAttribute(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                     configurations, &count, configured.data()));
  std::vector<Way> ways;
  for (int k = 0; k < std::min<std::int64_t>(count, configurations); ++k) {
    Way way;
    way.plan = create(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    set(way.plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, std::vector<cudnnHandle_t>{handle()});
    set_descriptor(way.plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configured[k]);
    const cudnnStatus_t planned = cudnnBackendFinalize(way.plan);
    if (mskb::means_unsupported(planned)) continue;
    mskb::check(planned, "cudnnBackendFinalize of a plan", __FILE__, __LINE__);
    std::int64_t one = 0;
    MSKB_CALL(cudnnBackendGetAttribute(way.plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &one,
                                       &way.scratch));
    ways.push_back(way);
  }
  return ways;
}

std::vector<Way> ways_for(int N, cudnnDataType_t type, cudnnDataType_t affine) {
  const Descriptor graph = graph_of(N, type, affine);
  std::vector<Way> ways = ways_of(graph, CUDNN_HEUR_MODE_A);
  if (ways.empty()) ways = ways_of(graph, CUDNN_HEUR_MODE_FALLBACK);
  if (ways.empty()) throw mskb::Unsupported("cuDNN has no plan for a layer normalisation of this length");
  return ways;
}

Plans& plans_for(int N, cudnnDataType_t type) {
  static mskb::PerDevice<Plans, std::pair<int, int>> plans;
  return plans.get({N, type}, [N, type](Plans& made) {
    if (type != CUDNN_DATA_FLOAT) {
      try {
        made.ways = ways_for(N, type, type);
        return;
      } catch (const std::runtime_error&) {
        made.wide_affine = true;  // whatever the refusal is called
      }
    }
    made.ways = ways_for(N, type, CUDNN_DATA_FLOAT);
  });
}

struct Data {
  const void* input;
  const void* weight;
  const void* bias;
  void* output;
  float epsilon;
};

cudnnStatus_t run(const Way& way, const Data& data) {
  static mskb::Workspace scratch;
  const std::vector<void*> pointers = {const_cast<void*>(data.input), const_cast<void*>(data.weight),
                                       const_cast<void*>(data.bias), const_cast<float*>(&data.epsilon), data.output};
  const Descriptor pack = create(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64,
      std::vector<std::int64_t>{input_id, weight_id, bias_id, epsilon_id, output_id});
  set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, pointers);
  set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR,
      std::vector<void*>{scratch.at_least(static_cast<std::size_t>(std::max<std::int64_t>(way.scratch, 1)))});
  MSKB_CALL(cudnnBackendFinalize(pack));
  const cudnnStatus_t status = cudnnBackendExecute(handle(), way.plan, pack);
  MSKB_CALL(cudnnBackendDestroyDescriptor(pack));
  return status;
}

// Runs each plan once unmeasured and then three times, each of which writes the whole output. What is kept depends on
// sizes and device only. A plan that fails after all is passed over; its failure is reported if none is left.
void try_ways(Plans& plans, const Data& data) {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  MSKB_CALL(cudaEventCreate(&start));
  MSKB_CALL(cudaEventCreate(&stop));
  float best = 0.0f;
  cudnnStatus_t failure = CUDNN_STATUS_SUCCESS;
  for (const Way& way : plans.ways) {
    const cudnnStatus_t status = run(way, data);
    if (status != CUDNN_STATUS_SUCCESS) {
      failure = status;
      continue;
    }
    float shortest = 0.0f;
    for (int trial = 0; trial < 3; ++trial) {
      float milliseconds = 0.0f;
      MSKB_CALL(cudaEventRecord(start));
      MSKB_CALL(run(way, data));
      MSKB_CALL(cudaEventRecord(stop));
      MSKB_CALL(cudaEventSynchronize(stop));
      MSKB_CALL(cudaEventElapsedTime(&milliseconds, start, stop));
      shortest = trial == 0 ? milliseconds : std::min(shortest, milliseconds);
    }
    if (plans.fastest == nullptr || shortest < best) {
      plans.fastest = &way;
      best = shortest;
    }
  }
  MSKB_CALL(cudaEventDestroy(start));
  MSKB_CALL(cudaEventDestroy(stop));
  if (plans.fastest == nullptr) mskb::check_support(failure, "cudnnBackendExecute", __FILE__, __LINE__);
}

void normalize(const Data& data, Plans& plans) {
  if (plans.fastest == nullptr) try_ways(plans, data);
  MSKB_CALL(run(*plans.fastest, data));
}

__global__ void widen(const __nv_bfloat16* weight, const __nv_bfloat16* bias, float* wide_weight, float* wide_bias,
                      int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    wide_weight[i] = __bfloat162float(weight[i]);
    wide_bias[i] = __bfloat162float(bias[i]);
  }
}

}  // namespace

extern "C" void layer_norm(float* output, const float* input, const float* weight, const float* bias,
                           const float epsilon, const int N) {
  normalize({input, weight, bias, output, epsilon}, plans_for(N, CUDNN_DATA_FLOAT));
}

extern "C" void layer_norm_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const __nv_bfloat16* weight,
                                const __nv_bfloat16* bias, const float epsilon, const int N) {
  Plans& plans = plans_for(N, CUDNN_DATA_BFLOAT16);
  if (!plans.wide_affine) {
    normalize({input, weight, bias, output, epsilon}, plans);
    return;
  }
  static mskb::Workspace weight_memory, bias_memory;
  float* wide_weight = static_cast<float*>(weight_memory.at_least(sizeof(float) * N));
  float* wide_bias = static_cast<float*>(bias_memory.at_least(sizeof(float) * N));
  widen<<<(N + 255) / 256, 256>>>(weight, bias, wide_weight, wide_bias, N);
  MSKB_CALL(cudaGetLastError());
  normalize({input, wide_weight, wide_bias, output, epsilon}, plans);
}
