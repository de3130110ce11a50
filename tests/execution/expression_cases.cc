// SPDX-License-Identifier: Apache-2.0
// Compiled twice: with the emitted expressions, and with MSHADOW_UNFUSED, where their names are the
// spec's own functions.
#include "expression_cases.h"

#include <mshadow/tensor.h>

#include <cmath>
#include <cstring>
#include <random>
#include <typeinfo>

#include "more_rules.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;
using expressions::Dequantize;
using expressions::Huber;
using expressions::Near;
using expressions::Second;
using expressions::Swish;

/// Numbers of all sizes, with those that are none.
template <typename DType>
void Fill(Tensor<cpu, 2, DType> t, unsigned seed) {
  std::mt19937 random(seed);
  const double special[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1e-40, -1e-40, 3e38};
  for (index_t y = 0; y < t.size(0); ++y) {
    for (index_t x = 0; x < t.size(1); ++x) {
      const double number = (random() % 2000) / 250.0 - 4.0;
      const bool is_special = std::is_floating_point<DType>::value && random() % 16 == 0;
      t[y][x] = static_cast<DType>(static_cast<float>(is_special ? special[random() % 8] : number));
    }
  }
}

/// One NaN is as good as another.
template <typename DType, int dim>
void Keep(const std::string &name, const Tensor<cpu, dim, DType> &t,
          std::vector<ExpressionResult> *results) {
  const Tensor<cpu, 2, DType> rows = t.FlatTo2D();
  ExpressionResult result{name, {}};
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) {
      DType element = rows[y][x];
      unsigned char bytes[sizeof(DType)];
      std::memcpy(bytes, &element, sizeof(DType));
      if (!(element == element)) std::memset(bytes, 0xff, sizeof(DType));
      result.bytes.insert(result.bytes.end(), bytes, bytes + sizeof(DType));
    }
  }
  results->push_back(result);
}

template <typename DType>
void FloatCases(const std::string &type, int rows, int cols, bool pad,
                std::vector<ExpressionResult> *results) {
  const Shape<2> shape = Shape2(rows, cols);
  TensorContainer<cpu, 2, DType> a(shape, DType(0), pad), b(shape, DType(0), pad),
      out(shape, DType(0), pad), turned(Shape2(cols, rows), DType(0), pad);
  TensorContainer<cpu, 1, DType> v(Shape1(cols), DType(0)), sums(Shape1(rows), DType(0));
  Fill<DType>(a, 1);
  Fill<DType>(b, 2);
  Fill<DType>(turned, 3);
  for (int x = 0; x < cols; ++x) v[x] = b[0][x];
  const auto keep = [&](const char *name) { Keep(type + " " + name, out, results); };

  out = Swish(a);
  keep("one operand");
  out = Swish(a - b, 0.5f);
  keep("a difference");
  out += Swish(a, -2.0f);
  keep("added");
  out = a;
  out = Swish(out);
  keep("in place");
  out *= b * Swish(Swish(a), 3.0f) + DType(1.0f);
  keep("nested, in a larger expression");
  out = Swish(turned.T());
  keep("a transpose");
  out = swapaxis<1, 0>(Swish(turned));
  keep("transposed");
  out = Swish(a + broadcast<1>(v, shape));
  keep("a broadcast");
  out = broadcast<1>(Swish(v), shape);
  keep("broadcast");
  if (cols > 2) {
    Tensor<cpu, 2, DType> part(out.dptr_, Shape2(rows, cols - 2), out.stride_, nullptr);
    part = Swish(slice<1>(a, 1, cols - 1));
    keep("a slice");
  }
  sums = sumall_except_dim<0>(Swish(a) * b);
  Keep(type + " a sum", sums, results);
  out = a - broadcast_with_axis(reduce_with_axis<red::maximum, false>(Swish(b), 1), 0, cols);
  keep("a reduction, broadcast");
}

template <typename DType>
void HuberCases(const std::string &type, int rows, int cols, bool pad,
                std::vector<ExpressionResult> *results) {
  const Shape<2> shape = Shape2(rows, cols);
  TensorContainer<cpu, 2, DType> a(shape, DType(0), pad), b(shape, DType(0), pad),
      out(shape, DType(0), pad);
  Fill<DType>(a, 4);
  Fill<DType>(b, 5);
  const auto keep = [&](const char *name) { Keep(type + " " + name, out, results); };
  out = Huber(a, b, 0.75f, false);
  keep("Huber");
  out = Huber(a, b, 0.75f, true);
  keep("Huber, scaled");
  out = Huber(a, scalar<DType>(0.5), 0.75f, false);
  keep("Huber of a number");
  out = Huber(b, a * DType(2), 1.5f, false) + Huber(a, b, 0.1f, true);
  keep("two of Huber");
}

void OtherCases(int rows, int cols, bool pad, std::vector<ExpressionResult> *results) {
  const Shape<2> shape = Shape2(rows, cols);
  TensorContainer<cpu, 2, float> a(shape, 0.0f, pad), b(shape, 0.0f, pad), out(shape, 0.0f, pad);
  TensorContainer<cpu, 2, int8_t> q(shape, int8_t{0}, pad);
  TensorContainer<cpu, 2, int32_t> i(shape, 0, pad), j(shape, 0, pad);
  TensorContainer<cpu, 2, bool> near(shape, false, pad);
  Fill<float>(a, 6);
  Fill<float>(b, 7);
  Fill<int8_t>(q, 8);
  Fill<int32_t>(i, 9);
  out = Dequantize(q, a, 0.5f);
  Keep("two types", out, results);
  out = Dequantize(q + q, tcast<float>(i), 0.0f) * b;
  Keep("two types, computed", out, results);
  near = Near(a, b, 1.0f);
  Keep("bools", near, results);
  out = tcast<float>(Near(a, b * 0.5f, 2.0f)) * a;
  Keep("bools as numbers", out, results);
  j = Second(i, i * 3);
  Keep("integers", j, results);
  expressions::Second(out, a, b);
  Keep("as a rule", out, results);
}

}  // namespace

#ifdef MSHADOW_UNFUSED
#define EXPRESSIONS UnfusedExpressions
#define NODE UnfusedNode
#else
#define EXPRESSIONS FusedExpressions
#define NODE FusedNode
#endif

std::vector<ExpressionResult> EXPRESSIONS(int rows, int cols, bool pad) {
  std::vector<ExpressionResult> results;
  FloatCases<float>("float", rows, cols, pad, &results);
  FloatCases<double>("double", rows, cols, pad, &results);
  FloatCases<half::half_t>("half", rows, cols, pad, &results);
  HuberCases<float>("float", rows, cols, pad, &results);
  HuberCases<double>("double", rows, cols, pad, &results);
  OtherCases(rows, cols, pad, &results);
  return results;
}

std::string NODE() { return typeid(Swish(Tensor<cpu, 2, float>())).name(); }
