// SPDX-License-Identifier: Apache-2.0
// TShape, TBlob, and lazy expressions over blobs.
#include <mshadow/expr/op_extra.h>

#include <cstring>
#include <limits>
#include <sstream>
#include <vector>

#include "testing.h"

namespace {
using namespace testing_runtime;

TEST(TShape, IsMadeOfManyThings) {
  EXPECT_EQ(TShape().ndim(), 0);
  EXPECT_EQ(TShape(3), Shape3(1, 1, 1));
  const index_t extents[] = {2, 3, 5, 7};
  TShape shape(extents, extents + 4);
  EXPECT_EQ(shape, Shape4(2, 3, 5, 7));
  EXPECT_NE(shape, Shape3(2, 3, 5));
  EXPECT_NE(shape, (TShape{2, 3, 5, 8}));
  shape = Shape2(4, 5);
  EXPECT_EQ(shape.Size(), 20);
  EXPECT_EQ(shape.ProdShape(1, 2), 5);
  EXPECT_EQ((shape.get<2>()), Shape2(4, 5));
  const std::vector<unsigned> list = {7, 8, 9};
  shape = list;
  EXPECT_EQ(shape, Shape3(7, 8, 9));
  shape = Shape2(4, 5);
  EXPECT_MESSAGE(shape.get<3>(), "expected 3 dimensions, got shape (4,5)");
  EXPECT_MESSAGE(TShape(33), "expected 0 to 32 dimensions, got 33");
}

TEST(TShape, Flattens) {
  const TShape shape{2, 3, 5, 7};
  EXPECT_EQ(shape.FlatTo2D(), Shape2(30, 7));
  EXPECT_EQ(shape.FlatTo3D(1), Shape3(2, 3, 35));
  EXPECT_EQ(shape.FlatTo3D(1, 2), Shape3(2, 15, 7));
  EXPECT_EQ(shape.FlatTo3D(0), Shape3(1, 2, 105));
  EXPECT_EQ(shape.FlatTo3D(3), Shape3(30, 7, 1));
  EXPECT_MESSAGE(shape.FlatTo3D(2, 4), "dimensions of shape (2,3,5,7), got 2 to 4");
  EXPECT_EQ(TShape{4}.FlatTo2D(), Shape2(1, 4));
}

TEST(TShape, PrintsAndReads) {
  for (const TShape &shape : {TShape(), TShape{3}, TShape{2, 3}, TShape{0, 12, 5}}) {
    std::stringstream text;
    text << shape;
    TShape back{9, 9};
    text >> back;
    EXPECT_TRUE(bool(text)) << text.str();
    EXPECT_EQ(back, shape) << text.str();
  }
  for (const char *bad : {"2,3)", "(2,3", "(2;3)", "(a)", ""}) {
    std::stringstream text(bad);
    TShape kept{7};
    text >> kept;
    EXPECT_FALSE(bool(text)) << bad;
    EXPECT_EQ(kept, TShape{7});
  }
}

/// A stream in memory.
struct Memory {
  std::string bytes;
  size_t at = 0;
  void Write(const void *from, size_t size) { bytes.append(static_cast<const char *>(from), size); }
  size_t Read(void *to, size_t size) {
    size = std::min(size, bytes.size() - at);
    std::memcpy(to, bytes.data() + at, size);
    at += size;
    return size;
  }
};

TEST(TShape, SavesAndLoads) {
  Memory memory;
  const TShape shape{2, 3, 5};
  shape.Save(&memory);
  TShape back;
  ASSERT_TRUE(back.Load(&memory));
  EXPECT_EQ(back, shape);
  for (size_t size = 0; size < memory.bytes.size(); ++size) {
    Memory cut{memory.bytes.substr(0, size)};
    back = Shape1(1);
    EXPECT_FALSE(back.Load(&cut)) << size;
    EXPECT_EQ(back, TShape{1});
  }
  Memory corrupt{memory.bytes};
  corrupt.bytes[0] = 33;
  EXPECT_FALSE(back.Load(&corrupt));
}

TEST(TBlob, ViewsATensor) {
  auto t = Make<float>(Shape3(2, 3, 5), 1);
  const TBlob blob = t;
  EXPECT_EQ(blob.type_flag_, kFloat32);
  EXPECT_EQ(blob.dev_mask(), cpu::kDevMask);
  EXPECT_EQ(blob.ndim(), 3);
  EXPECT_EQ(blob.size(2), 5);
  EXPECT_FALSE(blob.CheckContiguous());
  const Tensor<cpu, 3> back = blob.get<cpu, 3, float>();
  EXPECT_EQ(back.dptr_, t.dptr_);
  EXPECT_EQ(back.stride_, t.stride_);
  EXPECT_EQ((blob.FlatTo2D<cpu, float>().shape_), Shape2(6, 5));
  EXPECT_MESSAGE((blob.FlatTo1D<cpu, float>()), "has padded rows");
  EXPECT_MESSAGE((blob.get<cpu, 2, float>()), "expected 2 dimensions, got shape (2,3,5)");
  EXPECT_MESSAGE((blob.get<cpu, 3, int>()), "TBlob.get: expected element type int32, got float32");
  EXPECT_MESSAGE((blob.get<gpu, 3, float>()), "expected a tensor on the gpu, got cpu");
  EXPECT_MESSAGE(blob.dptr<double>(), "expected element type float64, got float32");
}

TEST(TBlob, ChangesShape) {
  auto t = Make<double>(Shape4(2, 3, 4, 5), 1, false);
  const TBlob blob = t;
  EXPECT_EQ((blob.FlatTo1D<cpu, double>().shape_), Shape1(120));
  EXPECT_EQ((blob.FlatTo3D<cpu, double>(1).shape_), Shape3(2, 3, 20));
  EXPECT_EQ((blob.FlatTo3D<cpu, double>(1, 2).shape_), Shape3(2, 12, 5));
  EXPECT_EQ((blob.FlatToKD<cpu, 2, double>().shape_), Shape2(24, 5));
  EXPECT_EQ((blob.FlatToKD<cpu, 5, double>().shape_), Shape5(1, 2, 3, 4, 5));
  EXPECT_EQ((blob.get_with_shape<cpu, 2, double>(Shape2(6, 20))[5][19]), At(t, 23, 4));
  EXPECT_EQ(blob.reshape(TShape{10, 12}).shape_, (TShape{10, 12}));
  EXPECT_MESSAGE(blob.reshape(TShape{7}), "a shape of 120 elements, like (2,3,4,5), got (7,)");
  int32_t numbers[6] = {1, 2, 3, 4, 5, 6};
  TBlob raw(numbers, TShape{2, 3}, cpu::kDevMask);
  EXPECT_EQ((raw.get<cpu, 2, int32_t>()[1][2]), 6);
  raw = blob;
  EXPECT_EQ(raw.dptr_, t.dptr_);
}

template <typename T>
class BlobExp : public ::testing::Test {};
using BlobTypes = ::testing::Types<float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t,
                                   int32_t, int64_t>;
TYPED_TEST_SUITE(BlobExp, BlobTypes);

TYPED_TEST(BlobExp, IsLazyAndEvaluatesInOnePass) {
  using T = TypeParam;
  for (const bool pad : {false, true}) {
    for (const Shape<3> &shape : {Shape3(2, 3, 5), Shape3(1, 1, 1), Shape3(2, 0, 5)}) {
      auto ta = Make<T>(shape, 1, pad), tb = Make<T>(shape, 2, !pad);
      TensorContainer<cpu, 3, T> td(shape, 0), want(shape, 0);
      TBlob a = ta, b = tb, d = td;
      auto c = add(a, b);
      EXPECT_EQ(c.ptype(), DataType<T>::kFlag);
      EXPECT_EQ(c.shape(), shape);
      d = add(a, c);
      want = ta + (ta + tb);
      ExpectSame<T>(td.FlatTo2D(), want.FlatTo2D());
      ta += T(1);  // c is a name: it reads what a is now
      d += c * 2 - scale(b, 1);
      want += (ta + tb) * 2 - tb;
      ExpectSame<T>(td.FlatTo2D(), want.FlatTo2D());
      d = F<op::where>(a - b, F<op::square>(b), 3);
      want = F<op::where>(ta - tb, F<op::square>(tb), 3);
      ExpectSame<T>(td.FlatTo2D(), want.FlatTo2D());
    }
  }
}

TYPED_TEST(BlobExp, WorksInPlace) {
  using T = TypeParam;
  auto t = Make<T>(Shape2(3, 5), 1);
  const TensorContainer<cpu, 2, T> old(t);
  TensorContainer<cpu, 2, T> want(t);
  TBlob v = t;
  v = scale(v, 2);
  v = add(v, mul(v, v));
  want = old * 2 + old * 2 * (old * 2);
  ExpectSame<T>(t, want);
  v = 7;
  EXPECT_EQ(t[2][4], T(7));
  v -= 1;
  v *= 2;
  v /= 3;
  EXPECT_EQ(t[2][4], T(4));
}

TEST(BlobExp, RefusesBeforeWriting) {
  auto tf = Make<float>(Shape2(2, 3), 1);
  auto td = Make<double>(Shape2(2, 3), 2);
  auto tw = Make<float>(Shape2(3, 2), 3);
  const TBlob f = tf, d = td, w = tw;
  TBlob out = tf;
  EXPECT_MESSAGE(
      add(f, d).ptype(),
      "operands of an expression over blobs: expected element type float32, got float64");
  EXPECT_MESSAGE(add(f, w).shape(), "expected shape (2,3), got (3,2)");
  EXPECT_MESSAGE(out = add(f, mul(f, d)), "expected element type float32, got float64");
  EXPECT_MESSAGE(out = add(d, 1),
                 "assignment to a blob: expected element type float32, got float64");
  EXPECT_MESSAGE(out = w + w, "assignment to a blob: expected shape (2,3), got (3,2)");
  const TBlob elsewhere(tf.dptr_, TShape{2, 3}, gpu::kDevMask, kFloat32);
  EXPECT_MESSAGE(out = f + elsewhere, "expected a tensor on the cpu, got gpu");
  auto line = Make<float>(Shape1(10), 4);
  const TBlob first = line.Slice(0, 8), second = line.Slice(2, 10);
  out = first;
  EXPECT_MESSAGE(out = add(second, 1), "overlaps its memory");
  EXPECT_EQ(line[3], Make<float>(Shape1(10), 4)[3]);
  EXPECT_MESSAGE(out = f + TBlob(), "operand of an expression over blobs: expected a blob that");
  EXPECT_MESSAGE((TBlob() + 1).shape(), "views a tensor, got one without extents");
  TBlob nothing;
  EXPECT_MESSAGE(nothing = 1.0f, "destination of an assignment to a blob: expected a blob that");
  EXPECT_MESSAGE(nothing += f, "got one without extents");
  TBlob missing(nullptr, TShape{2, 3}, cpu::kDevMask, kFloat32);
  EXPECT_MESSAGE(missing = 1.0f, "memory for the elements of a tensor of shape (2,3), got a null");
  bool flags[2] = {};
  TBlob logical(flags, TShape{2}, cpu::kDevMask);
  EXPECT_MESSAGE(logical = logical + logical, "got bool");
}

TEST(BlobExp, IntegersKeepAllTheirBits) {
  TensorContainer<cpu, 1, int64_t> t(Shape1(2), 0);
  TBlob v = t;
  v = v + std::numeric_limits<int64_t>::max();
  EXPECT_EQ(t[1], std::numeric_limits<int64_t>::max());
  v = scale(v, 0.5);  // a number is converted to the element type, as beside a tensor
  EXPECT_EQ(t[1], 0);
}

// DLPack's structures as its specification lays them out; the device as it was called before 0.5.
struct DLDevice {
  int device_type;
  int device_id;
};
struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
struct DLTensor {
  void *data;
  DLDevice device;
  int ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
};
struct OldDLTensor {
  void *data;
  DLDevice ctx;
  int ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
};

template <typename DL>
void CheckRoundTrip() {
  auto t = Make<half::half_t>(Shape3(2, 3, 5), 1);
  const TBlob blob = t;
  const auto view = blob.dltensor<DL>();
  EXPECT_EQ(view->strides[0], 3 * t.stride_);
  EXPECT_EQ(view->dtype.bits, 16);
  const TBlob back(*view);
  EXPECT_EQ(back.dptr_, blob.dptr_);
  EXPECT_EQ(back.shape_, blob.shape_);
  EXPECT_EQ(back.stride_, blob.stride_);
  EXPECT_EQ(back.type_flag_, kFloat16);
  EXPECT_EQ(back.dev_mask(), cpu::kDevMask);
}

TEST(Blob, GoesThroughDLPack) {
  CheckRoundTrip<DLTensor>();
  CheckRoundTrip<OldDLTensor>();
  float memory[12] = {};
  int64_t shape[] = {1, 3, 2}, strides[] = {7, 4, 1};
  DLTensor t{memory, {1, 0}, 3, {2, 32, 1}, shape, strides, 4};
  const TBlob padded(t);
  EXPECT_EQ(padded.dptr_, memory + 1);
  EXPECT_EQ((padded.get<cpu, 3, float>()[0][2].dptr_), memory + 9);
  t.strides = nullptr;
  EXPECT_EQ(TBlob(t).stride_, 2);
  for (const int flag : {kFloat64, kBfloat16, kUint8, kInt32, kInt64, kBool, kUint64}) {
    const TBlob one(static_cast<void *>(memory), TShape{1}, cpu::kDevMask, flag);
    EXPECT_EQ(TBlob(*one.dltensor<DLTensor>()).type_flag_, flag);
  }
}

TEST(Blob, RefusesForeignDLTensors) {
  float memory[12] = {};
  int64_t shape[] = {2, 3}, columns[] = {1, 2};
  DLTensor t{memory, {1, 0}, 2, {2, 32, 1}, shape, columns, 0};
  EXPECT_MESSAGE(TBlob{t}, "expected contiguous rows, which need stride 1 in dimension 1, got 2");
  t.strides = nullptr;
  t.dtype = {2, 32, 4};
  EXPECT_MESSAGE(TBlob{t}, "got code 2, 32 bits, 4 lanes");
  t.dtype = {2, 32, 1};
  t.device.device_type = 7;
  EXPECT_MESSAGE(TBlob{t}, "expected device 1 (CPU) or 2 (CUDA), got 7");
}

TEST(BlobExp, AnUnsignedNumberStaysOne) {
  const uint64_t large = uint64_t{3} << 62;
  TensorContainer<cpu, 2> real(Shape2(2, 2), 0.0f);
  TensorContainer<cpu, 2, int64_t> integer(Shape2(2, 2), 0);
  TensorContainer<cpu, 2, uint8_t> byte(Shape2(2, 2), 0);
  TBlob a(real), b(integer), c(byte);
  a = a + large;
  b = b + large;
  c = c + (large + 7);
  EXPECT_EQ(real[1][1], 0x3p62f);
  EXPECT_EQ(integer[1][1], static_cast<int64_t>(large)) << "as beside a tensor";
  EXPECT_EQ(byte[1][1], 7);
  a = 18446744073709551615ull;
  EXPECT_EQ(real[0][0], 0x1p64f);
}

}  // namespace
