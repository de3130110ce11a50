// SPDX-License-Identifier: Apache-2.0
// One text, two libraries: compiled with this runtime's headers, and, where MSHADOW_BENCH_PEER is
// defined, with mshadow's own. It says only what both understand.
#include "mshadow_cases.h"

#include <mshadow/tensor.h>

#include <cmath>
#include <string>
#include <utility>

#ifdef MSHADOW_BENCH_PEER
#include <omp.h>
#endif

namespace mshadow_bench {
namespace {

using namespace mshadow;        // NOLINT: as the users of expressions write
using namespace mshadow::expr;  // NOLINT

/// The list under construction.
struct Cases {
  std::vector<Case> list;
  void Add(std::string name, const float *result, int64_t count, std::function<void()> run) {
    list.push_back({std::move(name), std::move(run), result, count, false});
  }
  /// A case whose result is of another type; its bits are compared.
  void AddBits(std::string name, const float *result, int64_t count, std::function<void()> run) {
    list.push_back({std::move(name), std::move(run), result, count, true});
  }
};

#include "mshadow_elementwise.inc"
#include "mshadow_layers.inc"
#include "mshadow_programs.inc"
#include "mshadow_shapes.inc"

std::vector<Case> AllCases(const Arena &arena) {
  Cases cases;
  Elementwise(arena, &cases);
  Broadcasts(arena, &cases);
  Permutations(arena, &cases);
  Views(arena, &cases);
  Reductions(arena, &cases);
  Images(arena, &cases);
  Patches(arena, 3, 1, &cases);
  Patches(arena, 5, 2, &cases);
  Indices(arena, &cases);
  Products(arena, &cases);
  Functions(arena, &cases);
  TwoLayers(arena, &cases);
  Convolution(arena, &cases);
  return std::move(cases.list);
}

}  // namespace

#ifdef MSHADOW_BENCH_PEER
void MshadowCases(const Arena &arena, std::vector<Case> *cases) { *cases = AllCases(arena); }
void SetMshadowThreads(int threads) { omp_set_num_threads(threads); }
#else
std::vector<Case> OurCases(const Arena &arena) { return AllCases(arena); }
#endif

}  // namespace mshadow_bench
