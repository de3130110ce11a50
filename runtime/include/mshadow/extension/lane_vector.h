// SPDX-License-Identifier: Apache-2.0
/// \file lane_vector.h
/// The lanes of a row's reduction as one vector of the compiler's, on CPUs, for the reducers and
/// types that have one: what compilers make of a loop over lanes differs by factors.
#ifndef MSHADOW_EXTENSION_LANE_VECTOR_H_
#define MSHADOW_EXTENSION_LANE_VECTOR_H_

#include <cstring>

#include "mshadow/expr/plan.h"
#include "mshadow/extension/pairwise_tree.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// kReduceLanes values as vectors of the size that the compiler's target has. nvcc's front end
/// knows none.
template <typename Acc>
struct LaneVector {
  static constexpr int kParts = 0;
};
#if defined(__GNUC__) && !defined(__CUDACC__)
#if defined(__AVX512F__)
#define MSHADOW_VECTOR_BYTES 64
#elif defined(__AVX__)
#define MSHADOW_VECTOR_BYTES 32
#else
#define MSHADOW_VECTOR_BYTES 16
#endif
#define MSHADOW_LANE_VECTOR(Acc)                                             \
  template <>                                                                \
  struct LaneVector<Acc> {                                                   \
    typedef Acc Part __attribute__((vector_size(MSHADOW_VECTOR_BYTES)));     \
    static constexpr int kParts =                                            \
        kReduceLanes * static_cast<int>(sizeof(Acc)) / MSHADOW_VECTOR_BYTES; \
    Part part[kParts];                                                       \
  }
MSHADOW_LANE_VECTOR(float);
MSHADOW_LANE_VECTOR(double);
#undef MSHADOW_LANE_VECTOR
#undef MSHADOW_VECTOR_BYTES
#define MSHADOW_UNROLL _Pragma("GCC unroll 8")  // so that the parts stay in registers
#else
#define MSHADOW_UNROLL
#endif

/// Reducer::Reduce and Merge of vectors, for the library's reducers: what derives from one may do
/// something else. By reference, since the ABI of vectors depends on flags.
template <typename Reducer>
struct VectorReducer {
  static constexpr bool kIsKnown = false;
};
template <>
struct VectorReducer<red::sum> {
  static constexpr bool kIsKnown = true;
  template <typename Part>
  MSHADOW_CINLINE static void Reduce(Part *dst, const Part &src) {
    *dst = *dst + src;
  }
};
template <>
struct VectorReducer<red::product> {
  static constexpr bool kIsKnown = true;
  template <typename Part>
  MSHADOW_CINLINE static void Reduce(Part *dst, const Part &src) {
    *dst = *dst * src;
  }
};
template <>
struct VectorReducer<red::maximum> {
  static constexpr bool kIsKnown = true;
  template <typename Part>
  MSHADOW_CINLINE static void Reduce(Part *dst, const Part &src) {
    const Part larger = src > *dst ? src : *dst;
    *dst = src == src ? larger : src;
  }
};
template <>
struct VectorReducer<red::minimum> {
  static constexpr bool kIsKnown = true;
  template <typename Part>
  MSHADOW_CINLINE static void Reduce(Part *dst, const Part &src) {
    const Part smaller = src < *dst ? src : *dst;
    *dst = src == src ? smaller : src;
  }
};
template <typename Reducer>
struct VectorReducer<MergeReducer<Reducer>> : VectorReducer<Reducer> {};

/// Whether lanes of \p Acc that \p Reducer reduces are such vectors.
template <typename Reducer, typename Acc>
constexpr bool kHasLaneVector = VectorReducer<Reducer>::kIsKnown && LaneVector<Acc>::kParts != 0;

/// Elements [begin, end) of row \p y, a leaf at most: where they are in memory, or in \p values
/// after evaluation.
template <typename Acc, typename Src>
MSHADOW_CINLINE const Acc *LeafValues(const Src &src, index_t y, index_t begin, index_t end,
                                      Acc *values) {
  using DType = std::decay_t<decltype(src.Eval(y, begin))>;
  for (index_t x = begin; x < end; x += kMaxRun) {
    const int n = static_cast<int>(end - x < kMaxRun ? end - x : kMaxRun);
    const Run<Src, DType> run(src, y, x, n);
    Acc *const out = values + (x - begin);
    for (int i = 0; i < n; ++i) out[i] = static_cast<Acc>(run[i]);
  }
  return values;
}
template <typename Acc, int dim>
MSHADOW_CINLINE const Acc *LeafValues(const Plan<Tensor<cpu, dim, Acc>, Acc> &src, index_t y,
                                      index_t begin, index_t end, Acc *values) {
  return begin < end ? &src.Eval(y, begin) : values;  // what is empty may have no memory
}

/// \p n values, a leaf at most, to kReduceLanes \p lanes.
template <typename Reducer, typename Acc>
MSHADOW_CINLINE void ReduceValuesVector(const Acc *values, int n, Acc *lanes) {
  using Vector = LaneVector<Acc>;
  for (int l = 0; l < kReduceLanes; ++l) Reducer::SetInitValue(lanes[l]);
  constexpr int kWidth = kReduceLanes / Vector::kParts;
  int i = 0;
  if (n >= kReduceLanes) {
    Vector all;
    std::memcpy(&all, lanes, sizeof(all));
    for (; i + kReduceLanes <= n; i += kReduceLanes) {
      MSHADOW_UNROLL
      for (int p = 0; p < Vector::kParts; ++p) {
        typename Vector::Part part;
        std::memcpy(&part, values + i + p * kWidth, sizeof(part));
        VectorReducer<Reducer>::Reduce(&all.part[p], part);
      }
    }
    std::memcpy(lanes, &all, sizeof(all));
  }
  for (; i + kWidth <= n; i += kWidth, lanes += kWidth) {
    typename Vector::Part lane, part;
    std::memcpy(&lane, lanes, sizeof(lane));
    std::memcpy(&part, values + i, sizeof(part));
    VectorReducer<Reducer>::Reduce(&lane, part);
    std::memcpy(lanes, &lane, sizeof(lane));
  }
  for (; i < n; ++lanes, ++i) Reducer::Reduce(*lanes, values[i]);
}

/// Four results side by side, of a reducer and a type that kHasLaneVector.
template <typename Reducer, typename Acc>
class FourResults {
 public:
  FourResults() {
    for (int i = 0; i < 4; ++i) {
      Acc init;
      Reducer::SetInitValue(init);
      results_[i] = init;
    }
  }
  MSHADOW_CINLINE void Reduce(const Acc *values) {
    Four four;
    std::memcpy(&four, values, sizeof(four));
    VectorReducer<Reducer>::Reduce(&results_, four);
  }
  MSHADOW_CINLINE void Store(Acc *to) const { std::memcpy(to, &results_, sizeof(results_)); }

 private:
#if defined(__GNUC__) && !defined(__CUDACC__)
  typedef Acc Four __attribute__((vector_size(4 * sizeof(Acc))));
#else
  typedef Acc Four[4];  // not used
#endif
  Four results_;
};

/// ReduceLeaf.
template <typename Reducer, typename Acc, typename Src>
MSHADOW_CINLINE void ReduceLeafVector(const Src &src, index_t y, index_t begin, index_t end,
                                      Acc *lanes) {
  Acc buffer[kReduceLeaf];
  const Acc *const values = detail::LeafValues(src, y, begin, end, buffer);
  ReduceValuesVector<Reducer>(values, static_cast<int>(end - begin), lanes);
}

#undef MSHADOW_UNROLL

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_LANE_VECTOR_H_
