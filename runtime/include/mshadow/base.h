// SPDX-License-Identifier: Apache-2.0
/// \file base.h
/// Devices, the index type, which types are scalars.
#ifndef MSHADOW_BASE_H_
#define MSHADOW_BASE_H_

#include "mshadow/detail/config.h"
#include "mshadow/detail/data_type.h"
#include "mshadow/detail/type_switch.h"
#include "mshadow/emitted/types.h"

/// The element type of Tensor<Device, dim>.
#ifndef MSHADOW_DEFAULT_DTYPE
#define MSHADOW_DEFAULT_DTYPE = ::mshadow::default_real_t
#endif

/// Whether NewTensor and TensorContainer pad rows so that each starts on its own vector.
#ifndef MSHADOW_ALLOC_PAD
#define MSHADOW_ALLOC_PAD true
#endif

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// Extents, strides and element counts: int64_t unless the runtime was configured otherwise.
typedef MSHADOW_INDEX_TYPE index_t;
static_assert(detail::IsSame<index_t, int64_t>::value || detail::IsSame<index_t, int32_t>::value ||
                  detail::IsSame<index_t, uint32_t>::value,
              "MSHADOW_INDEX_TYPE is int64_t, int32_t or uint32_t");
/// mshadow's names for the indices of OpenMP's loops and of LAPACK.
typedef index_t openmp_index_t;
typedef int lapack_index_t;

constexpr float kPi = 3.1415926f;  ///< as mshadow has it

/// The device tags: template arguments, and values to overload on.
struct cpu {
  static constexpr bool kDevCPU = true;
  static constexpr int kDevMask = 1 << 0;
};
struct gpu {
  static constexpr bool kDevCPU = false;
  static constexpr int kDevMask = 1 << 1;
};

/// Whether T is a number that may stand beside an expression: arithmetic, half_t or bf16_t.
template <typename T>
struct IsScalar : narrow_float::IsArithmetic<T> {};
template <>
struct IsScalar<half::half_t> {
  static constexpr bool value = true;
};
template <>
struct IsScalar<bfloat::bf16_t> {
  static constexpr bool value = true;
};

namespace detail {
template <bool kCondition, typename T = void>
struct EnableIf {};
template <typename T>
struct EnableIf<true, T> {
  using type = T;
};
/// Whether T is text. It may stand where a scalar may, to be refused in a sentence (cast.h).
template <typename T>
struct IsText {
  static constexpr bool value = false;
};
#ifndef __MSHADOW_GEN__
template <>
struct IsText<const char *> {
  static constexpr bool value = true;
};
template <>
struct IsText<char *> : IsText<const char *> {};
#endif
/// Enables a template for scalars.
template <typename T>
using IfScalar = typename EnableIf<IsScalar<T>::value || IsText<T>::value, int>::type;

template <typename T>
struct PromotedType {
  using type = decltype(+T());
};
template <>
struct PromotedType<half::half_t> {
  using type = float;
};
template <>
struct PromotedType<bfloat::bf16_t> {
  using type = float;
};

template <typename...>
struct AlwaysFalse {
  static constexpr bool value = false;
};
}  // namespace detail

/// The type that C++ computes in with values of T: int for what is narrower, float for the 16-bit
/// floats, otherwise T.
template <typename T>
using Promoted = typename detail::PromotedType<T>::type;

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_BASE_H_
