// SPDX-License-Identifier: Apache-2.0
// Program 1: operators that return vectors. It works, and every operator allocates.
#include <cstdio>
#include <cstring>

int allocations = 0;

struct Vec {
  int len;
  float *dptr;
  explicit Vec(int n) : len(n), dptr(new float[static_cast<size_t>(n)]) { ++allocations; }
  Vec(const Vec &other) : Vec(other.len) {
    std::memcpy(dptr, other.dptr, sizeof(float) * static_cast<size_t>(len));
  }
  Vec(Vec &&other) noexcept : len(other.len), dptr(other.dptr) { other.dptr = nullptr; }
  Vec &operator=(const Vec &) = delete;
  ~Vec() { delete[] dptr; }
};

Vec operator+(const Vec &a, const Vec &b) {
  Vec sum(a.len);  // where else could the result go? Nobody has said yet.
  for (int i = 0; i < a.len; ++i) sum.dptr[i] = a.dptr[i] + b.dptr[i];
  return sum;
}

// With move semantics: a temporary on the left is used again.
Vec operator+(Vec &&a, const Vec &b) {
  for (int i = 0; i < a.len; ++i) a.dptr[i] += b.dptr[i];
  return static_cast<Vec &&>(a);
}

Vec Filled(int n, float value) {
  Vec v(n);
  for (int i = 0; i < n; ++i) v.dptr[i] = value;
  return v;
}

int main() {
  const Vec a = Filled(4, 1), b = Filled(4, 2), c = Filled(4, 3), d = Filled(4, 4);
  allocations = 0;
  const Vec sum = a + b + c + d;
  std::printf("a + b + c + d = %g: %d allocation, 3 passes\n", sum.dptr[0], allocations);
  allocations = 0;
  const Vec other = (a + b) + (c + d);
  std::printf("(a + b) + (c + d) = %g: %d allocations, 3 passes\n", other.dptr[0], allocations);
  return sum.dptr[3] == 10 && other.dptr[3] == 10 ? 0 : 1;
}
