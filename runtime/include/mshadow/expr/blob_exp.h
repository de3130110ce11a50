// SPDX-License-Identifier: Apache-2.0
/// \file blob_exp.h
/// Lazy expressions over TBlobs, whose element type and shape are known only at run time:
///
///     auto c = add(a, b);  // nothing is computed
///     d = add(a, c);       // one pass over memory: d[i] = a[i] + (a[i] + b[i])
///
/// `ptype()` and `shape()` of an expression follow from its leaves without evaluating it. An
/// assignment checks types, shapes, devices and overlap once, and chooses the element type once. It
/// then evaluates the expression over Tensors that the expression over blobs stands for.
///
/// Nodes hold their operands by value, blobs as views. A number beside an expression is kept as it
/// was written and converted to the element type of the expression. Why so: docs/decisions.
#ifndef MSHADOW_BLOB_EXP_H_
#define MSHADOW_BLOB_EXP_H_

#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/detail/tensor_gpu.h"
#include "mshadow/detail/tensor_shape.h"
#include "mshadow/expr/engine.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
class TBlob;

namespace detail {
// Throw Error "<what>: expected <one>, got <other>" unless the two are the same.
void CheckBlobType(const char *what, int want, int got);
void CheckBlobDevice(const char *what, int want, int got);
void CheckBlobShape(const char *what, const TShape &want, const TShape &got);
/// \throws Error "<what>: expected …, got a blob without extents" unless \p shape has extents
void CheckBlobHasShape(const char *what, const TShape &shape);
}  // namespace detail

namespace blob {

constexpr int kAnyType = -1;    ///< ptype() of an operand that fits every type
constexpr int kAnyDevice = -1;  ///< dev_mask() of an operand that fits every device

template <typename SubType>
struct Exp;
template <typename OP, typename... E>
class Map;

/// Whether T is an expression over blobs.
template <typename T>
struct IsBlobExp {
  template <typename E>
  static char Find(const Exp<E> *);
  static long Find(...);
  static constexpr bool value = sizeof(Find(static_cast<const T *>(nullptr))) == 1;
};

/// The type of OP over \p T…, some of them expressions, the others numbers.
template <typename OP, typename... T>
using MapOf = typename detail::EnableIf<(IsBlobExp<T>::value || ...) &&
                                            ((IsBlobExp<T>::value || IsScalar<T>::value) && ...),
                                        Map<OP, T...>>::type;

/// The functions that make expressions. They are found only through their arguments, so that others
/// may use their short names.
struct Functions {
#define MSHADOW_BLOB_FUNCTION(name, OP)                 \
  template <typename A, typename B>                     \
  friend MapOf<OP, A, B> name(const A &a, const B &b) { \
    return MapOf<OP, A, B>(a, b);                       \
  }
  MSHADOW_BLOB_FUNCTION(add, op::plus)
  MSHADOW_BLOB_FUNCTION(sub, op::minus)
  MSHADOW_BLOB_FUNCTION(mul, op::mul)
  MSHADOW_BLOB_FUNCTION(div, op::div)
  MSHADOW_BLOB_FUNCTION(scale, op::mul)
  MSHADOW_BLOB_FUNCTION(operator+, op::plus)
  MSHADOW_BLOB_FUNCTION(operator-, op::minus)
  MSHADOW_BLOB_FUNCTION(operator*, op::mul)
  MSHADOW_BLOB_FUNCTION(operator/, op::div)
#undef MSHADOW_BLOB_FUNCTION
  template <typename A>
  friend MapOf<expr::builtin::negate, A> operator-(const A &a) {
    return MapOf<expr::builtin::negate, A>(a);
  }
};

/// The base of every expression over blobs. SubType has
///  * `int ptype() const`: the flag of its element type, kAnyType for a number;
///  * `TShape shape() const`: its shape, without extents for a number;
///  * `int dev_mask() const`: its device;
///  * `Build<Device, DType>() const`: itself as an expression over tensors of rank 2.
/// All but the last throw Error if the operands do not match.
template <typename SubType>
struct Exp : Functions {
  const SubType &self() const { return *static_cast<const SubType *>(this); }
};

/// A number.
class Scalar : public Exp<Scalar> {
 public:
  template <typename S, detail::IfScalar<S> = 0>
  explicit Scalar(S value)
      : is_integer_(detail::ClassOf<S>() == detail::ScalarClass::kInteger),
        is_unsigned_(is_integer_ && sizeof(S) == sizeof(uint64_t) && S(0) < static_cast<S>(-1)),
        integer_(ScalarCast<int64_t>(value)),
        real_(static_cast<double>(value)) {}
  int ptype() const { return kAnyType; }
  TShape shape() const { return TShape(); }
  int dev_mask() const { return kAnyDevice; }
  template <typename Device, typename DType>
  expr::ScalarExp<DType> Build() const {
    if (is_unsigned_) return expr::scalar<DType>(static_cast<uint64_t>(integer_));
    return is_integer_ ? expr::scalar<DType>(integer_) : expr::scalar<DType>(real_);
  }

 private:
  bool is_integer_;
  bool is_unsigned_;  ///< integer_ has the bits of a uint64_t
  int64_t integer_;   ///< kept apart, since a double cannot represent every int64_t
  double real_;
};

/// Operands as nodes hold them.
template <typename E>
const E &AsNode(const Exp<E> &exp) {
  return exp.self();
}
template <typename S, detail::IfScalar<S> = 0>
Scalar AsNode(S value) {
  return Scalar(value);
}

template <typename T>
struct Decay {
  using type = T;
};
template <typename T>
struct Decay<const T &> {
  using type = T;
};
template <typename T>
using Node = typename Decay<decltype(AsNode(*static_cast<const T *>(nullptr)))>::type;

// What operands have in common. Each function throws Error unless the operands agree; an operand
// may also fit everything.
inline int JoinType(int a, int b) {
  if (a == kAnyType) return b;
  if (b != kAnyType) detail::CheckBlobType("operands of an expression over blobs", a, b);
  return a;
}
inline int JoinDevice(int a, int b) {
  if (a == kAnyDevice) return b;
  if (b != kAnyDevice) detail::CheckBlobDevice("operands of an expression over blobs", a, b);
  return a;
}
inline TShape JoinShape(const TShape &a, const TShape &b) {
  if (a.ndim() == 0) return b;
  if (b.ndim() != 0) detail::CheckBlobShape("operands of an expression over blobs", a, b);
  return a;
}

/// OP::Map of each element of one, two or three operands.
template <typename OP, typename A>
class Map<OP, A> : public Exp<Map<OP, A>> {
 public:
  explicit Map(const A &a) : a_(AsNode(a)) {}
  int ptype() const { return a_.ptype(); }
  TShape shape() const { return a_.shape(); }
  int dev_mask() const { return a_.dev_mask(); }
  template <typename Device, typename DType>
  auto Build() const {
    return expr::F<OP>(a_.template Build<Device, DType>());
  }

 private:
  Node<A> a_;
};

template <typename OP, typename A, typename B>
class Map<OP, A, B> : public Exp<Map<OP, A, B>> {
 public:
  Map(const A &a, const B &b) : a_(AsNode(a)), b_(AsNode(b)) {}
  int ptype() const { return JoinType(a_.ptype(), b_.ptype()); }
  TShape shape() const { return JoinShape(a_.shape(), b_.shape()); }
  int dev_mask() const { return JoinDevice(a_.dev_mask(), b_.dev_mask()); }
  template <typename Device, typename DType>
  auto Build() const {
    return expr::F<OP>(a_.template Build<Device, DType>(), b_.template Build<Device, DType>());
  }

 private:
  Node<A> a_;
  Node<B> b_;
};

template <typename OP, typename A, typename B, typename C>
class Map<OP, A, B, C> : public Exp<Map<OP, A, B, C>> {
 public:
  Map(const A &a, const B &b, const C &c) : a_(AsNode(a)), b_(AsNode(b)), c_(AsNode(c)) {}
  int ptype() const { return JoinType(JoinType(a_.ptype(), b_.ptype()), c_.ptype()); }
  TShape shape() const { return JoinShape(JoinShape(a_.shape(), b_.shape()), c_.shape()); }
  int dev_mask() const {
    return JoinDevice(JoinDevice(a_.dev_mask(), b_.dev_mask()), c_.dev_mask());
  }
  template <typename Device, typename DType>
  auto Build() const {
    return expr::F<OP>(a_.template Build<Device, DType>(), b_.template Build<Device, DType>(),
                       c_.template Build<Device, DType>());
  }

 private:
  Node<A> a_;
  Node<B> b_;
  Node<C> c_;
};

/// Evaluates `dst saver exp`: checks, chooses the element type, assigns.
template <typename Saver, typename E>
void Assign(const TBlob &dst, const E &exp);

}  // namespace blob
MSHADOW_VERSION_END

namespace expr {
/// OP::Map over blobs, expressions over blobs and numbers, at least one of them not a number.
template <typename OP, typename... T>
blob::MapOf<OP, T...> F(const T &...operands) {
  return blob::MapOf<OP, T...>(operands...);
}
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_BLOB_EXP_H_
