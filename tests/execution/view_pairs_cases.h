// SPDX-License-Identifier: Apache-2.0
// What the rules of view_pairs.py give, fused and unfused.
#ifndef MSHADOW_TESTS_EXECUTION_VIEW_PAIRS_CASES_H_
#define MSHADOW_TESTS_EXECUTION_VIEW_PAIRS_CASES_H_

#include <string>
#include <vector>

struct PairResult {
  std::string name;
  std::vector<float> elements;  // rows are padded; what stands between them is among them
};

std::vector<PairResult> FusedPairs();
std::vector<PairResult> UnfusedPairs();

#endif  // MSHADOW_TESTS_EXECUTION_VIEW_PAIRS_CASES_H_
