// SPDX-License-Identifier: Apache-2.0
/// \file columns_body.h
/// BatchNormColumns of batch_norm.map.inc: what a kernel that reduces columns does on every target.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_COLUMNS_BODY_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_COLUMNS_BODY_H_

#include <string>

#include "backends/common/plan_text.h"

namespace mgen {

std::string ColumnsBodyText(const PlanText &rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_COLUMNS_BODY_H_
