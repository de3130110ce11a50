// SPDX-License-Identifier: Apache-2.0
// Random<gpu> on the fake device, whose cuRAND draws other numbers of the same distributions.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <cmath>
#include <set>
#include <string>

namespace {

using namespace mshadow;
using namespace mshadow::expr;

template <typename T>
class RandomGpu : public ::testing::Test {
 protected:
  void SetUp() override { fakecuda::ClearFaults(); }
};
using Types = ::testing::Types<float, double, half::half_t, bfloat::bf16_t>;
TYPED_TEST_SUITE(RandomGpu, Types);

/// Mean and variance of a tensor, and whether all elements lie in [low, high].
template <typename T, int dim>
void ExpectMoments(const Tensor<gpu, dim, T> &device, double mean, double variance, double low,
                   double high) {
  TensorContainer<cpu, dim, T> host(device.shape_);
  Copy(host, device);
  const Tensor<cpu, 2, T> rows = host.FlatTo2D();
  double sum = 0, squares = 0;
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) {
      const double value = static_cast<double>(rows.dptr_[y * rows.stride_ + x]);
      sum += value;
      squares += (value - mean) * (value - mean);
      ASSERT_TRUE(value >= low && value <= high) << value;
    }
  }
  const double count = static_cast<double>(host.shape_.Size());
  EXPECT_NEAR(sum / count, mean, 6 * std::sqrt(variance / count));
  EXPECT_NEAR(squares / count, variance, 0.1 * variance);
}

TYPED_TEST(RandomGpu, DrawsTheDistributions) {
  using T = TypeParam;
  Random<gpu, T> random(3);
  EXPECT_EQ(random.GetSeed(), 3u);
  for (const bool pad : {false, true}) {
    TensorContainer<gpu, 2, T> t(Shape2(101, 33), 0, pad);
    random.SampleUniform(&t);
    ExpectMoments<T>(t, 0.5, 1.0 / 12, 0, 1);
    random.SampleUniform(&t, -1, 3.0f);
    ExpectMoments<T>(t, 1, 16.0 / 12, -1, 3);
    random.SampleGaussian(&t);
    ExpectMoments<T>(t, 0, 1, -9, 9);
    random.SampleGaussian(&t, 1, 0.01f);
    ExpectMoments<T>(t, 1, 1e-4, 0.9, 1.1);
    random.SampleGaussian(&t, 2, 0);
    ExpectMoments<T>(t, 2, 0, 2, 2);
    t = random.uniform(t.shape_) - random.uniform(t.shape_);
    ExpectMoments<T>(t, 0, 1.0 / 6, -1, 1);
    t = random.gaussian(t.shape_) * T(2);
    ExpectMoments<T>(t, 0, 4, -18, 18);
  }
}

TYPED_TEST(RandomGpu, SeedsRepeat) {
  using T = TypeParam;
  Random<gpu, T> random(3);
  TensorContainer<gpu, 1, T> a(Shape1(7)), b(Shape1(7));
  random.SampleGaussian(&a);
  random.Seed(3);
  random.SampleGaussian(&b);
  TensorContainer<cpu, 1, T> host_a(Shape1(7)), host_b(Shape1(7));
  Copy(host_a, a);
  Copy(host_b, b);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(host_a[i], host_b[i]);
  random.SampleGaussian(&b);
  Copy(host_b, b);
  EXPECT_NE(host_a[0], host_b[0]);
}

TYPED_TEST(RandomGpu, WorksOnItsStream) {
  using T = TypeParam;
  Stream<gpu> *const stream = NewStream<gpu>(false, false, 0);
  {
    Random<gpu, T> random(3);
    random.set_stream(stream);
    TensorContainer<gpu, 1, unsigned> bits(Shape1(100));
    random.GetRandInt(bits);
    EXPECT_FALSE(stream->CheckIdle());
    stream->Wait();
    TensorContainer<cpu, 1, unsigned> host(Shape1(100));
    Copy(host, bits);
    EXPECT_EQ(std::set<unsigned>(host.dptr_, host.dptr_ + 100).size(), 100u);
    TensorContainer<gpu, 2, T> none(Shape2(0, 3));
    random.SampleUniform(&none);
    random.SampleGaussian(&none);
  }
  DeleteStream(stream);
}

TEST(RandomGpuErrors, NameTheCall) {
  fakecuda::ClearFaults();
  Random<gpu> random(3);
  TensorContainer<gpu, 1> t(Shape1(4));
  const int live = fakecuda::LiveObjects();
  for (int call = 1;; ++call) {
    fakecuda::FailCall(call, cudaErrorIllegalAddress);
    std::string message;
    try {
      random.SampleGaussian(&t);
    } catch (const Error &error) {
      message = error.what();
    }
    const std::string failed = fakecuda::FailedCall();
    fakecuda::ClearFaults();
    EXPECT_EQ(fakecuda::LiveObjects(), live) << failed;
    if (failed.empty()) break;
    EXPECT_TRUE(message.find("cu") == 0 || failed == "cudaFree") << failed << ": " << message;
  }
}

}  // namespace
