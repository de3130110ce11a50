// SPDX-License-Identifier: Apache-2.0
// Program 2: an operator that only takes a note. The assignment, which knows where the result goes,
// does the work: no allocation, one pass. Two operands are all it knows.
#include <cstdio>

struct Vec;

struct AddExp {
  const Vec &lhs;
  const Vec &rhs;
};

struct Vec {
  int len;
  float *dptr;  // somebody else's memory: a Vec is a view
  Vec &operator=(const AddExp &exp) {
    for (int i = 0; i < len; ++i) dptr[i] = exp.lhs.dptr[i] + exp.rhs.dptr[i];
    return *this;
  }
};

AddExp operator+(const Vec &lhs, const Vec &rhs) { return AddExp{lhs, rhs}; }

int main() {
  float da[] = {1, 2, 3}, db[] = {4, 5, 6}, dc[3];
  Vec a{3, da}, b{3, db}, c{3, dc};
  c = a + b;
  std::printf("%g %g %g\n", dc[0], dc[1], dc[2]);
  return dc[2] == 9 ? 0 : 1;
}
