// SPDX-License-Identifier: Apache-2.0
// Expressions outlive their operands: nodes hold nodes by value, tensors as views. Under the
// address sanitizer a reference to a dead node would be reported.
#include "testing.h"

namespace {
using namespace testing_runtime;

struct twice {
  template <typename T>
  static T Map(T a) {
    return static_cast<T>(a + a);
  }
};

/// A user's expression in mshadow's manner: the rows of a matrix in reverse.
template <typename SrcExp, typename DType>
struct UpsideDownExp : MakeTensorExp<UpsideDownExp<SrcExp, DType>, SrcExp, 2, DType> {
  SrcExp src_;
  explicit UpsideDownExp(const SrcExp &src) : src_(src) {
    this->shape_ = ShapeCheck<2, SrcExp>::Check(src);
  }
};
template <typename SrcExp, typename DType, int etype>
UpsideDownExp<SrcExp, DType> upside_down(const Exp<SrcExp, DType, etype> &src) {
  return UpsideDownExp<SrcExp, DType>(src.self());
}

}  // namespace

namespace mshadow {
namespace expr {
template <typename SrcExp, typename DType>
class Plan<UpsideDownExp<SrcExp, DType>, DType> {
 public:
  explicit Plan(const UpsideDownExp<SrcExp, DType> &e)
      : src_(MakePlan(e.src_)), rows_(e.shape_[0]) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const { return src_.Eval(rows_ - 1 - y, x); }

 private:
  Plan<SrcExp, DType> src_;
  index_t rows_;
};
}  // namespace expr
}  // namespace mshadow

namespace {

/// The expressions of a whole statement are dead when this returns; what it returns must not be.
template <typename A, typename B>
auto Build(const A &a, const B &b) {
  auto inner = a * 2 + b;
  auto outer = F<twice>(inner) - tcast<float>(tcast<double>(inner * b)) / 4;
  return outer + inner.self();
}

TEST(Lifetime, NamedExpressionsDoNotDangle) {
  auto a = Make<float>(Shape2(3, 5), 1);
  auto b = Make<float>(Shape2(3, 5), 2);
  auto exp = Build(a, b);
  TensorContainer<cpu, 2> dst(Shape2(3, 5));
  dst = exp;
  ForEach(dst.shape_, [&](index_t y, index_t x) {
    const float inner = At(a, y, x) * 2 + At(b, y, x);
    EXPECT_EQ(At(dst, y, x), inner + inner - inner * At(b, y, x) / 4 + inner);
  });
}

TEST(Lifetime, ANameIsReadWhenItIsUsed) {
  auto a = Make<float>(Shape1(5), 1);
  auto plus_one = a + 1;
  a = 10;
  TensorContainer<cpu, 1> dst(Shape1(5));
  dst = plus_one;
  EXPECT_EQ(dst[4], 11.0f);
}

TEST(Lifetime, TransposesAndProductsHoldTheirOperands) {
  auto a = Make<float>(Shape2(3, 5), 1);
  auto make = [&] {
    auto t = a.T();
    return dot(a, t) * 2;
  };
  auto product = make();
  TensorContainer<cpu, 2> dst(Shape2(3, 3));
  dst = product;
  float sum = 0;
  for (index_t i = 0; i < 5; ++i) sum += a[0][i] * a[2][i];
  EXPECT_EQ(dst[0][2], 2 * sum);
}

TEST(Lifetime, ChainersNestAsTheirMostDerivedClass) {
  auto a = Make<float>(Shape2(3, 5), 1);
  auto v = Make<float>(Shape1(5), 2);
  auto make = [&] {
    auto flipped = upside_down(a + 1);
    return upside_down(flipped * repmat(v, 3)) + flipped;
  };
  auto exp = make();
  TensorContainer<cpu, 2> dst(Shape2(3, 5));
  dst = exp;
  ForEach(dst.shape_, [&](index_t y, index_t x) {
    EXPECT_EQ(At(dst, y, x), (At(a, y, x) + 1) * v[x] + (At(a, 2 - y, x) + 1));
  });
}

TEST(Lifetime, UserChainersAreCheckedForAliasing) {
  auto a = Make<float>(Shape2(3, 5), 1);
  EXPECT_MESSAGE(a = upside_down(a), "reads other elements of this tensor");
  EXPECT_MESSAGE(a = upside_down(a * 2 + 1) * 3, "reads other elements of this tensor");
  TensorContainer<cpu, 2> b(Shape2(2, 5));
  EXPECT_MESSAGE(b = upside_down(a), "shapes (2,5) and (3,5) differ");
}

TEST(Lifetime, TemporaryViewsAreAssignable) {
  auto a = Make<float>(Shape2(4, 5), 1);
  auto b = Make<float>(Shape2(2, 5), 2);
  a.Slice(1, 3) = b + 1;
  EXPECT_EQ(a[1][0], b[0][0] + 1);
  a.FlatTo2D() += 1;
  a[3] = broadcast<0>(b[0], Shape1(5));
  EXPECT_EQ(a[3][2], b[0][2]);
  Tensor<cpu, 2>(a.dptr_, Shape2(1, 5), 8, nullptr) = 0;
  EXPECT_EQ(a[0][4], 0.0f);
}

}  // namespace
