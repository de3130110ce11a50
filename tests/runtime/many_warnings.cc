// SPDX-License-Identifier: Apache-2.0
// A user's program that asks for more warnings than most, and includes the headers with -I: what
// the templates become must be as quiet as their text. Compiled, not run, by headers.sh.
#include <mshadow/kernel.h>
#include <mshadow/tensor.h>

namespace {
using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

struct scaled {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType b) {
    return a > b ? 2 * (a - b) : DType(0.0f);
  }
};

template <typename DType>
void Elements(Tensor<cpu, 2, DType> a, const Tensor<cpu, 2, DType> &b, Tensor<cpu, 1, DType> v) {
  a = b * 2.0f + b / 3 - 1.0;
  a += F<scaled>(b, a);
  a *= F<op::maximum>(-b, a) + tcast<DType>(tcast<double>(b));
  a = where(b > 0, b, a) + F<op::clip>(b, 1.0f);
  a = repmat(v, a.size(0)) + broadcast<0>(b[0], a.shape_) + b.T();
  a -= broadcast_with_axis(v, 0, 3) * broadcast_scalar(b[0].Slice(0, 1), a.shape_);
  v = sumall_except_dim<1>(a * b);
  v += 0.5f * reduce_except_dim<0, red::maximum>(a);
  v = reduce_with_axis<red::maximum, true>(a, 1) + reduce_with_axis<red::sum, false>(b, 1);
  a = tcast<DType>(one_hot_encode(v, 4)) * take(v, b) + mat_fill_row_element(a, v, v);
  v = mat_choose_row_element(a, v) + range<DType>(0, 4);
  slice<1>(a, 0, 2) = slice<1>(b, 1, 3);
  concat<0>(a, a) = concat<0>(b, b);
  flip(a, 1) = mirror(b) + swapaxis<1, 0>(b) + transpose(b, Shape2(1, 0)) + reshape(v, a.shape_);
  Copy(a, b);
  LOG(INFO) << a.shape_ << reduce_scalar<red::sum>(b);
  CHECK_NE(a.dptr_, NULL);
}

template <typename DType>
void Products(Tensor<cpu, 2, DType> a, const Tensor<cpu, 2, DType> &b, Tensor<cpu, 3, DType> t) {
  a = dot(b, b.T());
  a[0] += 2.0f * dot(b[0], b);
  t = batch_dot<false, true>(t, t);
  a = implicit_dot(b, b);
  Softmax(a, b);
  SoftmaxGrad(a, b, b[0]);
  AddTakeGrad(a, b[0], b);
  IndexFill(a, b[0], b);
  SortByKey(a[0], a[1], true);
}

template <typename DType>
void Images(Tensor<cpu, 4, DType> x, const Tensor<cpu, 4, DType> &y, Tensor<cpu, 2, DType> a) {
  const Shape<2> size = Shape2(x.size(2), x.size(3));
  x = crop(unpool<red::maximum>(pad(x, 1, 1), pad(y, 0, 0), pad(y, 0, 0), 2, 2, 2), size, 1, 1);
  x = pool<red::sum>(y, size, 2, 3, 2, 1) + upsampling_nearest(y, 2) + chpool<red::sum>(y, 3);
  x += ch_unpool<red::maximum>(y, y, y, 3) + broadcast<1>(a[0], x.shape_);
  a = unpack_patch2col(y, 3, 3, 1);
  x = pack_col2patch(a, x.shape_, 3, 3, 1);
}

template <typename DType>
void Others(const Tensor<cpu, 2, DType> &b) {
  TensorContainer<cpu, 2, DType> c(b.shape_, DType(1));
  TensorContainer<cpu, 2, DType> copy(c);
  Random<cpu, DType> random(1);
  random.SampleGaussian(&c, 0, 0.01f);
  random.SampleUniform(&c, -1.0f, 1.0f);
  c = random.uniform(c.shape_) * random.gaussian(c.shape_);
  TBlob blob(c);
  c = blob.get<cpu, 2, DType>() + blob.FlatTo2D<cpu, DType>();
  MSHADOW_REAL_TYPE_SWITCH(blob.type_flag_, T, { LOG(INFO) << sizeof(T); });
}

template <typename DType>
void All() {
  Tensor<cpu, 1, DType> v;
  Tensor<cpu, 2, DType> a;
  Tensor<cpu, 3, DType> t;
  Tensor<cpu, 4, DType> x;
  Elements<DType>(a, a, v);
  Products<DType>(a, a, t);
  Images<DType>(x, x, a);
  Others<DType>(a);
}
}  // namespace

int main() {
  InitTensorEngine<cpu>();
  All<float>();
  All<double>();
  All<half::half_t>();
  ShutdownTensorEngine<cpu>();
}
