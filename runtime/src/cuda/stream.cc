// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "mshadow/detail/stream_gpu.h"

namespace mshadow {

void Stream<gpu>::Wait() {
  const cuda::DeviceScope scope(dev_id);
  cuda::Synchronize(stream_);
}

bool Stream<gpu>::CheckIdle() {
  const cuda::DeviceScope scope(dev_id);
  return cuda::IsIdle(stream_);
}

void Stream<gpu>::CreateBlasHandle() {
  if (blas_handle_ != nullptr) return;
  const cuda::DeviceScope scope(dev_id);
  blas_handle_ = cuda::CreateBlas(stream_);
  blas_handle_ownership_ = OwnHandle;
}

void Stream<gpu>::DestroyBlasHandle() noexcept {
  cuda::DestroyBlas(blas_handle_);
  blas_handle_ = nullptr;
  blas_handle_ownership_ = NoHandle;
}

cublasContext *Stream<gpu>::GetBlasHandle(Stream *stream) {
  if (stream == nullptr || stream->blas_handle_ == nullptr) {
    throw Error("dot: the stream has no BLAS handle: make it with NewStream<gpu>(true, false)");
  }
  return stream->blas_handle_;
}

namespace cuda {

Stream<gpu> *MakeStream(bool with_blas, int device) {
  if (device < 0) device = CurrentDevice();
  const DeviceScope scope(device);
  struct Release {
    void operator()(Stream<gpu> *stream) const { ReleaseStream(stream); }
  };
  std::unique_ptr<Stream<gpu>, Release> stream(new Stream<gpu>);
  stream->dev_id = device;
  stream->prop = PropertiesOf(device);
  stream->stream_ = CreateStream();
  if (with_blas) stream->CreateBlasHandle();
  return stream.release();
}

void ReleaseStream(Stream<gpu> *stream) noexcept {
  if (stream == nullptr) return;
  stream->FreeWorkspace();
  stream->DestroyDnnHandle();
  stream->DestroySolverHandle();
  stream->DestroyBlasHandle();
  DestroyStream(stream->stream_);
  delete stream;
}

}  // namespace cuda
}  // namespace mshadow
