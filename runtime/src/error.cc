// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "mshadow/detail/element_loop.h"
#include "mshadow/detail/exception.h"
#include "mshadow/detail/indexing.h"
#include "mshadow/emitted/check_step.h"
#include "mshadow/expr/dot_engine.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

template <typename Index>
std::string ShapeText(const Index *shape, int dim) {
  std::string text = "(";
  for (int i = 0; i < dim; ++i) {
    if (i > 0) text += ',';
    text += std::to_string(shape[i]);
  }
  return text + (dim == 1 ? ",)" : ")");
}

template std::string ShapeText(const int32_t *, int);
template std::string ShapeText(const uint32_t *, int);
template std::string ShapeText(const int64_t *, int);

template <typename Index>
void PrintExtents(std::ostream &out, const Index *extents, int dim) {
  out << '(' << extents[0];
  for (int i = 1; i < dim; ++i) out << ',' << extents[i];
  if (dim == 1) out << ',';
  out << ')';
}

template void PrintExtents(std::ostream &, const int32_t *, int);
template void PrintExtents(std::ostream &, const uint32_t *, int);
template void PrintExtents(std::ostream &, const int64_t *, int);

void ThrowError(const std::string &message) { throw Error(message); }

void ThrowShapes(const char *what, const index_t *a, int a_dim, const index_t *b, int b_dim) {
  throw Error(std::string(what) + ": shapes " + ShapeText(a, a_dim) + " and " +
              ShapeText(b, b_dim) + " differ");
}

void ThrowSlice(index_t begin, index_t end, index_t size) {
  throw Error("slice [" + std::to_string(begin) + "," + std::to_string(end) +
              ") is not within the first dimension, whose extent is " + std::to_string(size));
}

void ThrowNotContiguous(const index_t *shape, int dim, index_t stride) {
  throw Error("a tensor of shape " + ShapeText(shape, dim) + " with row stride " +
              std::to_string(stride) + " has padded rows: it cannot be viewed as one vector");
}

void ThrowStep(const char *rule, const char *name, int64_t step, int64_t most) {
  const std::string range = step < 1 ? "of at least 1" : "from 1 to " + std::to_string(most);
  throw Error(std::string(rule) + ": argument '" + name + "': expected a step " + range + ", got " +
              std::to_string(step));
}

void ThrowExpected(const char *what, const char *expected, const index_t *a, int a_dim,
                   const index_t *b, int b_dim) {
  throw Error(std::string(what) + ": expected " + expected + ", got shapes " + ShapeText(a, a_dim) +
              " and " + ShapeText(b, b_dim));
}

void ThrowIndex(const char *what, int64_t at, int64_t index, int64_t rows) {
  throw Error(std::string(what) + ": expected indices within [0," + std::to_string(rows) +
              "), got " + std::to_string(index) + " at position " + std::to_string(at));
}

void ThrowTypeFlag(const char *expected, int flag) {
  const char *const name = NameOfFlag(flag);
  throw Error(std::string("element type: expected ") + expected + ", got " +
              (name != nullptr ? std::string(name) : "flag " + std::to_string(flag)));
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

using ::mshadow::detail::ShapeText;

void ThrowMovedRead(const index_t *shape, int dim) {
  throw Error("assignment to a tensor of shape " + ShapeText(shape, dim) +
              ": the expression reads other elements of this tensor than the one that it writes "
              "(through .T(), dot, broadcast or another view); assign to another tensor");
}

void ThrowPartialOverlap(const index_t *shape, int dim) {
  throw Error("assignment to a tensor of shape " + ShapeText(shape, dim) +
              ": an operand overlaps its memory without being the same tensor; assign to another "
              "tensor");
}

void ThrowNoMemory(const index_t *shape, int dim) {
  throw Error("assignment: expected memory for the elements of a tensor of shape " +
              ShapeText(shape, dim) + ", got a null pointer; AllocSpace(&tensor) gives it some");
}

void ThrowProduct(Shape<2> dst, bool transpose_a, Shape<2> a, bool transpose_b, Shape<2> b) {
  const Shape<2> left = transpose_a ? Shape2(a[1], a[0]) : a;
  const Shape<2> right = transpose_b ? Shape2(b[1], b[0]) : b;
  if (left[1] != right[0]) {
    throw Error("dot: expected as many columns on the left as rows on the right, got shapes " +
                ShapeText(left.shape_, 2) + " and " + ShapeText(right.shape_, 2));
  }
  throw Error("dot: expected a destination of shape " +
              ShapeText(Shape2(left[0], right[1]).shape_, 2) + ", got " + ShapeText(dst.shape_, 2));
}

void ThrowBatches(Shape<3> dst, Shape<3> a, Shape<3> b) {
  throw Error("batch_dot: expected the same number of matrices in all three, got shapes " +
              ShapeText(dst.shape_, 3) + " for the destination, " + ShapeText(a.shape_, 3) +
              " and " + ShapeText(b.shape_, 3));
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow
