// SPDX-License-Identifier: Apache-2.0
// Tensors, streams, copies, unfused expressions and products on the fake device.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/expr/op_extra.h>
#include <mshadow/tensor.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace mshadow;
using namespace mshadow::expr;
using mshadow::detail::Workspace;
using mshadow::detail::WorkspaceOfAssignment;
using mshadow::detail::WorkspaceOfStream;

struct ReleaseStream {
  void operator()(Stream<gpu> *stream) const { DeleteStream(stream); }
};
using StreamPtr = std::unique_ptr<Stream<gpu>, ReleaseStream>;

class TensorGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    fakecuda::ClearFaults();
    live_ = fakecuda::LiveObjects();
  }
  void TearDown() override {
    fakecuda::ClearFaults();
    EXPECT_EQ(fakecuda::LiveObjects(), live_);
  }
  StreamPtr stream_{NewStream<gpu>(true, false, 0)};

 private:
  int live_ = 0;
};

template <typename DType, int dim>
void FillRandom(Tensor<cpu, dim, DType> t) {
  unsigned state = 12345;
  const Tensor<cpu, 2, DType> rows = t.FlatTo2D();
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) {
      state = state * 1664525 + 1013904223;
      rows[y][x] = static_cast<DType>(static_cast<float>(state >> 16) / 65536 - 0.5f);
    }
  }
}

template <typename DType>
void ExpectSame(const Tensor<cpu, 2, DType> &a, const Tensor<cpu, 2, DType> &b) {
  ASSERT_EQ(a.shape_, b.shape_);
  for (index_t y = 0; y < a.size(0); ++y) {
    for (index_t x = 0; x < a.size(1); ++x) ASSERT_EQ(a[y][x], b[y][x]) << y << ' ' << x;
  }
}

TEST_F(TensorGpu, CopiesThereAndBack) {
  for (bool pad : {false, true}) {
    for (index_t cols : {1, 5, 8, 33}) {
      TensorContainer<cpu, 2> from(Shape2(7, cols), 0, false), to(Shape2(7, cols), 0.0f);
      FillRandom<float, 2>(from);
      TensorContainer<gpu, 2> device(pad);
      device.Resize(Shape2(7, cols));
      Copy(device, from);
      TensorContainer<gpu, 2> other(device);
      Copy(to, other);
      ExpectSame<float>(from, to);
    }
  }
}

TEST_F(TensorGpu, CopyToAStreamIsQueued) {
  TensorContainer<cpu, 1> from(Shape1(4), 1.0f), to(Shape1(4), 0.0f);
  Tensor<gpu, 1> device(Shape1(4));
  device.set_stream(stream_.get());
  AllocSpace(&device);
  Copy(device, from, stream_.get());
  Copy(to, device, stream_.get());
  EXPECT_FALSE(stream_->CheckIdle());
  EXPECT_EQ(to[2], 0.0f);
  stream_->Wait();
  EXPECT_TRUE(stream_->CheckIdle());
  EXPECT_EQ(to[2], 1.0f);
  FreeSpace(&device);
}

TEST_F(TensorGpu, RefusesCopiesBetweenShapes) {
  TensorContainer<cpu, 2> host(Shape2(2, 3), 0.0f);
  TensorContainer<gpu, 2> device(Shape2(3, 2));
  EXPECT_THROW(Copy(device, host), Error);
}

/// Fills of values that memset can and cannot write, in one row, in many, padded and not.
template <typename DType>
void CheckFill(DType value) {
  for (bool pad : {false, true}) {
    for (const Shape<2> shape : {Shape2(1, 1), Shape2(1, 10000), Shape2(37, 13), Shape2(5, 9001)}) {
      TensorContainer<gpu, 2, DType> device(shape, value, pad);
      TensorContainer<cpu, 2, DType> host(shape), want(shape, value);
      Copy(host, device);
      ExpectSame<DType>(host, want);
    }
  }
}

TEST_F(TensorGpu, Fills) {
  CheckFill(0.0f);
  CheckFill(-0.0f);
  CheckFill(1.5f);
  CheckFill(3.25);
  CheckFill(half::half_t(0.1f));
  CheckFill<int8_t>(-7);
  CheckFill<int64_t>(-1);
}

/// One expression of each kind, on both devices.
template <typename xpu>
void Evaluate(Tensor<xpu, 2> a, Tensor<xpu, 2> b, Tensor<xpu, 2, half::half_t> h) {
  a += 2.0f * b - F<op::square>(a);
  h = tcast<half::half_t>(a * 0.5f);
  b = tcast<float>(h) / (1.0f + F<op::abs>(b));
  a *= 1.0f - b;
}

TEST_F(TensorGpu, EvaluatesExpressionsAsTheCpuDoes) {
  for (bool pad : {false, true}) {
    for (const Shape<2> shape :
         {Shape2(1, 1), Shape2(3, 5), Shape2(300, 3), Shape2(2, 1000), Shape2(0, 5)}) {
      TensorContainer<cpu, 2> a(shape, 0, pad), b(shape, 0, pad), a_back(shape), b_back(shape);
      FillRandom<float, 2>(a);
      FillRandom<float, 2>(b);
      b += 0.25f;
      TensorContainer<cpu, 2, half::half_t> h(shape);
      TensorContainer<gpu, 2> device_a(shape, 0, pad), device_b(shape, 0, pad);
      TensorContainer<gpu, 2, half::half_t> device_h(shape);
      Copy(device_a, a);
      Copy(device_b, b);
      Evaluate<cpu>(a, b, h);
      Evaluate<gpu>(device_a, device_b, device_h);
      Copy(a_back, device_a);
      Copy(b_back, device_b);
      ExpectSame<float>(a, a_back);
      ExpectSame<float>(b, b_back);
    }
  }
}

TEST_F(TensorGpu, RowsMayBeFurtherApartThan32BitsCount) {
  constexpr index_t kFar = (index_t{1} << 31) + 16;  // elements: 64 bytes beyond a whole period
  const size_t bytes = 3 * kFar * sizeof(float);
  void *memory = nullptr;
  ASSERT_EQ(fakecuda::MallocRepeating(&memory, bytes, 1 << 22), cudaSuccess);
  Tensor<gpu, 2> far(static_cast<float *>(memory), Shape2(3, 5), kFar, nullptr);
  TensorContainer<cpu, 2> a(far.shape_), back(far.shape_);
  TensorContainer<gpu, 2> near(far.shape_), near_back(far.shape_);
  TensorContainer<cpu, 1> sums(Shape1(5)), sums_back(Shape1(5));
  TensorContainer<gpu, 1> near_sums(Shape1(5));
  FillRandom<float, 2>(a);
  Copy(near, a);
  far = near * 2.0f;
  a = a * 2.0f;
  near_back = far * 1.0f;
  Copy(back, near_back);
  ExpectSame<float>(back, a);
  near_sums = sum_rows(far);
  Copy(sums_back, near_sums);
  sums = sum_rows(a);
  ExpectSame<float>(sums_back.FlatTo2D(), sums.FlatTo2D());
  cudaFree(memory);
}

TEST_F(TensorGpu, MultipliesMatrices) {
  TensorContainer<cpu, 2> a(Shape2(3, 4)), b(Shape2(5, 4)), c(Shape2(3, 5), 1.0f),
      back(Shape2(3, 5));
  FillRandom<float, 2>(a);
  FillRandom<float, 2>(b);
  TensorContainer<gpu, 2> da(Shape2(3, 4)), db(Shape2(5, 4)), dc(Shape2(3, 5), 1.0f);
  dc.set_stream(stream_.get());
  Copy(da, a);
  Copy(db, b);
  c += 2.0f * dot(a, b.T());
  dc += 2.0f * dot(da, db.T());
  Copy(back, dc);
  for (index_t y = 0; y < 3; ++y) {
    for (index_t x = 0; x < 5; ++x) EXPECT_NEAR(back[y][x], c[y][x], 1e-6f);
  }
  dc.set_stream(nullptr);
  EXPECT_THROW(dc = dot(da, db.T()), Error) << "no stream, no BLAS handle";
}

/// The products of small integers, which are exact in every type, on both devices.
template <typename T>
void CheckProducts(Stream<gpu> *stream) {
  TensorContainer<cpu, 3, T> a(Shape3(2, 3, 4)), b(Shape3(2, 5, 4)), c(Shape3(2, 3, 5), 1);
  for (Tensor<cpu, 3, T> t : {Tensor<cpu, 3, T>(a), Tensor<cpu, 3, T>(b)}) {
    int next = 0;
    for (index_t y = 0; y < t.FlatTo2D().size(0); ++y) {
      for (T *x = t.FlatTo2D()[y].dptr_; x < t.FlatTo2D()[y].dptr_ + 4; ++x) {
        *x = ScalarCast<T>(next++ % 5);
      }
    }
  }
  TensorContainer<gpu, 3, T> da(a.shape_), db(b.shape_), dc(c.shape_, 1);
  dc.set_stream(stream);
  Copy(da, a);
  Copy(db, b);
  const auto compare = [&] {
    TensorContainer<cpu, 3, T> back(c.shape_);
    Copy(back, dc, stream);
    stream->Wait();
    ExpectSame<T>(back.FlatTo2D(), c.FlatTo2D());
  };
  c = batch_dot<false, true>(a, b);
  dc = batch_dot<false, true>(da, db);
  compare();
  c += 2 * batch_dot<false, true>(a, b);
  dc += 2 * batch_dot<false, true>(da, db);
  compare();
  c[1] -= dot(a[0], b[1].T());
  Tensor<gpu, 2, T> part = dc[1];
  part -= dot(da[0], db[1].T());
  compare();
  c[0][1] = dot(a[0][1], b[1].T());
  dc[0][1] = dot(da[0][1], db[1].T());
  compare();
  // c[1 - i] = a[i] b[i].T(), its matrices found by pointers; column-major, so b comes first.
  TensorContainer<gpu, 1, T *> pointers(Shape1(6));
  GetBatchedView(pointers.dptr_, da.dptr_, 2, static_cast<int>(da.template MemSize<1>()), stream);
  GetBatchedView(pointers.dptr_ + 2, db.dptr_, 2, static_cast<int>(db.template MemSize<1>()),
                 stream);
  GetBatchedView(pointers.dptr_ + 4, dc[1].dptr_, 2, -static_cast<int>(dc.template MemSize<1>()),
                 stream);
  const auto ld = [](const Tensor<gpu, 3, T> &t) { return static_cast<int>(t.stride_); };
  BLASEngine<gpu, T>::batched_gemm(stream, true, false, 5, 3, 4, T(1), pointers.dptr_ + 2, ld(db),
                                   pointers.dptr_, ld(da), T(0), pointers.dptr_ + 4, ld(dc), 2);
  for (index_t i = 0; i < 2; ++i) c[1 - i] = dot(a[i], b[i].T());
  compare();
}

TEST_F(TensorGpu, MultipliesEveryFloatingPointType) {
  CheckProducts<float>(stream_.get());
  CheckProducts<double>(stream_.get());
  CheckProducts<half::half_t>(stream_.get());
  CheckProducts<bfloat::bf16_t>(stream_.get());
}

TEST_F(TensorGpu, EvaluatesExpressionsOverBlobs) {
  TensorContainer<cpu, 2> a(Shape2(3, 5)), b(Shape2(3, 5)), want(Shape2(3, 5)), back(Shape2(3, 5));
  FillRandom<float, 2>(a);
  FillRandom<float, 2>(b);
  TensorContainer<gpu, 2> device_a(Shape2(3, 5)), device_b(Shape2(3, 5));
  Copy(device_a, a);
  Copy(device_b, b);
  TBlob x = device_a, y = device_b;
  auto sum = add(x, y);
  EXPECT_EQ(sum.dev_mask(), gpu::kDevMask);
  y = scale(sum, 2) - x;
  want = (a + b) * 2 - a;
  Copy(back, device_b);
  ExpectSame<float>(want, back);
  TBlob host = a;
  EXPECT_THROW(host = sum, Error);
}

TEST_F(TensorGpu, EvaluatesExpressionsOverBlobsOnTheirStream) {
  StreamPtr other(NewStream<gpu>(false, false, 1));
  TensorContainer<gpu, 2> a, b;
  a.set_stream(other.get());
  b.set_stream(other.get());
  a.Resize(Shape2(3, 5), 2.0f);
  b.Resize(Shape2(3, 5), 3.0f);
  other->Wait();
  TBlob x = a, y = b;
  x = x * y + 1;  // memory of device 1, which the current one's default stream must not touch
  EXPECT_FALSE(other->CheckIdle());
  TensorContainer<cpu, 2> back(Shape2(3, 5));
  Copy(back, a, other.get());
  other->Wait();
  EXPECT_EQ(back[2][4], 7.0f);
  TBlob z(b.dptr_, b.shape_, gpu::kDevMask);
  z.stride_ = b.stride_;
  z.set_stream(stream_.get());
  EXPECT_THROW(z.set_stream(static_cast<Stream<cpu> *>(nullptr)), Error);
}

TEST_F(TensorGpu, WorksOnTheStreamsDevice) {
  StreamPtr other(NewStream<gpu>(false, false, 1));
  Tensor<gpu, 1> device = NewTensor<gpu>(Shape1(100), 2.5f, true, other.get());
  device += 0.5f;
  TensorContainer<cpu, 1> host(Shape1(100));
  Copy(host, device, other.get());
  other->Wait();
  EXPECT_EQ(host[99], 3.0f);
  EXPECT_EQ(cuda::CurrentDevice(), 0);
  FreeSpace(&device);
}

TEST_F(TensorGpu, ErrorsNameTheCall) {
  fakecuda::FailCall(3, cudaErrorMemoryAllocation);
  try {
    TensorContainer<gpu, 1> device(Shape1(4));
    TensorContainer<gpu, 1> more(Shape1(4));
    FAIL() << "expected an error";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("cudaErrorMemoryAllocation"), std::string::npos);
  }
  const Shape<1> shape = Shape1(index_t{1} << 40);
  try {
    TensorContainer<gpu, 1> device(shape);
    FAIL() << "expected an error";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "cudaMalloc: cudaErrorMemoryAllocation (cudaErrorMemoryAllocation)");
  }
}

/// Each call of a whole session fails once: the error arrives, and nothing is left behind.
void Session() {
  StreamPtr stream(NewStream<gpu>(true, false, 1));
  TensorContainer<cpu, 2> host(Shape2(4, 5), 1.0f);
  TensorContainer<gpu, 2> a(false), b(false);
  a.set_stream(stream.get());
  b.set_stream(stream.get());
  a.Resize(Shape2(4, 5));
  b.Resize(Shape2(4, 4), 0.5f);
  Copy(a, host, stream.get());
  a = a * 2.0f + 1.0f;
  b += dot(a, a.T());
  Copy(host, a, stream.get());
  stream->Wait();
}

TEST_F(TensorGpu, EveryFailingCallIsReported) {
  Session();  // what a process asks the device only once is asked here
  fakecuda::ClearFaults();
  Session();
  const int calls = fakecuda::Calls();
  ASSERT_GT(calls, 20);
  const int live = fakecuda::LiveObjects();
  // Releases have nobody to tell, nor has the return to the previous device.
  const std::set<std::string> silent = {"cudaFree", "cudaStreamDestroy", "cublasDestroy",
                                        "cudaSetDevice"};
  for (const bool sticky : {false, true}) {
    for (int call = 1; call <= calls; ++call) {
      fakecuda::FailCall(call, cudaErrorIllegalAddress, sticky);
      std::string message;
      try {
        Session();
      } catch (const Error &error) {
        message = error.what();
      }
      const std::string failed = fakecuda::FailedCall();
      EXPECT_NE(failed, "") << "call " << call << " was not made";
      EXPECT_TRUE(!message.empty() || silent.count(failed) == 1) << failed << ", call " << call;
      fakecuda::ClearFaults();
      SetDevice<gpu>(0);
      EXPECT_EQ(fakecuda::LiveObjects(), live) << failed << ", call " << call;
    }
  }
}

/// As a launch does that takes so much, of a stream or of the default stream.
void *Take(Stream<gpu> *stream, int64_t bytes) {
  return Workspace(WorkspaceOfStream, stream).Take<char>(bytes);
}

TEST_F(TensorGpu, MemoryOfACapturedLaunchStays) {
  const StreamPtr stream(NewStream<gpu>(false, false, 0));
  void *const small = Take(stream.get(), 100);
  cudaGraph_t graph = nullptr;
  const auto capture = [&](int64_t bytes) {
    EXPECT_EQ(cudaStreamBeginCapture(stream->stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    void *memory = nullptr;
    std::string message;
    try {
      memory = Take(stream.get(), bytes);
    } catch (const Error &error) {
      message = error.what();
    }
    EXPECT_EQ(cudaStreamEndCapture(stream->stream_, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(message, bytes <= 100
                           ? ""
                           : "a captured launch needs 101 bytes of its stream's workspace, which "
                             "has 100 bytes: launch it once before the capture");
    return memory;
  };
  EXPECT_EQ(capture(101), nullptr);
  EXPECT_EQ(capture(100), small);
  const int live = fakecuda::LiveObjects();
  EXPECT_NE(Take(stream.get(), 1000), small);
  EXPECT_EQ(fakecuda::LiveObjects(), live + 1);  // the graph's is there, too
}

/// Launches a rule of stages with a kernel that takes memory of its own, which may not be the same.
void LaunchStages(Stream<gpu> *stream, int64_t bytes) {
  Workspace stages(WorkspaceOfStream, stream);
  char *const first = stages.Take<char>(bytes), *const second = stages.Take<char>(3);
  EXPECT_GE(std::abs(first - second), 3);
  for (const int64_t more : {bytes, 2 * bytes}) {
    Workspace kernel(WorkspaceOfStream, stream);
    char *const inner = kernel.Take<char>(more);
    EXPECT_TRUE(inner + more <= first || first + bytes <= inner);
    EXPECT_TRUE(inner + more <= second || second + 3 <= inner);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(inner) % 256, 0u);
  }
}

TEST_F(TensorGpu, ALaunchThatWasOnceFindsItsMemory) {
  const StreamPtr stream(NewStream<gpu>(false, false, 1));
  LaunchStages(stream.get(), 1000);
  LaunchStages(stream.get(), 20000);
  const int live = fakecuda::LiveObjects();
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamBeginCapture(stream->stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  LaunchStages(stream.get(), 1000);  // what is captured may neither allocate nor free
  LaunchStages(stream.get(), 20000);
  EXPECT_THROW(LaunchStages(stream.get(), 100000), Error);
  LaunchStages(stream.get(), 20000);
  EXPECT_EQ(cudaStreamEndCapture(stream->stream_, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(fakecuda::LiveObjects(), live);
}

TEST_F(TensorGpu, AFailedLaunchLeavesItsMemory) {
  const StreamPtr stream(NewStream<gpu>(false, false, 1));
  LaunchStages(stream.get(), 1000);
  const int live = fakecuda::LiveObjects();
  for (int call = 1; call < 10; ++call) {
    fakecuda::FailCall(call, cudaErrorMemoryAllocation);
    try {
      LaunchStages(stream.get(), 1000 << call);
    } catch (const Error &error) {
      EXPECT_NE(std::string(error.what()).find("cudaErrorMemoryAllocation"), std::string::npos);
    }
    fakecuda::ClearFaults();
    SetDevice<gpu>(0);
    LaunchStages(stream.get(), 1000);
    EXPECT_LE(fakecuda::LiveObjects(), live + 1) << "call " << call;
  }
  stream->FreeWorkspace();
  EXPECT_LT(fakecuda::LiveObjects(), live);
  LaunchStages(stream.get(), 1000);
}

/// Whether one at a time of four threads has the default stream's memory.
bool TakeInTurns() {
  std::atomic<int> inside{0}, most{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        Workspace stages(WorkspaceOfStream, nullptr);
        stages.Take<char>(100);
        if (++inside > 1) most = 2;
        LaunchStages(nullptr, 100 << (round % 5));  // the same thread may take more
        std::this_thread::yield();
        --inside;
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  return most < 2 && !::testing::Test::HasFailure();
}

// In a process of its own: the memory stays to the end of it.
TEST_F(TensorGpu, OneThreadAtATimeHasTheDefaultStreams) {
  EXPECT_EXIT(std::_Exit(TakeInTurns() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

TEST_F(TensorGpu, AnAssignmentFreesTheDefaultStreams) {
  const int live = fakecuda::LiveObjects();
  {
    Workspace assignment(WorkspaceOfAssignment, nullptr);
    assignment.Take<char>(100);
    assignment.Take<char>(1000);
    EXPECT_EQ(fakecuda::LiveObjects(), live + 2);
    fakecuda::FailCall(1, cudaErrorMemoryAllocation);
    EXPECT_THROW(assignment.Take<char>(1000000), Error);
    fakecuda::ClearFaults();
  }
  EXPECT_EQ(fakecuda::LiveObjects(), live);
}

}  // namespace
