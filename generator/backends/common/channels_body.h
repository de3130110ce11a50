// SPDX-License-Identifier: Apache-2.0
/// \file channels_body.h
/// BatchNorm2dChannels of batch_norm_2d.map.inc: what a kernel that reduces channels, or has values
/// for them, does on every target.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_CHANNELS_BODY_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_CHANNELS_BODY_H_

#include <string>

#include "backends/common/plan_text.h"

namespace mgen {

std::string ChannelsBodyText(const PlanText &rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_CHANNELS_BODY_H_
