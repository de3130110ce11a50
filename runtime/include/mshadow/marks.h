// SPDX-License-Identifier: Apache-2.0
/// \file marks.h
/// How functions of packet regions and emitted formulas are marked.
#ifndef MSHADOW_MARKS_H_
#define MSHADOW_MARKS_H_

#include "mshadow/config.h"

/// A function of a packet region or of an emitted formula.
#define MSHADOW_MAP MSHADOW_XINLINE
/// A lambda in such a function, in front of its body: it is inlined wherever it is called.
#define MSHADOW_INLINED __attribute__((always_inline))
/// What an emitted kernel does for a row. Emitted .cc files leave it to GCC where it is inlined: it
/// is called in one place, and GCC copies what it is forced to inline.
#define MSHADOW_BODY MSHADOW_XINLINE

#endif  // MSHADOW_MARKS_H_
