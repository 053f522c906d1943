// What the probe runs on a GPU. A block of threads does what one of NCCL's channels does: the rate by
// number of blocks is what channels can carry. kernels_ptx.cpp holds this as PTX, so that neither the
// build nor the probe needs the CUDA toolkit; made with
//   nvcc -ptx -arch=compute_75 validation/probe/kernels.cu
// and put back to PTX 6.3 for sm_70, which holds all of its instructions.

extern "C" {

__global__ void spineleaf_empty() {}

__global__ void spineleaf_copy(float4* to, const float4* from, unsigned long long count) {
  const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * stride < count; i += 4 * stride) {
    const float4 a = from[i];
    const float4 b = from[i + stride];
    const float4 c = from[i + 2 * stride];
    const float4 d = from[i + 3 * stride];
    to[i] = a;
    to[i + stride] = b;
    to[i + 2 * stride] = c;
    to[i + 3 * stride] = d;
  }
  for (; i < count; i += stride) to[i] = from[i];
}

__device__ __forceinline__ float4 sum(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void spineleaf_reduce(float4* to, const float4* x, const float4* y,
                                 unsigned long long count) {
  const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * stride < count; i += 4 * stride) {
    const float4 a = x[i], e = y[i];
    const float4 b = x[i + stride], f = y[i + stride];
    const float4 c = x[i + 2 * stride], g = y[i + 2 * stride];
    const float4 d = x[i + 3 * stride], h = y[i + 3 * stride];
    to[i] = sum(a, e);
    to[i + stride] = sum(b, f);
    to[i + 2 * stride] = sum(c, g);
    to[i + 3 * stride] = sum(d, h);
  }
  for (; i < count; i += stride) to[i] = sum(x[i], y[i]);
}

}  // extern "C"
