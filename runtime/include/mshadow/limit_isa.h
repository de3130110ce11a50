// SPDX-License-Identifier: Apache-2.0
/// \file limit_isa.h
/// Which instruction set kernels take, for those who measure or compare: emitted code has the loops
/// of all of them, and chooses by ActiveIsa (isa.h).
#ifndef MSHADOW_LIMIT_ISA_H_
#define MSHADOW_LIMIT_ISA_H_

#include "mshadow/isa.h"

namespace mshadow {

/// From now on kernels take nothing above \p isa, in any thread. kAvx512 takes the limit away; what
/// the processor lacks, or MSHADOW_ISA in the environment takes away, no call gives.
void LimitIsa(Isa isa);

}  // namespace mshadow

#endif  // MSHADOW_LIMIT_ISA_H_
