// SPDX-License-Identifier: Apache-2.0
/// \file save_run.h
/// The loop that stores a run of elements. All code uses this loop, since at -O2 compilers
/// vectorise it only as it is written here.
#ifndef MSHADOW_SAVE_RUN_H_
#define MSHADOW_SAVE_RUN_H_

#include <cstddef>

#include "mshadow/expr/op.h"

#include "mshadow/detail/strict_push.h"

// The loops below need no check at run time whether operands overlap: an assignment has made that
// check. Clang still makes it: its pragma would warn at each loop that cannot be vectorised, in any
// function into which the loop is inlined, where nothing here can silence the warning.
#if defined(__clang__)
#define MSHADOW_INDEPENDENT_LOOP
#else
#define MSHADOW_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#endif
// At -O3 GCC would unroll a loop of four before it looks for vectors. nvcc does not know the
// pragma.
#if defined(__clang__) || defined(__CUDACC__)
#define MSHADOW_ROLLED_LOOP
#else
#define MSHADOW_ROLLED_LOOP _Pragma("GCC unroll 1")
#endif

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Elements \p first … first + kCount - 1 of a run.
template <typename Saver, typename DType, int kCount, typename To, typename From>
MSHADOW_CINLINE void SaveBlock(To to, const From &from, std::ptrdiff_t first) {
  MSHADOW_INDEPENDENT_LOOP
  for (int i = 0; i < kCount; ++i) Saver::template Save<DType>(to[first + i], from[first + i]);
}

/// `to[i] saver from[i]` for i < n. No element is read after its memory has been overwritten.
template <typename Saver, typename DType, typename To, typename From>
MSHADOW_CINLINE void SaveRun(To to, const From &from, std::ptrdiff_t n) {
#if defined(__clang__)
  MSHADOW_INDEPENDENT_LOOP
  for (std::ptrdiff_t i = 0; i < n; ++i) Saver::template Save<DType>(to[i], from[i]);
#else
  // At -O2 GCC vectorises only loops whose length is a constant.
  std::ptrdiff_t i = 0;
  for (; i + 32 <= n; i += 32) SaveBlock<Saver, DType, 32>(to, from, i);
  for (; i + 4 <= n; i += 4) {
    MSHADOW_INDEPENDENT_LOOP
    MSHADOW_ROLLED_LOOP
    for (int k = 0; k < 4; ++k) {
      Saver::template Save<DType>(to[i + k], from[i + k]);
    }
  }
  if ((n & 2) != 0) {
    Saver::template Save<DType>(to[i], from[i]);
    Saver::template Save<DType>(to[i + 1], from[i + 1]);
  }
  if ((n & 1) != 0) Saver::template Save<DType>(to[n - 1], from[n - 1]);
#endif
}

/// out[i] = from[i] for i < n.
template <typename DType, typename From>
MSHADOW_CINLINE void StoreRun(DType *out, const From &from, std::ptrdiff_t n) {
  SaveRun<sv::saveto, DType>(out, from, n);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_SAVE_RUN_H_
