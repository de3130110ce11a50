// SPDX-License-Identifier: Apache-2.0
// The free functions and products of gpu tensors, compiled by nvcc.
#include <mshadow/extension/top_k.h>
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

template <typename T>
void Run(Tensor<gpu, 2, T> a, Tensor<gpu, 2, T> b, Tensor<gpu, 3, T> c, Tensor<gpu, 1, T> label,
         Tensor<gpu, 1, int> index, Stream<gpu> *stream) {
  Softmax(a, b);
  Softmax(c, c);
  SoftmaxGrad(a, b, label, 1);
  SoftmaxGrad(c, c, a);
  SmoothSoftmaxGrad(a, b, label, 0.1f);
  AddTakeGrad(a, index, b);
  AddTakeGrad<false>(a, index, b);
  AddTakeGradLargeBatch(a, index, index, b);
  IndexFill(a, index, b);
  SortByKey(label, index);
  TopK(a, b);
  ArgSortRows(a, b);
  VectorizedSort(label, index);
  VectorDot(label, label, label);
  BatchGEMM<true, false>(c, c, c, T(1), T(0));
  GetBatchedView(static_cast<T **>(nullptr), a.dptr_, 1, 1, stream);
  a += dot(b, b.T());
  TBlob x = a, y = b;
  x = add(x, scale(y, 2));
}

void RunRandom(Random<gpu> *random, Tensor<gpu, 2> a) {
  random->SampleUniform(&a, -1, 1);
  random->SampleGaussian(&a, 0, 0.01f);
  a = random->uniform(a.shape_) * a - random->gaussian(a.shape_);
}

__global__ void AddOne(float *data) { data[threadIdx.x] += 1.0f; }
__global__ void SumOfBlock(float *data) {
  __shared__ float buf[cuda::kBaseThreadNum];
  buf[threadIdx.x] = data[threadIdx.x];
  cuda::Reduce1D<red::sum, cuda::kBaseThreadBits>(buf);
  data[threadIdx.x] = buf[0];
}
void RunKernel(Tensor<gpu, 1> a) {
  SumOfBlock<<<1, cuda::kBaseThreadNum>>>(a.dptr_);
  cuda::CheckLaunchParam(dim3(1), dim3(cuda::kBaseThreadNum), "AddOne");
  AddOne<<<1, cuda::kBaseThreadNum>>>(a.dptr_);
  MSHADOW_CUDA_POST_KERNEL_CHECK(AddOne);
}

template void Run<float>(Tensor<gpu, 2>, Tensor<gpu, 2>, Tensor<gpu, 3>, Tensor<gpu, 1>,
                         Tensor<gpu, 1, int>, Stream<gpu> *);
template void Run<half::half_t>(Tensor<gpu, 2, half::half_t>, Tensor<gpu, 2, half::half_t>,
                                Tensor<gpu, 3, half::half_t>, Tensor<gpu, 1, half::half_t>,
                                Tensor<gpu, 1, int>, Stream<gpu> *);
