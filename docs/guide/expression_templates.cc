// SPDX-License-Identifier: Apache-2.0
// Program 3: the note may hold notes. The type of an expression is its formula, and the compiler
// makes one loop of it.
#include <cstdio>

/// The base of all expressions knows what it really is.
template <typename SubType>
struct Exp {
  const SubType &self() const { return *static_cast<const SubType *>(this); }
};

/// Operands are held by value, vectors as views: `auto e = a + b;` may live as long as it likes.
template <typename TA, typename TB>
struct AddExp : Exp<AddExp<TA, TB>> {
  TA lhs;
  TB rhs;
  AddExp(const TA &a, const TB &b) : lhs(a), rhs(b) {}
  float Eval(int i) const { return lhs.Eval(i) + rhs.Eval(i); }
};

struct Vec : Exp<Vec> {
  int len;
  float *dptr;
  Vec(float *memory, int n) : len(n), dptr(memory) {}
  float Eval(int i) const { return dptr[i]; }
  template <typename E>
  Vec &operator=(const Exp<E> &exp) {
    const E e = exp.self();
    for (int i = 0; i < len; ++i) dptr[i] = e.Eval(i);
    return *this;
  }
};

template <typename TA, typename TB>
AddExp<TA, TB> operator+(const Exp<TA> &a, const Exp<TB> &b) {
  return AddExp<TA, TB>(a.self(), b.self());
}

int main() {
  float da[] = {1, 2, 3}, db[] = {4, 5, 6}, dc[] = {7, 8, 9}, dd[3];
  Vec a(da, 3), b(db, 3), c(dc, 3), d(dd, 3);
  const auto sum = a + b + c;  // AddExp<AddExp<Vec, Vec>, Vec>
  d = sum + a;
  std::printf("%g %g %g\n", dd[0], dd[1], dd[2]);
  return dd[2] == 21 ? 0 : 1;
}
