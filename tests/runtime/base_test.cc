// SPDX-License-Identifier: Apache-2.0
// Element types at run time, the switches over them, layouts, 16-bit floats beside other types.
#include <mshadow/half2.h>

#include <iomanip>
#include <limits>
#include <sstream>
#include <type_traits>

#include "testing.h"

namespace testing_runtime {
/// What messages without <ostream> say (light_logging.cc).
std::string LightText();
std::string LightComparison();
}  // namespace testing_runtime

namespace {
using namespace testing_runtime;
using bfloat::bf16_t;
using half::half2_t;
using half::half_t;

TEST(DataType, FlagsAreMshadows) {
  EXPECT_EQ(DataType<float>::kFlag, 0);
  EXPECT_EQ(DataType<half_t>::kFlag, 2);
  EXPECT_EQ(DataType<int64_t>::kFlag, 6);
  EXPECT_EQ(DataType<bool>::kFlag, 7);
  EXPECT_EQ(DataType<uint64_t>::kFlag, 11);
  EXPECT_EQ(DataType<bf16_t>::kFlag, 12);
  EXPECT_EQ(default_type_flag, kFloat32);
  EXPECT_EQ(DataType<half2_t>::kLanes, 2);
  static_assert(std::is_same<DataType<half_t>::ScaleType, float>::value, "");
  static_assert(std::is_same<DataType<double>::ScaleType, double>::value, "");
}

TEST(DataType, SizesAndNames) {
  EXPECT_EQ(mshadow_sizeof(kFloat16), 2u);
  EXPECT_EQ(mshadow_sizeof(kUint64), 8u);
  EXPECT_STREQ(dtype_string(kBfloat16), "bfloat16");
  EXPECT_STREQ(dtype_string(kInt16), "int16");
  EXPECT_MESSAGE(mshadow_sizeof(99),
                 "element type: expected the flag of an element type, got flag 99");
  EXPECT_MESSAGE(dtype_string(-1), "got flag -1");
}

/// The flags for which a switch runs its block; the block must see the type of its flag.
#define FLAGS_OF(SWITCH)                                             \
  [] {                                                               \
    std::string found;                                               \
    for (int flag = 0; flag < 14; ++flag) {                          \
      try {                                                          \
        SWITCH(flag, DType, {                                        \
          EXPECT_EQ(static_cast<int>(DataType<DType>::kFlag), flag); \
          found += std::to_string(flag) + ' ';                       \
          continue;                                                  \
        });                                                          \
        ADD_FAILURE() << "continue does not reach the loop";         \
      } catch (const Error &) {                                      \
      }                                                              \
    }                                                                \
    return found;                                                    \
  }()

TEST(TypeSwitch, TypesOfEachSwitch) {
  EXPECT_EQ(FLAGS_OF(MSHADOW_TYPE_SWITCH), "0 1 2 3 4 5 6 12 ");
  EXPECT_EQ(FLAGS_OF(MSHADOW_TYPE_SWITCH_WITH_BOOL), "0 1 2 3 4 5 6 7 12 ");
  EXPECT_EQ(FLAGS_OF(MSHADOW_TYPE_SWITCH_EXT), "0 1 2 3 4 5 6 8 9 10 11 12 ");
  EXPECT_EQ(FLAGS_OF(MSHADOW_TYPE_SWITCH_EXT_WITH_BOOL), "0 1 2 3 4 5 6 7 8 9 10 11 12 ");
  EXPECT_EQ(FLAGS_OF(MSHADOW_TYPE_SWITCH_WITH_HALF2), "0 1 2 3 4 5 6 ");
  EXPECT_EQ(FLAGS_OF(MSHADOW_REAL_TYPE_SWITCH), "0 1 2 12 ");
  EXPECT_EQ(FLAGS_OF(MSHADOW_SGL_DBL_TYPE_SWITCH), "0 1 ");
  EXPECT_EQ(FLAGS_OF(MSHADOW_IDX_TYPE_SWITCH), "4 6 ");
}

TEST(TypeSwitch, NestsAndNamesTheAccumulator) {
  int sizes = 0;
  MSHADOW_REAL_TYPE_SWITCH_EX(kFloat16, DType, DLargeType, {
    MSHADOW_IDX_TYPE_SWITCH(kInt64, IType, {
      const int wide = sizeof(DLargeType), index = sizeof(IType);
      sizes = static_cast<int>(sizeof(DType)) * 100 + wide * 10 + index;
    });
  });
  EXPECT_EQ(sizes, 248);
  EXPECT_MESSAGE(MSHADOW_REAL_TYPE_SWITCH(kInt8, DType, { sizes += sizeof(DType); }),
                 "expected a floating-point type, got int8");
}

TEST(Layout, SwitchAndConversion) {
  int rank = 0;
  MSHADOW_LAYOUT_SWITCH(kNDHWC, kLayout, { rank = LayoutType<kLayout>::kNdim; });
  EXPECT_EQ(rank, 5);
  EXPECT_EQ(LayoutType<kNWC>::kNdim, 3);
  EXPECT_EQ(LayoutType<kNHWC>::kNdim, 4);
  EXPECT_MESSAGE(MSHADOW_LAYOUT_SWITCH(kNCW, kLayout, { rank = kLayout; }), "got NCW");
  EXPECT_EQ(ConvertLayout(Shape4(2, 3, 5, 7), kNCHW, kNHWC), Shape4(2, 5, 7, 3));
  EXPECT_EQ(ConvertLayout(Shape4(2, 5, 7, 3), kNHWC, kNCHW), Shape4(2, 3, 5, 7));
  EXPECT_EQ(ConvertLayout(Shape4(2, 3, 5, 7), kNCHW, kCHWN), Shape4(3, 5, 7, 2));
  EXPECT_EQ(ConvertLayout(Shape3(2, 3, 5), kNCW, kNWC), Shape3(2, 5, 3));
  EXPECT_EQ(ConvertLayout(Shape5(2, 3, 5, 7, 11), kNCDHW, kNDHWC), Shape5(2, 5, 7, 11, 3));
  EXPECT_MESSAGE(ConvertLayout(Shape4(1, 2, 3, 4), kNCHW, kNWC),
                 "expected two layouts of 4 dimensions, got NCHW and NWC");
  EXPECT_MESSAGE(ConvertLayout(Shape3(1, 2, 3), kNCHW, kNHWC), "of 3 dimensions");
  EXPECT_MESSAGE(ConvertLayout(Shape4(1, 2, 3, 4), kNCHW, 77), "flag 77");
  EXPECT_EQ(getTranspAxes<4>(kNCHW, kNHWC), Shape4(0, 2, 3, 1));
  EXPECT_MESSAGE(getTranspAxes<3>(kNCHW, kNHWC), "of 3 dimensions");
  EXPECT_EQ(layoutFlag("NDHWC"), kNDHWC);
  EXPECT_EQ(toString(kNCHW), "NCHW");
  EXPECT_MESSAGE(layoutFlag("NCHX"), "NCHX");
}

/// As operators of mshadow's users mix them.
template <typename T>
T TwiceTheMargin(T m, T s) {
  return m > s ? 2 * (m - s) : T(0.0f);
}
template <typename T>
T Mean(T sum, int count) {
  return count > 1 ? sum / count : sum;
}
template <typename T>
T Leaky(T x) {
  return x > 0 ? x : 0.25 * x;
}

template <typename T>
void MixWithNumbers() {
  const T h(1.5f);
  static_assert(std::is_same<decltype(h + h), T>::value, "");
  static_assert(std::is_same<decltype(h * 2.0f), T>::value, "");
  static_assert(std::is_same<decltype(3 - h), T>::value, "");
  static_assert(std::is_same<decltype(1.0 / h), T>::value, "");
  EXPECT_EQ(h * 2.0f, 3.0f);
  EXPECT_EQ(3 - h, 1.5f);
  EXPECT_EQ(TwiceTheMargin(h, T(1.0f)), 1.0f);
  EXPECT_EQ(TwiceTheMargin(T(1.0f), h), 0.0f);
  EXPECT_EQ(Mean(h, 2), 0.75f);
  EXPECT_EQ(Leaky(-h), -0.375f);
}

TEST(NarrowFloat, MixesWithOtherTypes) {
  MixWithNumbers<half_t>();
  MixWithNumbers<bf16_t>();
  const half_t h(1.5f);
  const bf16_t b(2.0f);
  static_assert(std::is_same<decltype(b + h), float>::value, "");
  EXPECT_EQ(b + h, 3.5f);
  EXPECT_TRUE(b > 1.0f && h < b && 1.5 == h);
  // Rounded once: 2049 + 2^-20 is nearer to 2050 than to 2048, its float 2049 is a tie.
  EXPECT_EQ(half_t(2048.0f) + (1 + 0x1p-20), 2050.0f);
}

TEST(NarrowFloat, Limits) {
  EXPECT_EQ(float(MSHADOW_HALF_MAX), 65504.0f);
  EXPECT_EQ(float(MSHADOW_HALF_MIN), -65504.0f);
  EXPECT_EQ(float(MSHADOW_BF16_MAX), 3.38953139e38f);
  EXPECT_EQ(float(MSHADOW_BF16_MIN), -3.38953139e38f);
}

TEST(NarrowFloat, TensorsTimesFloatLiterals) {
  TensorContainer<cpu, 1, half_t> h(Shape1(3), 1.5f);
  TensorContainer<cpu, 1, bf16_t> b(Shape1(3), 1.5f);
  h = h * 2.0f + 1 - 0.5;
  b = 2.0f * b;
  EXPECT_EQ(float(h[2]), 3.5f);
  EXPECT_EQ(float(b[2]), 3.0f);
}

template <typename T>
void ReduceVolatile(volatile T &dst, volatile T src) {
  dst += src;
  if (dst < src) dst = src;
  dst += src * 0.0f;
  dst = src > dst ? T(0) : dst * 2.0f;
}

TEST(NarrowFloat, ReducersMayTakeVolatile) {
  static_assert(std::is_trivially_copyable<half_t>::value, "");
  static_assert(std::is_trivially_copyable<bf16_t>::value, "");
  half_t h(1.5f);
  volatile half_t source(2.0f);
  ReduceVolatile<half_t>(h, source);
  EXPECT_EQ(float(h), 7.0f);
  h = source;
  EXPECT_EQ(float(h), 2.0f);
  bf16_t b(1.5f);
  ReduceVolatile<bf16_t>(b, bf16_t(1.0f));
  EXPECT_EQ(float(b), 5.0f);
}

TEST(Half2, IsTwoHalves) {
  half2_t pair(half_t(1.0f), half_t(3.0f));
  pair = pair * half2_t(2) + 1.0f;
  pair /= half2_t(half_t(1.0f), half_t(7.0f));
  EXPECT_EQ(pair, half2_t(half_t(3.0f), half_t(1.0f)));
  EXPECT_EQ(sizeof(half2_t), 4u);
}

/// Operators of users: beside their types, and where only the caller sees them.
struct Printed {};
std::ostream &operator<<(std::ostream &out, const Printed &) { return out << "printed"; }
enum Named { kNamed };
std::ostream &operator<<(std::ostream &out, Named) { return out << "named"; }
std::ostream &operator<<(std::ostream &out, const std::vector<int> &v) {
  return out << '[' << v[0] << ' ' << v[1] << ']';
}

TEST(Logging, ChecksThrowAndSayWhy) {
  const int a = 3;
  CHECK(a == 3) << "not evaluated";
  CHECK_EQ(a, 3);
  CHECK_NE(a, 4);
  const int *const there = &a, *const nothing = NULL;
  CHECK_NE(there, NULL);
  CHECK_NE(0, there);
  CHECK_NE(static_cast<const char *>("text"), nullptr);
  CHECK_EQ(nothing, NULL);
  EXPECT_MESSAGE(CHECK_NE(nothing, NULL) << "no memory", "no memory");
  CHECK_LE(a, index_t{3});
  EXPECT_MESSAGE(CHECK(a > 5) << "a is " << a, "base_test.cc:");
  EXPECT_MESSAGE(CHECK(a > 5) << "a is " << a, "check failed: a > 5: a is 3");
  EXPECT_MESSAGE(CHECK_LT(a, 3u) << "too many", "check failed: a < 3u (3 vs. 3) too many");
  EXPECT_MESSAGE(CHECK_EQ(Shape2(1, 2), Shape2(2, 1)), "((1,2) vs. (2,1))");
  EXPECT_MESSAGE(LOG(FATAL) << "lost", "lost");
  EXPECT_THROW(CHECK(false), dmlc::Error);
  int *pointer = nullptr;
  EXPECT_MESSAGE(CHECK_NOTNULL(pointer), "check not null: pointer");
  pointer = const_cast<int *>(&a);
  EXPECT_EQ(CHECK_NOTNULL(pointer), &a);
}

TEST(Logging, NeedsNoOstream) {
  EXPECT_NE(LightText().find("text letters letters 1.5 -2 1 0 nullptr 1 7 0.5 a (1,2) (3,)"),
            std::string::npos)
      << LightText();
  EXPECT_NE(LightComparison().find(
                "check failed: mshadow::kFloat32 == mshadow::kFloat64 (0 vs. 1) kinds"),
            std::string::npos)
      << LightComparison();
}

TEST(Logging, PrintsAsOstreamsDo) {
  const std::vector<int> rows = {1, 2};
  EXPECT_MESSAGE(LOG(FATAL) << Printed() << std::setw(4) << 3 << std::hex << 255 << std::endl,
                 "printed   3ff\n");
  EXPECT_MESSAGE(LOG(FATAL) << 1 << rows << ' ' << 2, "1[1 2] 2");
  EXPECT_MESSAGE(CHECK(rows.empty()) << rows << " rows", "rows.empty(): [1 2] rows");
  EXPECT_MESSAGE(CHECK_EQ(kNamed, 1), "(named vs. 1)");
  std::ostringstream out;
  out << std::setw(3) << Shape1(4) << Shape3(1, 2, 3);
  EXPECT_EQ(out.str(), "  (4,)(1,2,3)");
}

TEST(Logging, AreStatements) {
  bool reached = false;
  if (reached)
    CHECK_EQ(1, 2);
  else
    reached = true;
  EXPECT_TRUE(reached);
  LOG_IF(FATAL, !reached) << "not printed";
#ifdef NDEBUG
  DCHECK_EQ(1, 2) << "not checked";
#else
  EXPECT_MESSAGE(DCHECK_EQ(1, 2) << "", "check failed");
#endif
}

TEST(Logging, PrintsOneLine) {
  ::testing::internal::CaptureStderr();
  LOG(WARNING) << "shape " << Shape1(3);
  MSHADOW_CATCH_ERROR(CHECK_NOTNULL(static_cast<int *>(nullptr)));
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find(": warning: shape (3,)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("error: ignored: base_test.cc"), std::string::npos) << text;
}

/// Bodies of operators as mshadow's users write them: literals that become the element type.
struct relu_grad {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a) {
    return a > DType(0) ? 1.0f : 0.0f;
  }
};
struct hinge {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType b) {
    DType c = 2.0f * a;
    c = c * 3 + b;
    if (isnan_typed::IsNan(c) || isinf_typed::IsInf(c)) return 0;
    return c - 1;
  }
};

template <typename T>
void CheckLiterals() {
  TensorContainer<cpu, 2, T> t(Shape2(1, 2), 1.5f), u(Shape2(1, 2));
  u = F<relu_grad>(t) * 2.0f + 1;
  EXPECT_EQ(u[0][1], T(3));
  u = F<hinge>(t, 0.25f);
  EXPECT_EQ(u[0][1], T(8.25f));
  t[0][1] = std::numeric_limits<float>::infinity();
  u = F<hinge>(t, u);
  EXPECT_EQ(u[0][1], T(0));
}

TEST(NarrowFloats, TakeLiterals) {
  CheckLiterals<float>();
  CheckLiterals<half::half_t>();
  CheckLiterals<bfloat::bf16_t>();
  EXPECT_TRUE(isnan_typed::IsNan(half::half_t::Binary(0x7e00)));
  EXPECT_FALSE(isnan_typed::IsNan(3) || isinf_typed::IsInf(int64_t{1} << 62));
}

TEST(Base, NamesThatUsersTakeForGranted) {
  EXPECT_EQ(kPi, 3.1415926f);
  EXPECT_EQ(MSHADOW_INT64_TENSOR_SIZE, sizeof(index_t) == sizeof(int64_t) ? 1 : 0);
  const openmp_index_t i = 3;
  const lapack_index_t n = 3;
  EXPECT_EQ(static_cast<index_t>(n), i);
}

}  // namespace
