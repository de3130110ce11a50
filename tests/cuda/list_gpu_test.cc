// SPDX-License-Identifier: Apache-2.0
// Lists of calls on a GPU: the bits of single calls, few launches, graphs, and every misuse and
// failure.
#include <cuda_runtime_api.h>
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/c_api.h>
#include <mshadow/list.h>
#include <mshadow/tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "captured_graph.h"
#include "cuda_list_rules.h"
#include "gpu_fixture.h"
#include "gpu_layer.h"

namespace {

using cuda_test::GpuFixture;
using cuda_test::Layer;
using cuda_test::Matrix;
using cuda_test::MessageOf;
using mshadow::cpu;
using mshadow::Error;
using mshadow::gpu;
using mshadow::index_t;
using mshadow::RuleList;
using mshadow::Shape;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Stream;
using mshadow::Tensor;
using mshadow::half::half_t;
using mshadow_test::CapturedGraph;

template <typename T = float>
using Layers = std::vector<std::unique_ptr<Layer<T>>>;

template <typename T>
void ExpectSame(const Layers<T> &a, const Layers<T> &b, const char *when) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(*a[i] == *b[i]) << "layer " << i << ' ' << when;
}

class ListOnGpu : public GpuFixture {
 protected:
  /// Layers of many shapes: one row and several, padded and at odd addresses.
  template <typename T = float>
  Layers<T> MakeLayers(int count = 24) {
    Layers<T> layers;
    for (int i = 0; i < count; ++i) {
      layers.push_back(std::make_unique<Layer<T>>(stream_, 1 + i % 4, 1 + i * i % 97, i, i % 3,
                                                  i % 5 == 4 ? 1 : 0));
    }
    layers.push_back(std::make_unique<Layer<T>>(stream_, 40, 130, count));
    return layers;
  }
  /// How many kernels a run of the list starts.
  long KernelsOf(RuleList *list) {
    stream_->Wait();
    const long before = fakecuda::KernelsRun();
    list->Run();
    stream_->Wait();
    return fakecuda::KernelsRun() - before;
  }
};

TEST_F(ListOnGpu, UpdatesAModel) {
  auto layers = MakeLayers(), expected = MakeLayers();
  auto halves = MakeLayers<half_t>(7), expected_halves = MakeLayers<half_t>(7);
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>({{"lr", 0.01}, {"decay", 0.1}});
  for (auto &layer : layers) layer->AddTo(&adam);
  for (auto &layer : halves) layer->AddTo(&adam);
  for (int step = 1; step <= 3; ++step) {
    fakecuda::ShuffleBlocks(static_cast<unsigned>(step));
    adam.Set("step", step);
    list.Run();
    stream_->Wait();
    for (auto &layer : expected) layer->Update(0.01f, 0.1f, step);
    for (auto &layer : expected_halves) layer->Update(0.01f, 0.1f, step);
    ExpectSame(layers, expected, "of floats");
    ExpectSame(halves, expected_halves, "of halves");
  }
}

TEST_F(ListOnGpu, LaunchesOneKernelForManyTensors) {
  Layers<> layers;
  for (int i = 0; i < 50; ++i)
    layers.push_back(std::make_unique<Layer<>>(stream_, 4, 8 + 4 * i, i));
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  auto lamb = list.Group<optim::LambRule>();
  for (int i = 0; i < 40; ++i) layers[static_cast<size_t>(i)]->AddTo(&adam);
  EXPECT_EQ(KernelsOf(&list), 1);
  for (int i = 40; i < 50; ++i) layers[static_cast<size_t>(i)]->AddTo(&lamb);
  EXPECT_EQ(KernelsOf(&list), 3) << "LAMB has two passes";

  // Once built, a run costs the host the same number of calls, however many tensors there are.
  list.Set("step", 2);
  fakecuda::ClearFaults();
  list.Run();
  const int calls = fakecuda::Calls();
  list.Set("step", 3);
  fakecuda::ClearFaults();
  list.Run();
  EXPECT_EQ(fakecuda::Calls(), calls);
  EXPECT_LE(calls, 30);
  stream_->Wait();
}

TEST_F(ListOnGpu, ReducesEachTensor) {
  auto layers = MakeLayers(9), expected = MakeLayers(9);
  layers.push_back(std::make_unique<Layer<>>(stream_, 3, 9000, 1));
  expected.push_back(std::make_unique<Layer<>>(stream_, 3, 9000, 1));
  RuleList list;
  auto lamb = list.Group<optim::LambRule>({{"lr", 0.25}});
  for (auto &layer : layers) layer->AddTo(&lamb);
  for (int step = 1; step <= 2; ++step) {
    fakecuda::ShuffleBlocks(static_cast<unsigned>(step));
    lamb.Set("step", step);
    list.Run();
    stream_->Wait();
    for (auto &layer : expected) layer->UpdateByLamb(0.25, step);
    ExpectSame(layers, expected, "by LAMB");
  }
}

TEST_F(ListOnGpu, RunsRulesOfRowsColumnsAndStages) {
  struct Tensors {
    Matrix<> out, in, gain, shift, softmax;
    Tensors(Stream<gpu> *stream, index_t rows, index_t cols)
        : out(stream, rows, cols, 1),
          in(stream, rows, cols, 2, 3),
          gain(stream, 1, cols, 3),
          shift(stream, 1, cols, 4),
          softmax(stream, rows, cols, 5) {}
    Tensor<gpu, 1> Row(const Matrix<> &matrix) const { return matrix.view[0]; }
  };
  std::vector<std::unique_ptr<Tensors>> own, expected;
  for (const index_t cols : {1, 33, 300, 2100}) {
    for (const index_t rows : {1, 5, 70}) {
      own.push_back(std::make_unique<Tensors>(stream_, rows, cols));
      expected.push_back(std::make_unique<Tensors>(stream_, rows, cols));
    }
  }
  RuleList list;
  auto softmax = list.Group<activation::SoftmaxRule>();
  auto columns = list.Group<list_rules::CentreColumnsRule>({{"scale", 3}});
  auto stages = list.Group<list_rules::ScaleByNormsRule>();
  for (auto &t : own) {
    softmax.Add(t->softmax.view, t->in.view);
    columns.Add(t->out.view, t->in.view);
    stages.Add(t->gain.view, t->shift.view);
  }
  fakecuda::ShuffleBlocks(7);
  list.Run();
  stages.Set("power", 2);
  columns.Set("scale", 5);
  list.Run();
  stream_->Wait();
  for (auto &t : expected) {
    activation::Softmax(t->softmax.view, t->in.view);
    list_rules::CentreColumns(t->out.view, t->in.view, 3.0f);
    list_rules::CentreColumns(t->out.view, t->in.view, 5.0f);
    list_rules::ScaleByNorms(t->gain.view, t->shift.view, 1.0f);
    list_rules::ScaleByNorms(t->gain.view, t->shift.view, 2.0f);
  }
  for (size_t i = 0; i < own.size(); ++i) {
    EXPECT_TRUE(own[i]->softmax == expected[i]->softmax) << i;
    EXPECT_TRUE(own[i]->out == expected[i]->out) << i;
    EXPECT_TRUE(own[i]->gain == expected[i]->gain) << i;
  }
}

TEST_F(ListOnGpu, AConditionMayChange) {
  auto layers = MakeLayers(5), expected = MakeLayers(5);
  RuleList list;
  auto clipped = list.Group<list_rules::StepRule>({{"lr", 0.5}});
  for (auto &layer : layers) clipped.Add(layer->weight.view, layer->grad.view);
  const auto check = [&](float lr, bool clip) {
    list.Run();
    stream_->Wait();
    for (auto &layer : expected) list_rules::Step(layer->weight.view, layer->grad.view, lr, clip);
    ExpectSame(layers, expected, clip ? "clipped" : "unclipped");
  };
  check(0.5f, false);
  clipped.Set("clip", 1);
  check(0.5f, true);
  clipped.Set("lr", 0.25);
  check(0.25f, true);
  fakecuda::ClearFaults();
  list.Run();
  const int calls = fakecuda::Calls();
  clipped.Set("lr", 0.125);  // the condition stays: only the scalars change
  fakecuda::ClearFaults();
  list.Run();
  EXPECT_EQ(fakecuda::Calls(), calls);
  stream_->Wait();
}

TEST_F(ListOnGpu, AnEntryMayHaveAScalarOfItsOwn) {
  auto layers = MakeLayers(6), expected = MakeLayers(6);
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>({{"lr", 0.01}});
  for (auto &layer : layers) layer->AddTo(&adam);
  list.Run();
  list.Set(2, "lr", 0.5);
  adam.Set("step", 2);
  const long kernels = KernelsOf(&list);
  adam.Set("lr", 0.02);
  list.Set("step", 3);
  EXPECT_EQ(KernelsOf(&list), kernels) << "a scalar of its own costs no launch";
  for (size_t i = 0; i < expected.size(); ++i) {
    expected[i]->Update(0.01f, 0.01f, 1);
    expected[i]->Update(i == 2 ? 0.5f : 0.01f, 0.01f, 2);
    expected[i]->Update(i == 2 ? 0.5f : 0.02f, 0.01f, 3);
  }
  ExpectSame(layers, expected, "with two rates");
}

TEST_F(ListOnGpu, ScalarsMayLieOnTheDevice) {
  auto layers = MakeLayers(4), expected = MakeLayers(4);
  Matrix<> rate(stream_, 1, 1, 3), other(stream_, 1, 1, 2);
  RuleList list;
  auto group = list.Group<list_rules::StepByTensorRule>();
  for (auto &layer : layers) group.Add(layer->weight.view, layer->grad.view, rate.view[0]);
  list.Run();
  list.Replace(1, "lr", other.view[0]);
  list.Run();
  stream_->Wait();
  for (size_t i = 0; i < expected.size(); ++i) {
    Layer<> &layer = *expected[i];
    list_rules::StepByTensor(layer.weight.view, layer.grad.view, rate.view[0]);
    list_rules::StepByTensor(layer.weight.view, layer.grad.view, (i == 1 ? other : rate).view[0]);
  }
  ExpectSame(layers, expected, "by a rate on the device");
}

TEST_F(ListOnGpu, TensorsMayBeReplaced) {
  auto layers = MakeLayers(8), expected = MakeLayers(8);
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>({{"lr", 0.01}});
  for (auto &layer : layers) layer->AddTo(&adam);
  constexpr int kSteps = 6;
  std::vector<std::unique_ptr<Matrix<>>> grads;
  for (int step = 1; step <= kSteps; ++step) {
    for (const size_t i : {1, 5}) {
      const Shape<2> shape = layers[i]->grad.view.shape_;
      // The last time at an odd address, which takes another kernel.
      grads.push_back(std::make_unique<Matrix<>>(
          stream_, shape[0], shape[1], step + static_cast<int>(i), 0, step + 1 == kSteps ? 1 : 0));
    }
  }
  auto grad = grads.begin();
  for (int step = 1; step <= kSteps; ++step) {
    adam.Set("step", step);
    list.Run();  // is not waited for: what is replaced may still be in use
    for (auto &layer : expected) layer->Update(0.01f, 0.01f, step);
    for (const size_t i : {1, 5}) {
      const Tensor<gpu, 2> view = (*grad++)->view;
      list.Replace(static_cast<int64_t>(i), "grad", view);
      expected[i]->grad.view = view;
    }
  }
  stream_->Wait();
  ExpectSame(layers, expected, "with other gradients");
  EXPECT_EQ(MessageOf([&] { list.Replace(1, "grad", grads[2]->view[0]); }),
            "list entry 1: AdamW: argument 'grad': expected rank 2, got rank 1");
}

TEST_F(ListOnGpu, RunsProductsAfterwards) {
  Stream<gpu> *const stream = mshadow::NewStream<gpu>(true, false);
  {
    Matrix<> out(stream, 3, 4, 1), in(stream, 3, 5, 2), weight(stream, 4, 5, 3);
    Matrix<> expected(stream, 3, 4, 1), bias(stream, 1, 4, 2);
    RuleList list;
    auto product = list.Group<list_rules::ProductRule>({{"scale", 2}});
    product.Add(out.view, in.view, weight.view);
    EXPECT_TRUE(out == expected) << "adding a call runs nothing";
    list.Run();
    product.Set("scale", 4);
    list.Run();
    stream->Wait();
    list_rules::Product(expected.view, in.view, weight.view, 2.0f);
    list_rules::Product(expected.view, in.view, weight.view, 4.0f);
    EXPECT_TRUE(out == expected);
    EXPECT_NE(MessageOf([&] { product.Add(out.view, in.view, in.view); }).find("list entry 1: "),
              std::string::npos);
  }
  mshadow::DeleteStream(stream);
}

TEST_F(ListOnGpu, RunsByAGraph) {
  auto layers = MakeLayers(6), expected = MakeLayers(6);
  {
    RuleList list;
    auto adam = list.Group<optim::AdamWRule>({{"lr", 0.01}});
    auto lamb = list.Group<optim::LambRule>({{"lr", 0.01}});
    for (size_t i = 0; i < layers.size(); ++i) {
      if (i % 2 == 0) layers[i]->AddTo(&adam);
      if (i % 2 == 1) layers[i]->AddTo(&lamb);
    }
    list.Check();
    CapturedGraph graph(stream_);
    list.Run();
    graph.Run(2);
    // The graph takes a tensor of the same shape that Check has copied to the table.
    Matrix<> grad(stream_, layers[1]->grad.view.size(0), layers[1]->grad.view.size(1), 40);
    list.Replace(1, "grad", grad.view);
    list.Check();
    graph.Run(1);
    stream_->Wait();
    for (size_t i = 0; i < expected.size(); ++i) {
      for (int run = 0; run < 3; ++run) {
        if (run == 2 && i == 1) expected[i]->grad.view = grad.view;
        if (i % 2 == 0) expected[i]->Update(0.01f, 0.01f, 1);
        if (i % 2 == 1) expected[i]->UpdateByLamb(0.01, 1);
      }
    }
    stream_->Wait();
    // New entries get memory of their own: the graph still finds what it was captured with.
    constexpr int kMore = 6;
    Layers<> more, more_expected;
    for (int i = 0; i < kMore; ++i) {
      more.push_back(std::make_unique<Layer<>>(stream_, 5, 5, i));
      more_expected.push_back(std::make_unique<Layer<>>(stream_, 5, 5, i));
      more.back()->AddTo(&adam);
      list.Run();
      graph.Run(1);
      for (auto &layer : more_expected) layer->Update(0.01f, 0.01f, 1);
      for (size_t k = 0; k < 2 * expected.size(); ++k) {
        Layer<> &layer = *expected[k / 2];
        k / 2 % 2 == 0 ? layer.Update(0.01f, 0.01f, 1) : layer.UpdateByLamb(0.01, 1);
      }
    }
    ExpectSame(more, more_expected, "that are new");
    ExpectSame(layers, expected, "by a graph");
  }
  {
    RuleList list;
    auto adam = list.Group<optim::AdamWRule>();
    layers[0]->AddTo(&adam);
    CapturedGraph graph(stream_);
    EXPECT_EQ(MessageOf([&] { list.Run(); }),
              "list: a captured run cannot copy what has changed to the GPU: call Check() of the "
              "list, or Step() of the optimizer, before the capture");
  }
}

TEST_F(ListOnGpu, RefusesWhatACallRefuses) {
  Layer<> layer(stream_, 3, 4, 1), other(stream_, 3, 5, 2);
  Matrix<> host_like(stream_, 3, 4, 5);
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  layer.AddTo(&adam);
  const auto add = [&](const Tensor<gpu, 2> &grad) {
    return MessageOf([&] { adam.Add(host_like.view, layer.mean.view, layer.variance.view, grad); });
  };
  EXPECT_EQ(add(other.grad.view).find("list entry 1: AdamW: argument 'grad': "), 0u);
  std::vector<float> memory(12);
  const Tensor<cpu, 2> on_cpu(memory.data(), Shape2(3, 4));
  EXPECT_EQ(
      MessageOf([&] { adam.Add(on_cpu, on_cpu, on_cpu, on_cpu); }),
      "list entry 1: AdamW: expected tensors of a GPU, as entry 0 has, got tensors of the CPU");
  EXPECT_EQ(MessageOf([&] { list.Replace(0, "grad", on_cpu); }),
            "list entry 0: AdamW: argument 'grad': expected a tensor of a GPU, got one of the CPU");
  Tensor<gpu, 2> elsewhere = host_like.view;
  elsewhere.stream_ = nullptr;
  EXPECT_EQ(
      MessageOf([&] { list.Replace(0, "grad", elsewhere); }),
      "list entry 0: AdamW: argument 'grad': expected the stream of the list, got another one");
  EXPECT_EQ(MessageOf([&] { adam.Add(elsewhere, elsewhere, elsewhere, elsewhere); }),
            "list entry 1: AdamW: expected the stream of entry 0, got another one");
  EXPECT_EQ(list.size(), 1);

  // Overlaps between two entries, before the first write.
  adam.Add(other.weight.view, other.mean.view, other.variance.view, other.grad.view);
  Layer<> third(stream_, 3, 4, 3), expected(stream_, 3, 4, 1);
  adam.Add(third.weight.view, layer.mean.view, third.variance.view, third.grad.view);
  EXPECT_EQ(MessageOf([&] { list.Run(); }),
            "list entry 0: AdamW: argument 'mean': expected memory apart from that of other "
            "entries, got an overlap with list entry 2: AdamW: argument 'mean', and one of them is "
            "written");
  list.Replace(2, "mean", third.mean.view);
  adam.Set("step", 0);
  EXPECT_NE(MessageOf([&] { list.Run(); }).find("list entry 0: AdamW: "), std::string::npos);
  stream_->Wait();
  EXPECT_TRUE(layer == expected) << "nothing was written";
  adam.Set("step", 1);
  list.Run();
  expected.Update(0.001f, 0.01f, 1);
  stream_->Wait();
  EXPECT_TRUE(layer == expected);
}

TEST_F(ListOnGpu, EmptyTensorsLaunchNothing) {
  Layer<> empty(stream_, 0, 4, 1), layer(stream_, 2, 4, 1), expected(stream_, 2, 4, 1);
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  list.Run();
  empty.AddTo(&adam);
  EXPECT_EQ(KernelsOf(&list), 0);
  layer.AddTo(&adam);
  adam.Set("step", 2);
  EXPECT_EQ(KernelsOf(&list), 1);
  expected.Update(0.001f, 0.01f, 2);
  EXPECT_TRUE(layer == expected);
}

/// Each call of CUDA fails once. The list then throws, and afterwards does what it should.
TEST_F(ListOnGpu, EveryFailingCallIsReported) {
  int failures = 0;
  for (int call = 1;; ++call) {
    Layer<> adam_layer(stream_, 3, 4, 1), lamb_layer(stream_, 3, 40, 2), late(stream_, 3, 4, 5);
    Layer<> adam_expected(stream_, 3, 4, 1), lamb_expected(stream_, 3, 40, 2);
    Layer<> late_expected(stream_, 3, 4, 5);
    Matrix<> grad(stream_, 3, 4, 9);
    bool has_failed = false;
    {
      RuleList list;
      auto adam = list.Group<optim::AdamWRule>();
      auto lamb = list.Group<optim::LambRule>();
      const auto run = [&](const std::function<void()> &action) {
        try {
          action();
        } catch (const Error &) {
          has_failed = true;
          fakecuda::ClearFaults();
          action();
        }
      };
      fakecuda::FailCall(call, cudaErrorUnknown);
      run([&] { adam_layer.AddTo(&adam); });
      run([&] { list.Run(); });
      run([&] { late.AddTo(&adam); });
      run([&] { list.Replace(0, "grad", grad.view); });
      run([&] { list.Run(); });
      run([&] { lamb_layer.AddTo(&lamb); });
      run([&] { list.Check(); });
      fakecuda::ClearFaults();
      stream_->Wait();
      // A list of one launch runs as a whole or not at all.
      adam_expected.Update(0.001f, 0.01f, 1);
      Tensor<gpu, 2> &view = adam_expected.grad.view;
      view = grad.view;
      adam_expected.Update(0.001f, 0.01f, 1);
      late_expected.Update(0.001f, 0.01f, 1);
      EXPECT_TRUE(adam_layer == adam_expected) << fakecuda::FailedCall() << ' ' << call;
      EXPECT_TRUE(late == late_expected) << fakecuda::FailedCall() << ' ' << call;
      list.Run();
      lamb_expected.UpdateByLamb(0.001, 1);
      stream_->Wait();
      EXPECT_TRUE(lamb_layer == lamb_expected) << fakecuda::FailedCall() << ' ' << call;
    }
    if (!has_failed) break;
    ++failures;
  }
  EXPECT_GT(failures, 10);
}

TEST_F(ListOnGpu, RunsOnTheDeviceOfItsStream) {
  Stream<gpu> *const stream = mshadow::NewStream<gpu>(false, false, 1);
  {
    const mshadow::cuda::DeviceScope scope(1);
    Layer<> layer(stream, 3, 4, 1), expected(stream, 3, 4, 1);
    RuleList list;
    {
      const mshadow::cuda::DeviceScope other(0);
      auto adam = list.Group<optim::AdamWRule>();
      layer.AddTo(&adam);
      list.Run();
    }
    stream->Wait();
    expected.Update(0.001f, 0.01f, 1);
    EXPECT_TRUE(layer == expected);
    Layer<> on_default(nullptr, 3, 4, 1);
    RuleList of_device;
    auto adam = of_device.Group<optim::AdamWRule>();
    on_default.AddTo(&adam);
    of_device.Run();
    {
      const mshadow::cuda::DeviceScope other(0);
      EXPECT_EQ(MessageOf([&] { of_device.Run(); }),
                "list: expected the current device to be 1, which has the list's tensors, got 0");
    }
    mshadow::cuda::Synchronize(nullptr);
    EXPECT_TRUE(on_default == expected);
  }
  mshadow::DeleteStream(stream);
}

/// A kernel cannot throw: an index that is no row reads 0, and nothing is written.
TEST_F(ListOnGpu, AnIndexOfARowMayBeOutOfRange) {
  for (const index_t cols : {3, 8, 130}) {
    Matrix<> weight(stream_, 5, cols, 1), out(stream_, 4, cols, 2), grad(stream_, 4, cols, 3);
    int32_t host[] = {3, -1, 0, 5};
    mshadow::TensorContainer<gpu, 1, int32_t> index(Shape1(4));
    Copy(index, Tensor<cpu, 1, int32_t>(host, Shape1(4)));
    index.set_stream(stream_);
    mshadow::TensorContainer<gpu, 1, int32_t> columns(Shape1(4), 1);
    columns.set_stream(stream_);
    std::vector<float> want = weight.Bits(), of_out;
    const std::vector<float> of_picked = {want[static_cast<size_t>(3 * cols + 1)], 0, want[1], 0};
    const std::vector<float> grads = grad.Bits();
    for (index_t y = 0; y < 4; ++y) {
      for (index_t x = 0; x < cols; ++x) {
        const bool is_row = host[y] == 3 || host[y] == 0;
        const float step = 0.5f * grads[static_cast<size_t>(y * cols + x)];
        float none = 0;
        float &w = is_row ? want[static_cast<size_t>(host[y] * cols + x)] : none;
        w -= step;
        of_out.push_back(2.0f * w);
      }
    }
    Matrix<> picked(stream_, 1, 4, 4);
    list_rules::PickFromRows(picked.view[0], weight.view, index, columns);
    list_rules::StepOfRows(weight.view, out.view, grad.view, index, 0.5f);
    EXPECT_EQ(weight.Bits(), want) << cols;
    EXPECT_EQ(out.Bits(), of_out) << cols;
    EXPECT_EQ(picked.Bits(), of_picked) << cols;
  }
}

}  // namespace
