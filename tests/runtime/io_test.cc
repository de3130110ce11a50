// SPDX-License-Identifier: Apache-2.0
// Saving and loading: round trips, mshadow's layout of bytes, streams that are cut or corrupt.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "memory_stream.h"
#include "testing.h"

namespace {
using namespace testing_runtime;
using mshadow_test::Memory;

struct MemoryStream : public utils::IStream, public Memory {
  using utils::IStream::Read;
  using utils::IStream::Write;
  size_t Read(void *to, size_t size) override { return Memory::Read(to, size); }
  void Write(const void *from, size_t size) override { Memory::Write(from, size); }
};

template <typename T>
class Io : public ::testing::Test {};
using AllTypes = ::testing::Types<float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t,
                                  int16_t, int32_t, int64_t, bool>;
TYPED_TEST_SUITE(Io, AllTypes);

template <typename T, int dim>
void RoundTrip(const Shape<dim> &shape) {
  for (const bool pad : {false, true}) {
    const auto t = Make<T>(shape, 1, pad);
    Memory memory;
    t.SaveBinary(memory);
    EXPECT_EQ(memory.bytes.size(), 4 * dim + sizeof(T) * static_cast<size_t>(shape.Size()));
    Tensor<cpu, dim, T> fresh;
    LoadBinary(memory, &fresh, false);
    ExpectSame<T>(fresh.FlatTo2D(), t.FlatTo2D());
    FreeSpace(&fresh);
    memory.at = 0;
    TensorContainer<cpu, dim, T> there(shape, 0, !pad);
    LoadBinary(memory, &there, true);
    ExpectSame<T>(there.FlatTo2D(), t.FlatTo2D());
    memory.at = 0;
    TensorContainer<cpu, dim, T> container;
    container.LoadBinary(memory);
    ExpectSame<T>(container.FlatTo2D(), t.FlatTo2D());
    EXPECT_EQ(memory.at, memory.bytes.size());
  }
}

TYPED_TEST(Io, RoundTrips) {
  RoundTrip<TypeParam>(Shape1(7));
  RoundTrip<TypeParam>(Shape2(3, 5));
  RoundTrip<TypeParam>(Shape3(2, 1, 4));
  RoundTrip<TypeParam>(Shape2(0, 5));
  RoundTrip<TypeParam>(Shape2(5, 0));
}

TEST(IoFormat, IsMshadows) {
  TensorContainer<cpu, 2> t(Shape2(2, 3), 1.5f);
  Memory memory;
  SaveBinary(memory, t);
  const int32_t shape[] = {2, 3};
  const float values[] = {1.5f, 1.5f, 1.5f, 1.5f, 1.5f, 1.5f};
  std::string want(reinterpret_cast<const char *>(shape), sizeof(shape));
  want.append(reinterpret_cast<const char *>(values), sizeof(values));
  EXPECT_EQ(memory.bytes, want);
}

TEST(IoFormat, WideExtentsHaveAMark) {
  const index_t wide = index_t{1} << 33;
  const Tensor<cpu, 2> t(nullptr, Shape2(0, wide));
  Memory memory;
  SaveBinary(memory, t);
  EXPECT_EQ(memory.bytes.size(), 20u);
  Tensor<cpu, 2> back;
  LoadBinary(memory, &back, false);
  EXPECT_EQ(back.shape_, Shape2(0, wide));
}

TEST(IoErrors, StreamsThatAreCut) {
  const auto t = Make<float>(Shape2(3, 5), 1);
  Memory memory;
  t.SaveBinary(memory);
  for (size_t size = 0; size < memory.bytes.size(); ++size) {
    Memory cut{memory.bytes.substr(0, size)};
    auto kept = Make<float>(Shape2(2, 2), 2);
    const TensorContainer<cpu, 2> old(kept);
    EXPECT_THROW(kept.LoadBinary(cut), Error) << size;
    ExpectSame<float>(kept, old);
    Memory again{memory.bytes.substr(0, size)};
    Tensor<cpu, 2> view = kept;
    EXPECT_THROW(LoadBinary(again, &view, false), Error);
    EXPECT_EQ(view.dptr_, kept.dptr_);
  }
  Memory cut{memory.bytes.substr(0, 40)};
  Tensor<cpu, 2> view;
  EXPECT_MESSAGE(LoadBinary(cut, &view, false),
                 "LoadBinary: expected 60 bytes of elements for shape (3,5), the stream ends after "
                 "32");
  Memory empty;
  EXPECT_MESSAGE(LoadBinary(empty, &view, false), "expected a shape");
}

TEST(IoErrors, StreamsThatAreCorrupt) {
  Memory memory;
  const int32_t negative[] = {3, -7};
  memory.Write(negative, sizeof(negative));
  auto kept = Make<float>(Shape2(2, 2), 2);
  const TensorContainer<cpu, 2> old(kept);
  EXPECT_MESSAGE(kept.LoadBinary(memory), "got an extent of 4294967289");
  Memory huge;
  const int32_t large[] = {0x7fffffff, 0x1fffffff};
  huge.Write(large, sizeof(large));
  huge.Write(large, sizeof(large));
  EXPECT_MESSAGE(kept.LoadBinary(huge), "the stream ends after 8");
  EXPECT_LE(huge.largest, size_t{1} << 24) << "memory for a shape that is not true";
  Memory overflow;
  const uint32_t mark = 0xffffffff;
  const int64_t wide[] = {int64_t{1} << 40, int64_t{1} << 40};
  overflow.Write(&mark, sizeof(mark));
  overflow.Write(wide, sizeof(wide));
  EXPECT_MESSAGE(kept.LoadBinary(overflow), "of more than 2^63 bytes");
  Memory empty;  // no elements, but rows that no stride spans
  const int64_t none[] = {0, int64_t{1} << 62};
  empty.Write(&mark, sizeof(mark));
  empty.Write(none, sizeof(none));
  EXPECT_MESSAGE(kept.LoadBinary(empty), "of more than 2^63 bytes");
  ExpectSame<float>(kept, old);
  Memory other;
  kept.SaveBinary(other);
  Tensor<cpu, 2> there = kept.Slice(0, 1);
  EXPECT_MESSAGE(LoadBinary(other, &there, true),
                 "LoadBinary: the tensor and the stream: shapes (1,2) and (2,2) differ");
}

TEST(IoStream, HoldsVectorsStringsAndTensors) {
  MemoryStream stream;
  const std::vector<double> numbers = {1, 2, 3};
  const auto t = Make<float>(Shape2(3, 5), 1);
  stream.Write(numbers);
  t.SaveBinary(stream);
  stream.Write(std::string("name"));
  std::vector<double> numbers_back;
  TensorContainer<cpu, 2> back;
  std::string name;
  ASSERT_TRUE(stream.Read(&numbers_back));
  back.LoadBinary(stream);
  ASSERT_TRUE(stream.Read(&name));
  EXPECT_EQ(numbers_back, numbers);
  ExpectSame<float>(back, t);
  EXPECT_EQ(name, "name");
  EXPECT_FALSE(stream.Read(&name));
  EXPECT_EQ(name, "name");
  MemoryStream corrupt;
  const uint64_t count = uint64_t{1} << 60;
  corrupt.Write(&count, sizeof(count));
  EXPECT_FALSE(corrupt.Read(&numbers_back));
  EXPECT_EQ(numbers_back, numbers);
}

}  // namespace
