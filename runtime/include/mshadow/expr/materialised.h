// SPDX-License-Identifier: Apache-2.0
/// \file materialised.h
/// Materialised temporaries of unfused assignments. An expression whose elements are read many
/// times is evaluated once, into memory, when the Plan that reads them is made. So
/// `x / broadcast_with_axis(reduce_with_axis<red::sum, false>(y, 1), 0, n)` sums each column once.
/// The CPU materialises each computed source of a broadcast. On a GPU, memory costs more than
/// arithmetic: there only sources that read many elements for each of their own are materialised.
#ifndef MSHADOW_MATERIALISED_H_
#define MSHADOW_MATERIALISED_H_

#include "mshadow/detail/exception.h"
#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/detail/workspace.h"
#include "mshadow/expr/check.h"
#include "mshadow/expr/engine.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A tensor without padding that several owners share: an expression or a Plan, and its copies. The
/// last owner frees it.
template <typename Device, typename DType>
class SharedTensor {
 public:
  SharedTensor(index_t count, Stream<Device> *stream) : block_(new Block) {
    struct Guard {  // AllocSpace throws if there is no memory
      Block *block;
      ~Guard() { delete block; }
    } guard{block_};
    block_->tensor = Tensor<Device, 1, DType>(Shape1(count));
    block_->tensor.set_stream(stream);
    AllocSpace(&block_->tensor, false);
    guard.block = nullptr;
  }
  // Nodes are copied by functions of host and device; kernels never see one.
  MSHADOW_XINLINE SharedTensor(const SharedTensor &other) : block_(other.block_) { Count(1); }
  MSHADOW_XINLINE ~SharedTensor() { Count(-1); }
  SharedTensor &operator=(const SharedTensor &) = delete;

  MSHADOW_XINLINE const Tensor<Device, 1, DType> &tensor() const { return block_->tensor; }

 private:
  struct Block {
    Tensor<Device, 1, DType> tensor;
    int owners = 1;
  };

  MSHADOW_XINLINE void Count(int change) {
#ifndef __CUDA_ARCH__
    if (__atomic_add_fetch(&block_->owners, change, __ATOMIC_ACQ_REL) == 0) {
      FreeSpace(&block_->tensor);
      delete block_;
    }
#else
    static_cast<void>(change);
#endif
  }

  Block *block_;
};

/// An assignment on a GPU. It owns what its Plans materialise; its kernels hold pointers to that
/// memory. A thread's current assignment is the innermost AssignmentScope.
class AssignmentScope {
 public:
  /// \param stream the stream of the tensor that is assigned to
  explicit AssignmentScope(Stream<gpu> *stream)
      : workspace_(WorkspaceOfAssignment, stream), stream_(stream), outer_(Current()) {
    Current() = this;
  }
  ~AssignmentScope() { Current() = outer_; }
  AssignmentScope(const AssignmentScope &) = delete;
  AssignmentScope &operator=(const AssignmentScope &) = delete;

  /// A tensor, not initialised, which lives until the current assignment ends.
  /// \throws Error if there is no current assignment, or no memory
  template <typename DType, int dim>
  static Tensor<gpu, dim, DType> Take(const Shape<dim> &shape) {
    AssignmentScope *const current = Current();
    if (current == nullptr) ThrowError("the Plan of a nested reduction is made by assigning it");
    return Tensor<gpu, dim, DType>(current->workspace_.template Take<DType>(shape.Size()), shape,
                                   current->stream_);
  }

 private:
  static AssignmentScope *&Current() {
    static thread_local AssignmentScope *current = nullptr;
    return current;
  }

  Workspace workspace_;
  Stream<gpu> *const stream_;
  AssignmentScope *const outer_;
};

}  // namespace detail
MSHADOW_VERSION_END

namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A tensor without padding, not initialised. Its memory lives as long as this object.
template <typename Device, int dim, typename DType>
class MaterialisedTemporary {
 public:
  MaterialisedTemporary(const Shape<dim> &shape, Stream<Device> *stream)
      : workspace_(OwnerOf(Device()), stream),
        view_(workspace_.template Take<DType>(shape.Size()), shape, stream) {}
  const Tensor<Device, dim, DType> &view() const { return view_; }

 private:
  using Workspace = ::mshadow::detail::Workspace;
  static Workspace::Owner OwnerOf(cpu) { return ::mshadow::detail::WorkspaceOfThread; }
  static Workspace::Owner OwnerOf(gpu) { return ::mshadow::detail::WorkspaceOfAssignment; }

  Workspace workspace_;
  Tensor<Device, dim, DType> view_;
};

/// Whether E, or an expression in it, reads several elements for each of its own.
template <typename E, typename = void>
constexpr bool kReadsMany = kCountsReads<E>;
template <typename E>
constexpr bool kReadsMany<E, std::enable_if_t<!kCountsReads<E> && kHasSource<E>>> =
    kReadsMany<std::decay_t<decltype(std::declval<const E &>().src_)>>;
template <typename Dst, typename Src, typename E, int etype>
constexpr bool kReadsMany<TypecastExp<Dst, Src, E, etype>, void> = kReadsMany<E>;
template <typename OP, typename A, typename B, typename DType, int etype>
constexpr bool kReadsMany<BinaryMapExp<OP, A, B, DType, etype>, void> =
    kReadsMany<A> || kReadsMany<B>;
template <typename OP, typename A, typename B, typename C, typename DType, int etype>
constexpr bool kReadsMany<TernaryMapExp<OP, A, B, C, DType, etype>, void> =
    kReadsMany<A> || kReadsMany<B> || kReadsMany<C>;

/// Whether E is materialised if each of its elements is read many times.
template <typename E>
constexpr bool kIsComputed = ExpTraits<E>::type::kType != type::kRValue &&
                             (ExpInfo<E>::kDevMask == cpu::kDevMask ||
                              (ExpInfo<E>::kDevMask == gpu::kDevMask && kReadsMany<E>));

/// The Plan of a materialised expression. On the CPU, the Plan and its copies own the elements.
template <typename E, typename DType, bool kOnCpu = ExpInfo<E>::kDevMask == cpu::kDevMask,
          typename View = Tensor<cpu, ExpInfo<E>::kDim, DType>>
class MaterialisedPlan : private ::mshadow::detail::SharedTensor<cpu, DType>,
                         public Plan<View, DType> {
 public:
  explicit MaterialisedPlan(const E &exp)
      : MaterialisedPlan(exp, ShapeCheck<ExpInfo<E>::kDim, E>::Check(exp)) {}

 private:
  using Elements = ::mshadow::detail::SharedTensor<cpu, DType>;
  MaterialisedPlan(const E &exp, const Shape<ExpInfo<E>::kDim> &shape)
      : Elements(shape.Size(), nullptr), Plan<View, DType>(View(this->tensor().dptr_, shape)) {
    View(this->tensor().dptr_, shape) = exp;
  }
};
/// On a GPU the assignment owns the elements, so a kernel gets a Plan that owns nothing.
template <typename E, typename DType, typename CpuView>
class MaterialisedPlan<E, DType, false, CpuView>
    : public Plan<Tensor<gpu, ExpInfo<E>::kDim, DType>, DType> {
  using View = Tensor<gpu, ExpInfo<E>::kDim, DType>;
  static View Evaluate(const E &exp) {
    View view = ::mshadow::detail::AssignmentScope::Take<DType>(
        ShapeCheck<ExpInfo<E>::kDim, E>::Check(exp));
    view = exp;
    return view;
  }

 public:
  explicit MaterialisedPlan(const E &exp) : Plan<View, DType>(Evaluate(exp)) {}
};

/// The Plan of a source, which is materialised if kMaterialise.
template <bool kMaterialise, typename E, typename DType, int etype>
MSHADOW_CINLINE auto MakeSourcePlan(const Exp<E, DType, etype> &exp) {
  if constexpr (kMaterialise) {
    return MaterialisedPlan<E, DType>(exp.self());
  } else {
    return MakePlan(exp.self());
  }
}
template <bool kMaterialise, typename E, typename DType>
using SourcePlan = std::conditional_t<kMaterialise, MaterialisedPlan<E, DType>, Plan<E, DType>>;

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_MATERIALISED_H_
