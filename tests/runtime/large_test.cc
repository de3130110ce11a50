// SPDX-License-Identifier: Apache-2.0
// Elements that 32 bits do not count: in memory of many gigabytes of which a few pages are touched.
#include <sys/mman.h>

#include "testing.h"

namespace {
using namespace testing_runtime;

/// Zeros, which take memory once they are touched.
class Sparse {
 public:
  explicit Sparse(size_t bytes)
      : bytes_(bytes),
        memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Sparse() {
    if (ok()) munmap(memory_, bytes_);
  }
  Sparse(const Sparse &) = delete;
  Sparse &operator=(const Sparse &) = delete;

  bool ok() const { return memory_ != MAP_FAILED; }
  template <typename T>
  T *as() const {
    return static_cast<T *>(memory_);
  }

 private:
  size_t bytes_;
  void *memory_;
};

constexpr index_t kFar = (index_t{1} << 31) + 16;  ///< elements

TEST(Large, RowsThatAreFarApart) {
  const Sparse memory(static_cast<size_t>(3 * kFar) * sizeof(float));
  if (!memory.ok()) GTEST_SKIP() << "no address space of 24 GiB";
  Tensor<cpu, 2> far(memory.as<float>(), Shape2(3, 5), kFar, nullptr);
  auto near = Make<float>(Shape2(3, 5), 1);
  TensorContainer<cpu, 2> got(near.shape_), want(near.shape_), turned(Shape2(5, 3));
  far = near * 2.0f;
  EXPECT_EQ(memory.as<float>()[2 * kFar + 4], near[2][4] * 2.0f);
  want = near * 2.0f;
  Copy(got, far);
  ExpectSame<float>(got, want);
  far += 1.0f;
  want += 1.0f;
  got = mirror(mirror(far));
  ExpectSame<float>(got, want);
  turned = far.T();
  got = turned.T();
  ExpectSame<float>(got, want);
  TensorContainer<cpu, 1> columns(Shape1(5)), more(Shape1(5)), rows(Shape1(3)), other(Shape1(3));
  columns = sum_rows(far);
  more = sum_rows(want);
  ExpectSame<float>(columns.FlatTo2D(), more.FlatTo2D());
  rows = sumall_except_dim<0>(far);
  other = sumall_except_dim<0>(want);
  ExpectSame<float>(rows.FlatTo2D(), other.FlatTo2D());
  far = broadcast<1>(columns, far.shape_);
  slice<1>(far, 3, 5) = slice<1>(want, 0, 2);
  EXPECT_EQ(far[2][2], columns[2]);
  EXPECT_EQ(far[2][4], want[2][1]);
}

TEST(Large, NumbersOfRowsBeyond32Bits) {
  constexpr index_t kRows = (index_t{1} << 33) + 3, kRow = (index_t{1} << 32) + 7;
  const Sparse memory(static_cast<size_t>(3 * kRows));
  if (!memory.ok()) GTEST_SKIP() << "no address space of 24 GiB";
  const Tensor<cpu, 2, uint8_t> m(memory.as<uint8_t>(), Shape2(kRows, 3));
  m[kRow][1] = 42;
  EXPECT_EQ(memory.as<uint8_t>()[3 * kRow + 1], 42);
  TensorContainer<cpu, 2, uint8_t> row(Shape2(1, 3));
  const auto expect_row = [&] {
    EXPECT_EQ(row[0][0], 0);
    EXPECT_EQ(row[0][1], 42);
    row = uint8_t{1};
  };
  row = m.Slice(kRow, kRow + 1) * uint8_t{1};
  expect_row();
  row = slice<0>(m, kRow, kRow + 1);
  expect_row();
  TensorContainer<cpu, 1, int64_t> index(Shape1(1), kRow);
  row = take(index, m);
  expect_row();
  EXPECT_EQ(MakePlan(swapaxis<1, 0>(m)).Eval(1, kRow), 42);
  EXPECT_EQ(MakePlan(m.T()).Eval(1, kRow), 42);
  EXPECT_EQ(MakePlan(reshape(m, Shape3(3, kRows, 1))).Eval(3 * kRow + 1, 0), 42);
  EXPECT_EQ(MakePlan(broadcast_with_axis(m, 0, 2)).Eval(2 * kRow + 1, 1), 42);
  EXPECT_EQ(MakePlan(m + uint8_t{1}).Eval(kRow, 1), 43);
}

}  // namespace
