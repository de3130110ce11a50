// SPDX-License-Identifier: Apache-2.0
/// \file data_type.h
/// Element types at run time: flags, what is known of each type, sizes and names.
#ifndef MSHADOW_DATA_TYPE_H_
#define MSHADOW_DATA_TYPE_H_

#include "mshadow/bfloat.h"
#include "mshadow/detail/config.h"
#include "mshadow/half.h"
#include "mshadow/half2.h"
#if MSHADOW_USE_CUDNN && !defined(__MSHADOW_GEN__)
#include <cudnn.h>
#endif

namespace mshadow {
MSHADOW_VERSION_BEGIN

typedef float default_real_t;

/// The element type of a tensor at run time; the numbers are mshadow's.
enum TypeFlag {
  kFloat32 = 0,
  kFloat64 = 1,
  kFloat16 = 2,
  kUint8 = 3,
  kInt32 = 4,
  kInt8 = 5,
  kInt64 = 6,
  kBool = 7,
  kInt16 = 8,
  kUint16 = 9,
  kUint32 = 10,
  kUint64 = 11,
  kBfloat16 = 12,
};

/// What is known of element type T: its flag; how many numbers one element holds; the type in which
/// BLAS and cuDNN take factors for it; its name; CUDA's number for it, -1 where it has none.
template <typename T>
struct DataType;

namespace detail {
/// A number as CUDA's enumerator; -1 is none of them and stays an int.
template <typename Enum, int number>
constexpr auto LibraryFlag() {
  if constexpr (number < 0) {
    return number;
  } else {
    return static_cast<Enum>(number);
  }
}
}  // namespace detail

// In files that nvcc compiles the number is CUDA's own enumerator, as in mshadow.
#if defined(__CUDACC__)
#define MSHADOW_CUDA_FLAG(number) \
  static constexpr auto kCudaFlag = detail::LibraryFlag<cudaDataType_t, number>();
#else
#define MSHADOW_CUDA_FLAG(number) static constexpr int kCudaFlag = number;
#endif
#if MSHADOW_USE_CUDNN && !defined(__MSHADOW_GEN__)
#define MSHADOW_CUDNN_FLAG(number) \
  static constexpr auto kCudnnFlag = detail::LibraryFlag<cudnnDataType_t, number>();
#else
#define MSHADOW_CUDNN_FLAG(number) static constexpr int kCudnnFlag = number;
#endif

#define MSHADOW_DATA_TYPE(T, flag, lanes, Scale, cuda, cudnn, text) \
  template <>                                                       \
  struct DataType<T> {                                              \
    typedef Scale ScaleType;                                        \
    static constexpr int kFlag = flag;                              \
    static constexpr int kLanes = lanes;                            \
    static constexpr const char *kName = text;                      \
    MSHADOW_CUDA_FLAG(cuda)                                         \
    MSHADOW_CUDNN_FLAG(cudnn)                                       \
  };
MSHADOW_DATA_TYPE(float, kFloat32, 1, float, 0, 0, "float32")
MSHADOW_DATA_TYPE(double, kFloat64, 1, double, 1, 1, "float64")
MSHADOW_DATA_TYPE(half::half_t, kFloat16, 1, float, 2, 2, "float16")
MSHADOW_DATA_TYPE(half::half2_t, kFloat16, 2, float, 2, 2, "float16x2")
MSHADOW_DATA_TYPE(bfloat::bf16_t, kBfloat16, 1, float, 14, 9, "bfloat16")
MSHADOW_DATA_TYPE(uint8_t, kUint8, 1, float, 8, 6, "uint8")
MSHADOW_DATA_TYPE(int8_t, kInt8, 1, float, 3, 3, "int8")
MSHADOW_DATA_TYPE(int16_t, kInt16, 1, float, 20, -1, "int16")
MSHADOW_DATA_TYPE(uint16_t, kUint16, 1, float, 22, -1, "uint16")
MSHADOW_DATA_TYPE(int32_t, kInt32, 1, float, 10, 4, "int32")
MSHADOW_DATA_TYPE(uint32_t, kUint32, 1, float, 12, -1, "uint32")
MSHADOW_DATA_TYPE(int64_t, kInt64, 1, float, 24, 10, "int64")
MSHADOW_DATA_TYPE(uint64_t, kUint64, 1, float, 26, -1, "uint64")
MSHADOW_DATA_TYPE(bool, kBool, 1, float, -1, 11, "bool")
#undef MSHADOW_DATA_TYPE
#undef MSHADOW_CUDNN_FLAG
#undef MSHADOW_CUDA_FLAG

/// The flag of default_real_t.
constexpr int default_type_flag = DataType<default_real_t>::kFlag;

namespace detail {
/// Throws Error "element type: expected <expected>, got <name or number>"; error.cc.
[[noreturn]] void ThrowTypeFlag(const char *expected, int flag);
}  // namespace detail

#ifndef __MSHADOW_GEN__  // a rule's types are known when it is compiled
namespace detail {
#define MSHADOW_EACH_DATA_TYPE(apply)                                                            \
  apply(float) apply(double) apply(half::half_t) apply(bfloat::bf16_t) apply(uint8_t)            \
      apply(int8_t) apply(int16_t) apply(uint16_t) apply(int32_t) apply(uint32_t) apply(int64_t) \
          apply(uint64_t) apply(bool)

/// The bytes of an element, 0 for a flag that names no type; the name, null likewise.
constexpr size_t SizeOfFlag(int flag) {
#define MSHADOW_SIZE_CASE(T) \
  if (flag == DataType<T>::kFlag) return sizeof(T);
  MSHADOW_EACH_DATA_TYPE(MSHADOW_SIZE_CASE)
#undef MSHADOW_SIZE_CASE
  return 0;
}
constexpr const char *NameOfFlag(int flag) {
#define MSHADOW_NAME_CASE(T) \
  if (flag == DataType<T>::kFlag) return DataType<T>::kName;
  MSHADOW_EACH_DATA_TYPE(MSHADOW_NAME_CASE)
#undef MSHADOW_NAME_CASE
  return nullptr;
}
#undef MSHADOW_EACH_DATA_TYPE

/// The flag of Promoted<T> for the type with flag \p flag; of no type, the flag itself.
constexpr int PromotedFlag(int flag) {
  return flag == kFloat16 || flag == kBfloat16                           ? kFloat32
         : SizeOfFlag(flag) < sizeof(int) && NameOfFlag(flag) != nullptr ? kInt32
                                                                         : flag;
}
}  // namespace detail

/// Bytes of one element of the type with flag \p type.
/// \throws Error if there is no such type
inline size_t mshadow_sizeof(int type) {
  const size_t size = detail::SizeOfFlag(type);
  if (size == 0) detail::ThrowTypeFlag("the flag of an element type", type);
  return size;
}

/// The name of the type with flag \p type: "float32", "bfloat16", …
/// \throws Error if there is no such type
inline const char *dtype_string(int type) {
  const char *const name = detail::NameOfFlag(type);
  if (name == nullptr) detail::ThrowTypeFlag("the flag of an element type", type);
  return name;
}
#endif

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_DATA_TYPE_H_
