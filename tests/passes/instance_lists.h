// SPDX-License-Identifier: Apache-2.0
// Rules over ELEMENT, which a test defines: constants and conversions whose type is the element
// type, one below it, or what C++ computes in with it.
#include <mshadow/kernel.h>

namespace lists {
using namespace mshadow;
using namespace mshadow::expr;

namespace map {
struct Maximum {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return a > b ? a : b;
  }
};
struct Clip {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return a > b ? b : a < -b ? -b : a;
  }
};
struct Relu {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a > T(0) ? a : T(0);
  }
};
struct LeakyRelu {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a > T(0) ? a : T(a * T(0.1f));
  }
};
struct Tenths {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T(a + T(0.5f) * T(0.1f));
  }
};
struct IsMinusOne {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a == T(-1) ? T(1) : T(0);
  }
};
struct IsLarge {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a > T(70000.0f) ? T(1) : a;
  }
};
struct MinusTenth {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T(a * -T(0.1f));
  }
};
struct MinusThree {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T(a + -T(3));
  }
};
struct MinusZero {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a < T(0) ? T(-0.0f) : a;
  }
};
struct Third {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T(a / T(3));
  }
};
struct Large {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a > T(16777217) ? a : T(1e9);
  }
};
struct ThroughFloat {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T(float(a) * float(T(0.1)) + 0.1f);
  }
};
struct ThroughDouble {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T(double(a) * 0.1 + double(T(0.1f)));
  }
};
struct Polynomial {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return T(T(a * a) + T(a * T(2))) - T(1);
  }
};
struct Wraps {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return (a * a + T(100)) * (a - T(100)) + T(a > T(3) ? a * T(2) : -a);
  }
};
}  // namespace map

#define LISTS_UNARY(NAME)                                                             \
  template <typename xpu, int dim, typename DType>                                    \
  MSHADOW_KERNEL void NAME(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> in) { \
    out = F<map::NAME>(in);                                                           \
  }                                                                                   \
  MSHADOW_INSTANTIATE(NAME, ELEMENT)

LISTS_UNARY(Relu);
LISTS_UNARY(LeakyRelu);
LISTS_UNARY(Tenths);
LISTS_UNARY(IsMinusOne);
LISTS_UNARY(IsLarge);
LISTS_UNARY(MinusTenth);
LISTS_UNARY(MinusThree);
LISTS_UNARY(MinusZero);
LISTS_UNARY(Third);
LISTS_UNARY(Large);
LISTS_UNARY(ThroughFloat);
LISTS_UNARY(ThroughDouble);
LISTS_UNARY(Polynomial);
LISTS_UNARY(Wraps);

/// A rule of one statement, out = EXPRESSION of x and y.
#define LISTS_RULE(NAME, EXPRESSION)                                               \
  template <typename xpu, int dim, typename DType>                                 \
  MSHADOW_KERNEL void NAME(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> x, \
                           Tensor<xpu, dim, DType> y, float scale, double exact) { \
    out = EXPRESSION;                                                              \
  }                                                                                \
  MSHADOW_INSTANTIATE(NAME, ELEMENT)

LISTS_RULE(MaximumOfHalf, F<map::Maximum>(x, 0.5f));
LISTS_RULE(MaximumOfTensors, F<map::Maximum>(x, y));
LISTS_RULE(ClipTenth, F<map::Clip>(x, 0.1f));
LISTS_RULE(ClipTenthOfDouble, F<map::Clip>(x, 0.1));
LISTS_RULE(ClipHundred, F<map::Clip>(x, 100.0f));
LISTS_RULE(FloatTimesTenth, tcast<DType>(tcast<float>(x) * DType(0.1f)));
LISTS_RULE(FloatTimesFloat, tcast<DType>(tcast<float>(x) * 0.1f));
LISTS_RULE(ClipOfClip, F<map::Clip>(F<map::Clip>(x, 100.0f), F<map::Relu>(F<map::Wraps>(y))));
LISTS_RULE(TimesHalf, x * 0.5f);
LISTS_RULE(TimesTenth, 0.1f * x + 2.0f);
LISTS_RULE(TimesTenthOfDouble, DType(0.1) * x + y);
LISTS_RULE(MinusAll, -x - 1.0f);
LISTS_RULE(WhereAboveMinusOne, where(x > -1.0f, x, y));
LISTS_RULE(WhereEqual, where(1e-3f == -x, x, y));
LISTS_RULE(WhereConstants, where(x > y, x, DType(0.5)));
LISTS_RULE(TimesScalar, x* scale + DType(exact));
LISTS_RULE(Sums, x + y + DType(scale * 0.1f));
LISTS_RULE(Constant, DType(0.1f));
LISTS_RULE(NegativeConstant, -0.1f);

/// Scalars of the element type in the prologue and in a condition.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Prologue(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> in, DType rate,
                             float momentum) {
  const DType tenth = DType(0.1f);
  const float difference = 1.0f - momentum;
  if (rate > DType(0.1f)) {
    out += in * rate;
  } else {
    out -= in * tenth + DType(difference);
  }
}
MSHADOW_INSTANTIATE(Prologue, ELEMENT);

/// A reduction, whose accumulator is of the element type.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 1, DType> out, Tensor<xpu, 2, DType> in) {
  out = sumall_except_dim<0>(in * DType(2)) * DType(0.1f);
}
MSHADOW_INSTANTIATE(Rows, ELEMENT);

/// A view with a constant below it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Padded(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> in) {
  out = pad(in * DType(2), 1) + 0.1f;
}
MSHADOW_INSTANTIATE(Padded, ELEMENT);

/// A product whose scale is a constant.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Product(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> a,
                            Tensor<xpu, 2, DType> b) {
  out += 0.5f * dot(a, b.T());
}
MSHADOW_INSTANTIATE(Product, PRODUCT_ELEMENT);

/// Two element types, with constants of both.
template <typename xpu, int dim, typename A, typename B>
MSHADOW_KERNEL void Two(Tensor<xpu, dim, A> a, Tensor<xpu, dim, B> b) {
  a = F<map::Maximum>(tcast<A>(b * B(0.1f)), A(0.3f));
  b = tcast<B>(a) * 3.0f + B(-1);
}
MSHADOW_INSTANTIATE(Two, Types<ELEMENT, float>, Types<ELEMENT, double>,
                    Types<ELEMENT, half::half_t>, Types<ELEMENT, uint8_t>, Types<ELEMENT, int32_t>);
}  // namespace lists
