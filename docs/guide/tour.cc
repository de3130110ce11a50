// SPDX-License-Identifier: Apache-2.0
// Tensors in short: views of memory, assignments, conversions, products.
#include <mshadow/tensor.h>

#include <cstdio>

using namespace mshadow;        // NOLINT
using namespace mshadow::expr;  // NOLINT

template <typename DType>
void Print(const char *name, const Tensor<cpu, 2, DType> &t) {
  std::printf("%s\n", name);
  for (index_t y = 0; y < t.size(0); ++y) {
    for (index_t x = 0; x < t.size(1); ++x) std::printf(" %g", static_cast<double>(t[y][x]));
    std::printf("\n");
  }
}

int main() {
  // A tensor is a view of memory, which may be anybody's; its parts are views, too.
  float data[20] = {};
  Tensor<cpu, 3> ts(data, Shape3(2, 5, 2));
  Tensor<cpu, 2> mat = ts[0];
  Tensor<cpu, 2> same = mat;  // another view of the same elements
  mat[0][1] = 1.0f;
  mat += (mat + 10.0f) / 10.0f + 2.0f;
  Print("mat", same);

  // Elements are converted where one says so, towards zero.
  TensorContainer<cpu, 2, int> whole(mat.shape_);
  whole = tcast<int>(mat);
  Print<int>("whole", whole);

  // A product by BLAS, and one that is evaluated element by element, of expressions.
  TensorContainer<cpu, 2> a(Shape2(2, 3), 1.0f), b(Shape2(3, 2), 2.0f), c(Shape2(2, 2)),
      d(c.shape_);
  a[0][2] = 4.0f;
  c = dot(a, b);
  d = implicit_dot(a, b) + 1;
  Print<float>("dot", c);
  Print<float>("implicit_dot", d);

  // One with a scale, added to what is there; the transpose is BLAS's business.
  c += 0.5f * dot(b.T(), a.T());
  Print<float>("sum", c);
  return same[0][1] == 4.1f && whole[0][1] == 4 && d[0][0] == 13 && c[1][0] == 12 ? 0 : 1;
}
