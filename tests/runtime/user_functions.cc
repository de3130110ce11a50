// SPDX-License-Identifier: Apache-2.0
// A program whose operators stand outside of all namespaces, as functions do that have the names of
// the runtime's own: expressions carry their operators' namespaces into each call that is made of
// them. Compiled, not run, by headers.sh, after what user_names.py prints.
#include <mshadow/kernel.h>
#include <mshadow/tensor.h>

struct my_scaled {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType b) {
    return a > b ? DType(2.0f) * (a - b) : DType(0.0f);
  }
};
struct my_square {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a) {
    return a * a;
  }
};
struct my_sum : mshadow::red::sum {};

template <int dim, typename DType>
using MyTensor = mshadow::Tensor<mshadow::cpu, dim, DType>;

template <typename DType>
void MyElements(MyTensor<2, DType> a, const MyTensor<2, DType> &b, MyTensor<1, DType> v) {
  namespace expr = mshadow::expr;
  const auto x = expr::F<my_scaled>(b, a);
  const auto y = expr::F<my_square>(x);
  const auto w = expr::F<my_square>(v);
  a = -y + x * DType(2.0f);
  a += expr::tcast<DType>(expr::tcast<double>(y)) * expr::where(y > DType(0.0f), x, y);
  a = expr::broadcast<0>(v, a.shape_) + y + expr::repmat(w, 4);
  a = expr::broadcast_with_axis(w, 0, 3) + expr::broadcast_scalar(w, a.shape_);
  a = expr::take(w, b) + expr::mat_fill_row_element(y, w, w) + expr::mask(w, y);
  a = expr::tcast<DType>(expr::one_hot_encode(w, 4)) + expr::take_grad(w, x, 4);
  a = expr::mirror(y) + expr::swapaxis<1, 0>(y) + expr::implicit_dot(y, y);
  a = expr::transpose(y, mshadow::Shape2(1, 0)) + expr::reshape(y, a.shape_);
  expr::slice<1>(a, 0, 2) = expr::F<my_square>(expr::slice<1>(b, 0, 2));
  expr::concat<0>(a, a) = expr::F<my_square>(expr::concat<0>(b, b));
  v = expr::sumall_except_dim<1>(y);
  v += expr::reduce_except_dim<0, my_sum>(y);
  v = expr::reduce_with_axis<my_sum, true>(y, 1) + expr::reduce_with_axis<my_sum, false>(y, 1);
  v = expr::mat_choose_row_element(y, w);
  v = expr::reduce_all<my_sum>(y);
  CHECK_EQ(expr::reduce_scalar<my_sum>(y), v[0]);
}

template <typename DType>
void MyImages(MyTensor<4, DType> x, const MyTensor<4, DType> &image, MyTensor<2, DType> a) {
  namespace expr = mshadow::expr;
  using mshadow::red::maximum;
  const mshadow::Shape<2> size = mshadow::Shape2(x.size(2), x.size(3));
  const auto y = expr::F<my_square>(image);
  const auto padded = expr::pad(y, 1, 1);
  x = expr::crop(expr::unpool<maximum>(padded, padded, padded, 2, 2, 2), size, 1, 1);
  x = expr::pool<my_sum>(y, size, 2, 3, 2, 1) + expr::upsampling_nearest(y, 2);
  x += expr::ch_unpool<maximum>(y, y, y, 3) + expr::chpool<my_sum>(y, 3);
  a = expr::unpack_patch2col(y, 3, 3, 1);
  x = expr::pack_col2patch(expr::F<my_square>(a), x.shape_, 3, 3, 1);
}

template <typename DType>
void MyAll() {
  MyTensor<2, DType> a;
  MyElements<DType>(a, a, a[0]);
  MyImages<DType>({}, {}, a);
}
template void MyAll<float>();
template void MyAll<mshadow::half::half_t>();
