// SPDX-License-Identifier: Apache-2.0
// Program 5: an expression of your own, in five steps. roll(e, k) moves the elements of each row k
// places to the right; what falls off comes in at the left.
#include <mshadow/tensor.h>

#include <cstdio>

namespace mshadow {
namespace expr {

// 1. The struct: its operand by value, as src_, and its shape. MakeTensorExp makes it a chainer.
template <typename SrcExp, typename DType, int dim>
struct RollExp : MakeTensorExp<RollExp<SrcExp, DType, dim>, SrcExp, dim, DType> {
  SrcExp src_;
  index_t places_;
  RollExp(const SrcExp &src, index_t places) : src_(src), places_(places) {
    this->shape_ = ShapeCheck<dim, SrcExp>::Check(src);
  }
};

// 2. The function that makes it.
template <typename SrcExp, typename DType, int etype>
RollExp<SrcExp, DType, ExpInfo<SrcExp>::kDim> roll(const Exp<SrcExp, DType, etype> &src,
                                                   index_t places) {
  return RollExp<SrcExp, DType, ExpInfo<SrcExp>::kDim>(src.self(), places);
}

// 3. The Plan: element (y, x), x counting within a row and y counting rows.
template <typename SrcExp, typename DType, int dim>
class Plan<RollExp<SrcExp, DType, dim>, DType> {
 public:
  explicit Plan(const RollExp<SrcExp, DType, dim> &exp)
      : src_(MakePlan(exp.src_)), cols_(exp.shape_[dim - 1]), places_(exp.places_) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return src_.Eval(y, (x + cols_ - places_) % cols_);
  }

 private:
  Plan<SrcExp, DType> src_;
  index_t cols_;
  index_t places_;
};

// 4. MakePlan: nothing to do; the library's calls the Plan's constructor.
// 5. ExpInfo and ShapeCheck: nothing to do; MakeTensorExp says the rank, the device and the shape.

}  // namespace expr
}  // namespace mshadow

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

int main() {
  TensorContainer<cpu, 2> a(Shape2(2, 4)), b(Shape2(2, 4));
  for (index_t i = 0; i < 8; ++i) a[i / 4][i % 4] = static_cast<float>(i);
  b = roll(a * 10, 1) + 1;
  for (index_t y = 0; y < 2; ++y) {
    for (index_t x = 0; x < 4; ++x) std::printf("%g ", b[y][x]);
    std::printf("\n");
  }
  bool refused = false;
  try {
    a = roll(a, 1);  // would read what it has overwritten
  } catch (const Error &error) {
    refused = true;
    std::printf("%s\n", error.what());
  }
  return b[0][0] == 31 && b[1][3] == 61 && refused ? 0 : 1;
}
