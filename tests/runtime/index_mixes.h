// SPDX-License-Identifier: Apache-2.0
// What code for mshadow does with extents beside integers of other types than index_t. It compiles,
// and means the same, whatever index_t is: headers.sh compiles it for the index_t that has no test
// program.
#ifndef MSHADOW_TESTS_RUNTIME_INDEX_MIXES_H_
#define MSHADOW_TESTS_RUNTIME_INDEX_MIXES_H_

#include <mshadow/tensor.h>

namespace index_mixes {
using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

// Programs of those days are not compiled with such warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wsign-conversion"

/// \p n is 2.
template <typename Int>
void Extents(Int n) {
  const Int none = n - n;
  TensorContainer<cpu, 2> m(Shape2(n, 4), 1.0f);
  Shape<2> s = Shape2(m.shape_[0], n);
  s[none] = n;
  s[1] = m.size(1);
  CHECK_EQ(m.size(0), n);
  CHECK(s == m.shape_);
  CHECK_EQ(Shape5(n, 1, n, 1U, n).Size(), 8);
  CHECK_EQ(s.ProdShape(none, n), 8);
  const Int rows = m.size(0);
  const index_t index = rows;
  const index_t chosen = rows == index ? m.size(0) : 1U;
  CHECK(chosen == n && n < m.size(1));
  std::vector<Int> extents(2, n);
  TShape shape(extents.begin(), extents.end());
  shape = extents;
  shape[none] = n;
  TBlob blob(m);
  CHECK_EQ(blob.size(none), rows);
  CHECK_EQ((blob.get_with_shape<cpu, 3, float>(Shape3(n, n, n), NULL).size(2)), n);
  Tensor<cpu, 2> view(m.dptr_, Shape2(n, n), m.stride_, NULL);
  view[none][n - 1] = 3.0f;
  CHECK_EQ(m.Slice(none, n)[none][n - 1], 3.0f);
  m.Resize(Shape2(n, n), 0.0f);
  Tensor<cpu, 1> made = NewTensor<cpu>(Shape1(n), 0.0f);
  FreeSpace(&made);
}

template <typename Int>
void MinAndMax(Int n) {
  const index_t size = Shape2(n, 7)[1];
  const index_t greater = std::max(size, n), smaller = std::min(n, size);
  CHECK_EQ(greater, 7);
  CHECK_EQ(smaller, n);
  const index_t step = std::max(std::min(static_cast<index_t>(9 / n), size), 1U);
  CHECK_EQ(step, 4);
  const index_t at_least = std::max(std::min(static_cast<int>(n), size), 1);
  CHECK_EQ(at_least, n);
  const index_t batch = std::min(size, std::vector<float>(n).size());
  CHECK_EQ(batch, n);
  CHECK_EQ((std::min<index_t>(n, size)), n);  // the library's own
  CHECK_EQ((std::max<int>(n, size)), 7);
}

template <typename Int>
void Numbers(Int n) {
  TensorContainer<cpu, 1> v(Shape1(n), 1.0f), w(Shape1(n));
  w = v * n + v.size(0) - n / v;
  CHECK_EQ(w[0], 2.0f);
  w += n;
  w /= v.shape_.Size();
  w = F<op::plus>(w, n) * scalar<float>(n);
  CHECK_EQ(w[n - 1], 8.0f);
  TensorContainer<cpu, 2> m(Shape2(n, n), 0.0f);
  SoftmaxGrad(m, m, v, n);
  half::half_t h = n;
  h = (h + n) * v.size(0);
  h = n / h;
  CHECK_EQ(h, half::half_t(1.0f / (n + v.size(0))));
  bfloat::bf16_t b(v.size(0));
  b *= n;
  CHECK_EQ(static_cast<float>(b), 4.0f);
  Random<cpu> random(n);
  random.SampleUniform(&w, 0, n);
  w = range<float>(n - n, n);
  w += range<float>(0, v.size(0));
  CHECK_EQ(w[1], 2.0f);
}

template <typename Int>
void Views(Int n) {
  const Int none = n - n, one = n - 1;
  TensorContainer<cpu, 4> t(Shape4(n, n, 4, 4), 1.0f), u(t.shape_, 2.0f), p(Shape4(n, n, 2, 2));
  t = crop(pad(u, n, one), u[0][0].shape_, n, one);
  p = pool<red::sum>(t, n, n, n);
  p += pool<red::maximum>(t, Shape2(2, 2), 2, n, 2U, n);
  CHECK_EQ(p[1][1][one][one], 10.0f);
  t = unpool<red::maximum>(u, p, p, n, n, n);
  t = chpool<red::sum>(u, n + one) + upsampling_nearest(p, n);
  TensorContainer<cpu, 2> col(Shape2(n * n * n, n * 9)), m(Shape2(n, 3), 1.0f);
  col = unpack_patch2col(u, n, n, one);
  u = pack_col2patch(col, t.shape_, n, n, one);
  slice<1>(m, one, n) = 0.0f;
  slice(m, Shape2(none, 0), Shape2(n, 1)) = n;
  TensorContainer<cpu, 1> v(Shape1(n));
  v = reduce_with_axis<red::sum, false>(m, one);
  CHECK_EQ(v[one], 3.0f);
  m = broadcast<0>(v, Shape2(n, m.size(1))) + repmat(t[0][0][none].Slice(0, 3), n);
  TensorContainer<cpu, 3> c(Shape3(n, 3, 5));
  c = broadcast_with_axis(m, one, 5);
  TensorContainer<cpu, 2> hot(Shape2(n, n));
  v = none;
  hot = one_hot_encode(v, n);
  m = take_grad(v, TensorContainer<cpu, 2>(Shape2(n, 3), 1.0f), n);
  CHECK_EQ(m[none][2], 2.0f);
  TensorContainer<cpu, 2> row(Shape2(one, n));
  row = reshape(v, Shape2(one, n)) + flip(hot.Slice(none, one), one);
}

#pragma GCC diagnostic pop

template <typename Int>
void All() {
  Extents<Int>(2);
  MinAndMax<Int>(2);
  Numbers<Int>(2);
  Views<Int>(2);
}
inline void OfEveryType() {
  All<int>();
  All<unsigned>();
  All<int64_t>();
  All<long long>();  // NOLINT
  All<size_t>();
}

}  // namespace index_mixes

#endif  // MSHADOW_TESTS_RUNTIME_INDEX_MIXES_H_
