// SPDX-License-Identifier: Apache-2.0
// Views of the destination: every pair of views is assigned to tensors and views that share memory
// with what they view, and may be exactly if no element is read that is written elsewhere.
#include <algorithm>

#include "testing.h"

namespace {
using namespace testing_runtime;

/// Memory whose every element is its own number, from 1; 0 is what a pad adds.
class Numbered {
 public:
  Numbered() : memory_(1024) { Reset(); }
  void Reset() {
    for (size_t i = 0; i < memory_.size(); ++i) memory_[i] = static_cast<float>(i + 1);
  }
  template <int dim>
  Tensor<cpu, dim> At(index_t offset, const Shape<dim> &shape, index_t pitch) {
    return Tensor<cpu, dim>(memory_.data() + 256 + offset, shape, pitch, nullptr);
  }
  float *data() { return memory_.data(); }
  size_t size() const { return memory_.size(); }

 private:
  std::vector<float> memory_;
};

template <typename E>
Shape<ExpInfo<E>::kDim> ShapeOf(const E &e) {
  return ShapeCheck<ExpInfo<E>::kDim, E>::Check(e);
}

/// Which elements of memory an expression reads, in the order of its own; 0: none.
template <typename E>
std::vector<size_t> Numbers(const E &e) {
  TensorContainer<cpu, ExpInfo<E>::kDim> values(ShapeOf(e), 0.0f, false);
  Tensor<cpu, ExpInfo<E>::kDim> plain = values;
  plain.__assign(e);
  const Tensor<cpu, 1> flat = values.FlatTo1D();
  return std::vector<size_t>(flat.dptr_, flat.dptr_ + flat.size(0));
}

/// Whether an element is read for one and written for another.
bool Clash(const std::vector<size_t> &written, const std::vector<size_t> &read, size_t size) {
  std::vector<size_t> writer(size + 1, ~size_t{0});
  for (size_t i = 0; i < written.size(); ++i) writer[written[i]] = i;
  for (size_t i = 0; i < read.size(); ++i) {
    if (read[i] != 0 && writer[read[i]] != ~size_t{0} && writer[read[i]] != i) return true;
  }
  return false;
}

/// Whether some elements, and not all, are read where they are written, as on the diagonal of a
/// transpose. Of such views it is only said that they may not be assigned if they clash.
bool Cross(const std::vector<size_t> &written, const std::vector<size_t> &read) {
  bool same = false, other = false;
  for (size_t i = 0; i < read.size(); ++i) {
    same = same || read[i] == written[i];
    other = other || (read[i] != written[i] && read[i] != 0);
  }
  return same && other;
}

struct Counts {
  int accepted = 0;
  int refused = 0;
};

/// Assigns \p e to \p dst, both of them views of \p numbered.
template <typename Dst, typename E>
void Try(Numbered *numbered, Dst dst, const E &e, Counts *counts, const std::string &what) {
  numbered->Reset();
  const std::vector<size_t> written = Numbers(dst), read = Numbers(e);
  if (Clash(written, read, numbered->size())) {
    EXPECT_THROW(dst.__assign(e), Error) << what;
    ++counts->refused;
    return;
  }
  ++counts->accepted;
  if (Cross(written, read)) return;
  ASSERT_NO_THROW(dst.__assign(e)) << what;
  std::vector<float> want(numbered->size());
  for (size_t i = 0; i < want.size(); ++i) want[i] = static_cast<float>(i + 1);
  for (size_t i = 0; i < read.size(); ++i) want[written[i] - 1] = static_cast<float>(read[i]);
  for (size_t i = 0; i < want.size(); ++i) ASSERT_EQ(numbered->data()[i], want[i]) << what;
}

// Views of expressions of rank 3, four of each kind.
enum Kind { kItself, kCrop, kPad, kMirror, kTranspose, kReshape };

template <int kind, typename E>
auto View(const E &e, int v) {
  const Shape<3> s = ShapeOf(e);
  if constexpr (kind == kCrop) {
    static constexpr int kLess[4][2] = {{1, 1}, {0, 1}, {2, 2}, {1, 1}};
    static constexpr int kFrom[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 1}};
    const index_t less_y = std::min<index_t>(kLess[v][0], s[1]);
    const index_t less_x = std::min<index_t>(kLess[v][1], s[2]);
    return crop(e, Shape2(s[1] - less_y, s[2] - less_x), std::min<index_t>(kFrom[v][0], less_y),
                std::min<index_t>(kFrom[v][1], less_x));
  } else if constexpr (kind == kPad) {
    return pad(e, v / 2, v % 2);
  } else if constexpr (kind == kMirror) {
    return mirror(e);
  } else if constexpr (kind == kTranspose) {
    const Shape<3> axes[] = {Shape3(0, 2, 1), Shape3(1, 0, 2), Shape3(2, 0, 1), Shape3(1, 2, 0)};
    return transpose(e, axes[v]);
  } else if constexpr (kind == kReshape) {
    const Shape<3> shapes[] = {s, Shape3(s[1], s[0], s[2]), Shape3(1, s[0] * s[1], s[2]),
                               Shape3(s[0], 1, s[1] * s[2])};
    return reshape(e, shapes[v]);
  } else {
    return e;
  }
}

/// Assigns an expression to tensors around what it views.
template <typename E>
void TryTensors(Numbered *numbered, const E &e, index_t pitch, Counts *counts,
                const std::string &what) {
  const Shape<3> shape = ShapeOf(e);
  for (const index_t p : {pitch, shape[2]}) {
    if (p < shape[2]) continue;
    for (const index_t offset : {index_t{0}, index_t{1}, pitch, pitch + 1, 4 * pitch}) {
      Try(numbered, numbered->At(offset, shape, p), e, counts,
          what + " to offset " + std::to_string(offset) + ", pitch " + std::to_string(p));
    }
  }
}

template <int outer, int inner>
void TryPair(Counts *counts) {
  Numbered numbered;
  for (const index_t pitch : {8, 5}) {
    const Tensor<cpu, 3> x = numbered.At(0, Shape3(2, 4, 5), pitch);
    for (int v = 0; v < (inner == kItself || inner == kMirror ? 1 : 4); ++v) {
      for (int w = 0; w < (outer == kItself || outer == kMirror ? 1 : 4); ++w) {
        const std::string what = "view " + std::to_string(outer) + "." + std::to_string(w) +
                                 " of view " + std::to_string(inner) + "." + std::to_string(v);
        TryTensors(&numbered, View<outer>(View<inner>(x, v), w), pitch, counts, what);
      }
    }
  }
}

template <int outer>
void TryPairs(Counts *counts) {
  TryPair<outer, kItself>(counts);
  TryPair<outer, kCrop>(counts);
  TryPair<outer, kPad>(counts);
  TryPair<outer, kMirror>(counts);
  TryPair<outer, kTranspose>(counts);
  TryPair<outer, kReshape>(counts);
}

TEST(InPlace, PairsOfViews) {
  Counts counts;
  TryPairs<kItself>(&counts);
  TryPairs<kCrop>(&counts);
  TryPairs<kPad>(&counts);
  TryPairs<kMirror>(&counts);
  TryPairs<kTranspose>(&counts);
  TryPairs<kReshape>(&counts);
  EXPECT_GT(counts.accepted, 400);
  EXPECT_GT(counts.refused, 500);
}

// Views that can be assigned, three of each kind, all of shape (2,4,4) of a tensor of that shape.
enum Assignable { kWhole, kSlice, kFlip, kConcat };

template <int kind, typename T>
auto ViewOf(const T &t, int v) {
  const Shape<3> s = ShapeOf(t);
  if constexpr (kind == kSlice) {
    const Shape<3> begin = Shape3(0, v == 0, v == 1);
    return slice(t, begin, Shape3(begin[0] + s[0], begin[1] + s[1] - 1, begin[2] + s[2] - 1));
  } else if constexpr (kind == kFlip) {
    return flip(t, v);
  } else if constexpr (kind == kConcat) {
    const index_t cut = v == 0 ? 1 : 2;
    const auto low = slice<1>(t, 0, cut), high = slice<1>(t, cut, s[1]);
    return v == 2 ? concat<1>(high, low) : concat<1>(low, high);
  } else {
    return t;
  }
}

template <int to, int outer, int inner>
void TryAssignable(Counts *counts) {
  Numbered numbered;
  const Tensor<cpu, 3> x = numbered.At(0, Shape3(2, 4, 5), 8);
  for (int i = 0; i < 27; ++i) {
    const int u = i / 9, v = i / 3 % 3, w = i % 3;
    const auto e = ViewOf<outer>(ViewOf<inner>(x, v), w);
    const auto dst = ViewOf<to>(x, u);
    const std::string what = std::to_string(to) + "." + std::to_string(u) + " = " +
                             std::to_string(outer) + "." + std::to_string(w) + " of " +
                             std::to_string(inner) + "." + std::to_string(v);
    if (ShapeOf(dst) == ShapeOf(e)) Try(&numbered, dst, e, counts, what);
  }
}

template <int to>
void TryAssignables(Counts *counts) {
  TryAssignable<to, kWhole, kWhole>(counts);
  TryAssignable<to, kWhole, kSlice>(counts);
  TryAssignable<to, kWhole, kFlip>(counts);
  TryAssignable<to, kWhole, kConcat>(counts);
  TryAssignable<to, kFlip, kFlip>(counts);
  TryAssignable<to, kFlip, kConcat>(counts);
  TryAssignable<to, kConcat, kFlip>(counts);
  TryAssignable<to, kSlice, kConcat>(counts);
}

TEST(InPlace, ViewsThatAreAssigned) {
  Counts counts;
  TryAssignables<kWhole>(&counts);
  TryAssignables<kSlice>(&counts);
  TryAssignables<kFlip>(&counts);
  TryAssignables<kConcat>(&counts);
  EXPECT_GT(counts.accepted, 50);
  EXPECT_GT(counts.refused, 50);
}

/// How cxxnet and MXNet write the backward pass of pooling: each element of x is read where it is
/// written.
TEST(InPlace, Unpool) {
  const Shape<2> size = Shape2(5, 6);
  auto x = Make<float>(Shape4(2, 3, 5, 6), 1);
  TensorContainer<cpu, 4> y(Shape4(2, 3, 3, 4)), g(y.shape_), want(x.shape_);
  y = pool<red::maximum>(pad(x, 1, 1), y[0][0].shape_, 3, 2, 2, 2);
  g = y * 0.5f + 1.0f;
  const auto back = [&](const Tensor<cpu, 4> &in, index_t from) {
    return crop(unpool<red::maximum>(pad(in, 1, 1), pad(y, 0, 0), pad(g, 0, 0), 3, 2, 2), size,
                from, from) *
           0.25f;
  };
  want = back(x, 1);
  EXPECT_MESSAGE(x = back(x, 0), "reads other elements of this tensor");
  const auto restored = pad(crop(unpool<red::sum>(pad(x, 1, 1), y, g, 3, 2, 2), size), 1, 1);
  EXPECT_MESSAGE(y = pool<red::maximum>(restored, y[0][0].shape_, 3, 2, 2),
                 "reads other elements of this tensor");
  x = back(x, 1);
  ExpectSame(x.FlatTo2D(), want.FlatTo2D());
}

TEST(InPlace, ViewsThatChangeNothing) {
  auto t = Make<float>(Shape2(4, 4), 1);
  const TensorContainer<cpu, 2> old(t);
  Tensor<cpu, 1> row = t[0];
  Tensor<cpu, 2> matrix(t.dptr_, Shape2(1, 4), 4, nullptr);
  t = swapaxis<1, 0>(transpose(t, Shape2(1, 0)));
  t = upsampling_nearest(t, 1);
  row = broadcast<0>(row, Shape1(4));
  matrix = broadcast_keepdim(matrix, 0, 1);
  matrix = broadcast_with_axis(row, -1, 1);
  matrix = repmat(row, 1);
  EXPECT_MESSAGE(t = repmat(row, 4), "reads other elements of this tensor");
  EXPECT_MESSAGE(t = upsampling_nearest(crop(t, Shape2(2, 2)), 2), "assign to another tensor");
  ExpectSame<float>(t, old);
}

/// What is computed and then repeated is computed before anything is written.
TEST(InPlace, NormalisedRows) {
  auto x = Make<float>(Shape3(2, 3, 20), 1);
  const TensorContainer<cpu, 3> old(x);
  TensorContainer<cpu, 3> want(x.shape_);
  const auto normalised = [](const Tensor<cpu, 3> &in) {
    const auto top = reduce_keepdim<red::maximum, false>(in, 2);
    const auto below = in - broadcast_keepdim(top, 2, in.size(2));
    const auto e = below * below + 1.0f;
    const auto total = reduce_with_axis<red::sum, false>(e, 2);
    return e / broadcast_with_axis(total, 1, in.size(2));
  };
  want = normalised(old);
  x = normalised(x);
  ExpectSame(x.FlatTo2D(), want.FlatTo2D());
  // A tensor that is repeated is read where it is.
  Tensor<cpu, 3> first(x.dptr_, Shape3(2, 3, 1), x.stride_, nullptr);
  EXPECT_MESSAGE(x -= broadcast_keepdim(first, 2, x.size(2)),
                 "reads other elements of this tensor");
  EXPECT_MESSAGE(x -= mirror(x) + broadcast_keepdim(first * 2.0f, 2, x.size(2)),
                 "reads other elements of this tensor");
}

}  // namespace
