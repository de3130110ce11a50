// SPDX-License-Identifier: Apache-2.0
/// \file marks.h
/// How functions of packet regions and emitted formulas are marked.
#ifndef MSHADOW_MARKS_H_
#define MSHADOW_MARKS_H_

#include "mshadow/config.h"

/// A function of a packet region or of an emitted formula. The device region redefines it.
#define MSHADOW_MAP MSHADOW_XINLINE

#endif  // MSHADOW_MARKS_H_
