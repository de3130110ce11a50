// SPDX-License-Identifier: Apache-2.0
// What c_stream.cc takes of the runtime that standalone sources lack: cuBLAS in any case, and CUDA
// unless MSHADOW_USE_CUDA is 1, as it is for the files of kernels.
#include "mshadow/detail/stream_gpu.h"
#include "mshadow/emitted/launch.h"

namespace mshadow {

void Stream<gpu>::CreateBlasHandle() {}
void Stream<gpu>::DestroyBlasHandle() noexcept {}

#if MSHADOW_USE_CUDA
void Stream<gpu>::Wait() {
  const cuda::DeviceScope scope(dev_id);
  cuda::Synchronize(stream_);
}
#else
// Nothing makes a stream: c_stream.cc asks IsBuilt first.
void Stream<gpu>::Wait() {}

namespace cuda {
bool IsBuilt() noexcept { return false; }
int DeviceCount() noexcept { return 0; }
int CurrentDevice() { NoCuda("CurrentDevice"); }
const DeviceProperties &PropertiesOf(int) { NoCuda("PropertiesOf"); }
DeviceScope::DeviceScope(int) {}
DeviceScope::~DeviceScope() = default;
CUstream_st *CreateStream() { NoCuda("CreateStream"); }
void DestroyStream(CUstream_st *) noexcept {}
void Synchronize(CUstream_st *) {}
}  // namespace cuda
#endif

}  // namespace mshadow
