// SPDX-License-Identifier: Apache-2.0
// Views of views: a GPU's kernels give the bits of the CPU's, which nested_views_test.cc of
// tests/execution compares with loops over coordinates.
#include <fake_cuda.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include "cpu_and_gpu.h"
#include "cuda_moved_views.h"

namespace {

using namespace mshadow;
using namespace cuda_test;

constexpr index_t kWidths[] = {2, 5, 16, 33};

template <int dim, typename DType>
using OnCpu = const Tensor<cpu, dim, DType> &;

TEST(NestedViewsOnGpu, WindowsAndColumns) {
  for (const index_t width : kWidths) {
    const auto in = Filled<2, float>(Shape2(4, width), 1);
    ExpectSameBits<float>(
        Shape2(5, width + 3), [](auto &out, const auto &x) { nested_views::Windows(out, x); },
        static_cast<OnCpu<2, float>>(in));
    ExpectSameBits<float>(
        Shape2(width, 4), [](auto &out, const auto &x) { nested_views::Columns(out, x); },
        static_cast<OnCpu<2, float>>(in));
    ExpectSameBits<float>(
        Shape2(8, width + 6), [](auto &out, const auto &x) { nested_views::Gradient(out, x); },
        static_cast<OnCpu<2, float>>(in));
  }
}

TEST(NestedViewsOnGpu, RepeatedAndCounted) {
  for (const index_t width : kWidths) {
    const auto in = Filled<3, half::half_t>(Shape3(2, 3, width), 1);
    ExpectSameBits<half::half_t>(
        Shape3(2, 6, 2 * width), [](auto &out, const auto &x) { nested_views::Twice(out, x); },
        static_cast<OnCpu<3, half::half_t>>(in));
    const auto line = Filled<1, float>(Shape1(5 * (width + 1)), 1);
    ExpectSameBits<float>(
        Shape2(3, width), [](auto &out, const auto &x) { nested_views::Shaped(out, x); },
        static_cast<OnCpu<1, float>>(line));
  }
}

TEST(NestedViewsOnGpu, Ranges) {
  for (const int repeat : {1, 3}) {
    const double stop = 2.5 - 0.75 * 4 * repeat;
    ExpectSameBits<float>(Shape1(4 * repeat),
                          [stop](auto &out) { nested_views::Steps(out, 2.5, stop, -0.75); });
    ExpectSameBits<int32_t>(Shape2(4, 4 * repeat + 2),
                            [=](auto &out) { nested_views::Bands(out, 2.5, stop, -0.75, repeat); });
  }
}

TEST(NestedViewsOnGpu, WindowsOfOtherViews) {
  for (const index_t width : kWidths) {
    const auto a = Filled<2, float>(Shape2(2 * width + 1, 5), 1);
    ExpectSameBits<float>(
        Shape2(4, width), [](auto &out, const auto &x) { nested_views::Across(out, x); },
        static_cast<OnCpu<2, float>>(a));
    const auto b = Filled<2, float>(Shape2(5, 2 * width + 1), 2);
    ExpectSameBits<float>(
        Shape2(8, width), [](auto &out, const auto &x) { nested_views::ShapeOfWindows(out, x); },
        static_cast<OnCpu<2, float>>(b));
    ExpectSameBits<float>(
        Shape2(2, width),
        [](auto &out, const auto &x) { nested_views::OfComputed(out, x, x, 2.0f, 3, 2); },
        static_cast<OnCpu<2, float>>(b));
    ExpectSameBits<float>(
        Shape2(4, 4 * width + 2),
        [](auto &out, const auto &x) { nested_views::OfJoined(out, x, x); },
        static_cast<OnCpu<2, float>>(b));
    const auto half = Filled<2, float>(Shape2(2, width), 3);
    ExpectSameBits<float>(
        Shape2(4, 2 * width),
        [](auto &out, const auto &x, const auto &y) {
          nested_views::GradientOfColumns(out, x, y, y);
        },
        static_cast<OnCpu<2, float>>(Filled<2, float>(Shape2(2 * width, 4), 1)),
        static_cast<OnCpu<2, float>>(half));
    const auto images = Filled<3, float>(Shape3(2, 3, width + 1), 1);
    ExpectSameBits<float>(
        Shape3(2, 6, 2 * width),
        [](auto &out, const auto &x) { nested_views::AnyWindows(out, x, x); },
        static_cast<OnCpu<3, float>>(images));
  }
}

}  // namespace
