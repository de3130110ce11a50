// SPDX-License-Identifier: Apache-2.0
// A list and an optimizer on a GPU with MSHADOW_UNFUSED: their entries run one after the other, as
// the specs say.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/optim.h>

#include "cuda_list_rules.h"
#include "gpu_layer.h"

namespace {

using namespace cuda_test;

TEST(UnfusedListOnGpu, RunsEntriesAsTheSpecsSay) {
  Stream<gpu> *const stream = mshadow::NewStream<gpu>(false, false);
  {
    Layer<> first(stream, 3, 5, 1), second(stream, 1, 70, 2, 1);
    Layer<> first_expected(stream, 3, 5, 1), second_expected(stream, 1, 70, 2, 1);
    Matrix<> grad(stream, 3, 5, 9);
    mshadow::RuleList list;
    auto adam = list.Group<optim::AdamWRule>({{"lr", 0.01}});
    first.AddTo(&adam);
    second.AddTo(&adam);
    list.Run();
    adam.Set("step", 2);
    list.Set(1, "lr", 0.5);
    list.Replace(0, "grad", grad.view);
    list.Run();
    first_expected.Update(0.01f, 0.01f, 1);
    first_expected.grad.view = grad.view;
    first_expected.Update(0.01f, 0.01f, 2);
    second_expected.Update(0.01f, 0.01f, 1);
    second_expected.Update(0.5f, 0.01f, 2);
    EXPECT_TRUE(first == first_expected);
    EXPECT_TRUE(second == second_expected);

    list.Replace(0, "grad", second.mean.view);
    EXPECT_NE(MessageOf([&] { list.Run(); }).find("got an overlap with list entry 1"),
              std::string::npos);
  }
  mshadow::DeleteStream(stream);
}

TEST(UnfusedOptimizerOnGpu, RunsEntriesAsTheSpecsSay) {
  Stream<gpu> *const stream = mshadow::NewStream<gpu>(false, false);
  {
    Matrix<> weight(stream, 3, 5, 1, 2), expected(stream, 3, 5, 1, 2), grad(stream, 3, 5, 9);
    const mshadow::Shape<2> shape = weight.view.shape_;
    mshadow::TensorContainer<gpu, 2> mean(shape, 0.0f), variance(shape, 0.0f);
    mean.set_stream(stream);
    variance.set_stream(stream);
    mshadow::Optimizer optimizer;
    optimizer.Group<optim::AdamWRule>({{"lr", 0.5}}).Add(weight.view, grad.view);
    for (int64_t step = 1; step <= 3; ++step) {
      optimizer.Step();
      optim::AdamW(expected.view, mean, variance, grad.view, 0.5f, 0.9f, 0.999f, 1e-8f, 0.01f,
                   step);
    }
    EXPECT_TRUE(weight == expected);
  }
  mshadow::DeleteStream(stream);
}

}  // namespace
