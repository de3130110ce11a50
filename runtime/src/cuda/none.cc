// SPDX-License-Identifier: Apache-2.0
// cuda/runtime.h and stream_gpu.h in a runtime that was built without CUDA.
#include "mshadow/cuda/runtime.h"
#include "mshadow/dot_gpu.h"
#include "mshadow/launch.h"
#include "mshadow/stream_gpu.h"

namespace mshadow {

void Stream<gpu>::Wait() { NoCuda("Stream<gpu>::Wait"); }
bool Stream<gpu>::CheckIdle() { NoCuda("Stream<gpu>::CheckIdle"); }
void Stream<gpu>::CreateBlasHandle() { NoCuda("Stream<gpu>::CreateBlasHandle"); }
void Stream<gpu>::DestroyBlasHandle() noexcept {}
cublasContext *Stream<gpu>::GetBlasHandle(Stream *) { NoCuda("Stream<gpu>::GetBlasHandle"); }

namespace cuda {

bool IsBuilt() noexcept { return false; }
int DeviceCount() noexcept { return 0; }
int CurrentDevice() { NoCuda("CurrentDevice"); }
void SetDevice(int) { NoCuda("SetDevice<gpu>"); }
DeviceScope::DeviceScope(int) { NoCuda("DeviceScope"); }
DeviceScope::~DeviceScope() = default;
void *Malloc(size_t) { NoCuda("AllocSpace of a gpu tensor"); }
void Free(void *) noexcept {}
void CopyRows(void *, size_t, const void *, size_t, size_t, size_t, Direction, CUstream_st *) {
  NoCuda("Copy of a gpu tensor");
}
void FillRows(void *, size_t, size_t, size_t, const void *, size_t, CUstream_st *) {
  NoCuda("assignment to a gpu tensor");
}
void Gemm(Stream<gpu> *, bool, bool, float, const blas::Matrix<const float> &,
          const blas::Matrix<const float> &, float, const blas::Matrix<float> &) {
  NoCuda("dot of gpu tensors");
}
void Gemm(Stream<gpu> *, bool, bool, double, const blas::Matrix<const double> &,
          const blas::Matrix<const double> &, double, const blas::Matrix<double> &) {
  NoCuda("dot of gpu tensors");
}
CUstream_st *CreateStream() { NoCuda("NewStream<gpu>"); }
void DestroyStream(CUstream_st *) noexcept {}
void Synchronize(CUstream_st *) { NoCuda("Synchronize"); }
bool IsIdle(CUstream_st *) { NoCuda("IsIdle"); }
cublasContext *CreateBlas(CUstream_st *) { NoCuda("CreateBlas"); }
void DestroyBlas(cublasContext *) noexcept {}
Stream<gpu> *MakeStream(bool, int) { NoCuda("NewStream<gpu>"); }
void ReleaseStream(Stream<gpu> *) noexcept {}

}  // namespace cuda
}  // namespace mshadow
