// SPDX-License-Identifier: Apache-2.0
// A list on a GPU with MSHADOW_UNFUSED: its entries run one after the other, as the specs say.
#include <fake_cuda.h>
#include <gtest/gtest.h>

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

}  // namespace
