// SPDX-License-Identifier: Apache-2.0
/// \file lower_scan.h
/// Scans along the last dimension: inclusive_scan, exclusive_scan, linear_recurrence.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_SCAN_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_SCAN_H_

#include <string>
#include <vector>

#include "frontend/lower_tensor.h"

namespace mgen {

/// Whether a record of this name is a node that scans.
bool IsScan(const std::string &record);

/// Reports why an expression cannot be scanned here, and throws Rejected.
/// \param why what a scan must or cannot be, after "a scan "
[[noreturn]] void RejectScan(FrontEnd &front, const clang::Expr *e, const char *why,
                             const char *instead);

class ScanLowering {
 public:
  ScanLowering(TensorLowering &tensors, ReducerLowering &reducers)
      : tensors_(tensors),
        scalars_(tensors.scalars()),
        front_(scalars_.front()),
        reducers_(reducers) {}

  /// The element of scan `e`, a call with these arguments. 16-bit floats are scanned in float.
  Expr Lower(const clang::Expr *e, const std::vector<const clang::Expr *> &args);

 private:
  Expr LowerOperand(const clang::Expr *e, ScalarKind element, ScalarKind sum);

  TensorLowering &tensors_;
  RuleScalars &scalars_;
  FrontEnd &front_;
  ReducerLowering &reducers_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_SCAN_H_
