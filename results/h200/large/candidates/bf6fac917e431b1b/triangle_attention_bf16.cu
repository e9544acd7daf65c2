// for b, h, i, d:
//   s[j] = query[b][h][i][d] * key[b][h][j][d] / sqrt(head_dim) for j in 0..i, where attention_mask[b][i][j] <= 0.5
//   w = softmax(s) over these j
//   output[b][h][i][d] = sum over these j of w[j] * value[b][h][j][d], or 0 if there is none
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cfloat>

// One thread per result, in three passes over j.
__global__ void triangle_attention_kernel(const __nv_bfloat16* query, const __nv_bfloat16* key, const __nv_bfloat16* value,
                                          const float* attention_mask, __nv_bfloat16* output, int batch_size, int head_num,
                                          int seq_length, int head_dim) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch_size * head_num * seq_length * head_dim) {
    return;
  }
  const int d = index % head_dim;
  const int i = index / head_dim % seq_length;
  const int h = index / (head_dim * seq_length) % head_num;
  const int b = index / (head_dim * seq_length * head_num);
  const int sequence = (b * head_num + h) * seq_length * head_dim + d;
  const float* mask = attention_mask + (b * seq_length + i) * seq_length;
  const float q = __bfloat162float(query[index]);
  const float root = sqrtf(static_cast<float>(head_dim));

  float top = -FLT_MAX;
  for (int j = 0; j <= i; ++j) {
    float score = q * __bfloat162float(key[sequence + j * head_dim]) / root;
    if (mask[j] > 0.5f) {
      score = -FLT_MAX;
    }
    top = fmaxf(top, score);
  }
  float sum = 0.0f;
  for (int j = 0; j <= i; ++j) {
    const float score = q * __bfloat162float(key[sequence + j * head_dim]) / root;
    if (mask[j] <= 0.5f) {
      sum += expf(score - top);
    }
  }
  float result = 0.0f;
  for (int j = 0; j <= i; ++j) {
    const float score = q * __bfloat162float(key[sequence + j * head_dim]) / root;
    if (mask[j] <= 0.5f) {
      result += expf(score - top) / sum * __bfloat162float(value[sequence + j * head_dim]);
    }
  }
  output[index] = __float2bfloat16(result);
}

extern "C" void triangle_attention_bf16(const __nv_bfloat16* query, const __nv_bfloat16* key, const __nv_bfloat16* value, const float* attention_mask,
                       __nv_bfloat16* output, int batch_size, int head_num, int seq_length, int head_dim) {
  const int elements = batch_size * head_num * seq_length * head_dim;
  const int threads = 256;
  triangle_attention_kernel<<<(elements + threads - 1) / threads, threads>>>(
      query, key, value, attention_mask, output, batch_size, head_num, seq_length, head_dim);
  cudaDeviceSynchronize();
}
