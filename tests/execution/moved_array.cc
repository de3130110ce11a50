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

Array Repeated(const Array &src, const Index &shape) {
  return Make(shape, [&](Index i) {
    for (size_t d = 0; d < i.size(); ++d) i[d] = src.shape[d] == 1 ? 0 : i[d];
    return At(src, i);
  });
}

}  // namespace mshadow_test
