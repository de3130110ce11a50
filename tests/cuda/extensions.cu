// SPDX-License-Identifier: Apache-2.0
// Expressions beyond arithmetic, compiled by nvcc: one of each way to be evaluated.
#include <mshadow/extension/diag.h>
#include <mshadow/extension/rows.h>
#include <mshadow/extension/scatter_columns.h>
#include <mshadow/tensor.h>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

void IndexMaps(Tensor<gpu, 3> t, Tensor<gpu, 3> u, Tensor<gpu, 2> m) {
  t = u - broadcast_with_axis(reduce_with_axis<red::sum, false>(u, 1), 0, t.size(1));
  t = reshape(swapaxis<2, 0>(u), t.shape_) + pad(u, 1, 0);
  slice<1>(t, 0, 2) = concat<1>(slice<1>(u, 0, 1), slice<1>(u, 3, 4));
  reshape(t, Shape1(t.shape_.Size())) = 2 * reshape(u, Shape1(t.shape_.Size()));
  flip(t, 0) = mirror(u);
  m = m.T() * 2;
}

void Images(Tensor<gpu, 4, half::half_t> im, Tensor<gpu, 4, half::half_t> out,
            Tensor<gpu, 2, half::half_t> col) {
  out = pool<red::maximum>(im, 2, 2, 2);
  im = unpool<red::maximum>(im, out, out, 2, 2, 2);
  out = chpool<red::sum>(im, 3);
  col = unpack_patch2col(im, 3, 3, 1);
  im = pack_col2patch(col, im.shape_, 3, 3, 1);
}

void Reductions(Tensor<gpu, 2, double> m, Tensor<gpu, 1, double> v) {
  v = sum_rows(m);
  v += 2 * reduce_except_dim<0, red::maximum>(m);
  v = reduce_all<red::sum>(where(m > 0, m, 0));
  v = reduce_with_axis<red::minimum, true>(m, 0);
  v += diag(m * 2);
  diag(m) -= v;
  m = diag(v) + pool<red::sum>(m, m.shape_, 2, 2, 1, 1, 2, 3);
  m += scatter_columns(m * 2, tcast<int64_t>(m), m.size(1));
}

void Scans(Tensor<gpu, 3, int64_t> t, Tensor<gpu, 2, half::half_t> m) {
  t = exclusive_scan<red::maximum>(t * 3);
  m += linear_recurrence(0.5f, m);
}

void Indices(Tensor<gpu, 2> m, Tensor<gpu, 2> w, Tensor<gpu, 1, int> at) {
  m = take(at, w);
  rows(w, at) += rows(w, at) * m;
  w = take_grad(at, m, w.size(0));
  m = complex_mul_cc(m, conj(one_hot_encode(at, 4)));
  m = implicit_dot(w, m * 2);
  m = random_normal<float>(m.shape_, 1, 2) * random_uniform<float>(m.shape_, 3, 4);
}
