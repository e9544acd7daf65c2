// for t in 0..num_tokens-1, for h in 0..num_heads-1:
//   la = lse_a[h][t], lb = lse_b[h][t], an infinite one replaced by the lowest finite number
//   m = max(la, lb)
//   a = exp(la - m), b = exp(lb - m)
//   for d in 0..head_size-1:
//     V_out[t][h][d] = V_a[t][h][d] * a / (a + b) + V_b[t][h][d] * b / (a + b)
//   LSE_out[h][t] = m + log(a + b)
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cfloat>

// One block per token and head, one thread per element; the first thread computes the weights for all.
__global__ void merge_attn_states_kernel(__nv_bfloat16* V_out, __nv_bfloat16* LSE_out, const __nv_bfloat16* V_a, const __nv_bfloat16* lse_a,
                                         const __nv_bfloat16* V_b, const __nv_bfloat16* lse_b, int num_tokens, int num_heads,
                                         int head_size) {
  const int token = blockIdx.x;
  const int head = blockIdx.y;
  const int d = threadIdx.x;
  __shared__ float weight_a;
  __shared__ float weight_b;
  __shared__ float lse;
  if (d == 0) {
    float la = __bfloat162float(lse_a[head * num_tokens + token]);
    float lb = __bfloat162float(lse_b[head * num_tokens + token]);
    if (isinf(la)) {
      la = -FLT_MAX;
    }
    if (isinf(lb)) {
      lb = -FLT_MAX;
    }
    const float m = fmaxf(la, lb);
    const float a = expf(la - m);
    const float b = expf(lb - m);
    weight_a = a / (a + b);
    weight_b = b / (a + b);
    lse = m + logf(a + b);
  }
  __syncthreads();
  if (d < head_size) {
    const int i = (token * num_heads + head) * head_size + d;
    V_out[i] = __float2bfloat16(__bfloat162float(V_a[i]) * weight_a + __bfloat162float(V_b[i]) * weight_b);
  }
  if (d == 0 && LSE_out != nullptr) {
    LSE_out[head * num_tokens + token] = __float2bfloat16(lse);
  }
}

extern "C" void merge_attn_states_bf16(__nv_bfloat16* V_out, __nv_bfloat16* LSE_out, const __nv_bfloat16* V_a, const __nv_bfloat16* lse_a, const __nv_bfloat16* V_b,
                       const __nv_bfloat16* lse_b, int num_tokens, int num_heads, int head_size) {
  const dim3 blocks(num_tokens, num_heads);
  merge_attn_states_kernel<<<blocks, head_size>>>(V_out, LSE_out, V_a, lse_a, V_b, lse_b, num_tokens, num_heads,
                                                  head_size);
  cudaDeviceSynchronize();
}
