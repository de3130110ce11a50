// SPDX-License-Identifier: Apache-2.0
/// \file instances.h
/// Finds the instance of a rule for tensors whose element types, rank and device are known only at
/// run time. The emitted functions that take TBlobs use this header, and so do those for C.
#ifndef MSHADOW_INSTANCES_H_
#define MSHADOW_INSTANCES_H_

#include <type_traits>

#include "mshadow/detail/cast.h"
#include "mshadow/detail/data_type.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/listed.h"
#include "mshadow/emitted/types.h"
#include "mshadow/rule_info.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
class TBlob;
MSHADOW_VERSION_END

/// A tensor argument of any element type, rank and device. Only a TBlob converts to it without a
/// cast; a Tensor, whose types the compiler knows, is for the rule itself.
struct BlobArg {
  void *dptr = nullptr;
  int type = -1;    ///< DataType<T>::kFlag
  int device = -1;  ///< cpu::kDevMask or gpu::kDevMask
  int dim = 0;      ///< the rank; `shape` has at most kMaxRank of the extents
  int64_t shape[kMaxRank] = {};
  int64_t stride = 0;      ///< elements from the start of one row to that of the next
  void *stream = nullptr;  ///< a Stream of the device, or null

  BlobArg() = default;
  template <typename Blob, std::enable_if_t<detail::IsSame<Blob, TBlob>::value, int> = 0>
  BlobArg(const Blob &blob)
      : dptr(blob.dptr_),
        type(blob.type_flag_),
        device(blob.dev_mask()),
        dim(blob.ndim()),
        stride(blob.stride_),
        stream(blob.stream()) {
    for (int i = 0; i < dim && i < kMaxRank; ++i) shape[i] = blob.size(i);
  }
};

/// Stands for the element type T of an instance.
template <typename T>
struct TypeTag {
  using Type = T;
};
template <typename Tag>
using TypeOf = typename Tag::Type;

/// \p blob as a launcher's argument. ForInstance has checked that its element type is DType, and
/// its rank at most kMaxRank.
template <typename DType>
MSHADOW_CINLINE TensorArg<DType> Arg(const BlobArg &blob) {
  TensorArg<DType> arg;
  arg.dptr = static_cast<DType *>(blob.dptr);
  arg.dim = blob.dim;
  for (int i = 0; i < blob.dim; ++i) arg.shape[i] = blob.shape[i];
  arg.stride = blob.stride;
  arg.stream = blob.stream;
  return arg;
}
template <typename DType>
MSHADOW_CINLINE TensorArg<DType> Arg(const BlobArg &blob, TypeTag<DType>) {
  return Arg<DType>(blob);
}

/// \p value as DType. For a scalar whose type is a type parameter of the rule.
template <typename DType>
MSHADOW_CINLINE DType ScalarOf(double value, TypeTag<DType>) {
  return ScalarCast<DType>(value);
}

/// Thrown if the rule has no instance for the tensors' element types. The message lists the rule's
/// instances.
class NoInstance : public Error {
 public:
  using Error::Error;
};

MSHADOW_VERSION_BEGIN
namespace detail {
/// The most type parameters that a rule may have to be called with TBlobs.
constexpr int kMaxTypeParams = 8;

/// The flags of one instance's element types.
struct InstanceTypes {
  int flags[kMaxTypeParams];
};
template <typename... T>
constexpr InstanceTypes FlagsOf(Types<T...>) {
  static_assert(sizeof...(T) <= kMaxTypeParams, "a rule has at most 8 type parameters here");
  return {{DataType<T>::kFlag...}};
}

/// The index, among \p count instances, of the one that has the tensors' element types.
/// \throws what ForInstance throws
int FindInstance(const RuleInfo &rule, const InstanceTypes *instances, int count, int type_params,
                 const BlobArg *const *tensors);

template <typename Launch, typename... T>
MSHADOW_CINLINE void LaunchOn(int device, bool is_listed, const Launch &launch, Types<T...>) {
  if (device == gpu::kDevMask) {
    launch(gpu(), TypeTag<T>()...);
  } else if (is_listed) {
    launch(cpu_list(), TypeTag<T>()...);
  } else {
    launch(cpu(), TypeTag<T>()...);
  }
}

template <typename Rule, typename Launch, typename First, typename... More>
MSHADOW_CINLINE void LaunchInstance(const BlobArg *const *tensors, const Launch &launch,
                                    TypeList<First, More...>) {
  constexpr InstanceTypes kTypes[] = {FlagsOf(First()), FlagsOf(More())...};
  const int chosen = FindInstance(Rule::kInfo, kTypes, 1 + sizeof...(More), First::kSize, tensors);
  const int device = tensors[0]->device;
  const bool is_listed = IsAddingToList();
  int i = 0;
  if (chosen == i) LaunchOn(device, is_listed, launch, First());
  ((++i == chosen ? LaunchOn(device, is_listed, launch, More()) : void()), ...);
}
}  // namespace detail
MSHADOW_VERSION_END

/// Finds the instance of Rule that has the tensors' element types, and calls
/// `launch(device, type...)` with cpu() or gpu() and a TypeTag for each type parameter; with
/// cpu_list() instead of cpu() while the calling thread adds its calls to a list.
/// \param tensors the tensor parameters of Rule, in order
/// \throws NoInstance if there is no such instance; Error unless all tensors are on one device and
///     have the ranks that the rule has. Messages name the rule, the argument, the expected value
///     and the actual one.
template <typename Rule, typename Launch>
MSHADOW_CINLINE void ForInstance(const BlobArg *const *tensors, const Launch &launch) {
  detail::LaunchInstance<Rule>(tensors, launch, typename Rule::Instances());
}

}  // namespace mshadow

#endif  // MSHADOW_INSTANCES_H_
