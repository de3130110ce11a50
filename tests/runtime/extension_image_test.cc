// SPDX-License-Identifier: Apache-2.0
// Pooling, over space and over channels, and patches of images.
#include <algorithm>
#include <cstring>
#include <limits>

#include "extension_testing.h"

namespace {
using namespace testing_runtime;

struct WindowCase {
  Shape<2> size, stride;
};
const WindowCase kWindows[] = {{Shape2(1, 1), Shape2(1, 1)},
                               {Shape2(2, 2), Shape2(2, 2)},
                               {Shape2(3, 2), Shape2(1, 2)},
                               {Shape2(2, 3), Shape2(3, 1)},
                               {Shape2(2, 2), Shape2(3, 4)}};
const Shape<3> kImages[] = {Shape3(2, 7, 9), Shape3(1, 3, 3), Shape3(0, 4, 4), Shape3(1, 5, 300)};

/// The values of one window, cut off at the image's end.
template <typename DType>
std::vector<double> Window(const Tensor<cpu, 3, DType> &t, const WindowCase &w, const Shape<3> &p) {
  std::vector<double> values;
  for (index_t y = p[1] * w.stride[0]; y < std::min(p[1] * w.stride[0] + w.size[0], t.size(1)); ++y)
    for (index_t x = p[2] * w.stride[1]; x < std::min(p[2] * w.stride[1] + w.size[1], t.size(2));
         ++x)
      values.push_back(Number(At(t, Shape3(p[0], y, x))));
  return values;
}
double Sum(const std::vector<double> &values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum;
}
double Largest(const std::vector<double> &values) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double v : values) largest = std::max(largest, v);
  return largest;
}

TEST(ExtensionImage, Pool) {
  ForElementTypes([](auto zero) {
    for (const Shape<3> &shape : kImages) {
      auto t = Make<decltype(zero)>(shape, 1);
      for (const WindowCase &w : kWindows) {
        const Shape<2> size = w.size, stride = w.stride;
        const Shape<3> pooled = Shape3(shape[0], (shape[1] - size[0]) / stride[0] + 1,
                                       (shape[2] - size[1]) / stride[1] + 1);
        ExpectElements(pool<red::sum>(t, size[0], size[1], stride[0], stride[1]), pooled,
                       [&](const Shape<3> &p) { return Sum(Window(t, w, p)); });
        ExpectElements(pool<red::maximum>(t, size[0], size[1], stride[0], stride[1]), pooled,
                       [&](const Shape<3> &p) { return Largest(Window(t, w, p)); });
        if (stride[0] == stride[1]) {
          ExpectElements(pool<red::maximum>(t, size[0], size[1], stride[0]), pooled,
                         [&](const Shape<3> &p) { return Largest(Window(t, w, p)); });
        }
      }
    }
  });
}

TEST(ExtensionImage, PoolOfAGivenShape) {
  for (const Shape<3> &shape : kImages) {
    auto t = Make<float>(shape, 1);
    for (const WindowCase &w : kWindows) {
      const Shape<2> more = Shape2(shape[1] / w.stride[0] + 2, shape[2] / w.stride[1] + 1);
      const auto want = [&](const Shape<3> &p) { return Largest(Window(t, w, p)); };
      ExpectElements(pool<red::maximum>(t, more, w.size[0], w.size[1], w.stride[0], w.stride[1]),
                     Shape3(shape[0], more[0], more[1]), want);
      if (w.stride[0] == w.stride[1]) {
        ExpectElements(pool<red::maximum>(t, more, w.size[0], w.size[1], w.stride[0]),
                       Shape3(shape[0], more[0], more[1]), want);
      }
    }
  }
  auto t = Make<float>(Shape2(3, 4), 1);
  EXPECT_MESSAGE(pool<red::sum>(t, 4, 1, 1),
                 "pool: the image is smaller than the window, shapes "
                 "(3,4) and (4,1)");
  EXPECT_MESSAGE(pool<red::sum>(t, 2, 2, 0), "the vertical stride 0 is not positive");
  EXPECT_MESSAGE(pool<red::sum>(t, 2, 0, 1), "the width of a window 0 is not positive");
  EXPECT_MESSAGE(pool<red::sum>(t, 2, 2, 1, 1, 1, 0), "the horizontal dilation 0 is not positive");
  EXPECT_MESSAGE(pool<red::sum>(t, 2, 3, 1, 1, 1, 2),
                 "pool: the image is smaller than the window, shapes (3,4) and (2,5)");
}

/// Dilated windows, and what each of their elements gets of a gradient.
template <typename DType>
void CheckDilated(index_t width, const Shape<2> &size, const Shape<2> &stride,
                  const Shape<2> &dilation) {
  auto src = Make<DType>(Shape3(2, 7, width), 1);
  const Shape<2> count = Shape2((7 - (size[0] - 1) * dilation[0] - 1) / stride[0] + 1,
                                (width - (size[1] - 1) * dilation[1] - 1) / stride[1] + 1);
  const Shape<3> shape = Shape3(2, count[0], count[1]);
  TensorContainer<cpu, 3, double> sums(shape, 0), want(src.shape_, 0);
  auto grad = Make<DType>(shape, 2);
  ForEachIndex(shape, [&](const Shape<3> &p) {
    for (index_t n = 0; n < size.Size(); ++n) {
      const Shape<3> i = Shape3(p[0], p[1] * stride[0] + n / size[1] * dilation[0],
                                p[2] * stride[1] + n % size[1] * dilation[1]);
      At(sums, p) += Number(At(src, i));
      At(want, i) += Number(At(grad, p));
    }
  });
  const auto sum = [&](const Shape<3> &p) { return At(sums, p); };
  ExpectElements(pool<red::sum>(src, size[0], size[1], stride[0], stride[1], dilation[0],
                                dilation[1]),
                 shape, sum);
  ExpectElements(pool<red::sum>(src * 1, count, size[0], size[1], stride[0], stride[1], dilation[0],
                                dilation[1]),
                 shape, sum);
  ExpectElements(unpool<red::sum>(src, grad, grad, size[0], size[1], stride[0], stride[1],
                                  dilation[0], dilation[1]),
                 src.shape_, [&](const Shape<3> &i) { return At(want, i); });
}

TEST(ExtensionImage, DilatedPools) {
  for (const index_t width : {9, 17, 40}) {
    for (const index_t stride : {1, 2, 3}) {
      for (const index_t size : {1, 2, 3}) {
        CheckDilated<float>(width, Shape2(3, size), Shape2(stride, 1), Shape2(2, 3));
        CheckDilated<double>(width, Shape2(2, size), Shape2(1, stride), Shape2(3, 4));
        CheckDilated<half::half_t>(width, Shape2(1, size), Shape2(2, stride), Shape2(5, 2));
      }
    }
  }
}

/// The gradient by its definition: each window hands its gradient to its elements.
template <typename Reducer>
void CheckUnpool(const Shape<3> &shape, const WindowCase &w) {
  auto src = Make<float>(shape, 1);
  const Shape<2> size = w.size, stride = w.stride;
  const Shape<2> p2 =
      Shape2((shape[1] - size[0]) / stride[0] + 1, (shape[2] - size[1]) / stride[1] + 1);
  TensorContainer<cpu, 3> pooled(Shape3(shape[0], p2[0], p2[1]));
  pooled = pool<Reducer>(src, size[0], size[1], stride[0], stride[1]);
  auto grad = Make<float>(pooled.shape_, 2);
  TensorContainer<cpu, 3, double> want(shape, 0);
  ForEachIndex(pooled.shape_, [&](const Shape<3> &p) {
    for (index_t dy = 0; dy < size[0]; ++dy)
      for (index_t dx = 0; dx < size[1]; ++dx) {
        const Shape<3> i = Shape3(p[0], p[1] * stride[0] + dy, p[2] * stride[1] + dx);
        At(want, i) += Reducer::PartialGrad(At(src, i), At(pooled, p)) * At(grad, p);
      }
  });
  const auto wanted = [&](const Shape<3> &i) { return At(want, i); };
  ExpectElements(unpool<Reducer>(src, pooled, grad, size[0], size[1], stride[0], stride[1]), shape,
                 wanted);
  ExpectElements(unpool<Reducer>(src * 1, pooled, grad + 0, size[0], size[1], stride[0], stride[1]),
                 shape, wanted);
  if (stride[0] == stride[1]) {
    ExpectElements(unpool<Reducer>(src, pooled, grad, size[0], size[1], stride[0]), shape, wanted);
  }
  src = unpool<Reducer>(src, pooled, grad, size[0], size[1], stride[0], stride[1]);
  ForEachIndex(shape, [&](const Shape<3> &i) { EXPECT_EQ(At(src, i), At(want, i)) << "in place"; });
}

/// Short rows of a tensor are reduced four windows at a time, those of an expression one by one.
template <typename Reducer, typename DType>
void CheckShortRows() {
  for (index_t width = 2; width < 22; ++width) {
    for (const index_t size : {1, 2, 3, 5}) {
      if (size > width) continue;
      auto src = Make<DType>(Shape3(3, 6, width), 1);
      src[1][3][width / 2] = std::numeric_limits<DType>::quiet_NaN();
      src[0][2][0] = DType(-0.0);
      const Shape<3> shape = Shape3(3, 7 - size, width - size + 1);
      TensorContainer<cpu, 3, DType> fours(shape), single(shape);
      fours = pool<Reducer>(src, size, size, 1);
      for (index_t i = 0; i < 3; ++i) {
        for (index_t y = 0; y < shape[1]; ++y) {
          for (index_t x = 0; x < shape[2]; ++x) {
            single[i][y][x] = MakePlan(pool<Reducer>(src, size, size, 1)).Eval(i * shape[1] + y, x);
          }
          EXPECT_EQ(std::memcmp(fours[i][y].dptr_, single[i][y].dptr_,
                                sizeof(DType) * static_cast<size_t>(shape[2])),
                    0)
              << width << ' ' << size << ' ' << y;
        }
      }
      // Windows that are cut off at the end.
      const Shape<2> more = Shape2(6, width);
      TensorContainer<cpu, 3, DType> cut(Shape3(3, 6, width));
      cut = pool<Reducer>(src, more, size, size, 1);
      EXPECT_EQ(std::memcmp(cut[0][0].dptr_, fours[0][0].dptr_,
                            sizeof(DType) * static_cast<size_t>(shape[2])),
                0);
    }
  }
}
TEST(ExtensionImage, PoolShortRows) {
  CheckShortRows<red::maximum, float>();
  CheckShortRows<red::minimum, double>();
  CheckShortRows<red::sum, float>();
}

TEST(ExtensionImage, Unpool) {
  for (const Shape<3> &shape : kImages) {
    for (const WindowCase &w : kWindows) {
      CheckUnpool<red::maximum>(shape, w);
      CheckUnpool<red::sum>(shape, w);
    }
  }
  auto src = Make<float>(Shape2(4, 4), 1), pooled = Make<float>(Shape2(2, 2), 2);
  auto other = Make<float>(Shape2(2, 3), 2);
  EXPECT_MESSAGE(unpool<red::sum>(src, pooled, other, 2, 2, 2),
                 "unpool: pooled data and gradient differ, shapes (2,2) and (2,3)");
  auto batch = Make<float>(Shape3(3, 4, 4), 1), less = Make<float>(Shape3(2, 2, 2), 1);
  EXPECT_MESSAGE(unpool<red::sum>(batch, less, less, 2, 2, 2),
                 "differ in a dimension that is not pooled");
}

struct ChannelCase {
  index_t size, stride, pad;
};

TEST(ExtensionImage, Chpool) {
  for (const Shape<4> &shape : {Shape4(2, 6, 3, 4), Shape4(1, 3, 1, 200), Shape4(0, 3, 2, 2)}) {
    auto t = Make<float>(shape, 1);
    for (const ChannelCase c : {ChannelCase{1, 1, 0}, {3, 1, 1}, {2, 2, 0}, {3, 2, 1}, {2, 1, 2}}) {
      const index_t channels = (shape[1] + 2 * c.pad - c.size) / c.stride + 1;
      const Shape<4> pooled = Shape4(shape[0], channels, shape[2], shape[3]);
      const auto values = [&](Shape<4> i) {
        std::vector<double> found;
        const index_t begin = i[1] * c.stride;  // in front of it are c.pad channels of nothing
        for (index_t d = begin; d < begin + c.size; ++d) {
          i[1] = d - c.pad;
          if (c.pad <= d && i[1] < shape[1]) found.push_back(At(t, i));
        }
        return found;
      };
      ExpectElements(chpool<red::sum>(t, c.size, c.stride, c.pad), pooled,
                     [&](const Shape<4> &i) { return Sum(values(i)); });
      ExpectElements(chpool<red::maximum>(t * 1, c.size, c.stride, c.pad), pooled,
                     [&](const Shape<4> &i) { return Largest(values(i)); });
      if (c.stride == 1 && c.size % 2 == 1) {
        ExpectElements(chpool<red::sum>(t, c.size), pooled,
                       [&](const Shape<4> &i) { return Sum(values(i)); });
      }
    }
  }
  auto t = Make<float>(Shape3(6, 2, 2), 1);
  EXPECT_EQ((chpool<red::sum>(t, 2, 2, 0).shape_), Shape3(3, 2, 2));
  EXPECT_MESSAGE(chpool<red::sum>(t, 2), "chpool: 2 channels, an even number, have no middle");
  EXPECT_MESSAGE(chpool<red::sum>(t, 7, 1, 0),
                 "the window has more channels than the padded tensor");
}

TEST(ExtensionImage, ChUnpool) {
  const Shape<4> shape = Shape4(2, 6, 3, 4);
  auto src = Make<float>(shape, 1);
  for (const ChannelCase c : {ChannelCase{1, 1, 0}, {3, 1, 1}, {2, 2, 0}, {3, 2, 1}, {2, 3, 0}}) {
    const auto exp = chpool<red::maximum>(src, c.size, c.stride, c.pad);
    TensorContainer<cpu, 4> pooled(exp.shape_);
    pooled = exp;
    auto grad = Make<float>(pooled.shape_, 2);
    TensorContainer<cpu, 4, double> want(shape, 0);
    ForEachIndex(pooled.shape_, [&](const Shape<4> &p) {
      for (index_t d = 0; d < c.size; ++d) {
        Shape<4> i = p;
        if (p[1] * c.stride + d < c.pad) continue;
        i[1] = p[1] * c.stride + d - c.pad;
        if (i[1] >= shape[1]) continue;
        At(want, i) += red::maximum::PartialGrad(At(src, i), At(pooled, p)) * At(grad, p);
      }
    });
    const auto wanted = [&](const Shape<4> &i) { return At(want, i); };
    ExpectElements(ch_unpool<red::maximum>(src, pooled, grad, c.size, c.stride, c.pad), shape,
                   wanted);
    if (c.stride == 1 && c.size == 3) {
      ExpectElements(ch_unpool<red::maximum>(src, pooled, grad, 3), shape, wanted);
    }
  }
  auto few = Make<float>(Shape4(2, 6, 3, 3), 1);
  EXPECT_MESSAGE(ch_unpool<red::sum>(src, few, few, 1), "differ in a dimension that is not pooled");
}

struct PatchCase {
  Shape<2> size, stride, dilate;
};
const PatchCase kPatches[] = {{Shape2(1, 1), Shape2(1, 1), Shape2(1, 1)},
                              {Shape2(3, 3), Shape2(1, 1), Shape2(1, 1)},
                              {Shape2(2, 3), Shape2(2, 1), Shape2(1, 2)},
                              {Shape2(3, 2), Shape2(2, 3), Shape2(2, 3)}};

/// Calls f(row, column, index) for each element of the matrix and the place of the image that it
/// is.
template <typename Function>
Shape<2> ForEachPatchElement(const Shape<4> &im, const PatchCase &p, Function &&f) {
  const index_t oy = (im[2] - (p.size[0] - 1) * p.dilate[0] - 1) / p.stride[0] + 1;
  const index_t ox = (im[3] - (p.size[1] - 1) * p.dilate[1] - 1) / p.stride[1] + 1;
  ForEachIndex(Shape3(im[1], p.size[0], p.size[1]), [&](const Shape<3> &r) {
    ForEachIndex(Shape3(im[0], oy, ox), [&](const Shape<3> &c) {
      f((r[0] * p.size[0] + r[1]) * p.size[1] + r[2], (c[0] * oy + c[1]) * ox + c[2],
        Shape4(c[0], r[0], c[1] * p.stride[0] + r[1] * p.dilate[0],
               c[2] * p.stride[1] + r[2] * p.dilate[1]));
    });
  });
  return Shape2(im[1] * p.size[0] * p.size[1], im[0] * oy * ox);
}

TEST(ExtensionImage, UnpackAndPack) {
  for (const Shape<4> &im :
       {Shape4(2, 3, 7, 8), Shape4(1, 1, 5, 5), Shape4(0, 2, 6, 6), Shape4(2, 1, 6, 150)}) {
    auto img = Make<float>(im, 1);
    for (const PatchCase &p : kPatches) {
      std::vector<double> values;
      const Shape<2> shape = ForEachPatchElement(
          im, p, [&](index_t, index_t, const Shape<4> &i) { values.push_back(At(img, i)); });
      ExpectElements(unpack_patch2col(img, p.size[0], p.size[1], p.stride[0], p.stride[1],
                                      p.dilate[0], p.dilate[1]),
                     shape, [&](const Shape<2> &i) {
                       return values[static_cast<size_t>(i[0] * shape[1] + i[1])];
                     });
      auto mat = Make<float>(shape, 2);
      TensorContainer<cpu, 4, double> want(im, 0);
      ForEachPatchElement(im, p, [&](index_t row, index_t column, const Shape<4> &i) {
        At(want, i) += mat[row][column];
      });
      ExpectElements(pack_col2patch(mat * 1, im, p.size[0], p.size[1], p.stride[0], p.stride[1],
                                    p.dilate[0], p.dilate[1]),
                     im, [&](const Shape<4> &i) { return At(want, i); });
    }
  }
}

TEST(ExtensionImage, PatchesWithOneStride) {
  auto img = Make<float>(Shape3(2, 5, 6), 1);
  TensorContainer<cpu, 2> a(Shape2(8, 6)), b(Shape2(8, 6));
  a = unpack_patch2col(img, 2, 2, 2);
  b = unpack_patch2col(img, 2, 2, 2, 2, 1, 1);
  ExpectSame<float>(a, b);
  TensorContainer<cpu, 3> packed(img.shape_), want(img.shape_);
  packed = pack_col2patch(a, img.shape_, 2, 2, 2);
  want = pack_col2patch(a, img.shape_, 2, 2, 2, 2, 1, 1);
  ExpectSame<float>(packed.FlatTo2D(), want.FlatTo2D());
  EXPECT_MESSAGE(unpack_patch2col(img, 3, 3, 1, 3),
                 "unpack_patch2col: the image is smaller than a patch, shapes (2,5,6) and (3,3)");
  EXPECT_MESSAGE(pack_col2patch(a, Shape3(2, 5, 8), 2, 2, 2),
                 "pack_col2patch of a matrix and its patches: shapes (8,6) and (8,8) differ");
  EXPECT_MESSAGE(unpack_patch2col(img, 3, 3, 0), "the stride 0 is not positive");
}

TEST(ExtensionImage, AConvolution) {
  auto img = Make<double>(Shape4(2, 3, 5, 6), 1),
       weight4 = Make<double>(Shape4(4, 3, 3, 3), 2, false);
  TensorContainer<cpu, 2, double> col(Shape2(27, 2 * 5 * 6)), out(Shape2(4, 60));
  col = unpack_patch2col(pad(img, 1), 3, 3, 1);
  out = dot(Tensor<cpu, 2, double>(weight4.dptr_, Shape2(4, 27)), col);
  ForEachIndex(Shape4(2, 4, 5, 6), [&](const Shape<4> &o) {
    double sum = 0;
    ForEachIndex(Shape3(3, 3, 3), [&](const Shape<3> &k) {
      if (o[2] + k[1] < 1 || o[3] + k[2] < 1) return;
      const index_t y = o[2] + k[1] - 1, x = o[3] + k[2] - 1;
      if (y >= 5 || x >= 6) return;
      sum += At(weight4, Shape4(o[1], k[0], k[1], k[2])) * At(img, Shape4(o[0], k[0], y, x));
    });
    EXPECT_EQ(out[o[1]][(o[0] * 5 + o[2]) * 6 + o[3]], sum);
  });
}

}  // namespace
