// SPDX-License-Identifier: Apache-2.0
// Entries for blobs: the instance of the tensors' types is the one that runs; whatever has none is
// an error that says what there is, and nothing is written.
#include <adamw.blob.h>
#include <entry_kernels.h>
#include <entry_rules.blob.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>
#include <mshadow/tensor_blob.h>
#include <sparse_softmax_cross_entropy.blob.h>

#include <cfenv>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "turned.h"

namespace {

using mshadow::cpu;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::TBlob;
using mshadow::Tensor;
using mshadow::TShape;
using mshadow::bfloat::bf16_t;
using mshadow::half::half_t;

template <typename T>
TBlob Blob(std::vector<T> *data, const TShape &shape) {
  return TBlob(data->data(), shape, cpu::kDevMask);
}

/// What `call` throws, which must be an Error.
template <typename Call>
std::string Refusal(const Call &call) {
  try {
    call();
  } catch (const mshadow::Error &error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// AdamW's tensors, twice the same.
template <typename DType>
struct State {
  std::vector<DType> weight, grad;
  std::vector<float> mean, variance;

  State() : mean(6, 0.25f), variance(6, 0.5f) {
    for (int i = 0; i < 6; ++i) {
      weight.push_back(DType(0.5f * static_cast<float>(i)));
      grad.push_back(DType(1.0f / static_cast<float>(i + 1)));
    }
  }
};

template <typename DType>
void ComparesWithTheTypedCall() {
  State<DType> typed, blobs;
  const auto shape = Shape2(2, 3);
  optim::AdamW(Tensor<cpu, 2, DType>(typed.weight.data(), shape),
               Tensor<cpu, 2, float>(typed.mean.data(), shape),
               Tensor<cpu, 2, float>(typed.variance.data(), shape),
               Tensor<cpu, 2, DType>(typed.grad.data(), shape), 0.01f);
  const TShape run_time_shape{2, 3};
  optim::AdamW(Blob(&blobs.weight, run_time_shape), Blob(&blobs.mean, run_time_shape),
               Blob(&blobs.variance, run_time_shape), Blob(&blobs.grad, run_time_shape), 0.01f);
  EXPECT_EQ(std::memcmp(typed.weight.data(), blobs.weight.data(), 6 * sizeof(DType)), 0);
  EXPECT_EQ(typed.mean, blobs.mean);
  EXPECT_NE(blobs.mean[0], 0.25f);
}

TEST(BlobEntry, EveryInstance) {
  ComparesWithTheTypedCall<float>();
  ComparesWithTheTypedCall<half_t>();
  ComparesWithTheTypedCall<bf16_t>();
}

/// The bits of a launch's scalars are the same, whatever the caller's rounding mode.
TEST(BlobEntry, ScalarsAreRoundedToNearest) {
  State<float> nearest, downward;
  const TShape shape{2, 3};
  const auto step = [&](State<float> *s) {
    optim::AdamW(Blob(&s->weight, shape), Blob(&s->mean, shape), Blob(&s->variance, shape),
                 Blob(&s->grad, shape), 0.01f, 0.9f, 0.999f, 1e-8f, 0.1f, 3);
  };
  step(&nearest);
  for (const int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
    downward = State<float>();
    std::fesetround(mode);
    step(&downward);
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(nearest.weight, downward.weight) << mode;
  }
}

/// PyTorch's labels, beside float and half.
template <typename DType>
void TakesLabelsOf64Bits() {
  std::vector<DType> in = {DType(1.0f),  DType(2.0f), DType(3.0f),
                           DType(-1.0f), DType(0.5f), DType(0.0f)};
  std::vector<int32_t> narrow = {2, 0};
  std::vector<int64_t> wide = {2, 0};
  std::vector<float> want(2), got(2);
  std::vector<DType> want_grad(6), got_grad(6);
  const TShape shape{2, 3}, rows{2};
  loss::SparseSoftmaxCrossEntropy(Blob(&want, rows), Blob(&in, shape), Blob(&narrow, rows));
  loss::SparseSoftmaxCrossEntropy(Blob(&got, rows), Blob(&in, shape), Blob(&wide, rows));
  EXPECT_EQ(want, got);
  loss::SparseSoftmaxCrossEntropyGrad(Blob(&want_grad, shape), Blob(&in, shape),
                                      Blob(&narrow, rows));
  loss::SparseSoftmaxCrossEntropyTrain(Blob(&got, rows), Blob(&got_grad, shape), Blob(&in, shape),
                                       Blob(&wide, rows));
  EXPECT_EQ(want, got);
  EXPECT_EQ(std::memcmp(want_grad.data(), got_grad.data(), 6 * sizeof(DType)), 0);
  loss::SparseSoftmaxCrossEntropyGrad(Blob(&got_grad, shape), Blob(&in, shape), Blob(&wide, rows));
  EXPECT_EQ(std::memcmp(want_grad.data(), got_grad.data(), 6 * sizeof(DType)), 0);
}
TEST(BlobEntry, LabelsOf64Bits) {
  TakesLabelsOf64Bits<float>();
  TakesLabelsOf64Bits<half_t>();
}

TEST(BlobEntry, EveryRank) {
  for (int rank = 1; rank <= 8; ++rank) {
    std::vector<half_t> data(3, half_t(1.0f));
    std::vector<mshadow::index_t> extents(static_cast<size_t>(rank), 1);
    extents.back() = 3;
    entry_too::RowSums(Blob(&data, TShape(extents.begin(), extents.end())));
    EXPECT_EQ(static_cast<float>(data[2]), 2.0f) << rank;
  }
}

TEST(BlobEntry, RulesThatShareAName) {
  std::vector<float> in = {1, 2, 3, 4}, typed(4), blobs(4);
  entry::Reversed(Tensor<cpu, 1, float>(typed.data(), Shape1(4)),
                  Tensor<cpu, 1, float>(in.data(), Shape1(4)));
  entry::ReversedRank1(Blob(&blobs, {4}), Blob(&in, {4}));
  EXPECT_EQ(typed, (std::vector<float>{4, 3, 2, 1}));
  EXPECT_EQ(blobs, typed);
  entry::Reversed(Tensor<cpu, 2, float>(typed.data(), Shape2(2, 2)),
                  Tensor<cpu, 2, float>(in.data(), Shape2(2, 2)));
  entry::ReversedRank2(Blob(&blobs, {2, 2}), Blob(&in, {2, 2}));
  EXPECT_EQ(typed, (std::vector<float>{6, 8, 2, 4}));
  EXPECT_EQ(blobs, typed);
  EXPECT_EQ(std::string(entry::ReversedRank2Rule::kInfo.name), "ReversedRank2");
}

TEST(BlobEntry, TypeTuplesAndScalarsOfATypeParameter) {
  std::vector<double> doubles = {1, 2};
  std::vector<float> floats = {0, 0};
  std::vector<int32_t> ints = {0, 0};
  entry::Convert(Blob(&floats, {2}), Blob(&doubles, {2}), 0.1);
  EXPECT_EQ(floats[1], static_cast<float>(2 * 0.1));
  entry::Convert(Blob(&ints, {2}), Blob(&floats, {2}), 100.0);
  EXPECT_EQ(ints[1], 20);
}

TEST(BlobEntry, NamesThatFormulasUse) {
  std::vector<float> floats = {1.5f, -2.5f};
  std::vector<int32_t> ints = {0, 0};
  entry::Cast(Blob(&ints, {2}), Blob(&floats, {2}));
  EXPECT_EQ(ints, (std::vector<int32_t>{1, -2}));
}

TEST(BlobEntry, PaddedRows) {
  std::vector<float> data = {1, 2, 3, -1, 4, 5, 6, -1}, sums = {0, 0};
  const Tensor<cpu, 2, float> padded(data.data(), Shape2(2, 3), 4, nullptr);
  entry::RowSums(Blob(&sums, {2}), TBlob(padded), 0, 0.0, false);
  EXPECT_EQ(sums, (std::vector<float>{6, 15}));
}

TEST(BlobEntry, DefaultsAndWideScalars) {
  std::vector<float> data = {1, 2}, sums = {0};
  entry::RowSums(Blob(&sums, {1}), Blob(&data, {1, 2}), int64_t{1} << 24);
  EXPECT_EQ(sums[0], 3.0f + 16777215.5f);
}

TEST(BlobEntry, JoinedTensorsLieApart) {
  std::vector<float> in = {1, 2, 3, 4, 5, 6}, left = {0, 0}, right = {0, 0, 0, 0};
  entry::Split(Blob(&left, {2, 1}), Blob(&right, {2, 2}), Blob(&in, {2, 3}));
  EXPECT_EQ(left, (std::vector<float>{1, 4}));
  EXPECT_EQ(right, (std::vector<float>{2, 3, 5, 6}));
  EXPECT_EQ(Refusal([&] {
              const TBlob overlapping(right.data() + 1, TShape{2, 1}, cpu::kDevMask);
              entry::Split(overlapping, Blob(&right, {2, 2}), Blob(&in, {2, 3}));
            }),
            "Split: argument 'left': expected memory that does not overlap that of 'right', which "
            "the rule writes");
  EXPECT_EQ(right, (std::vector<float>{2, 3, 5, 6}));
}

/// 1, 2, 3, ...
template <typename T>
std::vector<T> Numbers(int64_t count) {
  std::vector<T> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), T(1));
  return numbers;
}

TShape TurnedShape(int rank) {
  const int64_t *shape = kTurnedShapes[rank - 1];
  return TShape(shape, shape + rank);
}

template <typename T>
void TurnsTensorsOfEveryRank() {
  for (int rank = 1; rank <= kTurnedRanks; ++rank) {
    SCOPED_TRACE(rank);
    const TShape shape = TurnedShape(rank);
    const int64_t cols = shape[rank - 1];
    std::vector<T> in = Numbers<T>(kTurnedSize), bias = Numbers<T>(cols), out(kTurnedSize);
    const std::vector<float> from(in.begin(), in.end()), added(bias.begin(), bias.end());
    entry::Turned(Blob(&out, shape), Blob(&in, shape), Blob(&bias, {cols}), 3.0f);
    for (size_t i = 0; i < out.size(); ++i) {
      EXPECT_EQ(static_cast<float>(out[i]),
                TurnedElement(from.data(), added.data(), kTurnedShapes[rank - 1], rank, 3.0f,
                              static_cast<int64_t>(i)))
          << i;
    }
  }
}

TEST(BlobEntry, ViewsOfEveryRank) {
  TurnsTensorsOfEveryRank<float>();
  TurnsTensorsOfEveryRank<int32_t>();
}

TEST(BlobEntry, ViewsOfPaddedRows) {
  std::vector<float> in = {1, 2, -9, 3, 4, -9}, out = {0, 0, -9, 0, 0, -9}, bias = {10, 20};
  const Tensor<cpu, 2, float> from(in.data(), Shape2(2, 2), 3, nullptr);
  const Tensor<cpu, 2, float> to(out.data(), Shape2(2, 2), 3, nullptr);
  entry::Turned(TBlob(to), TBlob(from), Blob(&bias, {2}));
  EXPECT_EQ(out, (std::vector<float>{104, 51, -9, 68, 33, -9}));
  entry::Upturned(TBlob(to), TBlob(from));
  EXPECT_EQ(out, (std::vector<float>{2, 2, -9, -2, -2, -9}));
}

TEST(BlobEntry, PartsOfAnInnerDimension) {
  std::vector<float> in = Numbers<float>(12), out(12);
  entry::Channels(Blob(&out, {2, 3, 2}), Blob(&in, {2, 3, 2}), 1);
  EXPECT_EQ(out, (std::vector<float>{6, 8, 0, 0, 0, 0, 18, 20, 0, 0, 0, 0}));
  const std::vector<float> before = out;
  EXPECT_EQ(Refusal([&] {
              entry::Channels(Blob(&out, {2, 3, 2}), Blob(&in, {2, 3, 2}), 2);
            }),
            "Channels: argument 'in': expected a range within [0, 3) of dimension 1, got [2, 4)");
  EXPECT_EQ(out, before);
}

/// What a call of Turned says that must be refused before it writes.
class ViewErrors : public testing::Test {
 protected:
  std::vector<float> data_ = Numbers<float>(kTurnedSize), out_ = std::vector<float>(kTurnedSize),
                     values_ = Numbers<float>(kTurnedSize);
  const TShape shape_{2, 3, 4};
  TBlob to_ = Blob(&out_, shape_), from_ = Blob(&data_, shape_), bias_ = Blob(&values_, {4});

  std::string Turned() {
    const std::string text = Refusal([&] { entry::Turned(to_, from_, bias_); });
    EXPECT_EQ(out_, std::vector<float>(kTurnedSize)) << text;
    EXPECT_EQ(data_, Numbers<float>(kTurnedSize)) << text;
    return text;
  }
};

TEST_F(ViewErrors, Ranks) {
  const std::string swapped =
      "Turned: argument 'concat<dim - 1>(slice<dim - 1>(in, half, cols), slice<dim - 1>(in, 0, "
      "half))': ";
  from_ = Blob(&data_, {6, 4});
  EXPECT_EQ(Turned(), swapped + "expected shape (2,3,4), the shape of 'out', got (6,4)");
  from_ = Blob(&data_, {1, 2, 3, 4});
  EXPECT_EQ(Turned(), swapped + "expected shape (2,3,4), the shape of 'out', got (1,2,3,4)");
  from_ = Blob(&data_, {3, 2, 4});
  EXPECT_EQ(Turned(), swapped + "expected shape (2,3,4), the shape of 'out', got (3,2,4)");
  EXPECT_EQ(Refusal([&] { entry::Upturned(Blob(&out_, {4}), Blob(&data_, {4})); }),
            "Upturned: argument 'in': expected a tensor of rank 2 or more, got one of rank 1");
}

TEST_F(ViewErrors, OperandsThatDoNotFitEachOther) {
  const std::string broadcast =
      "Turned: argument 'broadcast<dim - 1>(flip(bias, 0), in.shape_)': broadcast of a vector "
      "along a dimension: shapes ";
  from_ = Blob(&data_, {2, 3, 2});
  EXPECT_EQ(Turned(), broadcast + "(4,) and (2,) differ");
  from_ = Blob(&data_, shape_);
  bias_ = Blob(&values_, {3});
  EXPECT_EQ(Turned(), broadcast + "(3,) and (4,) differ");
  bias_ = Blob(&values_, {1, 4});
  EXPECT_EQ(Turned(), "Turned: argument 'bias': expected 1 dimension, got 2");
}

/// Each tensor in turn longer in one dimension, and of one element.
TEST_F(ViewErrors, OneTensorDoesNotFit) {
  std::vector<float> longer = Numbers<float>(60);
  for (TBlob *blob : {&to_, &from_, &bias_}) {
    const TBlob fitting = *blob;
    for (int d = 0; d <= fitting.ndim(); ++d) {
      std::vector<mshadow::index_t> extents(fitting.shape_.begin(), fitting.shape_.end());
      if (d < fitting.ndim()) {
        ++extents[static_cast<size_t>(d)];
      } else {
        extents.assign(extents.size(), 1);
      }
      *blob = Blob(&longer, TShape(extents.begin(), extents.end()));
      EXPECT_EQ(Turned().rfind("Turned: argument '", 0), 0u) << d;
      EXPECT_EQ(longer, Numbers<float>(60)) << d;
    }
    *blob = fitting;
  }
}

TEST_F(ViewErrors, Memory) {
  from_ = TBlob(static_cast<float *>(nullptr), shape_, cpu::kDevMask);
  EXPECT_EQ(Turned(), "Turned: argument 'in': expected memory, got a null pointer");
  from_ = to_;
  EXPECT_EQ(Turned(),
            "Turned: argument 'in': expected a tensor other than 'out', which the rule writes, "
            "got the same one");
  from_ = Blob(&data_, shape_);
  bias_ = TBlob(out_.data() + 3, TShape{4}, cpu::kDevMask);
  EXPECT_EQ(Turned(),
            "Turned: argument 'bias': expected memory that does not overlap that of 'out', which "
            "the rule writes");
}

// A mistake in the types of a call stays one that the compiler refuses.
template <typename... Args, typename = decltype(entry_too::RowSums(std::declval<Args>()...))>
constexpr bool Takes(int) {
  return true;
}
template <typename...>
constexpr bool Takes(...) {
  return false;
}
static_assert(Takes<TBlob>(0), "a blob");
static_assert(Takes<Tensor<cpu, 2, half_t>>(0), "the typed rule");
static_assert(!Takes<TBlob, int>(0), "a scalar too many");
static_assert(!std::is_convertible_v<Tensor<cpu, 2, half_t>, mshadow::BlobArg>,
              "a tensor's types are the compiler's business");

class BlobEntryErrors : public testing::Test {
 protected:
  State<float> s_;
  const TShape shape_{6};
  TBlob weight_ = Blob(&s_.weight, shape_), mean_ = Blob(&s_.mean, shape_),
        variance_ = Blob(&s_.variance, shape_), grad_ = Blob(&s_.grad, shape_);

  std::string AdamW() {
    const State<float> before = s_;
    const std::string text = Refusal([&] { optim::AdamW(weight_, mean_, variance_, grad_); });
    EXPECT_EQ(before.weight, s_.weight) << text;
    EXPECT_EQ(before.mean, s_.mean) << text;
    return text;
  }
};

/// What would divide by 0, from blobs and typed; nothing is written.
TEST_F(BlobEntryErrors, StepsThatAreNone) {
  const State<float> before = s_;
  const auto view = [](std::vector<float> *data) {
    return Tensor<cpu, 2, float>(data->data(), Shape2(2, 3));
  };
  for (const int64_t step : {int64_t{0}, int64_t{-7}, int64_t{1} << 40}) {
    const std::string want = "AdamW: argument 'step': expected a step " +
                             std::string(step < 1 ? "of at least 1" : "from 1 to 2147483647") +
                             ", got " + std::to_string(step);
    EXPECT_EQ(Refusal([&] {
                optim::AdamW(weight_, mean_, variance_, grad_, 0.01f, 0.9f, 0.999f, 1e-8f, 0.1f,
                             step);
              }),
              want);
    EXPECT_EQ(Refusal([&] {
                optim::AdamW(view(&s_.weight), view(&s_.mean), view(&s_.variance), view(&s_.grad),
                             0.01f, 0.9f, 0.999f, 1e-8f, 0.1f, step);
              }),
              want);
  }
  EXPECT_EQ(before.weight, s_.weight);
  EXPECT_EQ(before.mean, s_.mean);
}

TEST_F(BlobEntryErrors, NumbersThatAreNoTypes) {
  mshadow::BlobArg weight(weight_);
  const auto refusal = [&] {
    return Refusal([&] { optim::AdamW(weight, mean_, variance_, grad_); });
  };
  const std::string expected =
      "AdamW: argument 'weight': expected float32, float16 or bfloat16, got ";
  weight.type = -1;
  EXPECT_EQ(refusal(), expected + "none");
  weight.type = 42;
  EXPECT_EQ(refusal(), expected + "flag 42, which is not an element type");
}

TEST_F(BlobEntryErrors, TypesThatNoInstanceHas) {
  std::vector<double> weight(6), grad(6);
  weight_ = Blob(&weight, shape_);
  grad_ = Blob(&grad, shape_);
  const std::string others =
      "; to support other element types, add them to MSHADOW_INSTANTIATE in ";
  EXPECT_THROW(optim::AdamW(weight_, mean_, variance_, grad_), mshadow::NoInstance);
  EXPECT_EQ(AdamW(),
            "AdamW: argument 'weight': expected float32, float16 or bfloat16, got float64" +
                others + "specs/optim/adamw.h");
  std::vector<int8_t> bytes(6);
  EXPECT_EQ(Refusal([&] { entry::Convert(Blob(&bytes, shape_), Blob(&weight, shape_), 1.0); }),
            "Convert: argument 'out': expected float32 or int32, got int8" + others +
                "tests/entries/entry_rules.h");
  EXPECT_EQ(Refusal([&] { entry::Convert(Blob(&s_.grad, shape_), Blob(&s_.mean, shape_), 1.0); }),
            "Convert: arguments 'out', 'in': expected <float32, float64> or <int32, float32>, got "
            "<float32, float32>" +
                others + "tests/entries/entry_rules.h");
}

TEST_F(BlobEntryErrors, TypesThatDoNotFitEachOther) {
  std::vector<double> doubles(6);
  grad_ = Blob(&doubles, shape_);
  EXPECT_THROW(optim::AdamW(weight_, mean_, variance_, grad_), mshadow::NoInstance);
  EXPECT_EQ(AdamW(),
            "AdamW: argument 'grad': expected float32, the element type of 'weight', got float64");
  grad_ = Blob(&s_.grad, shape_);
  mean_ = Blob(&doubles, shape_);
  EXPECT_EQ(AdamW(), "AdamW: argument 'mean': expected float32, got float64");
  mean_ = TBlob(static_cast<void *>(s_.mean.data()), shape_, cpu::kDevMask, 77);
  EXPECT_EQ(AdamW(),
            "AdamW: argument 'mean': expected float32, got flag 77, which is not an element type");
}

TEST_F(BlobEntryErrors, Ranks) {
  weight_ = Blob(&s_.weight, TShape());
  EXPECT_EQ(AdamW(), "AdamW: argument 'weight': expected 1 to 8 dimensions, got 0");
  weight_ = Blob(&s_.weight, {1, 1, 1, 1, 1, 1, 1, 1, 6});
  EXPECT_EQ(AdamW(), "AdamW: argument 'weight': expected 1 to 8 dimensions, got 9");
  weight_ = Blob(&s_.weight, {2, 3});
  EXPECT_EQ(AdamW(),
            "AdamW: argument 'mean': expected shape (2,3), the shape of 'weight', got (6,)");
  EXPECT_EQ(Refusal([&] { entry::RowSums(mean_, variance_, 0); }),
            "RowSums: argument 'in': expected 2 dimensions, got 1");
  EXPECT_EQ(Refusal([&] {
              entry::RowSums(Blob(&s_.mean, {2, 3}), variance_, 0);
            }),
            "RowSums: argument 'sums': expected 1 dimension, got 2");
}

TEST_F(BlobEntryErrors, ShapesWithAsManyElements) {
  weight_ = Blob(&s_.weight, {2, 3});
  mean_ = Blob(&s_.mean, {3, 2});
  EXPECT_EQ(AdamW(),
            "AdamW: argument 'mean': expected shape (2,3), the shape of 'weight', got (3,2)");
}

TEST_F(BlobEntryErrors, Devices) {
  variance_ = TBlob(s_.variance.data(), shape_, mshadow::gpu::kDevMask);
  EXPECT_EQ(AdamW(),
            "AdamW: argument 'variance': expected a tensor on the CPU, like 'weight', got one on a "
            "GPU");
  variance_ = TBlob(s_.variance.data(), shape_, 4);
  EXPECT_EQ(AdamW(),
            "AdamW: argument 'variance': expected a tensor on the CPU or a GPU, got one on device "
            "4");
  weight_ = TBlob(s_.weight.data(), shape_, mshadow::gpu::kDevMask);
  mean_ = TBlob(s_.mean.data(), shape_, mshadow::gpu::kDevMask);
  variance_ = TBlob(s_.variance.data(), shape_, mshadow::gpu::kDevMask);
  grad_ = TBlob(s_.grad.data(), shape_, mshadow::gpu::kDevMask);
  EXPECT_EQ(AdamW(), "AdamW: expected a library built with CUDA, got one without");
}

TEST_F(BlobEntryErrors, TheLaunchersOwn) {
  grad_ = TBlob(static_cast<float *>(nullptr), shape_, cpu::kDevMask);
  EXPECT_EQ(AdamW(), "AdamW: argument 'grad': expected memory, got a null pointer");
  grad_ = Blob(&s_.mean, shape_);
  EXPECT_EQ(AdamW(),
            "AdamW: argument 'grad': expected a tensor other than 'mean', which the rule writes, "
            "got the same one");
}

}  // namespace
