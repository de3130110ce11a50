// SPDX-License-Identifier: Apache-2.0
// Windows that end with the image or that the launch knows, and sums over the windows that hold an
// element: against loops over coordinates, as indexed_views_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "fenced_tensor.h"
#include "pooled_views_rules.h"

namespace {

using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::kWidths;
using mshadow_test::Layout;

/// Windows along a dimension of `extent` elements, with `border` before and behind.
struct Along {
  int size, stride, border;

  /// How many there are, of which the last may be cut off.
  index_t Count(index_t extent) const {
    const index_t reach = extent + 2 * border - size;
    return reach < 0 ? 1 : (reach + stride - 1) / stride + 1;
  }
  /// Calls `visit(i)` for each element of window p that is in the image or its border.
  template <typename Visit>
  void ForEach(index_t p, index_t extent, const Visit &visit) const {
    for (index_t i = p * stride; i < p * stride + size; ++i) {
      if (i < extent + 2 * border) visit(i - border);
    }
  }
};
constexpr Along kAlong[] = {{2, 2, 0}, {3, 2, 1}, {3, 1, 1}, {1, 3, 0}, {5, 3, 2}, {4, 5, 1}};

/// What a loop over the coordinates of windows says of images of rows: the results, or what each
/// element of an image gets.
struct Windows {
  Along y, x;
  index_t height, width;

  index_t pooled_height() const { return y.Count(height); }
  index_t pooled_width() const { return x.Count(width); }
  /// Calls `visit(i, j)` for each element of window (p, q), -1 and so on for those of a border.
  template <typename Visit>
  void ForEach(index_t p, index_t q, const Visit &visit) const {
    y.ForEach(p, height, [&](index_t i) { x.ForEach(q, width, [&](index_t j) { visit(i, j); }); });
  }
  bool Has(index_t i, index_t j) const { return 0 <= i && i < height && 0 <= j && j < width; }
  /// The sum over the windows (p, q) that hold element (i, j) of what `term` gives.
  float Sum(index_t i, index_t j, const std::function<float(index_t, index_t)> &term) const {
    float sum = 0;
    for (index_t p = 0; p < pooled_height(); ++p) {
      for (index_t q = 0; q < pooled_width(); ++q) {
        ForEach(p, q, [&](index_t a, index_t b) { sum += a == i && b == j ? term(p, q) : 0.0f; });
      }
    }
    return sum;
  }
};

/// A sum of numbers that floats have, as a byte where the type is one.
template <typename DType>
float As(float sum) {
  return sizeof(DType) == 1 ? static_cast<float>(static_cast<int8_t>(static_cast<int>(sum))) : sum;
}

/// Small numbers, many of them equal, and some results of windows that are none of their elements.
template <int dim, typename DType>
void Fill(const Fenced<dim, DType> &tensor, int first) {
  const auto shape = tensor.tensor.shape_.FlatTo2D();
  for (index_t y = 0; y < shape[0]; ++y) {
    for (index_t x = 0; x < shape[1]; ++x) {
      const index_t number = (first + 5 * y + 3 * x + x / 7) % 7;
      tensor.tensor.dptr_[y * tensor.tensor.stride_ + x] = DType(static_cast<float>(number));
    }
  }
}

template <typename DType>
void ComparePools(const Layout &layout, const Windows &of) {
  const index_t height = of.pooled_height(), width = of.pooled_width();
  const Fenced<3, DType> in(Shape3(2, of.height, of.width), layout);
  const Fenced<3, DType> out(Shape3(2, height, width), layout);
  pooled_views::Pooled(out.tensor, in.tensor, of.y.size, of.x.size, of.y.stride, of.x.stride,
                       of.y.border, of.x.border);
  out.Expect([&](index_t row, index_t q) {
    float top = -1000;
    of.ForEach(row % height, q, [&](index_t i, index_t j) {
      top = std::max(top, of.Has(i, j) ? in.At(row / height * of.height + i, j) : 0.0f);
    });
    return top > -1000          ? top
           : sizeof(DType) == 1 ? -128.0f
                                : -std::numeric_limits<float>::infinity();
  });
}

template <typename DType>
void CompareGradients(const Layout &layout, const Windows &of) {
  const index_t height = of.pooled_height(), width = of.pooled_width();
  const Fenced<3, DType> in(Shape3(2, of.height, of.width), layout), out(in.tensor.shape_, layout);
  const Fenced<3, DType> pooled(Shape3(2, height, width), layout),
      grad(pooled.tensor.shape_, layout);
  Fill(in, 1);
  Fill(pooled, 3);
  Fill(grad, 2);
  pooled_views::Unpooled(out.tensor, in.tensor, pooled.tensor, grad.tensor, of.y.size, of.x.size,
                         of.y.stride, of.x.stride, of.y.border, of.x.border);
  out.Expect([&](index_t row, index_t x) {
    const index_t first = row / of.height * height;
    return As<DType>(of.Sum(row % of.height, x, [&](index_t p, index_t q) {
      return pooled.At(first + p, q) == in.At(row, x) ? grad.At(first + p, q) : 0.0f;
    }));
  });
}

template <typename Compare>
void ForAllWindows(const Compare &compare) {
  Everywhere([&](const Layout &layout) {
    for (const Along &x : kAlong) {
      for (const index_t width : {1, 2, 7, 16, 33, 50}) {
        compare(layout, Windows{kAlong[width % 6], x, 5, width});
      }
    }
  });
}

TEST(PooledViews, WindowsAsTheLaunchSaysEndWithTheImage) {
  ForAllWindows([](const Layout &layout, const Windows &of) {
    ComparePools<float>(layout, of);
    ComparePools<double>(layout, of);
    ComparePools<mshadow::half::half_t>(layout, of);
    ComparePools<int8_t>(layout, of);
  });
}

TEST(PooledViews, GradientsOfWindowsAsTheLaunchSays) {
  ForAllWindows([](const Layout &layout, const Windows &of) {
    CompareGradients<float>(layout, of);
    CompareGradients<double>(layout, of);
    CompareGradients<mshadow::half::half_t>(layout, of);
    CompareGradients<int8_t>(layout, of);
  });
}

TEST(PooledViews, WindowsEndWithTheImage) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      for (const index_t more : {0, 1}) {  // windows, of which a last one begins behind the image
        const Fenced<2, float> in(Shape2(3, width), layout);
        const Fenced<2, float> out(Shape2(2, (width + 3) / 2 + more), layout);
        Fill(in, 1);
        pooled_views::CutOff(out.tensor, in.tensor);
        out.Expect([&](index_t p, index_t q) {
          float sum = 0, product = 1;
          for (index_t y = 2 * p - 1; y < 2 * p + 2; ++y) {
            for (index_t x = 2 * q - 1; x < 2 * q + 2; ++x) {
              sum += in.AtOrZero(y, x) * in.AtOrZero(y, x);
            }
          }
          for (index_t y = 2 * p; y < std::min<index_t>(2 * p + 2, 3); ++y) {
            for (index_t x = q; x < std::min<index_t>(q + 3, width); ++x) product *= in.At(y, x);
          }
          return sum - product;
        });
      }
    }
  });
}

TEST(PooledViews, SomeOfTheWindows) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<3, float> in(Shape3(2, 8, 2 * width + 5), layout);
      const Fenced<2, float> out(Shape2(2, width), layout);
      pooled_views::SomeWindows(out.tensor, in.tensor, 1, 2, 1);
      out.Expect([&](index_t p, index_t q) {
        const index_t y = 8 + 2 * (p + 2), x = 2 * (q + 1);
        return std::max(std::max(in.At(y, x), in.At(y, x + 1)),
                        std::max(in.At(y + 1, x), in.At(y + 1, x + 1)));
      });
    }
  });
}

/// A rule of matrices whose windows the spec knows. \param is_chosen (element, result)
template <typename DType, typename Rule, typename IsChosen>
void CompareKnown(const Rule &rule, Along y, Along x, const IsChosen &is_chosen) {
  Everywhere([&](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Windows of = {y, x, 4, width};
      const Fenced<2, DType> in(Shape2(4, width), layout), out(in.tensor.shape_, layout);
      const Fenced<2, DType> pooled(Shape2(of.pooled_height(), of.pooled_width()), layout);
      const Fenced<2, DType> grad(pooled.tensor.shape_, layout);
      Fill(in, 1);
      Fill(pooled, 3);
      Fill(grad, 2);
      rule(out.tensor, in.tensor, pooled.tensor, grad.tensor);
      out.Expect([&](index_t i, index_t j) {
        return As<DType>(of.Sum(i, j, [&](index_t p, index_t q) {
          return is_chosen(in.At(i, j), pooled.At(p, q)) ? grad.At(p, q) : 0.0f;
        }));
      });
    }
  });
}

constexpr auto kIsResult = [](float element, float result) { return element == result; };
constexpr auto kAlways = [](float, float) { return true; };

template <typename DType>
void CompareBeside() {
  const auto rule = [](const auto &...args) { pooled_views::Beside(args...); };
  CompareKnown<DType>(rule, {2, 2, 0}, {2, 2, 0}, kIsResult);
}
template <typename DType>
void CompareOver() {
  const auto rule = [](const auto &...args) { pooled_views::Over(args...); };
  CompareKnown<DType>(rule, {3, 2, 1}, {3, 2, 1}, kIsResult);
}
template <typename DType>
void CompareApart() {
  const auto rule = [](const auto &...args) { pooled_views::Apart(args...); };
  CompareKnown<DType>(rule, {1, 2, 0}, {2, 3, 0}, kAlways);
}
template <typename DType>
void CompareWide() {
  const auto rule = [](const auto &...args) { pooled_views::Wide(args...); };
  CompareKnown<DType>(rule, {2, 1, 0}, {7, 3, 0}, kAlways);
}

TEST(PooledViews, GradientsOfWindowsBesideEachOther) {
  CompareBeside<float>();
  CompareBeside<double>();
  CompareBeside<mshadow::half::half_t>();
  CompareBeside<int8_t>();
}

TEST(PooledViews, GradientsOfWindowsOverEachOther) {
  CompareOver<float>();
  CompareOver<mshadow::half::half_t>();
  CompareOver<int8_t>();
  CompareWide<float>();
  CompareWide<double>();
}

TEST(PooledViews, GradientsOfWindowsWithGaps) {
  CompareApart<float>();
  CompareApart<int8_t>();
}

TEST(PooledViews, GradientsOfABorder) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<2, float> in(Shape2(3, width), layout), pooled(Shape2(3, width), layout);
      const Fenced<2, float> grad(Shape2(3, width), layout), out(Shape2(5, width + 2), layout);
      const Fenced<1, float> sums(Shape1(5), layout);
      Fill(in, 1);
      Fill(pooled, 3);
      Fill(grad, 2);
      pooled_views::WithBorder(sums.tensor, out.tensor, in.tensor, pooled.tensor, grad.tensor);
      const auto gradient = [&](index_t y, index_t x) {
        float sum = 0;
        for (index_t p = std::max<index_t>(y - 2, 0); p <= std::min<index_t>(y, 2); ++p) {
          for (index_t q = std::max<index_t>(x - 2, 0); q <= std::min(x, width - 1); ++q) {
            if (in.AtOrZero(y - 1, x - 1) == pooled.At(p, q)) sum += grad.At(p, q);
          }
        }
        return sum;
      };
      out.Expect([&](index_t y, index_t x) { return 2 * gradient(y, x); });
      sums.Expect([&](index_t, index_t y) {
        float sum = 0;
        for (index_t x = 0; x < width + 2; ++x) sum += gradient(y, x);
        return sum;
      });
    }
  });
}

TEST(PooledViews, GradientsOfWindowsOfChannels) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Along along = {3, 2, 1};
      const index_t channels = 5, pooled_channels = (channels + 2 - 3) / 2 + 1;
      const Fenced<4, float> in(Shape4(2, channels, 2, width), layout);
      const Fenced<4, float> out(in.tensor.shape_, layout);
      const Fenced<4, float> pooled(Shape4(2, pooled_channels, 2, width), layout);
      const Fenced<4, float> grad(pooled.tensor.shape_, layout);
      Fill(in, 1);
      Fill(pooled, 3);
      Fill(grad, 2);
      pooled_views::Channels(out.tensor, in.tensor, pooled.tensor, grad.tensor, along.size,
                             along.stride, along.border);
      out.Expect([&](index_t row, index_t x) {
        const index_t channel = row / 2 % channels, image = row / 2 / channels;
        float sum = 0;
        for (index_t p = 0; p < pooled_channels; ++p) {
          const index_t at = (image * pooled_channels + p) * 2 + row % 2;
          const index_t first = p * along.stride - along.border;
          const bool holds = first <= channel && channel < first + along.size;
          if (holds && pooled.At(at, x) == in.At(row, x)) sum += grad.At(at, x);
        }
        return sum;
      });
      const Fenced<3, float> few(Shape3(4, 2, width), layout), more(few.tensor.shape_, layout);
      pooled_views::NearChannels(more.tensor, few.tensor, few.tensor, few.tensor);
      more.Expect([&](index_t row, index_t x) {
        float sum = few.At(row, x);
        if (row >= 2) sum += few.At(row - 2, x);
        return row < 6 ? sum + few.At(row + 2, x) : sum;
      });
    }
  });
}

/// Patches along a dimension.
struct Patches {
  int size, stride, dilation, border;

  index_t Count(index_t extent) const {
    return (extent + 2 * border - (size - 1) * dilation - 1) / stride + 1;
  }
};

/// Compares images of `channels` with what a loop over patches adds up. \param rule (out, columns)
template <typename DType, int dim, typename Rule>
void ComparePacked(const Layout &layout, const mshadow::Shape<dim> &shape, const Patches &y,
                   const Patches &x, const Rule &rule) {
  const index_t channels = shape[dim - 3], height = shape[dim - 2], width = shape[dim - 1];
  const index_t images = dim > 3 ? shape[0] : 1, lines = y.Count(height), patches = x.Count(width);
  const Fenced<dim, DType> out(shape, layout);
  const Fenced<2, DType> columns(Shape2(channels * y.size * x.size, images * lines * patches),
                                 layout);
  Fill(columns, 1);
  rule(out.tensor, columns.tensor);
  out.Expect([&](index_t row, index_t at_x) {
    const index_t at_y = row % height, channel = row / height % channels;
    float sum = 0;
    for (index_t dy = 0; dy < y.size; ++dy) {
      for (index_t dx = 0; dx < x.size; ++dx) {
        for (index_t py = 0; py < lines; ++py) {
          for (index_t px = 0; px < patches; ++px) {
            const bool is_here = py * y.stride + dy * y.dilation == at_y + y.border &&
                                 px * x.stride + dx * x.dilation == at_x + x.border;
            if (!is_here) continue;
            sum += columns.At((channel * y.size + dy) * x.size + dx,
                              (row / height / channels * lines + py) * patches + px);
          }
        }
      }
    }
    return As<DType>(sum);
  });
}

template <typename DType>
void ComparePackedNeighbours() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : {3, 4, 9, 18, 50}) {
      ComparePacked<DType>(layout, Shape4(2, 2, 3, width), {2, 1, 1, 0}, {3, 1, 1, 0},
                           [](auto out, auto columns) { pooled_views::Packed(out, columns); });
    }
  });
}

TEST(PooledViews, ColumnsAddedUpToImages) {
  ComparePackedNeighbours<float>();
  ComparePackedNeighbours<double>();
  ComparePackedNeighbours<mshadow::half::half_t>();
  ComparePackedNeighbours<int8_t>();
}

TEST(PooledViews, ColumnsOfPatchesThatAreApart) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : {7, 8, 16, 33, 90}) {
      const Patches y = {2, 1, 1, 0}, x = {3, 2, 3, 0};
      const auto rule = [](auto out, auto columns) { pooled_views::PackedApart(out, columns); };
      ComparePacked<float>(layout, Shape3(2, 4, width), y, x, rule);
      ComparePacked<int8_t>(layout, Shape3(2, 4, width), y, x, rule);
    }
  });
}

TEST(PooledViews, PatchesAsTheLaunchSays) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : {4, 9, 17, 40}) {
      for (const Patches &of : {Patches{3, 1, 1, 1}, Patches{2, 3, 1, 0}, Patches{5, 2, 1, 2}}) {
        ComparePacked<float>(layout, Shape4(1, 2, 6, width), of, of, [&](auto out, auto columns) {
          pooled_views::PackedWithin(out, columns, of.size, of.stride, of.border);
        });
      }
      const Patches of = {2, 2, 3, 1};
      const index_t lines = of.Count(6), patches = of.Count(width);
      const Fenced<4, float> in(Shape4(1, 2, 6, width), layout);
      const Fenced<2, float> columns(Shape2(2 * 4, lines * patches), layout);
      pooled_views::Unpacked(columns.tensor, in.tensor, 2, 2, 3, 1);
      columns.Expect([&](index_t row, index_t column) {
        const index_t y = column / patches * 2 + row / 2 % 2 * 3 - 1;
        const index_t x = column % patches * 2 + row % 2 * 3 - 1;
        const bool has = 0 <= y && y < 6 && 0 <= x && x < width;
        return has ? in.At(row / 4 * 6 + y, x) : 0.0f;
      });
    }
  });
}

}  // namespace
