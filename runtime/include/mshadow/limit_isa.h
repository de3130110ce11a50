// SPDX-License-Identifier: Apache-2.0
/// \file limit_isa.h
/// Limits the instruction set that kernels use, for those who measure or compare. Emitted code has
/// a loop for each instruction set and chooses by ActiveIsa (isa.h).
#ifndef MSHADOW_LIMIT_ISA_H_
#define MSHADOW_LIMIT_ISA_H_

#include "mshadow/isa.h"

namespace mshadow {

/// From now on, in all threads, kernels use no instruction set above \p isa. kAvx512 removes the
/// limit. No call allows what the processor lacks or what MSHADOW_ISA excludes.
void LimitIsa(Isa isa);

}  // namespace mshadow

#endif  // MSHADOW_LIMIT_ISA_H_
