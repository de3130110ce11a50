// SPDX-License-Identifier: Apache-2.0
/// \file check_stage.h
/// What the statements of one kernel must have in common: ranks, and what is reduced.
#ifndef MSHADOW_GENERATOR_FRONTEND_CHECK_STAGE_H_
#define MSHADOW_GENERATOR_FRONTEND_CHECK_STAGE_H_

#include "frontend/front_end.h"
#include "ir/rule.h"

namespace mgen {

/// How long a temporary vector is: one element, one for each row, for each column, or for each
/// index in a dimension, the channels, between the first of more than two and the last.
struct Length {
  enum Kind { kOne, kRows, kColumns, kChannels } kind;
  int dim = -1;  ///< kChannels: the dimension
};

/// Reports that a temporary has not the shape that it must have, and says one that would do: of a
/// vector one that has a value for `each`.
void RejectTemporaryShape(FrontEnd &front, const Rule &rule, const Param &param,
                          Length::Kind each = Length::kRows);

/// Checks a rule of one stage, and reports what is wrong.
/// \param is_staged it is one of several
void CheckStage(FrontEnd &front, const Rule &stage, bool is_staged);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_CHECK_STAGE_H_
