// SPDX-License-Identifier: Apache-2.0
/// \file gpu_fixture.h
/// A stream of the fake device for each test, which must release all that it makes there.
#ifndef MSHADOW_TESTS_CUDA_GPU_FIXTURE_H_
#define MSHADOW_TESTS_CUDA_GPU_FIXTURE_H_

#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

namespace cuda_test {

class GpuFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    live_ = fakecuda::LiveObjects();
    stream_ = mshadow::NewStream<mshadow::gpu>(false, false);
  }
  void TearDown() override {
    fakecuda::ShuffleBlocks(0);
    mshadow::DeleteStream(stream_);
    EXPECT_EQ(fakecuda::LiveObjects(), live_);
  }

  int live_ = 0;  ///< what the fake device had before the test
  mshadow::Stream<mshadow::gpu> *stream_ = nullptr;
};

}  // namespace cuda_test

#endif  // MSHADOW_TESTS_CUDA_GPU_FIXTURE_H_
