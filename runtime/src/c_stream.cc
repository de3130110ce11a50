// SPDX-License-Identifier: Apache-2.0
// Streams of C: a Stream<gpu> that knows whether its CUDA stream is its own.
#include <memory>
#include <string>

#include "mshadow/detail/stream_gpu.h"
#include "mshadow/emitted/c_call.h"
#include "mshadow/emitted/launch.h"

namespace mshadow {
namespace {

struct CStream : Stream<gpu> {
  explicit CStream(int device) {
    dev_id = device;
    prop = cuda::PropertiesOf(device);
  }
  CStream(const CStream &) = delete;
  CStream &operator=(const CStream &) = delete;
  ~CStream() {
    FreeWorkspace();
    DestroyBlasHandle();
    if (owns_stream) cuda::DestroyStream(stream_);
  }

  bool owns_stream = false;
};

/// Emitted functions take it as the Stream<gpu> that it is.
mshadow_stream *ToC(Stream<gpu> *stream) { return reinterpret_cast<mshadow_stream *>(stream); }
CStream *FromStream(mshadow_stream *stream) {
  return static_cast<CStream *>(reinterpret_cast<Stream<gpu> *>(stream));
}

/// \param device -1: the current one
/// \param wrapped null: a stream of its own
void Make(const char *function, int device, CUstream_st *wrapped, mshadow_stream **result) {
  if (result == nullptr) {
    throw Error(
        std::string(function) +
        ": argument 'stream': expected a pointer to store the stream in, got a null pointer");
  }
  if (!cuda::IsBuilt()) NoCuda(function);
  if (device < 0) device = cuda::CurrentDevice();
  const cuda::DeviceScope scope(device);
  std::unique_ptr<CStream> stream(new CStream(device));
  stream->owns_stream = wrapped == nullptr;
  stream->stream_ = wrapped == nullptr ? cuda::CreateStream() : wrapped;
  stream->CreateBlasHandle();
  *result = ToC(stream.release());
}

}  // namespace
}  // namespace mshadow

int32_t mshadow_gpu_count(void) { return mshadow::cuda::DeviceCount(); }

mshadow_status mshadow_stream_create(int device, mshadow_stream **stream) {
  const char *const name = "mshadow_stream_create";
  return mshadow::CallFromC(name, [&] { mshadow::Make(name, device, nullptr, stream); });
}

mshadow_status mshadow_stream_wrap(void *cuda_stream, int device, mshadow_stream **stream) {
  const char *const name = "mshadow_stream_wrap";
  return mshadow::CallFromC(name, [&] {
    if (cuda_stream == nullptr) {
      throw mshadow::Error(std::string(name) +
                           ": argument 'cuda_stream': expected a stream, got a null pointer; for "
                           "the default stream, pass a null mshadow_stream");
    }
    mshadow::Make(name, device, static_cast<CUstream_st *>(cuda_stream), stream);
  });
}

mshadow_status mshadow_stream_synchronize(mshadow_stream *stream) {
  const char *const name = "mshadow_stream_synchronize";
  return mshadow::CallFromC(name, [&] {
    if (!mshadow::cuda::IsBuilt()) mshadow::NoCuda(name);
    if (stream == nullptr) return mshadow::cuda::Synchronize(nullptr);
    mshadow::FromStream(stream)->Wait();
  });
}

mshadow_status mshadow_stream_destroy(mshadow_stream *stream) {
  return mshadow::CallFromC("mshadow_stream_destroy", [&] {
    if (stream == nullptr) return;
    const std::unique_ptr<mshadow::CStream> owned(mshadow::FromStream(stream));
    const mshadow::cuda::DeviceScope scope(owned->dev_id);
    owned->Wait();
  });
}
