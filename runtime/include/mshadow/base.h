// SPDX-License-Identifier: Apache-2.0
/// \file base.h
/// The tags of devices, the type of indices, and which types are scalars.
#ifndef MSHADOW_BASE_H_
#define MSHADOW_BASE_H_

#include "mshadow/detail/config.h"
#include "mshadow/detail/data_type.h"
#include "mshadow/detail/type_switch.h"
#include "mshadow/emitted/types.h"

/// The default element type of Tensor<Device, dim>. The macro includes the `=`, so that it can also
/// be defined as nothing: then there is no default.
#ifndef MSHADOW_DEFAULT_DTYPE
#define MSHADOW_DEFAULT_DTYPE = ::mshadow::default_real_t
#endif

/// Whether AllocSpace, NewTensor and TensorContainer pad rows by default. Padded rows are a
/// multiple of 16 bytes long, so that each starts at an aligned address.
#ifndef MSHADOW_ALLOC_PAD
#define MSHADOW_ALLOC_PAD true
#endif

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// The type of extents, strides (in elements) and element counts: int64_t, unless the runtime was
/// built with the CMake option MSHADOW_INDEX_TYPE set to int32_t or uint32_t.
typedef MSHADOW_INDEX_TYPE index_t;
static_assert(detail::IsSame<index_t, int64_t>::value || detail::IsSame<index_t, int32_t>::value ||
                  detail::IsSame<index_t, uint32_t>::value,
              "MSHADOW_INDEX_TYPE is int64_t, int32_t or uint32_t");
/// The original mshadow's names for the types of OpenMP's loop indices and LAPACK's integers.
typedef index_t openmp_index_t;
typedef int lapack_index_t;

constexpr float kPi = 3.1415926f;  ///< the original mshadow's value, in float

/// The device tags: template arguments, and values to overload on.
struct cpu {
  static constexpr bool kDevCPU = true;
  static constexpr int kDevMask = 1 << 0;
};
struct gpu {
  static constexpr bool kDevCPU = false;
  static constexpr int kDevMask = 1 << 1;
};

/// Whether T may be a scalar operand of an expression: an arithmetic type, half_t or bf16_t.
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
/// Whether T is text. Overloads for scalars accept text, so that a static_assert can refuse it in
/// plain words (cast.h).
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
/// Enables a template for scalars, and for text, which cast.h then refuses.
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

/// The type of `+T()`, in which C++ computes with values of T: int for integer types narrower than
/// int, float for half_t and bf16_t, otherwise T.
template <typename T>
using Promoted = typename detail::PromotedType<T>::type;

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_BASE_H_
