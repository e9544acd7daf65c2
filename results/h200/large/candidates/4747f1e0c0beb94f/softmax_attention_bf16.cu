// for i in 0..q_seq_len-1:
//   for j in 0..kv_seq_len-1:
//     S[i][j] = (sum over k in 0..dim_qk-1 of Q[i][k] * K[j][k]) / sqrt(dim_qk)
//   P[i] = softmax(S[i])
//   for d in 0..dim_v-1:
//     Y[i][d] = sum over j in 0..kv_seq_len-1 of P[i][j] * V[j][d]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cfloat>

// One thread per score.
__global__ void scores_kernel(__nv_bfloat16* S, const __nv_bfloat16* Q, const __nv_bfloat16* K, int q_seq_len, int kv_seq_len, int dim_qk) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= q_seq_len || j >= kv_seq_len) {
    return;
  }
  float sum = 0.0f;
  for (int k = 0; k < dim_qk; ++k) {
    sum += __bfloat162float(Q[i * dim_qk + k]) * __bfloat162float(K[j * dim_qk + k]);
  }
  S[i * kv_seq_len + j] = __float2bfloat16(sum * rsqrtf(static_cast<float>(dim_qk)));
}

// One thread per query row.
__global__ void softmax_kernel(__nv_bfloat16* P, const __nv_bfloat16* S, int q_seq_len, int kv_seq_len) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= q_seq_len) {
    return;
  }
  float top = -FLT_MAX;
  for (int j = 0; j < kv_seq_len; ++j) {
    top = fmaxf(top, __bfloat162float(S[i * kv_seq_len + j]));
  }
  float sum = 0.0f;
  for (int j = 0; j < kv_seq_len; ++j) {
    const float e = expf(__bfloat162float(S[i * kv_seq_len + j]) - top);
    P[i * kv_seq_len + j] = __float2bfloat16(e);
    sum += e;
  }
  for (int j = 0; j < kv_seq_len; ++j) {
    P[i * kv_seq_len + j] = __float2bfloat16(__bfloat162float(P[i * kv_seq_len + j]) / sum);
  }
}

// One thread per result.
__global__ void values_kernel(__nv_bfloat16* Y, const __nv_bfloat16* P, const __nv_bfloat16* V, int q_seq_len, int kv_seq_len, int dim_v) {
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= q_seq_len || d >= dim_v) {
    return;
  }
  float sum = 0.0f;
  for (int j = 0; j < kv_seq_len; ++j) {
    sum += __bfloat162float(P[i * kv_seq_len + j]) * __bfloat162float(V[j * dim_v + d]);
  }
  Y[i * dim_v + d] = __float2bfloat16(sum);
}

extern "C" void softmax_attention_bf16(__nv_bfloat16* Y, const __nv_bfloat16* Q, const __nv_bfloat16* K, const __nv_bfloat16* V, int q_seq_len, int kv_seq_len,
                       int dim_qk, int dim_v) {
  __nv_bfloat16 *S, *P;
  const size_t bytes = static_cast<size_t>(q_seq_len) * kv_seq_len * sizeof(__nv_bfloat16);
  cudaMalloc(&S, bytes);
  cudaMalloc(&P, bytes);
  const dim3 tile(16, 16);
  const dim3 score_tiles((kv_seq_len + 15) / 16, (q_seq_len + 15) / 16);
  const dim3 value_tiles((dim_v + 15) / 16, (q_seq_len + 15) / 16);
  scores_kernel<<<score_tiles, tile>>>(S, Q, K, q_seq_len, kv_seq_len, dim_qk);
  softmax_kernel<<<(q_seq_len + 255) / 256, 256>>>(P, S, q_seq_len, kv_seq_len);
  values_kernel<<<value_tiles, tile>>>(Y, P, V, q_seq_len, kv_seq_len, dim_v);
  cudaDeviceSynchronize();
  cudaFree(S);
  cudaFree(P);
}
