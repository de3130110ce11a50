// SPDX-License-Identifier: Apache-2.0
// Rows of a few elements, several to a packet: against loops over coordinates, as
// indexed_views_test.cc, and in lists.
#include <gtest/gtest.h>
#include <mshadow/list.h>

#include <memory>
#include <vector>

#include "fenced_tensor.h"
#include "short_rows_rules.h"

namespace {

using mshadow::index_t;
using mshadow::Shape;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow_test::Everywhere;
using mshadow_test::Fenced;
using mshadow_test::kWidths;
using mshadow_test::Layout;

TEST(ShortRows, OfBytes) {
  Everywhere([](const Layout &layout) {
    for (const index_t rows : kWidths) {
      const Fenced<2, uint8_t> out(Shape2(rows, 3), layout), before(Shape2(rows, 3), layout);
      const Fenced<2, uint8_t> in(Shape2(rows, 4), layout);
      short_rows::Over(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) {
        const int alpha = static_cast<int>(in.At(y, 3));
        const int sum = static_cast<int>(in.At(y, x)) * alpha +
                        static_cast<int>(before.At(y, x)) * (255 - alpha);
        return static_cast<float>(sum / 255);
      });
    }
  });
}

template <typename DType>
void CompareChannels() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<3, DType> out(Shape3(2, width, 3), layout), in(Shape3(2, width, 4), layout);
      const Fenced<1, DType> gain(Shape1(3), layout);
      short_rows::Channels(out.tensor, in.tensor, gain.tensor);
      out.Expect([&](index_t y, index_t x) {
        const float want = in.At(y, x + 1) * gain.At(x) - in.At(y, x);
        return static_cast<float>(DType(static_cast<int>(want)));
      });
    }
  });
}

TEST(ShortRows, OfImages) {
  CompareChannels<float>();
  CompareChannels<double>();
  CompareChannels<mshadow::half::half_t>();
  CompareChannels<int8_t>();
}

template <typename DType>
void ComparePairs() {
  Everywhere([](const Layout &layout) {
    for (const index_t rows : kWidths) {
      const Fenced<2, DType> out(Shape2(rows, 4), layout), before(Shape2(rows, 4), layout);
      const Fenced<2, DType> in(Shape2(rows, 3), layout);
      const Fenced<1, DType> row(Shape1(rows), layout);
      short_rows::Pairs(out.tensor, in.tensor, row.tensor);
      out.Expect([&](index_t y, index_t x) {
        const float sum = 1 <= x && x < 3 ? in.At(y, x - 1) + row.At(y) : 0;
        return 1 <= x && x < 3 ? static_cast<float>(DType(static_cast<int>(sum))) : before.At(y, x);
      });
    }
  });
}

TEST(ShortRows, AreWrittenBesideOthers) {
  ComparePairs<float>();
  ComparePairs<int8_t>();
}

/// A matrix with gaps has its elements at several distances.
template <typename DType>
void CompareScaled() {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Shape<3> shape = Shape3(3, width, 3);
      const Fenced<3, DType> out(shape, layout), in(shape, layout);
      const Fenced<2, DType> factor(Shape2(3, width), layout);
      short_rows::Scaled(out.tensor, in.tensor, factor.tensor);
      out.Expect([&](index_t y, index_t x) {
        const float by = factor.At(y);
        const float want = x == 0 ? in.At(y, 2) - by : in.At(y, x - 1) * by;
        return static_cast<float>(DType(static_cast<int>(want)));
      });
    }
  });
}

TEST(ShortRows, BesideAMatrix) {
  CompareScaled<float>();
  CompareScaled<mshadow::half::half_t>();
  CompareScaled<int8_t>();
}

TEST(ShortRows, BesideATensor) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<4, float> out(Shape4(2, 3, width, 3), layout);
      const Fenced<4, float> in(Shape4(2, 3, width, 4), layout);
      const Fenced<3, float> factor(Shape3(2, 3, width), layout);
      short_rows::Frames(out.tensor, in.tensor, factor.tensor);
      out.Expect([&](index_t y, index_t x) { return in.At(y, x) * factor.At(y); });
    }
  });
}

template <typename DType>
void CompareOnes(index_t channels_in, index_t channels_out) {
  Everywhere([&](const Layout &layout) {
    for (const index_t rows : kWidths) {
      const Shape<2> shape = Shape2(rows, channels_out);
      const Fenced<2, DType> out(shape, layout), before(shape, layout);
      const Fenced<2, DType> in(Shape2(rows, channels_in), layout);
      short_rows::One(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) {
        return x == 2 ? in.At(y, 0) * in.At(y, 1) : before.At(y, x);
      });
    }
  });
}

TEST(ShortRows, OfOneElement) {
  for (const index_t in : {2, 3, 4, 5}) {
    for (const index_t out : {3, 4, 5}) {
      CompareOnes<float>(in, out);
      CompareOnes<double>(in, out);
    }
  }
}

template <typename DType>
void CompareAcross() {
  Everywhere([](const Layout &layout) {
    for (const index_t rows : kWidths) {
      for (const index_t cols : {1, 2, 3, 5, 8, 9}) {
        const Fenced<2, DType> out(Shape2(rows, cols), layout), in(Shape2(cols, rows), layout);
        const Fenced<1, DType> row(Shape1(rows), layout);
        short_rows::Across(out.tensor, in.tensor, row.tensor);
        out.Expect([&](index_t y, index_t x) {
          return static_cast<float>(DType(static_cast<int>(in.At(x, y) - row.At(y))));
        });
      }
    }
  });
}

TEST(ShortRows, OfTransposes) {
  CompareAcross<float>();
  CompareAcross<double>();
  CompareAcross<int8_t>();
}

TEST(ShortRows, OfAnyRank) {
  Everywhere([](const Layout &layout) {
    for (const index_t width : kWidths) {
      const Fenced<3, float> out(Shape3(2, width, 4), layout), in(Shape3(2, width, 5), layout);
      const Fenced<3, float> before(Shape3(2, width, 4), layout);
      short_rows::Four(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) { return before.At(y, x) + in.At(y, x) * 2.0f; });
      const Fenced<1, float> vector(Shape1(4), layout), was(Shape1(4), layout);
      const Fenced<1, float> longer(Shape1(4 + width), layout);
      short_rows::Four(vector.tensor, longer.tensor);
      vector.Expect([&](index_t, index_t x) { return was.At(x) + longer.At(x) * 2.0f; });
    }
  });
}

/// A loop goes on with the next call's elements in the middle of a packet.
TEST(ShortRows, OfLists) {
  Everywhere([](const Layout &layout) {
    const Fenced<2, float> before(Shape2(100, 4), layout);
    std::vector<std::unique_ptr<Fenced<2, float>>> outs, ins;
    mshadow::RuleList list;
    auto group = list.Group<short_rows::FourRule>();
    for (const index_t rows : kWidths) {
      if (rows == 0) continue;
      outs.push_back(std::make_unique<Fenced<2, float>>(Shape2(rows, 4), layout));
      ins.push_back(std::make_unique<Fenced<2, float>>(Shape2(rows, 5), layout));
      group.Add(outs.back()->tensor, ins.back()->tensor);
    }
    list.Run();
    for (size_t i = 0; i < outs.size(); ++i) {
      outs[i]->Expect(
          [&](index_t y, index_t x) { return before.At(y, x) + ins[i]->At(y, x) * 2.0f; });
    }
  });
}

}  // namespace
