// SPDX-License-Identifier: Apache-2.0
// cuda/runtime.h and stream_gpu.h in a runtime that was built without CUDA.
#include "mshadow/cuda/runtime.h"
#include "mshadow/detail/blas_engine.h"
#include "mshadow/detail/random_gpu.h"
#include "mshadow/detail/stream_gpu.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/launch_product.h"

namespace mshadow {

void Stream<gpu>::Wait() { NoCuda("Stream<gpu>::Wait"); }
bool Stream<gpu>::CheckIdle() { NoCuda("Stream<gpu>::CheckIdle"); }
void Stream<gpu>::CreateBlasHandle() { NoCuda("Stream<gpu>::CreateBlasHandle"); }
void Stream<gpu>::DestroyBlasHandle() noexcept {}
cublasContext *Stream<gpu>::GetBlasHandle(Stream *) { NoCuda("Stream<gpu>::GetBlasHandle"); }

detail::WorkspaceStack &detail::WorkspaceOfStream(void *) { NoCuda("memory of a GPU"); }
detail::WorkspaceStack &detail::WorkspaceOfAssignment(void *) { NoCuda("memory of a GPU"); }

template <typename DType>
void CheckProduct(gpu, const char *rule, const LaunchProduct<DType> &, void *) {
  NoCuda(rule);
}
template <typename DType>
void RunProduct(gpu, const LaunchProduct<DType> &, void *) {
  NoCuda("a product of gpu tensors");
}
#define MSHADOW_PRODUCT_OF(T)                                                         \
  template void CheckProduct<T>(gpu, const char *, const LaunchProduct<T> &, void *); \
  template void RunProduct<T>(gpu, const LaunchProduct<T> &, void *);
MSHADOW_PRODUCT_OF(float)
MSHADOW_PRODUCT_OF(double)
MSHADOW_PRODUCT_OF(half::half_t)
MSHADOW_PRODUCT_OF(bfloat::bf16_t)
MSHADOW_PRODUCT_OF(int8_t)
MSHADOW_PRODUCT_OF(uint8_t)
MSHADOW_PRODUCT_OF(int16_t)
MSHADOW_PRODUCT_OF(int32_t)
MSHADOW_PRODUCT_OF(int64_t)
#undef MSHADOW_PRODUCT_OF

namespace cuda {

bool IsBuilt() noexcept { return false; }
int DeviceCount() noexcept { return 0; }
int CurrentDevice() { NoCuda("CurrentDevice"); }
const DeviceProperties &PropertiesOf(int) { NoCuda("the properties of a device"); }
void SetDevice(int) { NoCuda("SetDevice<gpu>"); }
DeviceScope::DeviceScope(int) { NoCuda("DeviceScope"); }
DeviceScope::~DeviceScope() = default;
void *Malloc(size_t) { NoCuda("AllocSpace of a gpu tensor"); }
void Free(void *) noexcept {}
void *MallocHost(size_t) { NoCuda("AllocHost<gpu>"); }
void FreeHost(void *) noexcept {}
void CopyRows(void *, size_t, const void *, size_t, size_t, size_t, Direction, CUstream_st *) {
  NoCuda("Copy of a gpu tensor");
}
void FillRows(void *, size_t, size_t, size_t, const void *, size_t, CUstream_st *) {
  NoCuda("assignment to a gpu tensor");
}
template <typename T>
void Gemm(Stream<gpu> *, bool, bool, T, const blas::Matrix<const T> &,
          const blas::Matrix<const T> &, T, const blas::Matrix<T> &) {
  NoCuda("dot of gpu tensors");
}
template <typename T>
void Gemm(Stream<gpu> *, bool, bool, T, const blas::Batch<const T> &, const blas::Batch<const T> &,
          T, const blas::Batch<T> &) {
  NoCuda("batch_dot of gpu tensors");
}
template <typename T>
void Gemm(Stream<gpu> *, bool, bool, T, const blas::Pointers<const T> &,
          const blas::Pointers<const T> &, T, const blas::Pointers<T> &) {
  NoCuda("batched_gemm of gpu matrices");
}
#define MSHADOW_GEMM_OF(T, Operand)                                             \
  template void Gemm<T>(Stream<gpu> *, bool, bool, T, const Operand<const T> &, \
                        const Operand<const T> &, T, const Operand<T> &);
#define MSHADOW_GEMM(T)            \
  MSHADOW_GEMM_OF(T, blas::Matrix) \
  MSHADOW_GEMM_OF(T, blas::Batch)  \
  MSHADOW_GEMM_OF(T, blas::Pointers)
MSHADOW_GEMM(float)
MSHADOW_GEMM(double)
MSHADOW_GEMM(half::half_t)
MSHADOW_GEMM(bfloat::bf16_t)
#undef MSHADOW_GEMM
#undef MSHADOW_GEMM_OF
curandGenerator_st *CreateRandom(int) { NoCuda("Random<gpu>"); }
void DestroyRandom(curandGenerator_st *) noexcept {}
void SeedRandom(curandGenerator_st *, int) { NoCuda("Random<gpu>"); }
void DrawUniform(curandGenerator_st *, CUstream_st *, float *, size_t) { NoCuda("Random<gpu>"); }
void DrawUniform(curandGenerator_st *, CUstream_st *, double *, size_t) { NoCuda("Random<gpu>"); }
void DrawGaussian(curandGenerator_st *, CUstream_st *, float *, size_t, float, float) {
  NoCuda("Random<gpu>");
}
void DrawGaussian(curandGenerator_st *, CUstream_st *, double *, size_t, double, double) {
  NoCuda("Random<gpu>");
}
void DrawBits(curandGenerator_st *, CUstream_st *, unsigned *, size_t) { NoCuda("Random<gpu>"); }
CUstream_st *CreateStream() { NoCuda("NewStream<gpu>"); }
void DestroyStream(CUstream_st *) noexcept {}
void Synchronize(CUstream_st *) { NoCuda("Synchronize"); }
bool IsIdle(CUstream_st *) { NoCuda("IsIdle"); }
bool IsCaptured(CUstream_st *) { NoCuda("IsCaptured"); }
CUevent_st *CreateEvent() { NoCuda("CreateEvent"); }
void DestroyEvent(CUevent_st *) noexcept {}
void RecordEvent(CUevent_st *, CUstream_st *) { NoCuda("RecordEvent"); }
void WaitFor(CUevent_st *) { NoCuda("WaitFor"); }
cublasContext *CreateBlas(CUstream_st *) { NoCuda("CreateBlas"); }
void DestroyBlas(cublasContext *) noexcept {}
Stream<gpu> *MakeStream(bool, int) { NoCuda("NewStream<gpu>"); }
void ReleaseStream(Stream<gpu> *) noexcept {}

}  // namespace cuda
}  // namespace mshadow
