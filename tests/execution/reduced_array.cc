// SPDX-License-Identifier: Apache-2.0
#include "reduced_array.h"

#include <map>
#include <optional>
#include <stdexcept>

#include "indexed_array.h"

namespace mshadow_test {

using mgen::Op;
using mgen::ScalarKind;

ScalarKind WideKind(const Array &array) {
  const ScalarKind kind = array.elements.empty() ? ScalarKind::kFloat32 : array.elements[0].kind;
  return mgen::IsNarrowFloat(kind) ? ScalarKind::kFloat32 : kind;
}

Op OpOf(const std::string &reducer) {
  static const std::map<std::string, Op> kOps = {{"mshadow::red::sum", Op::kAdd},
                                                 {"mshadow::red::product", Op::kMul},
                                                 {"mshadow::red::maximum", Op::kMax},
                                                 {"mshadow::red::minimum", Op::kMin}};
  const auto op = kOps.find(reducer);
  if (op == kOps.end()) throw std::invalid_argument("no meaning of the reducer " + reducer);
  return op->second;
}

namespace {

/// Of a NaN and another value, red::maximum and red::minimum choose the NaN; of two, the first.
Estimate Accumulated(Op op, ScalarKind kind, const Estimate &sum, const Estimate &next) {
  const auto is_nan = [](const Estimate &e) { return !e.undecided && e.value != e.value; };
  const bool is_choice = op == Op::kMax || op == Op::kMin;
  if (is_choice && is_nan(sum)) return sum;
  return is_choice && is_nan(next) ? next : Apply(op, kind, {sum, next});
}

/// What a reducer makes of a first element: red::sum begins with 0, so that -0 becomes 0.
Estimate Begun(Op op, const Estimate &first) {
  return op == Op::kAdd ? Apply(op, first.kind, {Zero(first.kind), first}) : first;
}

/// The first element, or what came so far with the next one.
Estimate Taken(const std::string &reducer, const std::optional<Estimate> &sum,
               const Estimate &next) {
  if (reducer.find("latest") != std::string::npos) return next;
  const Op op = OpOf(reducer);
  return sum ? Accumulated(op, next.kind, *sum, next) : Begun(op, next);
}

}  // namespace

Array Reduced(const std::string &reducer, const Array &src, size_t axis) {
  const Op op = OpOf(reducer);
  const ScalarKind wide = WideKind(src);
  Index shape = src.shape;
  shape[axis] = 1;
  return Make(shape, [&](Index i) {
    Estimate result = Begun(op, Convert(wide, At(src, i)));
    for (i[axis] = 1; i[axis] < src.shape[axis]; ++i[axis]) {
      result = Accumulated(op, wide, result, Convert(wide, At(src, i)));
    }
    return result;
  });
}

Array Pooled(const std::string &reducer, const Array &src, const Index &pooled, const Windows &of) {
  Index shape = src.shape;
  const size_t y = shape.size() - 2, x = shape.size() - 1;
  shape[y] = pooled.empty() ? of.Count(0, src.shape[y]) : pooled[0];
  shape[x] = pooled.empty() ? of.Count(1, src.shape[x]) : pooled[1];
  return Make(shape, [&](const Index &i) {
    std::optional<Estimate> result;
    for (int64_t n = 0; n < of.size[0] * of.size[1]; ++n) {
      Index from = i;
      from[y] = i[y] * of.stride[0] + n / of.size[1] * of.dilation[0];
      from[x] = i[x] * of.stride[1] + n % of.size[1] * of.dilation[1];
      const bool has = from[y] < src.shape[y] && from[x] < src.shape[x];
      if (has) result = Taken(reducer, result, At(src, from));
    }
    return *result;
  });
}

Array ChannelsPooled(const std::string &reducer, const Array &src, int64_t size) {
  const size_t channel = src.shape.size() - 3;
  return Make(src.shape, [&](const Index &i) {
    std::optional<Estimate> result;
    for (int64_t c = i[channel] - size / 2; c <= i[channel] + size / 2; ++c) {
      if (c < 0 || c >= src.shape[channel]) continue;
      Index from = i;
      from[channel] = c;
      result = Taken(reducer, result, At(src, from));
    }
    return *result;
  });
}

}  // namespace mshadow_test
