// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "testing.h"

namespace {
using namespace testing_runtime;

TEST(Container, PadsRowsTo16BytesByDefault) {
  EXPECT_EQ((TensorContainer<cpu, 2>(Shape2(3, 5)).stride_), 8);
  EXPECT_EQ((TensorContainer<cpu, 2>(Shape2(3, 8)).stride_), 8);
  EXPECT_EQ((TensorContainer<cpu, 2, double>(Shape2(3, 5)).stride_), 6);
  EXPECT_EQ((TensorContainer<cpu, 2>(Shape2(3, 5), 0, false).stride_), 5);
  EXPECT_EQ((TensorContainer<cpu, 1>(Shape1(5)).stride_), 5);
}

TEST(Container, ABoolBesideTheShapeIsAValue) {
  const TensorContainer<cpu, 2> t(Shape2(2, 5), true), u(Shape2(2, 5), false);
  const TensorContainer<cpu, 2, bool> mask(Shape2(2, 5), true);
  EXPECT_EQ(t.stride_, 8);
  EXPECT_EQ(t[1][4], 1.0f);
  EXPECT_EQ(u[1][4], 0.0f);
  EXPECT_TRUE(mask[1][4]);
}

#if defined(__linux__)
/// What the kernel says of the memory where an address is: "hg" where it was asked for huge pages.
/// Empty where it says nothing.
std::string FlagsOf(const void *address) {
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      here = begin <= reinterpret_cast<uintptr_t>(address) &&
             reinterpret_cast<uintptr_t>(address) < end;
    }
    if (here && line.compare(0, 8, "VmFlags:") == 0) return line + " ";
  }
  return "";
}
bool AsksForHugePages(const void *address) {
  return FlagsOf(address).find(" hg ") != std::string::npos;
}

TEST(Container, AsksForHugePagesWhereItIsLarge) {
  const float small = 1.0f;
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled") || FlagsOf(&small).empty()) {
    GTEST_SKIP() << "this system has no huge pages, or does not say where";
  }
  const TensorContainer<cpu, 1> large(Shape1((16 << 20) + 3), 1.0f);
  EXPECT_TRUE(AsksForHugePages(large.dptr_ + (8 << 20)));
  EXPECT_FALSE(AsksForHugePages(&small));
  EXPECT_EQ(large[(16 << 20) + 2], 1.0f);
}
#endif

TEST(Container, CopiesElements) {
  auto a = Make<float>(Shape2(3, 5), 1);
  TensorContainer<cpu, 2> b(a);
  EXPECT_NE(a.dptr_, b.dptr_);
  EXPECT_EQ(b[2][4], a[2][4]);
  TensorContainer<cpu, 2> c(Shape2(1, 1), 9.0f);
  c = a;
  EXPECT_EQ(c.shape_, a.shape_);
  EXPECT_EQ(c[2][4], a[2][4]);
  c = *&c;
  EXPECT_EQ(c[2][4], a[2][4]);
}

TEST(Container, MovesAndLivesInVectors) {
  auto a = Make<float>(Shape2(3, 5), 1);
  const float *const memory = a.dptr_;
  TensorContainer<cpu, 2> b(std::move(a));
  EXPECT_EQ(b.dptr_, memory);
  std::vector<TensorContainer<cpu, 2>> states(4, b);
  states.emplace_back(Shape2(2, 2), 1.0f);
  EXPECT_EQ(states[3][2][4], b[2][4]);
  EXPECT_NE(states[3].dptr_, states[2].dptr_);
}

TEST(Container, KeepsMemoryThatSuffices) {
  TensorContainer<cpu, 2> t(Shape2(4, 8));
  const float *const memory = t.dptr_;
  t.Resize(Shape2(2, 8), 3.0f);
  EXPECT_EQ(t.dptr_, memory);
  EXPECT_EQ(t[1][7], 3.0f);
  t.Resize(Shape2(100, 8));
  EXPECT_EQ(t.shape_, Shape2(100, 8));
  t.Release();
  EXPECT_EQ(t.dptr_, nullptr);
  EXPECT_EQ(t.shape_, Shape2(0, 0));
}

TEST(Container, SetPadCountsFromTheNextResize) {
  TensorContainer<cpu, 2> t(Shape2(3, 5));
  t.set_pad(false);
  t.Resize(Shape2(3, 5));
  EXPECT_EQ(t.stride_, 5);
}

TEST(Container, IsWrittenByExpressions) {
  auto a = Make<float>(Shape2(3, 5), 1);
  TensorContainer<cpu, 2> t(Shape2(3, 5));
  t = a + a;
  EXPECT_EQ(t[2][4], a[2][4] * 2);
  t = 4;
  EXPECT_EQ(t[0][0], 4.0f);
  EXPECT_MESSAGE(t = a.Slice(0, 2) + 1, "shapes (3,5) and (2,5) differ");
}

TEST(Container, MayBeEmpty) {
  TensorContainer<cpu, 2> t(Shape2(0, 5), 1.0f);
  t += 1.0f;
  TensorContainer<cpu, 2> copy(t);
  EXPECT_EQ(copy.shape_, Shape2(0, 5));
  TensorContainer<cpu, 3> none;
  none = none + 1;
  EXPECT_EQ(none.shape_, Shape3(0, 0, 0));
}

}  // namespace
