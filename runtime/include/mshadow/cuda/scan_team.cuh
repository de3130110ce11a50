// SPDX-License-Identifier: Apache-2.0
/// \file scan_team.cuh
/// Kernels of rules that scan rows. A thread group of one slot takes a row: kRowLanes threads, of
/// which each has one element of a leaf of kScanLeaf. So a sweep takes the elements of a row in
/// their order, and reductions of the row have the order of row_tree.h nevertheless.
#ifndef MSHADOW_CUDA_SCAN_TEAM_CUH_
#define MSHADOW_CUDA_SCAN_TEAM_CUH_

#include "mshadow/cuda/row_team.cuh"

namespace mshadow {
namespace cuda {

static_assert(kRowLanes == kScanLeaf, "a slot has a thread for each element of a leaf");

/// What the threads of a group exchange while they scan. A thread reads only threads before it, of
/// elements that there are.
class ScanLanes {
 public:
  __device__ __forceinline__ explicit ScanLanes(const RowTeam &team)
      : cols_(team.cols()), shift_(team.thread() % (2 * kRowLanes) / kRowLanes * kRowLanes) {}

  /// The thread's element in its leaf.
  static __device__ __forceinline__ int Place(int64_t x) { return static_cast<int>(x % kScanLeaf); }
  /// Whether the leaf of element \p x has all of its elements: others follow it only then.
  __device__ __forceinline__ bool IsWhole(int64_t x) const {
    return x - Place(x) + kScanLeaf <= cols_;
  }
  /// The value of the thread with element \p place of the leaf of \p x.
  template <typename T>
  __device__ __forceinline__ T Of(T value, int place, int64_t x) const {
    const int64_t left = cols_ - (x - Place(x));
    const unsigned threads =
        left < kScanLeaf ? (1u << static_cast<unsigned>(left)) - 1u : (1u << kScanLeaf) - 1u;
    return Shuffled(threads << shift_, value, place);
  }

 private:
  template <typename T>
  static __device__ __forceinline__ T Shuffled(unsigned mask, T value, int place) {
    if constexpr (sizeof(T) == 8 && std::is_integral<T>::value) {
      return static_cast<T>(__shfl_sync(mask, static_cast<long long>(value), place, kScanLeaf));
    } else if constexpr (std::is_integral<T>::value) {
      return static_cast<T>(__shfl_sync(mask, static_cast<int>(value), place, kScanLeaf));
    } else {
      return __shfl_sync(mask, value, place, kScanLeaf);
    }
  }

  index_t cols_;
  unsigned shift_;  ///< of the group's threads in their warp
};

}  // namespace cuda

namespace packet {
namespace device {

/// A scan of a row, by a thread group. All threads of the group make the same calls for the
/// elements of a leaf.
template <typename Reducer, typename T, int N, typename Term>
class RowScan {
 public:
  /// \param rows a RowsOfTeam
  template <typename Rows>
  __device__ __forceinline__ explicit RowScan(const Rows &rows)
      : lanes_(rows.team()), earlier_(Initial()) {}

  /// The result of the thread's element and those before it.
  __device__ __forceinline__ Vec<T, 1> Inclusive(const Identity<Vec<T, 1>> &element,
                                                 const At<1, AllLanes> &i) {
    const Vec<T, 1> leaf = Leaf(element, i.x);
    const Vec<T, 1> result = Reducer::Combine(earlier_, leaf);
    Take(leaf, i.x);
    return result;
  }
  /// The result of the elements before the thread's.
  __device__ __forceinline__ Vec<T, 1> Exclusive(const Identity<Vec<T, 1>> &element,
                                                 const At<1, AllLanes> &i) {
    const Vec<T, 1> leaf = Leaf(element, i.x);
    const Vec<T, 1> result = Reducer::Combine(earlier_, leaf);
    const int place = cuda::ScanLanes::Place(i.x);
    const Vec<T, 1> last(lanes_.Of(Lane(result, 0), place > 0 ? place - 1 : 0, i.x));
    const Vec<T, 1> before = place > 0 ? last : earlier_;
    Take(leaf, i.x);
    return before;
  }

 private:
  static __device__ __forceinline__ Vec<T, 1> Initial() {
    return Vec<T, 1>(Reducer::template Initial<T>());
  }
  /// The result of the elements of the leaf up to the thread's.
  __device__ __forceinline__ Vec<T, 1> Leaf(Vec<T, 1> value, int64_t x) const {
    if constexpr (!kInitialChangesNothing<Term>) value = Term::Combine(Initial(), value);
    const int place = cuda::ScanLanes::Place(x);
    MSHADOW_DEVICE_UNROLL for (int step = 1; step < kScanLeaf; step *= 2) {
      const bool takes = (place & step) != 0;
      const int from = takes ? place / step * step - 1 : place;
      const Vec<T, 1> left(lanes_.Of(Lane(value, 0), from, x));
      if (takes) value = Reducer::Combine(left, value);
    }
    return value;
  }
  __device__ __forceinline__ void Take(const Vec<T, 1> &leaf, int64_t x) {
    if (!lanes_.IsWhole(x)) return;
    const Vec<T, 1> last(lanes_.Of(Lane(leaf, 0), kScanLeaf - 1, x));
    earlier_ = Reducer::Combine(earlier_, last);
  }

  const cuda::ScanLanes lanes_;
  Vec<T, 1> earlier_;  ///< the result of all leaves before this one
};

/// h[x] = factor[x] h[x - 1] + term[x] along one row, from h[-1] = 0, by a thread group.
template <typename T, int N>
class RowRecurrence {
 public:
  /// \param rows a RowsOfTeam
  template <typename Rows>
  __device__ __forceinline__ explicit RowRecurrence(const Rows &rows)
      : lanes_(rows.team()), earlier_(T(0)) {}

  /// The value at the thread's element.
  __device__ __forceinline__ Vec<T, 1> Next(const Identity<Vec<T, 1>> &own_factor,
                                            const Identity<Vec<T, 1>> &own_term,
                                            const At<1, AllLanes> &i) {
    Vec<T, 1> factor = own_factor, term = own_term;
    const int place = cuda::ScanLanes::Place(i.x);
    MSHADOW_DEVICE_UNROLL for (int step = 1; step < kScanLeaf; step *= 2) {
      const bool takes = (place & step) != 0;
      const int from = takes ? place / step * step - 1 : place;
      const Vec<T, 1> left_factor(lanes_.Of(Lane(factor, 0), from, i.x));
      const Vec<T, 1> left_term(lanes_.Of(Lane(term, 0), from, i.x));
      if (!takes) continue;
      term = factor * left_term + term;
      factor = left_factor * factor;
    }
    const Vec<T, 1> result = factor * earlier_ + term;
    if (lanes_.IsWhole(i.x)) earlier_ = Vec<T, 1>(lanes_.Of(Lane(result, 0), kScanLeaf - 1, i.x));
    return result;
  }

 private:
  const cuda::ScanLanes lanes_;
  Vec<T, 1> earlier_;  ///< the last value of the leaf before this one
};

}  // namespace device
}  // namespace packet

namespace cuda {

/// Launches a kernel with a thread group of one slot for each row.
/// \param stream a Stream<gpu> *, null for the current device's default stream
/// \throws Error that names the rule, if the launch fails
template <typename Kernel, typename Plan>
void LaunchScans(const char *rule, const Kernel &kernel, const Plan &plan, void *stream,
                 index_t each = 1) {
  LaunchTeams(rule, LaunchScope(rule, stream), kernel, 1, (plan.rows + each - 1) / each, 1, plan);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_SCAN_TEAM_CUH_
