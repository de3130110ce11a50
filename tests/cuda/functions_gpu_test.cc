// SPDX-License-Identifier: Apache-2.0
// The free functions on the fake device give the CPU's bits.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/emitted/launch_product.h>
#include <mshadow/extension/top_k.h>
#include <mshadow/tensor.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace {

using namespace mshadow;
using namespace mshadow::expr;

/// A tensor on both devices.
template <typename DType, int dim>
struct Both {
  explicit Both(const Shape<dim> &shape, bool pad = true) : host(pad), device(pad) {
    host.Resize(shape);
    device.Resize(shape);
  }
  /// Numbers of [low, low + count), in no order.
  Both &Fill(int low, int count) {
    unsigned state = 99;
    const Tensor<cpu, 2, DType> rows = host.FlatTo2D();
    for (index_t y = 0; y < rows.size(0); ++y) {
      for (index_t x = 0; x < rows.size(1); ++x) {
        state = state * 1664525 + 1013904223;
        rows.dptr_[y * rows.stride_ + x] =
            ScalarCast<DType>(low + static_cast<int>((state >> 8) % static_cast<unsigned>(count)));
      }
    }
    Copy(device, host);
    return *this;
  }
  void ExpectSame() const {
    TensorContainer<cpu, dim, DType> back(host.shape_);
    Copy(back, device);
    const Tensor<cpu, 2, DType> a = host.FlatTo2D(), b = back.FlatTo2D();
    for (index_t y = 0; y < a.size(0); ++y) {
      for (index_t x = 0; x < a.size(1); ++x) {
        const DType want = a.dptr_[y * a.stride_ + x], got = b.dptr_[y * b.stride_ + x];
        ASSERT_TRUE(want == got || (want != want && got != got))
            << y << ' ' << x << ": " << float(want) << ' ' << float(got);
      }
    }
  }
  TensorContainer<cpu, dim, DType> host;
  TensorContainer<gpu, dim, DType> device;
};

template <typename T>
class FunctionsGpu : public ::testing::Test {
 protected:
  void SetUp() override { fakecuda::ClearFaults(); }
};
using FloatTypes = ::testing::Types<float, double, half::half_t, bfloat::bf16_t>;
TYPED_TEST_SUITE(FunctionsGpu, FloatTypes);

TYPED_TEST(FunctionsGpu, SoftmaxOfRows) {
  using T = TypeParam;
  for (const Shape<2> &shape : {Shape2(3, 1), Shape2(5, 33), Shape2(2, 300), Shape2(2, 4097),
                                Shape2(1, 9001), Shape2(0, 4), Shape2(4, 0)}) {
    Both<T, 2> x(shape), y(shape, false);
    x.Fill(-6, 13);
    Softmax(y.host, x.host);
    Softmax(y.device, x.device);
    y.ExpectSame();
    Softmax(x.device, x.device);
    Softmax(x.host, x.host);
    x.ExpectSame();
  }
}

TYPED_TEST(FunctionsGpu, SoftmaxPropagatesNan) {
  using T = TypeParam;
  Both<T, 2> x(Shape2(1, 600)), y(Shape2(1, 600));
  x.Fill(-6, 13);
  x.host[0][555] = T(std::numeric_limits<float>::quiet_NaN());
  Copy(x.device, x.host);
  Softmax(y.host, x.host);
  Softmax(y.device, x.device);
  EXPECT_TRUE(std::isnan(float(y.host[0][0])));
  y.ExpectSame();
}

TYPED_TEST(FunctionsGpu, SoftmaxOverTheMiddleDimension) {
  using T = TypeParam;
  for (const Shape<3> &shape : {Shape3(2, 5, 3), Shape3(3, 40, 70), Shape3(0, 2, 2)}) {
    Both<T, 3> x(shape), y(shape, false);
    x.Fill(-6, 13);
    Softmax(y.host, x.host);
    Softmax(y.device, x.device);
    y.ExpectSame();
  }
}

TYPED_TEST(FunctionsGpu, SoftmaxGrads) {
  using T = TypeParam;
  Both<T, 2> src(Shape2(7, 5)), dst(Shape2(7, 5));
  Both<T, 1> label(Shape1(7));
  src.Fill(0, 9);
  label.Fill(0, 5);
  SoftmaxGrad(dst.host, src.host, label.host);
  SoftmaxGrad(dst.device, src.device, label.device);
  dst.ExpectSame();
  SmoothSoftmaxGrad(dst.host, src.host, label.host, 2, 0.3f);
  SmoothSoftmaxGrad(dst.device, src.device, label.device, 2, 0.3f);
  dst.ExpectSame();
  Both<T, 3> src3(Shape3(2, 4, 5)), dst3(Shape3(2, 4, 5));
  Both<T, 2> label3(Shape2(2, 5));
  src3.Fill(0, 9);
  label3.Fill(0, 4);
  SoftmaxGrad(dst3.host, src3.host, label3.host, 1);
  SoftmaxGrad(dst3.device, src3.device, label3.device, 1);
  dst3.ExpectSame();
}

TYPED_TEST(FunctionsGpu, Takes) {
  using T = TypeParam;
  Both<T, 2> src(Shape2(20, 5)), dst(Shape2(6, 5));
  Both<int32_t, 1> index(Shape1(20)), position(Shape1(20));
  src.Fill(0, 9);
  dst.Fill(0, 9);
  index.Fill(-2, 10);
  AddTakeGrad(dst.host, index.host, src.host);
  AddTakeGrad(dst.device, index.device, src.device);
  dst.ExpectSame();
  AddTakeGrad<false>(dst.host, index.host, src.host);
  AddTakeGrad<false>(dst.device, index.device, src.device);
  dst.ExpectSame();
  Both<double, 2> temp(dst.host.shape_);
  AddTakeGrad<true>(dst.host, temp.host, index.host, src.host);
  AddTakeGrad<true>(dst.device, temp.device, index.device, src.device);
  dst.ExpectSame();
  index.Fill(0, 6);
  for (int i = 0; i < 20; ++i) position.host[i] = i;
  Copy(position.device, position.host);
  SortByKey(index.host, position.host);
  SortByKey(index.device, position.device);
  index.ExpectSame();
  position.ExpectSame();
  AddTakeGradLargeBatch(dst.host, index.host, position.host, src.host);
  AddTakeGradLargeBatch(dst.device, index.device, position.device, src.device);
  dst.ExpectSame();
  IndexFill(dst.host, index.host, src.host);
  IndexFill(dst.device, index.device, src.device);
  dst.ExpectSame();
  index.host[3] = 77;  // a kernel cannot throw: the row is left out
  Copy(index.device, index.host);
  IndexFill(dst.device, index.device, src.device);
}

TYPED_TEST(FunctionsGpu, SortsAsTheCpuDoes) {
  using T = TypeParam;
  for (const bool ascend : {true, false}) {
    for (const index_t count : {0, 1, 2, 3, 64, 1000, 1025}) {
      Both<T, 1> keys{Shape1(count)};
      Both<int64_t, 1> values{Shape1(count)};
      keys.Fill(-20, 40);
      for (index_t i = 0; i < count; ++i) values.host[i] = i;
      if (count > 2) keys.host[1] = T(std::numeric_limits<float>::quiet_NaN());
      Copy(keys.device, keys.host);
      Copy(values.device, values.host);
      SortByKey(keys.host, values.host, ascend);
      SortByKey(keys.device, values.device, ascend);
      keys.ExpectSame();
      values.ExpectSame();
    }
  }
  Both<T, 1> values(Shape1(50));
  Both<int32_t, 1> segments(Shape1(50));
  values.Fill(0, 9);
  for (int i = 0; i < 50; ++i) segments.host[i] = i / 7;
  Copy(segments.device, segments.host);
  VectorizedSort(values.host, segments.host);
  VectorizedSort(values.device, segments.device);
  values.ExpectSame();
  segments.ExpectSame();
}

/// A stream in memory.
struct Memory {
  std::string bytes;
  size_t at = 0;
  void Write(const void *from, size_t size) { bytes.append(static_cast<const char *>(from), size); }
  size_t Read(void *to, size_t size) {
    size = bytes.copy(static_cast<char *>(to), size, at);
    at += size;
    return size;
  }
};

TYPED_TEST(FunctionsGpu, SavesAndLoads) {
  using T = TypeParam;
  Both<T, 2> t(Shape2(3, 5));
  t.Fill(0, 9);
  Memory host, device;
  SaveBinary(host, t.host);
  SaveBinary(device, t.device);
  EXPECT_EQ(host.bytes, device.bytes);
  t.device = T(0);
  t.device.LoadBinary(host);
  t.ExpectSame();
  t.device = T(0);
  LoadBinary(device, &t.device, true);
  t.ExpectSame();
  device.at = 0;
  Tensor<gpu, 2, T> fresh;
  LoadBinary(device, &fresh, false);
  Copy(t.device, fresh);
  t.ExpectSame();
  FreeSpace(&fresh);
}

/// A kernel as mshadow's users write it.
__global__ void AddOne(float *data, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) data[i] += 1.0f;
}

TEST(FunctionsGpuOnly, KernelsOfUsers) {
  TensorContainer<gpu, 1> device(Shape1(1000), 2.0f);
  float *data = device.dptr_;
  int count = 1000;
  const dim3 block(cuda::kBaseThreadNum);
  const dim3 grid((1000 + cuda::kBaseThreadNum - 1) / cuda::kBaseThreadNum);
  cuda::CheckLaunchParam(grid, block, "AddOne");
  void *args[] = {&data, &count};
  MSHADOW_CUDA_CALL(cudaLaunchKernel(AddOne, grid, block, args));
  MSHADOW_CUDA_POST_KERNEL_CHECK(AddOne);
  TensorContainer<cpu, 1> host(Shape1(1000));
  Copy(host, device);
  EXPECT_EQ(host[999], 3.0f);
  EXPECT_EQ(cuda::GetAlignStride(65), 96);
  EXPECT_EQ(cuda::GetAlignStride(63), 63);
  EXPECT_THROW(cuda::CheckLaunchParam(dim3(1, 70000), block, "AddOne"), Error);
  EXPECT_THROW(MSHADOW_CUDA_CALL(cudaSetDevice(99)), Error);
}

/// Each row of a block reduces its own elements.
__global__ void LargestOfRows(const float *data, float *result) {
  __shared__ float buf[4][32];
  buf[threadIdx.y][threadIdx.x] = data[threadIdx.y * 32 + threadIdx.x];
  cuda::Reduce1D<red::maximum, 5>(buf[threadIdx.y]);
  if (threadIdx.x == 0) result[threadIdx.y] = buf[threadIdx.y][0];
}

TEST(FunctionsGpuOnly, UsersReduceWithinABlock) {
  TensorContainer<cpu, 1> values(Shape1(128)), got(Shape1(4));
  for (int i = 0; i < 128; ++i) values[i] = static_cast<float>(i * 37 % 101);
  TensorContainer<gpu, 1> device(values.shape_), result(got.shape_);
  Copy(device, values);
  const float *data = device.dptr_;
  float *largest = result.dptr_;
  void *args[] = {&data, &largest};
  MSHADOW_CUDA_CALL(cudaLaunchKernel(LargestOfRows, dim3(1), dim3(32, 4), args));
  Copy(got, result);
  for (int y = 0; y < 4; ++y) {
    EXPECT_EQ(got[y], *std::max_element(values.dptr_ + 32 * y, values.dptr_ + 32 * y + 32));
  }
}

TEST(FunctionsGpuOnly, VectorDotBatchGemmAndViews) {
  Stream<gpu> *const stream = NewStream<gpu>(0);
  {
    Both<float, 3> a(Shape3(2, 3, 4)), b(Shape3(2, 4, 5)), c(Shape3(2, 3, 5));
    a.Fill(0, 5);
    b.Fill(0, 5);
    c.Fill(0, 5);
    c.device.set_stream(stream);
    BatchGEMM<false, false>(c.host, a.host, b.host, 2.0f, 1.0f);
    BatchGEMM<false, false>(c.device, a.device, b.device, 2.0f, 1.0f);
    stream->Wait();
    c.ExpectSame();
    Both<float, 1> v(Shape1(4)), one(Shape1(1));
    v.Fill(0, 5);
    one.device.set_stream(stream);
    VectorDot(one.host, v.host, v.host);
    VectorDot(one.device, v.device, v.device);
    stream->Wait();
    one.ExpectSame();
    Tensor<gpu, 1, float *> pointers(Shape1(3));
    AllocSpace(&pointers);
    GetBatchedView(pointers.dptr_, a.device.dptr_, 3, 8, stream);
    Tensor<cpu, 1, float *> host(Shape1(3));
    AllocHost<gpu>(&host);
    Copy(host, pointers, stream);
    stream->Wait();
    EXPECT_EQ(host[2], a.device.dptr_ + 16);
    FreeHost<gpu>(&host);
    FreeSpace(&pointers);
  }
  DeleteStream(stream);
}

/// What a launcher's product of two 3 x 3 matrices is refused for; "" if it runs.
template <typename DType>
std::string Refusal(Stream<gpu> *stream) {
  Both<DType, 2> a(Shape2(3, 3)), b(Shape2(3, 3)), c(Shape2(3, 3));
  a.Fill(0, 5);
  b.Fill(0, 5);
  c.host = dot(a.host, b.host.T());
  const TensorArg<DType> dst = Arg(c.device), left = Arg(a.device), right = Arg(b.device);
  const LaunchProduct<DType> product{{"out", dst}, {"x", left}, {"y", right, true}};
  try {
    CheckProduct(gpu(), "Rule", product, stream);
    RunProduct(gpu(), product, stream);
  } catch (const Error &error) {
    return error.what();
  }
  stream->Wait();
  c.ExpectSame();
  return "";
}

TEST(FunctionsGpuOnly, ProductsOfLaunchersAreRefusedBeforeTheyRun) {
  Stream<gpu> *const with = NewStream<gpu>(true, false, 0);
  Stream<gpu> *const without = NewStream<gpu>(false, false, 0);
  EXPECT_EQ(Refusal<float>(with), "");
  EXPECT_EQ(Refusal<half::half_t>(with), "");
  EXPECT_NE(Refusal<int32_t>(with).find(
                "Rule: argument 'out': expected an element type that cuBLAS multiplies"),
            std::string::npos);
  EXPECT_NE(Refusal<float>(without).find("handle"), std::string::npos);
  DeleteStream(with);
  DeleteStream(without);
}

/// Picked one by one, sorted in shared memory, and sorted in the block's own memory.
template <typename T, typename I>
void CompareSorts(const Shape<2> &shape, index_t count) {
  SCOPED_TRACE(testing::Message() << shape << " " << count);
  for (const bool ascends : {false, true}) {
    Both<T, 2> in(shape), values(Shape2(shape[0], count)), alone(values.host.shape_, false);
    Both<I, 2> columns(values.host.shape_);
    in.Fill(-6, 13);
    if (shape[1] > 3) in.host[0][1] = in.host[0][3] = T(std::numeric_limits<float>::quiet_NaN());
    Copy(in.device, in.host);
    TopK(values.host, columns.host, in.host, ascends);
    TopK(values.device, columns.device, in.device, ascends);
    values.ExpectSame();
    columns.ExpectSame();
    TopK(alone.host, in.host, ascends);
    TopK(alone.device, in.device, ascends);
    alone.ExpectSame();
    ArgTopK(columns.host, in.host, !ascends);
    ArgTopK(columns.device, in.device, !ascends);
    columns.ExpectSame();
  }
}

TYPED_TEST(FunctionsGpu, SortsOfRows) {
  using T = TypeParam;
  CompareSorts<T, int32_t>(Shape2(3, 1), 1);
  CompareSorts<T, int64_t>(Shape2(5, 40), 2);
  CompareSorts<T, float>(Shape2(3, 70), 8);
  CompareSorts<T, uint8_t>(Shape2(3, 70), 9);
  CompareSorts<T, int32_t>(Shape2(2, 100), 100);
  CompareSorts<T, int32_t>(Shape2(2, 600), 3);
}

TEST(SortsGpu, LongRows) {
  CompareSorts<float, int32_t>(Shape2(1, 2100), 20);
  CompareSorts<float, int64_t>(Shape2(2, 2100), 2100);
}

}  // namespace
