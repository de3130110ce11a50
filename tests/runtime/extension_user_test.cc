// SPDX-License-Identifier: Apache-2.0
// Expressions of a user's, written the way mshadow's documents ask: a struct, a function, a Plan, a
// MakePlan, an ExpInfo.
#include "extension_testing.h"

namespace user {
using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

/// A chainer of two sources, held by reference: each row of src moved to the right by offset[row].
template <typename SrcExp, typename OffsetExp, typename DType, int srcdim>
struct ShiftRowsExp
    : public MakeTensorExp<ShiftRowsExp<SrcExp, OffsetExp, DType, srcdim>, SrcExp, srcdim, DType> {
  const SrcExp &src_;
  const OffsetExp &offset_;
  ShiftRowsExp(const SrcExp &src, const OffsetExp &offset) : src_(src), offset_(offset) {
    this->shape_ = ShapeCheck<srcdim, SrcExp>::Check(src_);
    const Shape<1> rows = ShapeCheck<1, OffsetExp>::Check(offset_);
    if (rows[0] != this->shape_.FlatTo2D()[0]) throw Error("shift_rows: one offset for each row");
  }
};

template <typename SrcExp, typename OffsetExp, typename DType, int e1, int e2>
inline ShiftRowsExp<SrcExp, OffsetExp, DType, ExpInfo<SrcExp>::kDim> shift_rows(
    const Exp<SrcExp, DType, e1> &src, const Exp<OffsetExp, DType, e2> &offset) {
  TypeCheckPass<(ExpInfo<SrcExp>::kDim >= 2 &&
                 ExpInfo<OffsetExp>::kDim == 1)>::Error_Expression_Does_Not_Meet_Dimension_Req();
  return ShiftRowsExp<SrcExp, OffsetExp, DType, ExpInfo<SrcExp>::kDim>(src.self(), offset.self());
}

/// An expression that is none of mshadow's bases but Exp: the number of each element.
template <typename DType>
struct NumberExp : public Exp<NumberExp<DType>, DType, type::kMapper> {
  Shape<2> shape;
  explicit NumberExp(Shape<2> s) : shape(s) {}
};

/// One of that kind over a source.
template <typename E, typename DType>
struct LeakyExp : public Exp<LeakyExp<E, DType>, DType, type::kMapper> {
  const E &src_;
  DType slope_;
  LeakyExp(const E &src, DType slope) : src_(src), slope_(slope) {}
};
template <typename E, typename DType, int etype>
inline LeakyExp<E, DType> leaky(const Exp<E, DType, etype> &src, DType slope) {
  return LeakyExp<E, DType>(src.self(), slope);
}

/// An operator of a user's.
struct maximum {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType b) {
    return a > b ? a : b;
  }
};

}  // namespace user

namespace mshadow {
namespace expr {

// A parameter may have the name of a class of mshadow's: headers.sh asks Clang, too.
template <typename SrcExp, typename MaskExp, typename DType, int srcdim>
class Plan<user::ShiftRowsExp<SrcExp, MaskExp, DType, srcdim>, DType> {
 public:
  explicit Plan(const user::ShiftRowsExp<SrcExp, MaskExp, DType, srcdim> &e)
      : src_(MakePlan(e.src_)), offset_(MakePlan(e.offset_)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const index_t from = x - static_cast<index_t>(offset_.Eval(0, y));
    return from < 0 ? DType(0) : DType(src_.Eval(y, from));
  }

 private:
  Plan<SrcExp, DType> src_;
  Plan<MaskExp, DType> offset_;
};

// A Plan that is not made from the expression, but from what its MakePlan takes out of it.
template <typename DType>
class Plan<user::NumberExp<DType>, DType> {
 public:
  explicit Plan(index_t cols) : cols_(cols) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return static_cast<DType>(y * cols_ + x);
  }

 private:
  index_t cols_;
};
template <typename DType>
inline Plan<user::NumberExp<DType>, DType> MakePlan(const user::NumberExp<DType> &e) {
  return Plan<user::NumberExp<DType>, DType>(e.shape[1]);
}
template <typename DType>
struct ExpInfo<user::NumberExp<DType>> {
  static const int kDim = 2;
  static const int kDevMask = 0xffff;
};
template <int dim, typename DType>
struct ShapeCheck<dim, user::NumberExp<DType>> {
  inline static Shape<dim> Check(const user::NumberExp<DType> &t) { return t.shape; }
};
template <typename Device, typename DType>
struct StreamInfo<Device, user::NumberExp<DType>> {
  inline static Stream<Device> *Get(const user::NumberExp<DType> &) { return NULL; }
};
template <typename DType>
struct PacketCheck<user::NumberExp<DType>, MSHADOW_DEFAULT_PACKET> {
  static const bool kPass = true;
};
template <int dim, typename DType, packet::PacketArch Arch>
struct PacketAlignCheck<dim, user::NumberExp<DType>, Arch> {
  inline static bool Check(const user::NumberExp<DType> &) { return true; }
};
template <typename DType, packet::PacketArch Arch>
class PacketPlan<user::NumberExp<DType>, DType, Arch> {
 public:
  MSHADOW_CINLINE packet::Packet<DType, Arch> EvalPacket(index_t, index_t x) const {
    return packet::Packet<DType, Arch>::Fill(static_cast<DType>(x));
  }
};

template <typename E, typename DType>
class Plan<user::LeakyExp<E, DType>, DType> {
 public:
  explicit Plan(const user::LeakyExp<E, DType> &e) : src_(MakePlan(e.src_)), slope_(e.slope_) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const DType value = src_.Eval(y, x);
    return value > 0 ? value : value * slope_;
  }

 private:
  Plan<E, DType> src_;
  DType slope_;
};
template <typename E, typename DType>
struct ExpInfo<user::LeakyExp<E, DType>> : ExpInfo<E> {};
template <int dim, typename E, typename DType>
struct ShapeCheck<dim, user::LeakyExp<E, DType>> {
  inline static Shape<dim> Check(const user::LeakyExp<E, DType> &t) {
    return ShapeCheck<dim, E>::Check(t.src_);
  }
};

}  // namespace expr
}  // namespace mshadow

namespace {
using namespace testing_runtime;
using user::leaky;
using user::shift_rows;

TEST(UserExpression, OfTwoSources) {
  for (const Shape<3> &shape : SomeShapes<3>()) {
    auto t = Make<float>(shape, 1);
    TensorContainer<cpu, 1> offset(Shape1(shape[0] * shape[1]));
    for (index_t i = 0; i < offset.size(0); ++i) offset[i] = static_cast<float>(i % 3);
    ExpectElements(shift_rows(t, offset), shape, [&](Shape<3> i) {
      i[2] -= (i[0] * shape[1] + i[1]) % 3;
      return i[2] < 0 ? 0 : At(t, i);
    });
  }
}

TEST(UserExpression, JoinsTheLibrarys) {
  auto t = Make<float>(Shape2(3, 4), 1);
  TensorContainer<cpu, 1> offset(Shape1(3), 1), sums(Shape1(4));
  TensorContainer<cpu, 2> dst(Shape2(3, 4)), shifted(Shape2(3, 4));
  shifted = shift_rows(t, offset);
  dst = F<user::maximum>(2 * shift_rows(t, offset), t) + repmat(t[0], 3);
  EXPECT_EQ(dst[1][2], std::max(2 * shifted[1][2], t[1][2]) + t[0][2]);
  sums = sum_rows(shift_rows(t, offset));
  EXPECT_EQ(sums[3], t[0][2] + t[1][2] + t[2][2]);
  dst = mirror(shift_rows(t, offset));
  EXPECT_EQ(dst[2][0], shifted[2][3]);
  slice<1>(dst, 0, 2) = slice<1>(shifted, 1, 3) *
                        swapaxis<1, 0>(swapaxis<1, 0>(slice<1>(shift_rows(t, offset).src_, 1, 3)));
  EXPECT_EQ(dst[2][1], shifted[2][2] * t[2][2]);
}

TEST(UserExpression, IsCheckedLikeTheLibrarys) {
  auto t = Make<float>(Shape2(3, 4), 1);
  TensorContainer<cpu, 1> offset(Shape1(3), 1), two(Shape1(2));
  EXPECT_MESSAGE(t = shift_rows(t, offset), "reads other elements");
  EXPECT_MESSAGE(shift_rows(t, two), "one offset for each row");
  EXPECT_MESSAGE(t.Slice(0, 2) = shift_rows(t * 1, offset), "shapes (2,4) and (3,4) differ");
}

TEST(UserExpression, AMapperWorksInPlace) {
  auto t = Make<float>(Shape2(3, 4), 1), before = t;
  t -= 0.5f;
  before -= 0.5f;
  t = leaky(t, 0.25f) * 2.0f;
  ForEach(t.shape_, [&](index_t y, index_t x) {
    const float value = before[y][x];
    EXPECT_EQ(t[y][x], (value > 0 ? value : value * 0.25f) * 2.0f);
  });
  TensorContainer<cpu, 2> square(Shape2(3, 3), 1.0f);
  EXPECT_MESSAGE(square = leaky(square.T(), 0.5f), "reads other elements");
}

TEST(UserExpression, WithAMakePlanOfItsOwn) {
  const user::NumberExp<float> number(Shape2(3, 5));
  ExpectElements(number, Shape2(3, 5),
                 [](const Shape<2> &i) { return static_cast<float>(i[0] * 5 + i[1]); });
  auto t = Make<float>(Shape2(3, 5), 1);
  ExpectElements(t + 2 * number, Shape2(3, 5), [&](const Shape<2> &i) {
    return At(t, i) + 2 * static_cast<float>(i[0] * 5 + i[1]);
  });
  ExpectElements(reduce_keepdim<red::sum, false>(number, 0), Shape2(1, 5),
                 [](const Shape<2> &i) { return static_cast<float>(15 + 3 * i[1]); });
  TensorContainer<cpu, 2> dst(Shape2(3, 4));
  EXPECT_MESSAGE(dst = number, "shapes (3,4) and (3,5) differ");
}

TEST(UserExpression, WhatTypesSay) {
  using E = BinaryMapExp<op::plus, Tensor<cpu, 2>, ScalarExp<float>, float, type::kMapper>;
  static_assert(TypeCheck<cpu, 2, float, E>::kMapPass && !TypeCheck<cpu, 2, float, E>::kRedPass);
  static_assert(TypeCheck<cpu, 1, float, E>::kRedPass && !TypeCheck<cpu, 1, float, E>::kMapPass);
  static_assert(!TypeCheck<gpu, 2, float, E>::kMapPass);
  static_assert(TypeCheck<gpu, 2, float, ScalarExp<float>>::kMapPass);
  static_assert(TypeCheck<cpu, 2, float, E>::kExpDim == 2);
  static_assert(PacketCheck<user::NumberExp<float>, MSHADOW_DEFAULT_PACKET>::kPass);
  using View = decltype(slice<1>(Tensor<cpu, 3>(), 0, 0));
  static_assert(ExpInfo<View>::kDim == 3 && ExpInfo<View>::kDevMask == cpu::kDevMask);
  Stream<cpu> stream;
  auto t = Make<float>(Shape2(3, 5), 1);
  t.set_stream(&stream);
  EXPECT_EQ((StreamInfo<cpu, Tensor<cpu, 2>>::Get(t)), &stream);
  const auto sum = 1 + mirror(slice<1>(t, 0, 3)) * 2;
  EXPECT_EQ((StreamInfo<cpu, std::decay_t<decltype(sum)>>::Get(sum)), &stream);
}

}  // namespace
