// SPDX-License-Identifier: Apache-2.0
// The fake runtime keeps its own promises: what it finds in emitted code counts for nothing
// otherwise.
#include "fake_cuda.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cublas_v2.h"
#include "cuda_runtime.h"

namespace {

class FakeCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    fakecuda::ClearFaults();
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    live_ = fakecuda::LiveObjects();
  }
  void TearDown() override {
    fakecuda::ClearFaults();
    EXPECT_EQ(fakecuda::LiveObjects(), live_);
  }

  template <typename T>
  static T *Malloc(size_t count) {
    void *pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, count * sizeof(T)), cudaSuccess);
    return static_cast<T *>(pointer);
  }

  template <typename T>
  static std::vector<T> Read(const T *pointer, size_t count) {
    std::vector<T> host(count);
    EXPECT_EQ(cudaMemcpy(host.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return host;
  }

 private:
  int live_ = 0;
};
using FakeCudaDeathTest = FakeCuda;

struct Args {
  int *data;
  int count;
};

cudaStream_t NewStream() {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  return stream;
}

__global__ void Fill(const Args args) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < args.count) args.data[i] = i;
}

__global__ void Increment(int *value) { ++*value; }

/// Reverses a block's elements through shared memory, twice.
__global__ void Reverse(int *data) {
  __shared__ int tile[64];
  const unsigned t = threadIdx.x, last = blockDim.x - 1;
  for (int round = 0; round < 2; ++round) {
    tile[t] = data[t];
    __syncthreads();
    data[t] = tile[last - t] + 1;
    __syncthreads();
  }
}

/// Shifts the values of the first threads of each 16 by one, three times, and then those of all 16
/// in the other direction. The threads that take no part in the first shifts are ahead of others.
__global__ void Shift(double *data, int threads) {
  const int t = static_cast<int>(threadIdx.x), place = t % 16, left = threads - (t - place);
  const int half = t % 32 / 16 * 16;
  double value = data[t];
  for (int round = 0; round < 3 && t < threads; ++round) {
    const unsigned mask = ((1u << (left < 16 ? left : 16)) - 1) << half;
    value = __shfl_sync(mask, value, place > 0 ? place - 1 : 0, 16);
  }
  data[t] = __shfl_sync(0xFFFFu << half, value, (place + 1) % 16, 16);
}
/// A mask with threads that do not take part.
__global__ void HalfOfThemShuffle() {
  if (threadIdx.x % 2 == 0) __shfl_sync(~0u, 0, 0);
}

__global__ void HalfOfThemWait() {
  if (threadIdx.x % 2 == 0) __syncthreads();
}

/// The fake finds what is misaligned, also where a sanitizer would be the first to.
__attribute__((no_sanitize("alignment"))) __global__ void ReadVector(const char *from, uint4 *to) {
  *to = *reinterpret_cast<const uint4 *>(from);
}

template <typename... P>
cudaError_t Start(void (*kernel)(P...), dim3 grid, dim3 block, cudaStream_t stream, P... values) {
  void *args[] = {&values..., nullptr};
  return cudaLaunchKernel(kernel, grid, block, args, 0, stream);
}

TEST_F(FakeCuda, KernelsRunWhenSomebodyWaits) {
  int *data = Malloc<int>(100);
  const long before = fakecuda::KernelsRun();
  ASSERT_EQ(Start(Fill, 4, 32, nullptr, Args{data, 100}), cudaSuccess);
  EXPECT_EQ(fakecuda::KernelsRun(), before);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(fakecuda::KernelsRun(), before + 1);
  const auto host = Read(data, 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(host[i], i);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(FakeCuda, ParametersAreCopiedAtTheLaunch) {
  int *data = Malloc<int>(4);
  Args value{data, 4};
  void *args[] = {&value};
  ASSERT_EQ(cudaLaunchKernel(Fill, 1, 4, args), cudaSuccess);
  value = {nullptr, 0};
  EXPECT_EQ(Read(data, 4), (std::vector<int>{0, 1, 2, 3}));
  cudaFree(data);
}

TEST_F(FakeCuda, BarriersMeetAllThreadsOfABlock) {
  int *data = Malloc<int>(64);
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = i * i;
  cudaMemcpy(data, host.data(), 256, cudaMemcpyHostToDevice);
  ASSERT_EQ(Start(Reverse, 1, 64, nullptr, data), cudaSuccess);
  const auto result = Read(data, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(result[i], i * i + 2);
  cudaFree(data);
}

TEST_F(FakeCuda, ShufflesGoFromThreadToThread) {
  double *data = Malloc<double>(64);
  std::vector<double> host(64);
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMemcpy(data, host.data(), 512, cudaMemcpyHostToDevice);
  ASSERT_EQ(Start(Shift, 1, 64, nullptr, data, 58), cudaSuccess);
  const auto result = Read(data, 64);
  for (int i = 0; i < 64; ++i) {
    const int from = i / 16 * 16 + (i + 1) % 16;
    EXPECT_EQ(result[i], from < 58 ? from - std::min(from % 16, 3) : from);
  }
  cudaFree(data);
}

TEST_F(FakeCuda, StreamsKeepOrderAndEventsJoinThem) {
  int *data = Malloc<int>(1);
  cudaMemset(data, 0, 4);
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t set;
  cudaEventCreate(&set);
  cudaDeviceSynchronize();

  Start(Increment, 1, 1, first, data);
  cudaEventRecord(set, first);
  EXPECT_EQ(cudaEventQuery(set), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(first), cudaErrorNotReady);
  cudaStreamWaitEvent(second, set);
  Start(Increment, 1, 1, second, data);
  ASSERT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(set), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(first), cudaSuccess);
  EXPECT_EQ(Read(data, 1)[0], 2);

  // Without an event the other stream's work has not happened.
  Start(Increment, 1, 1, first, data);
  EXPECT_EQ(Read(data, 1)[0], 2) << "the default stream does not wait for a non-blocking one";
  cudaStreamSynchronize(first);
  EXPECT_EQ(Read(data, 1)[0], 3);
  cudaEventDestroy(set);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(data);
}

TEST_F(FakeCuda, DefaultStreamWaitsForBlockingStreams) {
  int *data = Malloc<int>(1);
  cudaMemset(data, 0, 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Start(Increment, 1, 1, stream, data);
  EXPECT_EQ(Read(data, 1)[0], 1);
  cudaStreamDestroy(stream);
  cudaFree(data);
}

TEST_F(FakeCuda, FreshMemoryIsPoison) {
  unsigned char *data = Malloc<unsigned char>(3);
  for (unsigned char byte : Read(data, 3)) EXPECT_EQ(byte, fakecuda::kPoison);
  cudaFree(data);
}

TEST_F(FakeCuda, CopiesRowsWithPitches) {
  char *data = Malloc<char>(16);
  cudaMemset(data, 'x', 16);
  ASSERT_EQ(cudaMemcpy2D(data, 5, "abcdef", 2, 2, 3, cudaMemcpyHostToDevice), cudaSuccess);
  const auto host = Read(data, 16);
  EXPECT_EQ(std::string(host.data(), 16), "abxxxcdxxxefxxxx");
  EXPECT_EQ(cudaMemcpy2D(data, 5, "abcdef", 2, 2, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue)
      << "the last row ends behind the block";
  EXPECT_EQ(cudaMemcpy(data, "abc", 3, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  cudaFree(data);
}

TEST_F(FakeCuda, RefusesWhatAGpuRefuses) {
  EXPECT_EQ(Start(HalfOfThemWait, 0, 32, nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(Start(HalfOfThemWait, dim3(1, 65536), 32, nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(Start(HalfOfThemWait, 1, 1025, nullptr), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  void *pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, size_t{1} << 40), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFree(&pointer), cudaErrorInvalidValue);
}

TEST_F(FakeCuda, KnowsWhereAPointerPoints) {
  cudaSetDevice(1);
  int *data = Malloc<int>(8);
  cudaSetDevice(0);
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, data + 3), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 1);
  cudaPointerGetAttributes(&attributes, &data);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  void *pinned = nullptr;
  cudaMallocHost(&pinned, 10);
  cudaPointerGetAttributes(&attributes, pinned);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  cudaFreeHost(pinned);
  cudaFree(data);
}

TEST_F(FakeCuda, InjectsFaults) {
  void *pointer = nullptr;
  fakecuda::FailCall(2, cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaSuccess);
  EXPECT_EQ(fakecuda::Calls(), 3);
  fakecuda::FailCall(1, cudaErrorIllegalAddress, /*sticky=*/true);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaFree(pointer), cudaErrorIllegalAddress) << "released all the same";
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
}

TEST_F(FakeCuda, RepeatsPages) {
  void *pointer = nullptr;
  const size_t bytes = (size_t{1} << 32) + 4096;
  ASSERT_EQ(fakecuda::MallocRepeating(&pointer, bytes, 1 << 22), cudaSuccess);
  char *data = static_cast<char *>(pointer);
  cudaMemcpy(data + bytes - 3, "abc", 3, cudaMemcpyHostToDevice);
  const auto host = Read(data + 4096 - 3, 3);
  EXPECT_EQ(std::string(host.data(), 3), "abc");
  cudaFree(pointer);
}

TEST_F(FakeCuda, CublasComputesOnItsStream) {
  cublasHandle_t handle;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  float *a = Malloc<float>(6), *c = Malloc<float>(4);
  const float host[] = {1, 2, 3, 4, 5, 6};  // column-major 2 x 3: rows 1 3 5 and 2 4 6
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  const float one = 1, zero = 0;
  ASSERT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 3, &one, a, 2, a, 2, &zero, c, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(Read(c, 4), (std::vector<float>{35, 44, 44, 56}));
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, a, 1, a, 3, &zero, c, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  cublasDestroy(handle);
  cudaFree(a);
  cudaFree(c);
}

TEST_F(FakeCudaDeathTest, HostMayNotTouchDeviceMemory) {
  int *data = Malloc<int>(1);
  EXPECT_DEATH(*static_cast<volatile int *>(data) = 1, "host code touched device memory");
  cudaFree(data);
}

TEST_F(FakeCudaDeathTest, KernelsMayNotLeaveTheirBlock) {
  int *data = Malloc<int>(1024);
  auto run = [&](int *at) {
    Start(Increment, 1, 1, nullptr, at);
    cudaDeviceSynchronize();
  };
  EXPECT_DEATH(run(data + 1024), "left its memory");
  EXPECT_DEATH(run(data - 1), "left its memory");
  int *small = Malloc<int>(1);
  EXPECT_DEATH(run(small + 1), "written behind the end of a block");
  cudaFree(small);
  EXPECT_DEATH(run(small), "used freed memory");
  cudaSetDevice(1);
  int *other = Malloc<int>(1);
  cudaSetDevice(0);
  EXPECT_DEATH(run(other), "left its memory");
  cudaFree(other);
  cudaFree(data);
}

TEST_F(FakeCudaDeathTest, VectorAccessesMustBeAligned) {
  char *data = Malloc<char>(64);
  EXPECT_DEATH(
      {
        Start(ReadVector, 1, 1, nullptr, static_cast<const char *>(data + 4),
              reinterpret_cast<uint4 *>(data + 32));
        cudaDeviceSynchronize();
      },
      "misaligned vector read");
  cudaFree(data);
}

TEST_F(FakeCudaDeathTest, BarriersMayNotDiverge) {
  EXPECT_DEATH(
      {
        Start(HalfOfThemWait, 1, 32, nullptr);
        cudaDeviceSynchronize();
      },
      "barrier was not reached by every thread");
}

TEST_F(FakeCudaDeathTest, ShufflesNeedTheThreadsOfTheirMask) {
  EXPECT_DEATH(
      {
        Start(HalfOfThemShuffle, 1, 32, nullptr);
        cudaDeviceSynchronize();
      },
      "shuffle was not reached by every thread");
}

TEST_F(FakeCudaDeathTest, LeaksAreReportedAtExit) {
  EXPECT_EXIT(
      {
        Malloc<int>(1);
        std::exit(0);
      },
      ::testing::ExitedWithCode(1), "1 blocks, streams, events or handles were never released");
}

TEST_F(FakeCuda, AGraphRunsWhatWasCaptured) {
  int *data = Malloc<int>(1);
  cudaMemset(data, 0, sizeof *data);
  cudaStream_t stream = NewStream();
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(Start(Increment, 1, 1, stream, data), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(Read(data, 1)[0], 0);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiateWithFlags(&exec, graph, 0), cudaSuccess);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(Read(data, 1)[0], 6);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(data);
}

TEST_F(FakeCuda, CaptureRefusesWhatWaitsOrAllocates) {
  int *data = Malloc<int>(1), value = 0;
  cudaStream_t stream = NewStream();
  void *memory = nullptr;
  const auto refused = [&](auto call) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_NE(call(), cudaSuccess);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &status);
    EXPECT_EQ(status, cudaStreamCaptureStatusInvalidated);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  };
  refused([&] { return cudaMalloc(&memory, 4); });
  refused([&] { return cudaStreamSynchronize(stream); });
  refused([&] { return cudaMemcpy(&value, data, 4, cudaMemcpyDeviceToHost); });
  refused([&] { return cudaMemsetAsync(data, 0, 4); });
  refused([&] { return Start(Increment, 1, 1, nullptr, data); });
  cudaStreamDestroy(stream);
  cudaFree(data);
}

}  // namespace
