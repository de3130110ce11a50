// SPDX-License-Identifier: Apache-2.0
// Slices and concatenations that rules read and write, fused, against loops over indices; and what
// a launch refuses before it writes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "counted_tensor.h"
#include "message_of.h"
#include "view_shapes_rules.h"

namespace {

using mshadow::cpu;
using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow::Tensor;
using mshadow_test::Counted;
using mshadow_test::MessageOf;

TEST(Parts, AreJoined) {
  for (const index_t left : {0, 1, 16, 33}) {
    Counted<2> a(Shape2(3, left)), b(Shape2(3, 40 - left), 500), out(Shape2(3, 40), 7);
    const Counted<2> before = out;
    view_shapes::Join(out.tensor, a.tensor, b.tensor);
    for (index_t y = 0; y < 3; ++y) {
      for (index_t x = 0; x < 43; ++x) {
        const float expected = x < left ? 2 * a.at(y, x)
                               : x < 40 ? before.at(y, x) + b.at(y, x - left)
                                        : before.at(y, x);
        ASSERT_EQ(out.at(y, x), expected) << y << " " << x;
      }
    }
  }
}

TEST(Parts, OfSeveralStatementsMayOverlap) {
  for (const bool more : {false, true}) {
    for (int from = 0; from <= 6; ++from) {
      Counted<2> out(Shape2(3, 10)), copy(Shape2(3, 4)), in(Shape2(3, 4), 70);
      const Counted<2> before = out;
      view_shapes::Staggered(out.tensor, copy.tensor, in.tensor, from, more);
      for (index_t y = 0; y < 3; ++y) {
        for (index_t x = 0; x < 10; ++x) {
          float want = x < 4 ? in.at(y, x) : before.at(y, x);
          if (more && from <= x && x < from + 4) want += in.at(y, x - from);
          if (x > 0) want *= 2;
          ASSERT_EQ(out.at(y, x), want) << from << ": " << y << " " << x;
          if (x < 4) ASSERT_EQ(copy.at(y, x), want - in.at(y, x)) << from << ": " << y << " " << x;
        }
      }
    }
  }
}

TEST(Parts, OfOneTensorLieApartOrAreTheSame) {
  Counted<2> t(Shape2(3, 10));
  const Counted<2> before = t;
  view_shapes::Shift(t.tensor, 5, 5);
  EXPECT_EQ(t.at(2, 4), before.at(2, 9) + 1);
  EXPECT_EQ(t.at(2, 9), before.at(2, 9));
  view_shapes::Shift(t.tensor, 0, 5);
  EXPECT_EQ(t.at(2, 4), before.at(2, 9) + 2);
  const std::vector<float> elements = t.elements;
  EXPECT_EQ(MessageOf([&] { view_shapes::Shift(t.tensor, 4, 5); }),
            "Shift: argument 'slice<1>(t, from, from_plus_count)': expected memory that does not "
            "overlap that of 'slice<1>(t, 0, count)', which the rule writes");
  EXPECT_EQ(t.elements, elements);
}

TEST(Parts, OfAnArgumentMayBeTheResult) {
  Counted<2> in(Shape2(3, 8));
  const Counted<2> before = in;
  const Tensor<cpu, 2, float> left(in.elements.data(), Shape2(3, 4), in.tensor.stride_, nullptr);
  view_shapes::Gate(left, in.tensor);
  EXPECT_EQ(in.at(2, 3), before.at(2, 3) * before.at(2, 7));
  EXPECT_EQ(in.at(2, 7), before.at(2, 7));
}

TEST(Parts, RangesAreLookedAt) {
  Counted<2> t(Shape2(3, 10));
  const std::vector<float> elements = t.elements;
  EXPECT_EQ(MessageOf([&] { view_shapes::Shift(t.tensor, 6, 5); }),
            "Shift: argument 't': expected a range within [0, 10) of dimension 1, got [6, 11)");
  EXPECT_EQ(MessageOf([&] { view_shapes::Shift(t.tensor, 6, -1); }),
            "Shift: argument 't': expected a range within [0, 10) of dimension 1, got [0, -1)");
  EXPECT_EQ(MessageOf([&] { view_shapes::Shift(t.tensor, -1, 3); }),
            "Shift: argument 't': expected a range within [0, 10) of dimension 1, got [-1, 2)");
  view_shapes::Shift(t.tensor, 10, 0);
  EXPECT_EQ(t.elements, elements);
  Counted<3> cube(Shape3(1, 3, 10));
  EXPECT_EQ(MessageOf([&] {
              view_shapes::LaunchShift<cpu, float>(cpu(), {mshadow::Arg(cube.tensor), 5, 5});
            }),
            "Shift: argument 't': expected a tensor of rank 2, got one of rank 3");
}

TEST(Parts, OfNoMemoryOrOverlappingRowsAreRefused) {
  Counted<2> t(Shape2(3, 10));
  const std::vector<float> elements = t.elements;
  mshadow::TensorArg<float> arg = mshadow::Arg(t.tensor);
  arg.stride = 9;
  EXPECT_EQ(MessageOf([&] {
              view_shapes::LaunchShift<cpu, float>(cpu(), {arg, 5, 5});
            }),
            "Shift: argument 't': expected a row stride of at least 10, got 9");
  arg = mshadow::Arg(t.tensor);
  arg.dptr = nullptr;
  EXPECT_EQ(MessageOf([&] {
              view_shapes::LaunchShift<cpu, float>(cpu(), {arg, 5, 5});
            }),
            "Shift: argument 'slice<1>(t, 0, count)': expected memory, got a null pointer");
  EXPECT_EQ(t.elements, elements);
}

TEST(Parts, OfAnInnerDimension) {
  for (const index_t padding : {0, 3}) {
    for (const index_t images : {1, 2, 5}) {
      Counted<3> t(Shape3(images, 7, 4)), other(Shape3(images, 3, 4), 1000);
      if (padding == 0) t.tensor.stride_ = other.tensor.stride_ = 4;
      const Counted<3> before = t;
      view_shapes::ShiftChannels(t.tensor, other.tensor, 4, 3);
      for (index_t row = 0; row < images * 7; ++row) {
        const index_t image = row / 7, channel = row % 7;
        const bool is_written = channel < 3;
        for (index_t x = 0; x < 4; ++x) {
          const float expected = is_written
                                     ? before.at(row + 4, x) + other.at(image * 3 + channel, x)
                                     : before.at(row, x);
          ASSERT_EQ(t.at(row, x), expected) << images << " " << padding << " " << row << " " << x;
        }
      }
    }
  }
}

TEST(Parts, OfAnInnerDimensionAreCheckedBeforeTheFirstWrite) {
  Counted<3> t(Shape3(2, 7, 4)), other(Shape3(2, 3, 4));
  const std::vector<float> elements = t.elements;
  const auto shift = [&](int from, int count) {
    return MessageOf([&] { view_shapes::ShiftChannels(t.tensor, other.tensor, from, count); });
  };
  EXPECT_EQ(shift(5, 3),
            "ShiftChannels: argument 't': expected a range within [0, 7) of dimension 1, "
            "got [5, 8)");
  EXPECT_EQ(shift(2, 3),
            "ShiftChannels: argument 'slice<1>(t, from, from_plus_count)': expected memory that "
            "does not overlap that of 'slice<1>(t, 0, count)', which the rule writes");
  EXPECT_EQ(shift(2, 2),
            "ShiftChannels: argument 'slice<1>(t, 0, count)': expected shape (2,3,4), "
            "the shape of 'other', got (2,2,4)");
  // The other rows of an image are no part, but those of the next one follow them.
  const Tensor<cpu, 3, float> within(t.elements.data() + 3 * 7, Shape3(2, 3, 4), 7, nullptr);
  EXPECT_EQ(MessageOf([&] { view_shapes::ShiftChannels(t.tensor, within, 3, 3); }),
            "ShiftChannels: argument 'other': expected memory that does not overlap that of "
            "'slice<1>(t, 0, count)', which the rule writes");
  mshadow::TensorArg<float> arg = mshadow::Arg(t.tensor);
  arg.dptr = nullptr;
  EXPECT_EQ(MessageOf([&] {
              view_shapes::LaunchShiftChannels<cpu, float>(cpu(),
                                                           {arg, mshadow::Arg(other.tensor), 3, 3});
            }),
            "ShiftChannels: argument 'slice<1>(t, 0, count)': expected memory, got a null pointer");
  EXPECT_EQ(t.elements, elements);
}

TEST(Concat, SharesOutColumns) {
  for (const index_t left : {0, 1, 16, 33, 40}) {
    Counted<2> a(Shape2(3, left)), b(Shape2(3, 40 - left), 500), in(Shape2(3, 40), 7);
    Counted<2> bias(Shape2(1, 40), 3), scale(Shape2(1, 3), 2);
    view_shapes::Split(a.tensor, b.tensor, in.tensor, bias.tensor[0], scale.tensor[0]);
    for (index_t y = 0; y < 3; ++y) {
      for (index_t x = 0; x < 40; ++x) {
        const float got = x < left ? a.at(y, x) : b.at(y, x - left);
        ASSERT_EQ(got, in.at(y, x) * scale.at(0, y) + bias.at(0, x))
            << left << " " << y << " " << x;
      }
    }
  }
}

TEST(Concat, SharesOutChannels) {
  constexpr index_t kRows = 3, kCols = 5;
  const index_t channels[] = {2, 1, 3};
  Counted<4> a(Shape4(2, channels[0], kRows, kCols)), b(Shape4(2, channels[1], kRows, kCols), 50),
      c(Shape4(2, channels[2], kRows, kCols), 900), in(Shape4(2, 6, kRows, kCols), 7);
  Counted<2> bias(Shape2(1, 6), 3);
  const Counted<4> before[] = {a, b, c};
  view_shapes::SplitChannels(a.tensor, b.tensor, c.tensor, in.tensor, bias.tensor[0]);
  const Counted<4> *const now[] = {&a, &b, &c};
  for (index_t image = 0; image < 2; ++image) {
    index_t channel = 0;
    for (int k = 0; k < 3; ++k) {
      for (index_t i = 0; i < channels[k]; ++i, ++channel) {
        for (index_t y = 0; y < kRows; ++y) {
          const index_t row = (image * channels[k] + i) * kRows + y;
          const index_t from = (image * 6 + channel) * kRows + y;
          for (index_t x = 0; x < kCols; ++x) {
            ASSERT_EQ(now[k]->at(row, x),
                      before[k].at(row, x) + (in.at(from, x) + bias.at(0, channel)));
          }
        }
      }
    }
  }
}

TEST(Concat, JoinedTensorsLieApart) {
  Counted<2> t(Shape2(3, 12)), in(Shape2(3, 8)), bias(Shape2(1, 8)), scale(Shape2(1, 3));
  const auto columns = [&](index_t begin, index_t count) {
    return Tensor<cpu, 2, float>(t.elements.data() + begin, Shape2(3, count), t.tensor.stride_,
                                 nullptr);
  };
  const std::vector<float> before = t.elements;
  const auto split = [&](const Tensor<cpu, 2, float> &a, const Tensor<cpu, 2, float> &b) {
    return MessageOf([&] { view_shapes::Split(a, b, in.tensor, bias.tensor[0], scale.tensor[0]); });
  };
  EXPECT_EQ(split(columns(0, 4), columns(0, 4)),
            "Split: argument 'a': expected a tensor other than 'b', which the rule writes, got the "
            "same one");
  EXPECT_EQ(split(columns(0, 4), columns(3, 4)),
            "Split: argument 'a': expected memory that does not overlap that of 'b', which the "
            "rule writes");
  // A part lies apart where its tensor does not.
  const auto split_part = [&](int count, const Tensor<cpu, 2, float> &b) {
    return MessageOf([&] { view_shapes::SplitPart(t.tensor, b, count, in.tensor); });
  };
  EXPECT_EQ(split_part(4, columns(3, 4)),
            "SplitPart: argument 'slice<1>(a, 0, count)': expected memory that does not overlap "
            "that of 'b', which the rule writes");
  EXPECT_EQ(t.elements, before);
  EXPECT_EQ(split_part(4, columns(8, 4)), "nothing");
  EXPECT_EQ(t.at(2, 3), in.at(2, 3));
  EXPECT_EQ(t.at(2, 7), before[static_cast<size_t>(2 * t.tensor.stride_ + 7)]);
  EXPECT_EQ(t.at(2, 11), in.at(2, 7));
  EXPECT_EQ(split(columns(0, 4), columns(4, 4)), "nothing");

  // An earlier tensor than the one before.
  Counted<4> a(Shape4(2, 1, 3, 5)), b(Shape4(2, 1, 3, 5)), images(Shape4(2, 3, 3, 5));
  Counted<2> shift(Shape2(1, 3));
  const std::vector<float> a_before = a.elements, b_before = b.elements;
  EXPECT_EQ(MessageOf([&] {
              view_shapes::SplitChannels(a.tensor, b.tensor, a.tensor, images.tensor,
                                         shift.tensor[0]);
            }),
            "SplitChannels: argument 'a': expected a tensor other than 'c', which the rule writes, "
            "got the same one");
  EXPECT_EQ(a.elements, a_before);
  EXPECT_EQ(b.elements, b_before);
}

TEST(Concat, MisuseIsFoundBeforeTheFirstWrite) {
  Counted<2> a(Shape2(3, 4)), b(Shape2(3, 7)), in(Shape2(3, 11)), bias(Shape2(1, 11)),
      scale(Shape2(1, 3));
  Counted<2> wide(Shape2(3, 8));
  const std::vector<float> a_before = a.elements, b_before = b.elements;
  const auto split = [&](const Tensor<cpu, 2, float> &first, const Tensor<cpu, 2, float> &second) {
    return MessageOf(
        [&] { view_shapes::Split(first, second, in.tensor, bias.tensor[0], scale.tensor[0]); });
  };
  const std::string view =
      "Split: argument 'broadcast<1>(slice<0>(bias, a_extent1, bias_extent0), Shape2(b_extent0, "
      "b_extent1))': broadcast of a vector along a dimension: shapes ";
  EXPECT_EQ(split(wide.tensor, b.tensor), view + "(3,) and (7,) differ");
  EXPECT_EQ(split(a.tensor, wide.tensor), view + "(7,) and (8,) differ");
  // Unfused, too, what is written lies apart from all that is read.
  const Tensor<cpu, 2, float> right(in.elements.data() + 4, Shape2(3, 7), in.tensor.stride_,
                                    nullptr);
  const Tensor<cpu, 2, float> left(in.elements.data(), Shape2(3, 4), in.tensor.stride_, nullptr);
  const std::vector<float> in_before = in.elements;
  EXPECT_EQ(split(left, right),
            "Split: argument 'in': expected memory that does not overlap that of 'a', which the "
            "rule writes");
  EXPECT_EQ(split(a.tensor, right),
            "Split: argument 'in': expected memory that does not overlap that of 'b', which the "
            "rule writes");
  EXPECT_EQ(a.elements, a_before);
  EXPECT_EQ(b.elements, b_before);
  EXPECT_EQ(in.elements, in_before);
}

}  // namespace
