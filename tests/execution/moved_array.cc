// SPDX-License-Identifier: Apache-2.0
#include "moved_array.h"

namespace mshadow_test {

Estimate Zero(mgen::ScalarKind kind) {
  return mgen::IsFloat(kind) ? ExactFloat(kind, 0) : ExactInteger(kind, 0);
}

Array Row(const Array &src, int64_t number) {
  return Make(Index(src.shape.begin() + 1, src.shape.end()), [&](Index i) {
    i.insert(i.begin(), number);
    return At(src, i);
  });
}

Array Transposed(const Array &src, const Index &axes) {
  Index shape;
  for (int64_t axis : axes) shape.push_back(src.shape[static_cast<size_t>(axis)]);
  return Make(shape, [&](const Index &i) {
    Index from(i.size());
    for (size_t d = 0; d < i.size(); ++d) from[static_cast<size_t>(axes[d])] = i[d];
    return At(src, from);
  });
}

Array Part(const Array &src, size_t d, int64_t begin, int64_t extent) {
  Index shape = src.shape;
  shape[d] = extent;
  return Make(shape, [&](Index i) {
    i[d] += begin;
    return At(src, i);
  });
}

Array Flipped(const Array &src, size_t d) {
  return Make(src.shape, [&](Index i) {
    i[d] = src.shape[d] - 1 - i[d];
    return At(src, i);
  });
}

Array Joined(const Array &a, const Array &b, size_t d) {
  Index shape = a.shape;
  shape[d] += b.shape[d];
  return Make(shape, [&](Index i) {
    if (i[d] < a.shape[d]) return At(a, i);
    i[d] -= a.shape[d];
    return At(b, i);
  });
}

Windows::Windows(size_t first, size_t end, const std::function<int64_t(size_t)> &number) {
  const size_t count = end - first;
  for (size_t i = 0; i < 2; ++i) {
    size[i] = number(first + i);
    stride[i] = number(first + (count > 3 ? 2 + i : 2));
    dilation[i] = count > 5 ? number(first + 4 + i) : 1;
  }
}

Array DiagonalOf(const Array &src) {
  if (src.shape.size() == 1) {
    const Estimate zero = Zero(src.elements.at(0).kind);
    const int64_t n = src.shape[0];
    return Make({n, n}, [&](Index i) { return i[0] == i[1] ? At(src, {i[0]}) : zero; });
  }
  return Make({src.shape.at(0)}, [&](Index i) { return At(src, {i[0], i[0]}); });
}

Array Padded(const Array &src, int64_t y, int64_t x) {
  Index shape = src.shape;
  const size_t dy = shape.size() - 2, dx = shape.size() - 1;
  shape[dy] += 2 * y;
  shape[dx] += 2 * x;
  return Make(shape, [&](Index i) {
    i[dy] -= y;
    i[dx] -= x;
    const bool in = 0 <= i[dy] && i[dy] < src.shape[dy] && 0 <= i[dx] && i[dx] < src.shape[dx];
    return in ? At(src, i) : Zero(src.elements[0].kind);
  });
}

void StoreSlice(const Array &from, const Index &begin, Array *to) {
  for (size_t n = 0; n < from.elements.size(); ++n) {
    int64_t rest = static_cast<int64_t>(n), at = 0, step = 1;
    for (size_t d = begin.size(); d-- > 0; rest /= from.shape[d], step *= to->shape[d]) {
      at += (begin[d] + rest % from.shape[d]) * step;
    }
    to->elements.at(static_cast<size_t>(at)) = from.elements[n];
  }
}

namespace {

/// The row that index i names; -1: none.
int64_t RowNamedBy(const Array &indices, int64_t i, int64_t rows) {
  const int64_t row = Convert(mgen::ScalarKind::kInt64, At(indices, {i})).integer;
  return 0 <= row && row < rows ? row : -1;
}

}  // namespace

Array NamedRows(const Array &src, const Array &indices) {
  return Make({indices.shape[0], src.shape[1]}, [&](const Index &i) {
    const int64_t row = RowNamedBy(indices, i[0], src.shape[0]);
    if (row >= 0) return At(src, {row, i[1]});
    return Zero(src.elements.empty() ? mgen::ScalarKind::kFloat32 : src.elements[0].kind);
  });
}

void StoreNamedRows(const Array &from, const Array &indices, Array *to) {
  for (int64_t i = 0; i < from.shape[0]; ++i) {
    const int64_t row = RowNamedBy(indices, i, to->shape[0]);
    if (row < 0) continue;
    const auto begin = from.elements.begin() + i * from.columns();
    std::copy(begin, begin + from.columns(), to->elements.begin() + row * to->columns());
  }
}

Array Scattered(const Array &values, const Array &columns, int64_t count) {
  using mgen::ScalarKind;
  const ScalarKind kind = values.elements.empty() ? ScalarKind::kFloat32 : values.elements[0].kind;
  const ScalarKind wide = mgen::IsNarrowFloat(kind) ? ScalarKind::kFloat32 : kind;
  return Make({values.shape[0], count}, [&](const Index &i) {
    Estimate sum = Zero(wide);
    for (int64_t n = 0; n < values.shape[1]; ++n) {
      const Estimate column = Convert(ScalarKind::kInt64, At(columns, {i[0], n}));
      if (column.integer != i[1]) continue;
      sum = Apply(mgen::Op::kAdd, wide, {sum, Convert(wide, At(values, {i[0], n}))});
    }
    return Convert(kind, sum);
  });
}

Array Repeated(const Array &src, const Index &shape) {
  return Make(shape, [&](Index i) {
    for (size_t d = 0; d < i.size(); ++d) i[d] = src.shape[d] == 1 ? 0 : i[d];
    return At(src, i);
  });
}

}  // namespace mshadow_test
