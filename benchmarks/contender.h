// SPDX-License-Identifier: Apache-2.0
/// \file contender.h
/// What others would write for a rule: a plain C++ loop by hand, and Eigen array expressions.
#ifndef MSHADOW_BENCHMARKS_CONTENDER_H_
#define MSHADOW_BENCHMARKS_CONTENDER_H_

#include <cstdint>
#include <vector>

namespace mshadow_bench {

/// The arguments of one call, float, contiguous. `tensors` and `scalars` are in the order of the
/// rule's parameters.
struct Call {
  float *const *tensors;
  const double *scalars;
  int64_t cols;      ///< length of a row: what a bias repeats over
  int64_t channels;  ///< where tensors are images: a channel has a plane of each image
  int64_t plane;     ///< elements of a plane
  int64_t rows;      ///< of a matrix
};

/// Elements [begin, end) of the rule.
using Loop = void (*)(const Call &call, int64_t begin, int64_t end);

struct Contender {
  const char *rule;
  Loop loop;
  /// Its results are of more than a row: it has to have all elements at once, in one thread.
  bool whole = false;
};

/// One table for each source file.
std::vector<Contender> HandAdam();
std::vector<Contender> HandOptimizers();
std::vector<Contender> HandElementwise();
std::vector<Contender> HandRows();
std::vector<Contender> HandRowLosses();
std::vector<Contender> HandLosses();
std::vector<Contender> HandScans();
std::vector<Contender> HandCatalogue();
std::vector<Contender> HandColumns();
std::vector<Contender> HandChannels();
std::vector<Contender> HandEverything();
std::vector<Contender> HandProducts();  ///< none without CBLAS
std::vector<Contender> EigenAdam();
std::vector<Contender> EigenOptimizers();
std::vector<Contender> EigenElementwise();
std::vector<Contender> EigenRows();

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_CONTENDER_H_
