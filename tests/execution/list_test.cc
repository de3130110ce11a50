// SPDX-License-Identifier: Apache-2.0
// What a user does with a list, and every misuse of one. Compiled twice: fused, and with
// MSHADOW_UNFUSED, where entries run as the specs say.
#include <gtest/gtest.h>
#include <mshadow/c_api.h>
#include <mshadow/list.h>
#include <mshadow/tensor.h>
#include <mshadow_specs.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "seeded_matrix.h"

namespace {
int64_t allocations = 0;
int64_t allowed = -1;  // allocations before one fails; -1: none does
}  // namespace

void *operator new(size_t size) {
  ++allocations;
  if (allowed == 0) throw std::bad_alloc();
  if (allowed > 0) --allowed;
  if (void *memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

using mshadow::cpu;
using mshadow::Error;
using mshadow::index_t;
using mshadow::RuleList;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Tensor;
using mshadow::half::half_t;
using mshadow_test::Matrix;

#ifdef MSHADOW_UNFUSED
constexpr bool kFused = false;
#else
constexpr bool kFused = true;
#endif

template <typename T>
bool SameBits(const std::vector<T> &a, const std::vector<T> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// What AdamW updates of one layer.
template <typename T = float>
struct Layer {
  Matrix<T> weight;
  Matrix<> mean, variance;
  Matrix<T> grad;

  Layer(index_t rows, index_t cols, int seed, index_t pad = 0)
      : weight(rows, cols, seed, pad),
        mean(rows, cols, seed + 1),
        variance(rows, cols, seed + 2),
        grad(rows, cols, seed + 3) {}

  int64_t AddTo(mshadow::RuleGroup<optim::AdamWRule> *group) {
    return group->Add(weight.view, mean.view, variance.view, grad.view);
  }
  void Update(float lr, float decay, int64_t step) {
    optim::AdamW(weight.view, mean.view, variance.view, grad.view, lr, 0.9f, 0.999f, 1e-8f, decay,
                 step);
  }
  bool operator==(const Layer &other) const {
    return SameBits(weight.memory, other.weight.memory) &&
           SameBits(mean.memory, other.mean.memory) &&
           SameBits(variance.memory, other.variance.memory);
  }
};

/// The message of the Error that \p f throws; "" if it throws none.
std::string MessageOf(const std::function<void()> &f) {
  try {
    f();
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(List, UpdatesAModel) {
  std::vector<Layer<>> layers;
  std::vector<Layer<half_t>> halves;
  for (int i = 0; i < 60; ++i) layers.emplace_back(1 + i % 5, 1 + i * i % 97, i, i % 3);
  layers.emplace_back(300, 200, 5);
  for (int i = 0; i < 9; ++i) halves.emplace_back(3, 11 + i, i);
  auto expected = layers;
  auto expected_halves = halves;

  RuleList list;
  auto adam = list.Group<optim::AdamWRule>({{"lr", 0.01}, {"decay", 0.1}});
  for (Layer<> &layer : layers) layer.AddTo(&adam);
  for (Layer<half_t> &layer : halves) {
    adam.Add(layer.weight.view, layer.mean.view, layer.variance.view, layer.grad.view);
  }
  EXPECT_EQ(list.size(), 70);
  for (int step = 1; step <= 3; ++step) {
    adam.Set("step", step);
    list.Run();
    for (Layer<> &layer : expected) layer.Update(0.01f, 0.1f, step);
    for (Layer<half_t> &layer : expected_halves) layer.Update(0.01f, 0.1f, step);
    ASSERT_TRUE(layers == expected) << step;
    ASSERT_TRUE(halves == expected_halves) << step;
  }
}

/// In a list of more than 1 MB, each loop over short tensors runs in pieces, and prefetches the
/// tensors of the next entry.
TEST(List, UpdatesShortTensorsThatLieApart) {
  std::vector<Layer<>> layers;
  for (int i = 0; i < 300; ++i) layers.emplace_back(1 + i % 2, 1 + i * 41 % 2100, i, i % 7 == 0);
  layers.emplace_back(1, 5000, 5);  // no short one
  for (int i = 0; i < 100; ++i) layers.emplace_back(1, 768, i);
  std::vector<Matrix<>> outs, ins;
  for (int i = 0; i < 300; ++i) outs.emplace_back(7, 200, i), ins.emplace_back(7, 200, i + 1);
  std::vector<float> inv_rms(7 * 300), gain(200, 1.5f);
  const Tensor<cpu, 1> gains(gain.data(), Shape1(200));
  const auto inverses = [](std::vector<float> *of_all, size_t i) {
    return Tensor<cpu, 1>(of_all->data() + 7 * i, Shape1(7));
  };
  auto expected = layers;
  auto expected_outs = outs;
  auto expected_inv_rms = inv_rms;
  for (Layer<> &layer : expected) layer.Update(0.01f, 0.1f, 3);
  for (size_t i = 0; i < outs.size(); ++i) {
    normalize::RmsNorm(expected_outs[i].view, inverses(&expected_inv_rms, i), ins[i].view, gains);
  }

  RuleList list;
  auto adam = list.Group<optim::AdamWRule>({{"lr", 0.01}, {"decay", 0.1}, {"step", 3}});
  for (Layer<> &layer : layers) layer.AddTo(&adam);
  auto norm = list.Group<normalize::RmsNormRule>();
  for (size_t i = 0; i < outs.size(); ++i) {
    norm.Add(outs[i].view, inverses(&inv_rms, i), ins[i].view, gains);
  }
  list.Run();
  EXPECT_TRUE(layers == expected);
  EXPECT_TRUE(SameBits(inv_rms, expected_inv_rms));
  for (size_t i = 0; i < outs.size(); ++i) {
    ASSERT_TRUE(SameBits(outs[i].memory, expected_outs[i].memory)) << i;
  }
}

TEST(List, RunsSeveralRules) {
  Layer<> layer(20, 30, 1), other(7, 9, 2);
  Matrix<> out(6, 50, 3), in(6, 50, 4), weight(5, 5, 5), momentum(5, 5, 6), grad(5, 5, 7);
  std::vector<float> inv_rms(6), gain(50, 1.5f);
  const Tensor<cpu, 1> inv(inv_rms.data(), Shape1(6)), gains(gain.data(), Shape1(50));
  Layer<> layer2 = layer, other2 = other;
  Matrix<> out2 = out, weight2 = weight, momentum2 = momentum;
  std::vector<float> inv_rms2(6);

  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  layer.AddTo(&adam);
  list.Group<optim::SGDMomentumRule>({{"lr", 0.5}}).Add(weight.view, momentum.view, grad.view);
  list.Group<normalize::RmsNormRule>().Add(out.view, inv, in.view, gains);
  list.Group<optim::LambRule>({{"lr", 0.25}})
      .Add(other.weight.view, other.mean.view, other.variance.view, other.grad.view);
  list.Run();

  layer2.Update(0.001f, 0.01f, 1);
  optim::SGDMomentum(weight2.view, momentum2.view, grad.view, 0.5f);
  normalize::RmsNorm(out2.view, Tensor<cpu, 1>(inv_rms2.data(), Shape1(6)), in.view, gains);
  optim::Lamb(other2.weight.view, other2.mean.view, other2.variance.view, other2.grad.view, 0.25f);
  EXPECT_TRUE(layer == layer2);
  EXPECT_TRUE(other == other2);
  EXPECT_TRUE(SameBits(weight.memory, weight2.memory));
  EXPECT_TRUE(SameBits(out.memory, out2.memory));
  EXPECT_TRUE(SameBits(inv_rms, inv_rms2));
}

TEST(List, AnEntryMayHaveAScalarOfItsOwn) {
  std::vector<Layer<>> layers;
  for (int i = 0; i < 5; ++i) layers.emplace_back(2, 9, i);
  auto expected = layers;
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  for (Layer<> &layer : layers) layer.AddTo(&adam);
  list.Set(2, "decay", 0);
  for (int step = 1; step <= 3; ++step) {
    if (step == 3) list.Set(2, "decay", 0.5);
    list.Set("step", step);
    adam.Set("decay", 0.125);
    list.Run();
    for (size_t i = 0; i < layers.size(); ++i) {
      expected[i].Update(0.001f, i != 2 ? 0.125f : step == 3 ? 0.5f : 0, step);
    }
    ASSERT_TRUE(layers == expected) << step;
  }
}

TEST(List, TensorsMayBeReplaced) {
  Layer<> a(4, 40, 1), b(3, 3, 2), empty(0, 5, 3), full(2, 5, 4);
  auto a2 = a, b2 = b, full2 = full;
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  a.AddTo(&adam);
  b.AddTo(&adam);
  empty.AddTo(&adam);
  list.Run();
  const Matrix<> grad(4, 40, 9, 3);
  list.Replace(0, "grad", grad.view);
  list.Run();
  a2.Update(0.001f, 0.01f, 1);
  a2.grad.view = grad.view;
  optim::AdamW(a2.weight.view, a2.mean.view, a2.variance.view, grad.view);
  b2.Update(0.001f, 0.01f, 1);
  b2.Update(0.001f, 0.01f, 1);
  EXPECT_TRUE(a == a2);
  EXPECT_TRUE(b == b2);
  // Whatever does not fit is refused, and the entry stays.
  const Matrix<> wide(4, 41, 1);
  EXPECT_NE(MessageOf([&] {
              list.Replace(0, "grad", wide.view);
              list.Run();  // unfused, a call checks when it runs
            }),
            "");
  if (kFused) {
    list.Run();
    optim::AdamW(a2.weight.view, a2.mean.view, a2.variance.view, grad.view);
    EXPECT_TRUE(a == a2);
  }
}

TEST(List, EntriesMayReadTheSameMemory) {
  Matrix<> a(3, 8, 1), b(3, 8, 2), c(3, 8, 3), momentum(3, 8, 4), grad(3, 8, 5);
  RuleList list;
  auto sgd = list.Group<optim::SGDRule>({{"lr", 1}});
  for (Matrix<> *weight : {&a, &b, &c}) sgd.Add(weight->view, grad.view);
  list.Run();
  // Columns of one matrix lie between each other.
  Matrix<> wide(6, 20, 1);
  const Tensor<cpu, 2> left(wide.view.dptr_, Shape2(6, 9), 20, nullptr);
  const Tensor<cpu, 2> right(wide.view.dptr_ + 9, Shape2(6, 11), 20, nullptr);
  const Matrix<> left_grad(6, 9, 3), right_grad(6, 11, 4);
  sgd.Add(left, left_grad.view);
  sgd.Add(right, right_grad.view);
  EXPECT_EQ(MessageOf([&] { list.Run(); }), "");
  EXPECT_EQ(left[1][2], Matrix<>(6, 20, 1).view[1][2] - left_grad.view[1][2]);
}

TEST(List, FindsOverlapBetweenAnyTwoEntries) {
  Layer<> first(4, 10, 1), second(3, 10, 2), third(5, 10, 3);
  const std::vector<float> before = first.weight.memory;
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  first.AddTo(&adam);
  second.AddTo(&adam);
  third.AddTo(&adam);
  list.Check();
  // The last row of the first weight.
  const Tensor<cpu, 2> row(first.weight.view.dptr_ + 30, Shape2(1, 10));
  Layer<> fourth(1, 10, 4);
  adam.Add(fourth.weight.view, fourth.mean.view, fourth.variance.view, row);
  const char *const expected =
      "list entry 0: AdamW: argument 'weight': expected memory apart from that of other entries, "
      "got an overlap with list entry 3: AdamW: argument 'grad', and one of them is written";
  EXPECT_EQ(MessageOf([&] { list.Check(); }), expected);
  EXPECT_EQ(MessageOf([&] { list.Run(); }), expected);
  EXPECT_TRUE(SameBits(first.weight.memory, before));
  list.Replace(3, "grad", fourth.grad.view);
  EXPECT_EQ(MessageOf([&] { list.Run(); }), "");
  EXPECT_FALSE(SameBits(first.weight.memory, before));
}

TEST(List, FindsOverlapBehindWhatManyRead) {
  std::vector<Matrix<>> weights;
  for (int i = 0; i < 20; ++i) weights.emplace_back(2, 8, i);
  Matrix<> grad(2, 8, 5), momentum(2, 8, 6);
  RuleList list;
  auto sgd = list.Group<optim::SGDRule>({{"lr", 1}});
  for (Matrix<> &weight : weights) sgd.Add(weight.view, grad.view);
  list.Check();
  const Tensor<cpu, 2> part(grad.view.dptr_ + 3, Shape2(1, 8));
  const Matrix<> other(1, 8, 7);
  sgd.Add(part, other.view);
  EXPECT_NE(MessageOf([&] { list.Check(); }).find("list entry 20: SGD: argument 'weight'"),
            std::string::npos);
}

TEST(List, RefusesWhatACallRefuses) {
  if (!kFused) GTEST_SKIP() << "unfused, an entry checks when it runs";
  Layer<> layer(4, 10, 1), other(4, 11, 2);
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  layer.AddTo(&adam);
  EXPECT_EQ(MessageOf([&] {
              adam.Add(other.weight.view, layer.mean.view, other.variance.view, other.grad.view);
            }),
            "list entry 1: AdamW: argument 'mean': expected shape (4,11), the shape of 'weight', "
            "got (4,10)");
  Tensor<cpu, 2> null = other.weight.view;
  null.dptr_ = nullptr;
  EXPECT_EQ(
      MessageOf([&] { adam.Add(null, other.mean.view, other.variance.view, other.grad.view); }),
      "list entry 1: AdamW: argument 'weight': expected memory, got a null pointer");
  EXPECT_EQ(list.size(), 1);
  list.Run();
}

TEST(List, RefusesNamesTypesAndNumbersThatAreNone) {
  Layer<> layer(4, 10, 1);
  const Layer<half_t> half(4, 10, 1);
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  layer.AddTo(&adam);
  EXPECT_EQ(MessageOf([&] {
              list.Group<optim::AdamWRule>({{"rate", 1}});
            }),
            "AdamW: expected the name of a scalar, got 'rate'");
  EXPECT_EQ(MessageOf([&] { adam.Set("weight", 1); }),
            "AdamW: expected the name of a scalar, got 'weight'");
  EXPECT_EQ(MessageOf([&] { list.Set("momentum", 1); }),
            "list: expected the name of a scalar of an entry, got 'momentum'");
  EXPECT_EQ(MessageOf([&] { list.Set(0, "momentum", 1); }),
            "AdamW: expected the name of a scalar, got 'momentum'");
  EXPECT_EQ(MessageOf([&] { list.Set(1, "lr", 1); }), "list: expected an entry below 1, got 1");
  EXPECT_EQ(MessageOf([&] { list.Replace(-1, "grad", layer.grad.view); }),
            "list: expected an entry below 1, got -1");
  EXPECT_EQ(MessageOf([&] { list.Replace(0, "lr", layer.grad.view); }),
            "AdamW: expected the name of a tensor, got 'lr'");
  EXPECT_EQ(MessageOf([&] { list.Replace(0, "grad", half.grad.view); }),
            "list entry 0: AdamW: argument 'grad': expected float32, got float16");
  const Tensor<cpu, 1> flat(layer.grad.view.dptr_, Shape1(40));
  EXPECT_EQ(MessageOf([&] { list.Replace(0, "grad", flat); }),
            "list entry 0: AdamW: argument 'grad': expected rank 2, got rank 1");
}

TEST(List, RefusesScalarsBeforeTheFirstWrite) {
  if (!kFused) GTEST_SKIP() << "unfused, an entry checks when it runs";
  Layer<> layer(4, 10, 1);
  const Layer<> before = layer;
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  Matrix<> weight(2, 3, 1), grad(2, 3, 2);
  const Matrix<> weight_before = weight;
  list.Group<optim::SGDRule>().Add(weight.view, grad.view);
  layer.AddTo(&adam);
  adam.Set("step", 0);
  EXPECT_EQ(MessageOf([&] { list.Run(); }),
            "list entry 1: AdamW: argument 'step': expected a step of at least 1, got 0");
  EXPECT_TRUE(layer == before);
  EXPECT_TRUE(SameBits(weight.memory, weight_before.memory));
  adam.Set("step", 1);
  EXPECT_EQ(MessageOf([&] { list.Run(); }), "");
}

TEST(List, ChecksIndicesAtEveryRun) {
  Matrix<> in(3, 5, 2), weight(2, 3, 1), grad(2, 3, 2);
  std::vector<float> out(3);
  std::vector<int32_t> label = {0, 4, 2};
  RuleList list;
  list.Group<optim::SGDRule>().Add(weight.view, grad.view);
  list.Group<loss::SparseSoftmaxCrossEntropyRule>().Add(
      Tensor<cpu, 1>(out.data(), Shape1(3)), in.view,
      Tensor<cpu, 1, int32_t>(label.data(), Shape1(3)));
  list.Run();
  label[1] = 5;
  const Matrix<> weight_before = weight;
  const std::vector<float> out_before = out;
  EXPECT_NE(MessageOf([&] { list.Run(); }).find("5"), std::string::npos);
  EXPECT_TRUE(SameBits(out, out_before));
  if (kFused) EXPECT_TRUE(SameBits(weight.memory, weight_before.memory));
}

TEST(List, AllocatesNothingFromTheSecondRunOn) {
  if (!kFused) GTEST_SKIP() << "unfused, an entry may";
  std::vector<Layer<>> layers;
  for (int i = 0; i < 40; ++i) layers.emplace_back(1, 50, i);
  RuleList list;
  auto adam = list.Group<optim::AdamWRule>();
  for (Layer<> &layer : layers) layer.AddTo(&adam);
  list.Run();
  const int64_t before = allocations;
  adam.Set("step", 2);
  list.Run();
  EXPECT_EQ(allocations, before);
}

/// Where memory runs out while an entry is added, the list is as before.
TEST(List, KeepsItsEntriesWithoutMemory) {
  bool is_added = false;
  for (int64_t count = 0; !is_added; ++count) {
    ASSERT_LT(count, 1000);
    Matrix<> weights[] = {{2, 3, 1}, {4, 5, 3}}, grads[] = {{2, 3, 2}, {4, 5, 4}};
    Matrix<> want[] = {weights[0], weights[1]};
    for (int i = 0; i < 2; ++i) optim::SGD(want[i].view, grads[i].view, 0.5f);
    RuleList list;
    auto sgd = list.Group<optim::SGDRule>({{"lr", 0.5}});
    sgd.Add(weights[0].view, grads[0].view);
    allowed = count;
    try {
      sgd.Add(weights[1].view, grads[1].view);
      is_added = true;
    } catch (const std::bad_alloc &) {
    }
    allowed = -1;
    if (!is_added) {
      EXPECT_EQ(list.size(), 1);
      sgd.Add(weights[1].view, grads[1].view);
    }
    list.Run();
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(SameBits(weights[i].memory, want[i].memory)) << count;
  }
}

TEST(List, EndsInTheThreadThatBegan) {
  mshadow_list *list = nullptr;
  ASSERT_EQ(mshadow_list_create(&list), MSHADOW_OK);
  ASSERT_EQ(mshadow_list_begin(list), MSHADOW_OK);
  std::thread([list] {
    EXPECT_EQ(mshadow_list_end(list), MSHADOW_ERROR);
    EXPECT_EQ(std::string(mshadow_last_error()),
              "mshadow_list_end: expected the thread that called mshadow_list_begin, got another "
              "one");
  }).join();
  EXPECT_EQ(mshadow_list_end(list), MSHADOW_OK);
  mshadow_list_destroy(list);
}

TEST(List, OnlyAddsToAListThatRecords) {
  if (!kFused) GTEST_SKIP() << "no rule has the device unfused";
#ifndef MSHADOW_UNFUSED
  Matrix<> weight(2, 3, 1), grad(2, 3, 2);
  const auto listed = [](const Matrix<> &matrix) {
    return Tensor<mshadow::cpu_list, 2>(matrix.view.dptr_, matrix.view.shape_);
  };
  const auto call = [&] { optim::SGD(listed(weight), listed(grad), 1.0f); };
  EXPECT_EQ(MessageOf(call), "SGD: expected a list that the thread adds to");
  RuleList list;
  {
    const mshadow::ListRecording recording(&list);
    call();
  }
  EXPECT_EQ(list.size(), 1);
  EXPECT_EQ(MessageOf(call), "SGD: expected a list that the thread adds to");
#endif
}

}  // namespace
