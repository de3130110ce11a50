// SPDX-License-Identifier: Apache-2.0
// The handles of cuDNN and cuSOLVER in a stream, where a program asks for them.
#define MSHADOW_USE_CUDNN 1
#define MSHADOW_USE_CUSOLVER 1
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

namespace {

using namespace mshadow;

class StreamHandles : public ::testing::Test {
 protected:
  void SetUp() override {
    fakecuda::ClearFaults();
    objects_ = fakecuda::LiveObjects();
  }
  void TearDown() override {
    EXPECT_EQ(cudnnContext::live, 0);
    EXPECT_EQ(cusolverDnContext::live, 0);
    EXPECT_EQ(fakecuda::LiveObjects(), objects_);
  }

 private:
  int objects_ = 0;
};

TEST_F(StreamHandles, AreMadeForTheStreamAndDestroyedWithIt) {
  Stream<gpu> *const stream = NewStream<gpu>(true, true, 0);
  EXPECT_EQ(stream->dnn_handle_->stream, stream->stream_);
  EXPECT_EQ(Stream<gpu>::GetSolverHandle(stream)->stream, stream->stream_);
  stream->CreateDnnHandle();
  stream->CreateSolverHandle();
  EXPECT_EQ(cudnnContext::live + cusolverDnContext::live, 2);
  DeleteStream(stream);
}

TEST_F(StreamHandles, SayWhoOwnsThem) {
  using S = Stream<gpu>;
  S *const stream = NewStream<gpu>(true, true, 0);
  EXPECT_EQ(stream->blas_handle_ownership_, S::OwnHandle);
  EXPECT_EQ(stream->solver_handle_ownership_, S::OwnHandle);
  EXPECT_EQ(stream->dnn_handle_ownership_, S::OwnHandle);
  stream->DestroyBlasHandle();
  stream->DestroySolverHandle();
  stream->DestroyDnnHandle();
  EXPECT_EQ(stream->blas_handle_ownership_, S::NoHandle);
  EXPECT_EQ(stream->solver_handle_ownership_, S::NoHandle);
  EXPECT_EQ(stream->dnn_handle_ownership_, S::NoHandle);
  DeleteStream(stream);
}

TEST_F(StreamHandles, AStreamKnowsItsDevice) {
  EXPECT_EQ(Stream<gpu>().prop.multiProcessorCount, 0);
  for (const int device : {0, 1}) {
    Stream<gpu> *const stream = NewStream<gpu>(false, false, device);
    EXPECT_EQ(stream->prop.name, "fake device " + std::to_string(device));
    EXPECT_EQ(stream->prop.multiProcessorCount, 2);
    EXPECT_EQ(stream->prop.major, 9);
    EXPECT_EQ(stream->prop.warpSize, 32);
    EXPECT_EQ(stream->prop.maxThreadsDim[2], 64);
    EXPECT_EQ(stream->prop.maxGridSize[1], 65535);
    DeleteStream(stream);
  }
}

TEST_F(StreamHandles, AreThereOnlyWhereAskedFor) {
  Stream<gpu> *const stream = NewStream<gpu>(false, false, 0);
  EXPECT_EQ(stream->dnn_handle_, nullptr);
  EXPECT_THROW(Stream<gpu>::GetSolverHandle(stream), Error);
  EXPECT_THROW(Stream<gpu>::GetSolverHandle(nullptr), Error);
  stream->CreateDnnHandle();
  stream->DestroyDnnHandle();
  EXPECT_EQ(cudnnContext::live, 0);
  DeleteStream(stream);
}

TEST_F(StreamHandles, LeaveNothingBehindIfOneCannotBeMade) {
  cudnnContext::fails = true;
  EXPECT_THROW(NewStream<gpu>(true, true, 0), Error);
  cudnnContext::fails = false;
}

}  // namespace
