// SPDX-License-Identifier: Apache-2.0
/// \file op.h
/// The operators of expressions: structs with a static function Map of values of the element type.
/// User-defined operators look the same, and need not be registered.
#ifndef MSHADOW_OP_H_
#define MSHADOW_OP_H_

#include "mshadow/detail/cast.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The type in which + - * of a T are computed. For integers it is unsigned, so that results wrap
/// around instead of being undefined, and has at least 32 bits, since narrower types would promote
/// to int.
template <typename T, bool kInteger = ClassOf<T>() == ScalarClass::kInteger>
struct Arithmetic {
  using type = T;
};
#ifndef __MSHADOW_GEN__  // in the generator, integers wrap around anyway
template <typename T>
struct Arithmetic<T, true> {
  template <bool kWide, typename Dummy = void>
  struct Unsigned {
    using type = uint32_t;
  };
  template <typename Dummy>
  struct Unsigned<true, Dummy> {
    using type = uint64_t;
  };
  using type = typename Unsigned<(sizeof(T) > 4)>::type;
};
#endif
template <typename T>
using ArithmeticType = typename Arithmetic<T>::type;

#ifndef __MSHADOW_GEN__
/// Defines Function(a, b). Integers wrap around. Floats are computed as C++ says; on a GPU, too,
/// where nvcc would contract operators.
#if defined(__CUDA_ARCH__)
#define MSHADOW_ELEMENT_OPERATOR(Function, op)                       \
  template <typename T>                                              \
  MSHADOW_XINLINE T Function(T a, T b) {                             \
    if constexpr (ClassOf<T>() == ScalarClass::kFloat) {             \
      return cuda::lane::Function(a, b);                             \
    } else {                                                         \
      using A = ArithmeticType<T>;                                   \
      return static_cast<T>(static_cast<A>(a) op static_cast<A>(b)); \
    }                                                                \
  }
#else
#define MSHADOW_ELEMENT_OPERATOR(Function, op)                     \
  template <typename T>                                            \
  MSHADOW_XINLINE T Function(T a, T b) {                           \
    using A = ArithmeticType<T>;                                   \
    return static_cast<T>(static_cast<A>(a) op static_cast<A>(b)); \
  }
#endif
MSHADOW_ELEMENT_OPERATOR(Add, +)
MSHADOW_ELEMENT_OPERATOR(Sub, -)
MSHADOW_ELEMENT_OPERATOR(Mul, *)
#undef MSHADOW_ELEMENT_OPERATOR

/// a / b. Integer division is total, as in emitted code: the quotient by 0 is 0, and the one
/// quotient that T cannot represent wraps around.
template <typename T>
MSHADOW_XINLINE T Quotient(T a, T b) {
  if constexpr (ClassOf<T>() == ScalarClass::kInteger || ClassOf<T>() == ScalarClass::kBool) {
    if (b == T{0}) return T{0};
    if constexpr (static_cast<T>(-1) < T{0}) {
      if (b == T{-1}) return static_cast<T>(-static_cast<ArithmeticType<T>>(a));
    }
  }
#if defined(__CUDA_ARCH__)
  if constexpr (ClassOf<T>() == ScalarClass::kFloat) return cuda::lane::Div(a, b);
#endif
  return static_cast<T>(a / b);
}
#endif

}  // namespace detail
MSHADOW_VERSION_END

namespace op {

struct plus {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType b) {
#ifdef __MSHADOW_GEN__
    return static_cast<DType>(a + b);
#else
    return detail::Add(a, b);
#endif
  }
};

struct minus {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType b) {
#ifdef __MSHADOW_GEN__
    return static_cast<DType>(a - b);
#else
    return detail::Sub(a, b);
#endif
  }
};

struct mul {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType b) {
#ifdef __MSHADOW_GEN__
    return static_cast<DType>(a * b);
#else
    return detail::Mul(a, b);
#endif
  }
};

struct div {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType b) {
#ifdef __MSHADOW_GEN__
    return static_cast<DType>(a / b);
#else
    return detail::Quotient(a, b);
#endif
  }
};

/// The second operand. `=` does this to the old and the new value.
struct right {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType b) {
    static_cast<void>(a);
    return b;
  }
};

struct identity {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a) {
    return a;
  }
};

}  // namespace op

namespace expr {
/// Operators that the library needs beyond mshadow's. They are not in `op`, where user code may
/// define any name.
namespace builtin {
struct negate {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a) {
#if defined(__CUDA_ARCH__)
    using mshadow::detail::ClassOf;
    using mshadow::detail::ScalarClass;
    if constexpr (ClassOf<DType>() == ScalarClass::kFloat) return cuda::lane::Negative(a);
#endif
    using A = ::mshadow::detail::ArithmeticType<DType>;
    return static_cast<DType>(-static_cast<A>(a));
  }
};
}  // namespace builtin
}  // namespace expr

/// Savers: what an assignment does with the old value of an element. AlphaBLAS and BetaBLAS are the
/// factors with which BLAS does the same; `*=` and `/=` have none.
namespace sv {

struct saveto {
  template <typename DType>
  MSHADOW_XINLINE static void Save(DType &a, DType b) {
    a = b;
  }
  MSHADOW_XINLINE static float AlphaBLAS() { return 1.0f; }
  MSHADOW_XINLINE static float BetaBLAS() { return 0.0f; }
  typedef op::right OPType;
};

struct plusto {
  template <typename DType>
  MSHADOW_XINLINE static void Save(DType &a, DType b) {
    a = op::plus::Map(a, b);
  }
  MSHADOW_XINLINE static float AlphaBLAS() { return 1.0f; }
  MSHADOW_XINLINE static float BetaBLAS() { return 1.0f; }
  typedef op::plus OPType;
};

struct minusto {
  template <typename DType>
  MSHADOW_XINLINE static void Save(DType &a, DType b) {
    a = op::minus::Map(a, b);
  }
  MSHADOW_XINLINE static float AlphaBLAS() { return -1.0f; }
  MSHADOW_XINLINE static float BetaBLAS() { return 1.0f; }
  typedef op::minus OPType;
};

struct multo {
  template <typename DType>
  MSHADOW_XINLINE static void Save(DType &a, DType b) {
    a = op::mul::Map(a, b);
  }
  typedef op::mul OPType;
};

struct divto {
  template <typename DType>
  MSHADOW_XINLINE static void Save(DType &a, DType b) {
    a = op::div::Map(a, b);
  }
  typedef op::div OPType;
};

}  // namespace sv
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_OP_H_
