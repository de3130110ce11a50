// SPDX-License-Identifier: Apache-2.0
// Updates of rows that indices name, fused, where the matrices have more rows than there are
// indices: the other rows stay, and a launch throws before its first write. It does so, too, if an
// operator ignores the rows.
#include <gtest/gtest.h>
#include <mshadow/detail/exception.h>
#include <mshadow/list.h>
#include <mshadow/optim.h>
#include <mshadow/parallel.h>
#include <mshadow_specs.h>
#include <named_rows_rules.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "random.h"

namespace {

using mshadow::cpu;
using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Tensor;

/// A matrix of random numbers, with padding between its rows.
struct Matrix {
  Matrix(index_t rows, index_t cols, int pad, uint64_t seed)
      : stride(cols + pad), elements(static_cast<size_t>(rows * stride)) {
    mshadow_test::SplitMix64 random(seed);
    for (float &e : elements) e = static_cast<float>(random.Unit());
    view = Tensor<cpu, 2, float>(elements.data(), Shape2(rows, cols));
    view.stride_ = stride;
  }
  Matrix(const Matrix &) = delete;
  float &At(index_t y, index_t x) { return elements[static_cast<size_t>(y * stride + x)]; }

  index_t stride;
  std::vector<float> elements;
  Tensor<cpu, 2, float> view;
};

std::vector<int64_t> SomeRows(index_t count, index_t rows, uint64_t seed) {
  std::vector<int64_t> all(static_cast<size_t>(rows));
  std::iota(all.begin(), all.end(), int64_t{0});
  mshadow_test::SplitMix64 random(seed);
  for (size_t i = all.size(); i > 1; --i) {
    std::swap(all[i - 1], all[static_cast<size_t>(random.Below(static_cast<int>(i)))]);
  }
  all.resize(static_cast<size_t>(count));
  return all;
}
Tensor<cpu, 1, int64_t> ViewOf(std::vector<int64_t> *index) {
  return {index->data(), Shape1(static_cast<index_t>(index->size()))};
}

template <typename F>
std::string MessageOf(const F &f) {
  try {
    f();
  } catch (const mshadow::Error &error) {
    return error.what();
  }
  return "";
}

class NamedRows : public testing::Test {
 protected:
  void TearDown() override { mshadow::SetNumThreads(0); }
};

/// LazyAdagrad's order, one element after the other.
void Refer(Matrix *weight, Matrix *sum, Matrix *grad, const std::vector<int64_t> &index) {
  for (size_t i = 0; i < index.size(); ++i) {
    for (index_t x = 0; x < weight->view.shape_[1]; ++x) {
      const float g = grad->At(static_cast<index_t>(i), x);
      float &s = sum->At(index[i], x), &w = weight->At(index[i], x);
      const float square = g * g;
      s = s + square;
      const float step = 0.125f * g, root = std::sqrt(s) + 0.0625f;
      w = w - step / root;
    }
  }
}

TEST_F(NamedRows, OnlyTheyChange) {
  for (int threads : {1, 3}) {
    mshadow::SetNumThreads(threads);
    for (index_t cols : {1, 3, 16, 33, 700}) {
      for (index_t count : {0, 1, 5, 400}) {
        Matrix weight(501, cols, 0, 1), sum(501, cols, 3, 2), grad(count, cols, 1, 3);
        Matrix want(501, cols, 0, 1), want_sum(501, cols, 3, 2);
        std::vector<int64_t> index = SomeRows(count, 501, 4);
        optim::LazyAdagrad(weight.view, sum.view, grad.view, ViewOf(&index), 0.125, 0.0, 0.0625, 1,
                           false);
        Refer(&want, &want_sum, &grad, index);
        ASSERT_EQ(weight.elements, want.elements) << count << " x " << cols;
        ASSERT_EQ(sum.elements, want_sum.elements) << count << " x " << cols;
      }
    }
  }
}

TEST_F(NamedRows, ErrorsComeBeforeTheFirstWrite) {
  Matrix weight(6, 5, 0, 1), grad(3, 5, 0, 2), narrow(3, 4, 0, 3);
  const std::vector<float> before = weight.elements;
  std::vector<int64_t> index = {4, 0, 3};
  const auto run = [&](const Tensor<cpu, 2, float> &g) {
    return MessageOf([&] { optim::LazySGD(weight.view, g, ViewOf(&index), 0.5, false); });
  };
  index[1] = 6;
  EXPECT_EQ(run(grad.view),
            "LazySGD: argument 'index': expected row indices from 0 to 5, got 6 at position 1");
  index[1] = -1;
  EXPECT_EQ(run(grad.view),
            "LazySGD: argument 'index': expected row indices from 0 to 5, got -1 at position 1");
  index[1] = 3;
  EXPECT_EQ(
      run(grad.view),
      "LazySGD: argument 'index': expected each row once, since the rule writes the rows, got "
      "row 3 at positions 1 and 2");
  index[1] = 0;
  EXPECT_NE(run(narrow.view).find("expected shape (3,4)"), std::string::npos) << run(narrow.view);
  // The rows of the gradient are not those of the weights, so they must not be the same memory.
  EXPECT_NE(run(weight.view.Slice(0, 3)).find("overlap"), std::string::npos);
  std::vector<int64_t> all = {5, 4, 3, 2, 1, 0};
  EXPECT_NE(MessageOf([&] {
              optim::LazySGD(weight.view, weight.view, ViewOf(&all), 0.5, false);
            }).find("argument"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] {
              Tensor<cpu, 1, int64_t> inside(reinterpret_cast<int64_t *>(weight.view.dptr_),
                                             Shape1(3));
              inside[0] = 0, inside[1] = 1, inside[2] = 2;
              weight.elements = before;
              optim::LazySGD(weight.view, grad.view, inside, 0.5, false);
            }).find("argument"),
            std::string::npos);
  weight.elements = before;
  index = {};
  EXPECT_EQ(run({nullptr, Shape2(0, 5)}), "");
  EXPECT_EQ(weight.elements, before);
}

TEST_F(NamedRows, ManyDuplicatesAreFound) {
  Matrix weight(5000, 1, 0, 1), grad(4000, 1, 0, 2);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<int64_t> index = SomeRows(4000, 5000, seed);
    mshadow_test::SplitMix64 random(seed);
    const auto a = static_cast<size_t>(random.Below(2000)), b = 2000 + a;
    index[b] = index[a];
    const std::string message =
        MessageOf([&] { optim::LazySGD(weight.view, grad.view, ViewOf(&index), 0.5, false); });
    const std::string want = "row " + std::to_string(index[a]) + " at positions " +
                             std::to_string(a) + " and " + std::to_string(b);
    EXPECT_NE(message.find(want), std::string::npos) << message;
  }
}

TEST_F(NamedRows, AListFollowsTheIndices) {
  Matrix weight(50, 12, 0, 1), grad(9, 12, 0, 2), want(50, 12, 0, 1);
  std::vector<int64_t> index = SomeRows(9, 50, 3);
  mshadow::RuleList list;
  auto group = list.Group<optim::LazySGDRule>({{"lr", 0.25}});
  group.Add(weight.view, grad.view, ViewOf(&index));
  for (uint64_t step = 0; step < 3; ++step) {
    const std::vector<int64_t> now = SomeRows(9, 50, 10 + step);
    std::copy(now.begin(), now.end(), index.begin());
    list.Run();
    optim::LazySGD(want.view, grad.view, ViewOf(&index), 0.25, false);
    ASSERT_EQ(weight.elements, want.elements);
  }
  index[0] = index[8];
  EXPECT_NE(MessageOf([&] { list.Run(); }).find("at positions 0 and 8"), std::string::npos);
  EXPECT_EQ(weight.elements, want.elements);
}

/// As the rules' operator.
struct first {
  static float Map(float a, float) { return a; }
};

TEST_F(NamedRows, AnIndexIsCheckedWhoseRowsAnOperatorIgnores) {
  Matrix out(3, 5, 0, 1), in(3, 5, 0, 2), table(6, 5, 1, 3);
  const std::vector<float> before = out.elements;
  for (const int bad : {6, -1}) {
    std::vector<int32_t> index = {4, 0, bad};
    const Tensor<cpu, 1, int32_t> at(index.data(), Shape1(3));
    EXPECT_EQ(MessageOf([&] { named_rows::Ignore(out.view, in.view, table.view, at); }),
              "Ignore: argument 'index': expected row indices from 0 to 5, got " +
                  std::to_string(bad) + " at position 2");
    EXPECT_NE(MessageOf([&] {
                using namespace mshadow::expr;
                out.view = F<first>(in.view, rows(table.view, at));
              }).find("rows: index " + std::to_string(bad)),
              std::string::npos);
    EXPECT_EQ(out.elements, before);
    mshadow::RuleList list;
    index[2] = 5;
    list.Group<named_rows::IgnoreRule>().Add(out.view, in.view, table.view, at);
    index[2] = bad;
    EXPECT_NE(MessageOf([&] { list.Run(); }).find("at position 2"), std::string::npos);
    EXPECT_EQ(out.elements, before);
    index[2] = 5;
    list.Run();
    EXPECT_EQ(out.elements, in.elements);
    out.elements = before;
  }
}

TEST_F(NamedRows, EachMatrixHasARowForAnIndex) {
  Matrix out(2, 5, 0, 1), twice(2, 5, 0, 2), in(2, 5, 0, 3), table(6, 5, 0, 4), other(4, 5, 2, 5);
  const std::vector<float> before = out.elements, twice_before = twice.elements;
  std::vector<int32_t> index = {2, 4};  // a row of the one, but not of the other
  const auto run = [&] {
    const Tensor<cpu, 1, int32_t> at(index.data(), Shape1(2));
    named_rows::IgnoreLater(out.view, twice.view, in.view, table.view, other.view, at);
  };
  EXPECT_EQ(MessageOf(run),
            "IgnoreLater: argument 'index': expected row indices from 0 to 3, got 4 at position 1");
  EXPECT_EQ(out.elements, before);
  EXPECT_EQ(twice.elements, twice_before);
  index[1] = 3;
  run();
  EXPECT_EQ(table.At(3, 4), 2 * in.At(0, 4));
}

TEST_F(NamedRows, AnOptimizerAllocatesStatesForAllRows) {
  Matrix weight(50, 12, 0, 1), grad(9, 12, 0, 2), want(50, 12, 0, 1), mean(50, 12, 0, 3),
      square(50, 12, 0, 4);
  mean.view = 0.0f;
  square.view = 0.0f;
  std::vector<int64_t> index = SomeRows(9, 50, 3);
  mshadow::Optimizer optimizer;
  optimizer.Group<optim::LazyAdamRule>({{"lr", 0.25}}).Add(weight.view, grad.view, ViewOf(&index));
  for (int step = 1; step <= 3; ++step) {
    const std::vector<int64_t> now = SomeRows(9, 50, 20 + static_cast<uint64_t>(step));
    std::copy(now.begin(), now.end(), index.begin());
    optimizer.Step();
    optim::LazyAdam(want.view, mean.view, square.view, grad.view, ViewOf(&index), 0.25, 0.9, 0.999,
                    1e-8, step, false);
    ASSERT_EQ(weight.elements, want.elements);
  }
}

}  // namespace
