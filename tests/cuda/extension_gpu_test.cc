// SPDX-License-Identifier: Apache-2.0
// Every extension on the fake device gives the bits that it gives on the CPU.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/extension/rows.h>
#include <mshadow/extension/scatter_columns.h>
#include <mshadow/tensor.h>

#include "captured_graph.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;

template <typename DType, int dim>
void Fill(Tensor<cpu, dim, DType> t, unsigned state) {
  const Tensor<cpu, 2, DType> rows = t.FlatTo2D();
  for (index_t y = 0; y < rows.size(0); ++y) {
    for (index_t x = 0; x < rows.size(1); ++x) {
      state = state * 1664525 + 1013904223;
      rows[y][x] = static_cast<DType>(static_cast<float>(state >> 16) / 65536 - 0.5f);
    }
  }
}

/// Operands and destinations on a device, filled alike on all.
template <typename xpu>
struct Operands {
  template <int dim, typename DType = float>
  using T = TensorContainer<xpu, dim, DType>;
  T<1> v4{Shape1(4)}, v6{Shape1(6)}, one{Shape1(1)};
  T<2> m46{Shape2(4, 6)}, m64{Shape2(6, 4)}, wide{Shape2(4, 200)};
  T<3> t{Shape3(4, 5, 6)};
  T<4> im{Shape4(2, 3, 7, 8)};
  T<1, int32_t> index{Shape1(4)};

  Operands() {
    unsigned seed = 1;
    const auto fill = [&](auto &tensor) {
      using Host = TensorContainer<cpu, std::decay_t<decltype(tensor.shape_)>::kDimension>;
      Host host(tensor.shape_);
      Fill(Tensor<cpu, Host::kSubdim + 1>(host), seed++);
      Copy(tensor, host);
    };
    fill(v4), fill(v6), fill(one), fill(m46), fill(m64), fill(wide), fill(t), fill(im);
    TensorContainer<cpu, 1, int32_t> host(Shape1(4));
    for (int i = 0; i < 4; ++i) host[i] = (i * 3 + 1) % 4;
    Copy(index, host);
  }
};

/// Runs `body(operands, destination)` on both devices and compares the destinations.
template <int dim, typename Body>
void Compare(const char *what, const Shape<dim> &shape, Body body) {
  Operands<cpu> on_cpu;
  Operands<gpu> on_gpu;
  TensorContainer<cpu, dim> want(shape, 0.25f), got(shape);
  TensorContainer<gpu, dim> device(shape, 0.25f);
  const long before = fakecuda::KernelsRun();
  body(on_cpu, want);
  body(on_gpu, device);
  Copy(got, device);
  EXPECT_GT(fakecuda::KernelsRun(), before) << what;
  const Tensor<cpu, 2> a = want.FlatTo2D(), b = got.FlatTo2D();
  for (index_t y = 0; y < a.size(0); ++y) {
    for (index_t x = 0; x < a.size(1); ++x) EXPECT_EQ(a[y][x], b[y][x]) << what << y << ' ' << x;
  }
}
#define COMPARE(shape, ...) \
  Compare(#__VA_ARGS__, shape, [](auto &o, auto &d) { static_cast<void>(o), __VA_ARGS__; })

TEST(ExtensionGpu, IndexMaps) {
  COMPARE(Shape2(4, 6), d = broadcast<0>(o.v4, d.shape_) + repmat(o.v6, 4));
  COMPARE(Shape2(3, 5), d += broadcast_scalar(o.one, d.shape_));
  COMPARE(Shape3(4, 3, 6), d = broadcast_with_axis(o.m46 * 2, 0, 3));
  COMPARE(Shape3(4, 6, 3), d = broadcast_with_axis(o.m46, 1, 3));
  COMPARE(Shape2(4, 6), d = broadcast_to(o.m46.Slice(1, 2), d.shape_));
  COMPARE(Shape2(4, 6), d = broadcast_keepdim(slice<1>(o.m46, 2, 3), 1, 6));
  COMPARE(Shape2(8, 15), d = reshape(o.t, d.shape_));
  COMPARE(Shape3(6, 5, 4), d = swapaxis<2, 0>(o.t) - 1);
  COMPARE(Shape3(6, 4, 5), d = transpose(o.t, Shape3(2, 0, 1)));
  COMPARE(Shape3(4, 2, 6), d = slice<1>(o.t, 2, 4));
  COMPARE(Shape3(4, 5, 6), slice<2>(d, 1, 4) += slice<2>(o.t, 3, 6));
  COMPARE(Shape3(4, 5, 6), slice(d, Shape3(0, 1, 1), Shape3(2, 3, 2)) =
                               slice(o.t, Shape3(2, 3, 4), Shape3(4, 5, 5)));
  COMPARE(Shape2(4, 12), d = concat<1>(o.m46, o.m46) * 2);
  COMPARE(Shape2(4, 6), concat<0>(d, o.m46) = swapaxis<1, 0>(concat<1>(o.m64, o.m64)));
  COMPARE(Shape2(4, 6), d = flip(o.m46, 0) + mirror(o.m46));
  COMPARE(Shape2(4, 6), flip(d, 1) = o.m46);
  COMPARE(Shape3(4, 2, 3), d = crop(o.t, Shape2(2, 3)));
  COMPARE(Shape3(4, 9, 8), d = pad(o.t, 2, 1));
  COMPARE(Shape3(4, 10, 12), d = upsampling_nearest(o.t, 2));
}

TEST(ExtensionGpu, Images) {
  COMPARE(Shape4(2, 3, 3, 4), d = pool<red::maximum>(o.im, 2, 2, 2));
  COMPARE(Shape4(2, 3, 4, 8), d = pool<red::sum>(o.im, Shape2(4, 8), 3, 2, 2, 1));
  COMPARE(Shape4(2, 3, 7, 8),
          d = unpool<red::maximum>(o.im, pool<red::maximum>(o.im, 3, 2, 2, 1),
                                   pool<red::sum>(o.im, 3, 2, 2, 1), 3, 2, 2, 1));
  COMPARE(Shape4(2, 3, 7, 8), d = chpool<red::sum>(o.im, 3));
  COMPARE(Shape4(2, 3, 7, 8), d = ch_unpool<red::sum>(o.im, o.im, o.im, 3));
  COMPARE(Shape2(27, 60), d = unpack_patch2col(o.im, 3, 3, 1));
  COMPARE(Shape4(2, 3, 7, 8),
          d = pack_col2patch(unpack_patch2col(o.im, 3, 3, 2), d.shape_, 3, 3, 2));
}

TEST(ExtensionGpu, Indexing) {
  COMPARE(Shape2(4, 200), d = take(o.index, o.wide));
  COMPARE(Shape2(4, 200), d = take_grad(o.index, o.wide, 4));
  COMPARE(Shape2(4, 200), d += 2 * rows(o.wide, o.index));
  COMPARE(Shape2(4, 200), rows(d, o.index) -= 2 * o.wide * rows(d, o.index));
  COMPARE(Shape1(4), d = mat_choose_row_element(o.m46, o.index));
  COMPARE(Shape2(4, 6), d = mat_fill_row_element(o.m46, o.v4, o.index));
  COMPARE(Shape2(4, 5), d = one_hot_encode(o.index, 5));
  COMPARE(Shape2(4, 6), d = mask(o.index, o.m46));
  COMPARE(Shape2(4, 200), d = 2 * scatter_columns(o.m46, o.m46 + 3, 200));
  COMPARE(Shape1(9), d = range<float>(0, 3, 1, 3));
  COMPARE(Shape2(5, 7), d = random_uniform<float>(d.shape_, 1, 2));
  COMPARE(Shape3(2, 3, 7), d = random_normal<float>(d.shape_, 1, 2));
  COMPARE(Shape2(5, 7), d = random_bernoulli<float>(d.shape_, 0.5, 1, 2));
  COMPARE(Shape2(4, 4), d = implicit_dot(o.m46, o.m64));
  COMPARE(Shape2(4, 6), d = complex_mul_cc(o.m46, conj(o.m46)));
  COMPARE(Shape2(4, 6), d = where(o.m46 > 0, o.m46, -1));
  TensorContainer<gpu, 2> row(Shape2(1, 6));
  Operands<gpu> o;
  TensorContainer<gpu, 1, int32_t> outside(Shape1(1), 4);
  row = take(outside, o.m46);
  TensorContainer<cpu, 2> host(Shape2(1, 6));
  Copy(host, row);
  EXPECT_EQ(host[0][5], 0.0f) << "what is outside is 0";
  rows(o.m46, outside) = row + 3;
  row = rows(o.m46, outside) + 1;
  Copy(host, row);
  EXPECT_EQ(host[0][5], 1.0f) << "and is not written";
}

TEST(ExtensionGpu, Reductions) {
  COMPARE(Shape1(200), d = sum_rows(o.wide));
  COMPARE(Shape1(5), d += 0.5f * sumall_except_dim<1>(o.t * 2));
  COMPARE(Shape1(3), d *= reduce_except_dim<1, red::maximum>(o.im));
  COMPARE(Shape1(200), d = sum_rows(reshape(broadcast_with_axis(o.wide, 0, 90), Shape2(360, 200))));
  COMPARE(Shape1(4), d = sumall_except_dim<0>(broadcast_with_axis(o.wide, 0, 90)));
  COMPARE(Shape1(66000), d = sumall_except_dim<0>(broadcast<1>(o.v6, Shape2(66000, 6))));
  COMPARE(Shape1(66000), d -= sum_rows(broadcast<0>(o.v4, Shape2(4, 66000))));
  COMPARE(Shape1(4), d = reduce_with_axis<red::sum, false>(o.wide, 1));
  COMPARE(Shape2(1, 200), d = reduce_keepdim<red::sum, false>(o.wide, 0));
  COMPARE(Shape1(4), d = reduce_with_axis<red::maximum, true>(o.wide, 1));
  COMPARE(Shape3(4, 1, 1), d = reduce_multi_axes<red::sum>(o.t, Shape2(1, 2)));
  COMPARE(Shape1(1), d -= reduce_all<red::sum>(broadcast_with_axis(o.wide, 0, 20)));
  Operands<gpu> on_gpu;
  Operands<cpu> on_cpu;
  EXPECT_EQ(reduce_scalar<red::sum>(on_gpu.wide), reduce_scalar<red::sum>(on_cpu.wide));
}

TEST(ExtensionGpu, WorksOnTheTensorsStream) {
  Stream<gpu> *stream = NewStream<gpu>(false, false, 0);
  {
    TensorContainer<gpu, 2> t(Shape2(4, 6), 1.0f), u(Shape2(4, 3), 2.0f);
    TensorContainer<cpu, 2> host(Shape2(4, 6));
    t.set_stream(stream);
    slice<1>(t, 0, 3) = u;
    EXPECT_FALSE(stream->CheckIdle()) << "queued on the stream of the slice's tensor";
    stream->Wait();
    Copy(host, t);
    EXPECT_EQ(host[3][2], 2.0f);
    EXPECT_EQ(host[3][3], 1.0f);
  }
  DeleteStream(stream);
}

TEST(ExtensionGpu, NestedReductionsAreEvaluatedOnce) {
  COMPARE(Shape2(4, 6),
          d = o.m46 - broadcast_with_axis(reduce_with_axis<red::sum, false>(o.m46, 1), 0, 6));
  COMPARE(Shape2(4, 200),
          d = o.wide / broadcast_keepdim(reduce_keepdim<red::maximum, false>(o.wide, 1), 1, 200));
  COMPARE(
      Shape2(4, 6),
      d = broadcast<0>(1 + reduce_with_axis<red::sum, false>(
                               o.m46 * broadcast<1>(reduce_with_axis<red::maximum, false>(o.m46, 0),
                                                    o.m46.shape_),
                               1),
                       d.shape_));
  Stream<gpu> *const stream = NewStream<gpu>(false, false, 0);
  {
    TensorContainer<gpu, 2> x(false), y(false);
    x.set_stream(stream), y.set_stream(stream);
    x.Resize(Shape2(8, 40), 3.0f), y.Resize(Shape2(8, 40));
    stream->Wait();
    const long kernels = fakecuda::KernelsRun(), threads = fakecuda::ThreadsRun();
    y = x - broadcast_with_axis(reduce_with_axis<red::sum, false>(x, 0), -1, 8);
    stream->Wait();
    EXPECT_EQ(fakecuda::KernelsRun() - kernels, 2) << "the sums, and the differences";
    EXPECT_GT(fakecuda::ThreadsRun(), threads);
    TensorContainer<cpu, 2> got(y.shape_);
    Copy(got, y, stream);
    stream->Wait();
    EXPECT_EQ(got[7][39], 3.0f - 24.0f);
  }
  DeleteStream(stream);
}

/// Assignments that evaluate something first, which lies in the stream's memory.
template <typename xpu>
void ReduceInParts(Tensor<xpu, 2> x, Tensor<xpu, 1> rows, Tensor<xpu, 1> cols, Tensor<xpu, 1> one,
                   Tensor<xpu, 2> y) {
  cols = sum_rows(x);
  rows += 0.5f * reduce_except_dim<0, red::maximum>(x);
  one = reduce_all<red::sum>(x * 2);
  one -= reduce_all<red::arg<red::maximum>>(x);
  cols += reduce_except_dim<1, red::arg<red::minimum>>(x);
  // A reduction of a reduction, which is kept beside the outer one's parts.
  cols *= sum_rows(x - broadcast_with_axis(reduce_with_axis<red::sum, false>(x, 1), 0, x.size(1)));
  y = x / (1 + broadcast<0>(rows, x.shape_) *
                   broadcast_with_axis(reduce_with_axis<red::sum, false>(F<op::identity>(x), 0), -1,
                                       x.size(0)));
}

/// The tensors of ReduceInParts.
template <typename xpu>
struct Reduced {
  TensorContainer<xpu, 2> x{Shape2(300, 40)}, y{Shape2(300, 40)};
  TensorContainer<xpu, 1> rows{Shape1(300), 0.5f}, cols{Shape1(40)}, one{Shape1(1)};
  void Run() { ReduceInParts<xpu>(x, rows, cols, one, y); }
};

template <int dim>
void ExpectSame(const Tensor<cpu, dim> &want, const Tensor<gpu, dim> &device) {
  TensorContainer<cpu, dim> got(want.shape_);
  Copy(got, device);
  const Tensor<cpu, 2> a = want.FlatTo2D(), b = got.FlatTo2D();
  for (index_t y = 0; y < a.size(0); ++y) {
    for (index_t x = 0; x < a.size(1); ++x) ASSERT_EQ(a[y][x], b[y][x]) << y << ' ' << x;
  }
}

TEST(ExtensionGpu, ReductionsAreCaptured) {
  Stream<gpu> *const stream = NewStream<gpu>(false, false, 0);
  {
    Reduced<cpu> host;
    Reduced<gpu> device;  // x has no stream: what is evaluated first is on the assignment's
    device.y.set_stream(stream), device.rows.set_stream(stream), device.cols.set_stream(stream);
    device.one.set_stream(stream);
    const auto capture = [&] {
      const mshadow_test::CapturedGraph graph(stream);
      device.Run();
    };
    EXPECT_THROW(capture(), Error) << "the stream has no memory yet";
    const auto compare = [&](unsigned seed, auto &&run) {
      Fill(Tensor<cpu, 2>(host.x), seed);
      Copy(device.x, host.x);
      host.Run();
      run();
      stream->Wait();
      ExpectSame<2>(host.y, device.y);
      ExpectSame<1>(host.rows, device.rows);
      ExpectSame<1>(host.cols, device.cols);
      ExpectSame<1>(host.one, device.one);
    };
    compare(1, [&] { device.Run(); });
    const int objects = fakecuda::LiveObjects();
    compare(2, [&] { device.Run(); });
    EXPECT_EQ(fakecuda::LiveObjects(), objects) << "the memory is the stream's";
    mshadow_test::CapturedGraph graph(stream);
    device.Run();
    graph.Run(0);
    compare(3, [&] { graph.Run(1); });
    compare(4, [&] { graph.Run(1); });
  }
  DeleteStream(stream);
}

TEST(ExtensionGpu, TakeGradFollowsEqualIndices) {
  TensorContainer<cpu, 1> index(Shape1(9));
  TensorContainer<cpu, 2> src(Shape2(9, 5)), want(Shape2(4, 5)), got(Shape2(4, 5));
  const float rows[] = {3, 0, 3, 7, 3, -1, 0, 2, 3};  // 7 and -1 are no rows, 1 has none
  for (int i = 0; i < 9; ++i) index[i] = rows[i];
  Fill(Tensor<cpu, 2>(src), 5);
  TensorContainer<gpu, 1> on_index(index.shape_);
  TensorContainer<gpu, 2> on_src(src.shape_), on(want.shape_);
  Copy(on_index, index);
  Copy(on_src, src);
  want = take_grad(index, src, 4);
  on = take_grad(on_index, on_src, 4);
  Copy(got, on);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 5; ++x) EXPECT_EQ(got[y][x], want[y][x]) << y << ' ' << x;
  }
}

}  // namespace
