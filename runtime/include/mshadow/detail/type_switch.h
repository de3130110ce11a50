// SPDX-License-Identifier: Apache-2.0
/// \file type_switch.h
/// From a flag at run time to a type at compile time: the block is compiled once for each type of
/// the list, with the given name standing for it. Another flag throws Error.
///
///     MSHADOW_TYPE_SWITCH(blob.type_flag_, DType, { Run(blob.dptr<DType>()); });
#ifndef MSHADOW_TYPE_SWITCH_H_
#define MSHADOW_TYPE_SWITCH_H_

#include "mshadow/detail/data_type.h"

/// Whether the switches have a case for bf16_t, as the newer mshadow's do. Define it as 0 where a
/// block does not compile for that type.
#ifndef MSHADOW_SWITCH_BFLOAT16
#define MSHADOW_SWITCH_BFLOAT16 1
#endif

#define MSHADOW_TYPE_CASE(T, DType, ...) \
  case ::mshadow::DataType<T>::kFlag: {  \
    using DType [[maybe_unused]] = T;    \
    { __VA_ARGS__ }                      \
  } break;
#if MSHADOW_SWITCH_BFLOAT16
#define MSHADOW_BFLOAT16_CASE(DType, ...) \
  MSHADOW_TYPE_CASE(::mshadow::bfloat::bf16_t, DType, __VA_ARGS__)
#else
#define MSHADOW_BFLOAT16_CASE(DType, ...)
#endif

#define MSHADOW_SINGLE_CASES(DType, ...)       \
  MSHADOW_TYPE_CASE(float, DType, __VA_ARGS__) \
  MSHADOW_TYPE_CASE(double, DType, __VA_ARGS__)
#define MSHADOW_REAL_CASES(DType, ...)                           \
  MSHADOW_SINGLE_CASES(DType, __VA_ARGS__)                       \
  MSHADOW_TYPE_CASE(::mshadow::half::half_t, DType, __VA_ARGS__) \
  MSHADOW_BFLOAT16_CASE(DType, __VA_ARGS__)
#define MSHADOW_INTEGER_CASES(DType, ...)        \
  MSHADOW_TYPE_CASE(uint8_t, DType, __VA_ARGS__) \
  MSHADOW_TYPE_CASE(int8_t, DType, __VA_ARGS__)  \
  MSHADOW_TYPE_CASE(int32_t, DType, __VA_ARGS__) \
  MSHADOW_TYPE_CASE(int64_t, DType, __VA_ARGS__)
#define MSHADOW_MORE_INTEGER_CASES(DType, ...)    \
  MSHADOW_TYPE_CASE(int16_t, DType, __VA_ARGS__)  \
  MSHADOW_TYPE_CASE(uint16_t, DType, __VA_ARGS__) \
  MSHADOW_TYPE_CASE(uint32_t, DType, __VA_ARGS__) \
  MSHADOW_TYPE_CASE(uint64_t, DType, __VA_ARGS__)

// A bare switch: break and continue in a block mean what they mean in mshadow's.
#define MSHADOW_SWITCH(flag, expected, ...)               \
  switch (flag) {                                         \
    __VA_ARGS__                                           \
    default:                                              \
      ::mshadow::detail::ThrowTypeFlag(expected, (flag)); \
  }

/// float, double, half_t, bf16_t, uint8, int8, int32, int64.
#define MSHADOW_TYPE_SWITCH(flag, DType, ...)                                \
  MSHADOW_SWITCH(flag, "a floating-point type, uint8, int8, int32 or int64", \
                 MSHADOW_REAL_CASES(DType, __VA_ARGS__) MSHADOW_INTEGER_CASES(DType, __VA_ARGS__))
/// Those and bool.
#define MSHADOW_TYPE_SWITCH_WITH_BOOL(flag, DType, ...)                                           \
  MSHADOW_SWITCH(flag, "a floating-point type, uint8, int8, int32, int64 or bool",                \
                 MSHADOW_REAL_CASES(DType, __VA_ARGS__) MSHADOW_INTEGER_CASES(DType, __VA_ARGS__) \
                     MSHADOW_TYPE_CASE(bool, DType, __VA_ARGS__))
/// Those without bool, and int16, uint16, uint32, uint64.
#define MSHADOW_TYPE_SWITCH_EXT(flag, DType, ...)                                                 \
  MSHADOW_SWITCH(flag, "a floating-point type or an integer type",                                \
                 MSHADOW_REAL_CASES(DType, __VA_ARGS__) MSHADOW_INTEGER_CASES(DType, __VA_ARGS__) \
                     MSHADOW_MORE_INTEGER_CASES(DType, __VA_ARGS__))
/// Every element type.
#define MSHADOW_TYPE_SWITCH_EXT_WITH_BOOL(flag, DType, ...)                                       \
  MSHADOW_SWITCH(flag, "the flag of an element type",                                             \
                 MSHADOW_REAL_CASES(DType, __VA_ARGS__) MSHADOW_INTEGER_CASES(DType, __VA_ARGS__) \
                     MSHADOW_MORE_INTEGER_CASES(DType, __VA_ARGS__)                               \
                         MSHADOW_TYPE_CASE(bool, DType, __VA_ARGS__))
/// As MSHADOW_TYPE_SWITCH without bf16_t, with half2_t in the place of half_t.
#define MSHADOW_TYPE_SWITCH_WITH_HALF2(flag, DType, ...)                             \
  MSHADOW_SWITCH(flag, "float32, float64, float16, uint8, int8, int32 or int64",     \
                 MSHADOW_SINGLE_CASES(DType, __VA_ARGS__)                            \
                     MSHADOW_TYPE_CASE(::mshadow::half::half2_t, DType, __VA_ARGS__) \
                         MSHADOW_INTEGER_CASES(DType, __VA_ARGS__))
/// float, double.
#define MSHADOW_SGL_DBL_TYPE_SWITCH(flag, DType, ...) \
  MSHADOW_SWITCH(flag, "float32 or float64", MSHADOW_SINGLE_CASES(DType, __VA_ARGS__))
/// float, double, half_t, bf16_t.
#define MSHADOW_REAL_TYPE_SWITCH(flag, DType, ...) \
  MSHADOW_SWITCH(flag, "a floating-point type", MSHADOW_REAL_CASES(DType, __VA_ARGS__))
/// int32, int64: the types of indices.
#define MSHADOW_IDX_TYPE_SWITCH(flag, DType, ...)               \
  MSHADOW_SWITCH(flag, "int32 or int64",                        \
                 MSHADOW_TYPE_CASE(int32_t, DType, __VA_ARGS__) \
                     MSHADOW_TYPE_CASE(int64_t, DType, __VA_ARGS__))

/// As MSHADOW_REAL_TYPE_SWITCH, with a second name for the type to accumulate in: float for the
/// 16-bit types, else the same.
#define MSHADOW_REAL_TYPE_SWITCH_EX(flag, DType, DLargeType, ...)                             \
  MSHADOW_REAL_TYPE_SWITCH(                                                                   \
      flag, DType, using DLargeType [[maybe_unused]] = ::mshadow::DataType<DType>::ScaleType; \
      {__VA_ARGS__})
#define MSHADOW_REAL_TYPE_SWITCH_EX_WITH_BFLOAT MSHADOW_REAL_TYPE_SWITCH_EX

#define MSHADOW_LAYOUT_CASE(layout, Layout, ...)               \
  case ::mshadow::layout: {                                    \
    [[maybe_unused]] constexpr int Layout = ::mshadow::layout; \
    { __VA_ARGS__ }                                            \
  } break;
/// The layouts of images and volumes whose outermost dimension is the batch, as a constant.
#define MSHADOW_LAYOUT_SWITCH(flag, Layout, ...)                              \
  switch (flag) {                                                             \
    MSHADOW_LAYOUT_CASE(kNCHW, Layout, __VA_ARGS__)                           \
    MSHADOW_LAYOUT_CASE(kNHWC, Layout, __VA_ARGS__)                           \
    MSHADOW_LAYOUT_CASE(kNCDHW, Layout, __VA_ARGS__)                          \
    MSHADOW_LAYOUT_CASE(kNDHWC, Layout, __VA_ARGS__)                          \
    default:                                                                  \
      ::mshadow::detail::ThrowLayout("MSHADOW_LAYOUT_SWITCH", 0, (flag), -1); \
  }

#endif  // MSHADOW_TYPE_SWITCH_H_
