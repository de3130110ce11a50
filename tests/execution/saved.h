// SPDX-License-Identifier: Apache-2.0
/// \file saved.h
/// What a saver makes of an element; part of interpreter.h.
#ifndef MSHADOW_TESTS_EXECUTION_SAVED_H_
#define MSHADOW_TESTS_EXECUTION_SAVED_H_

#include "estimate.h"
#include "ir/rule.h"

namespace mshadow_test {

/// The element \p old after `old saver value`.
Estimate Saved(mgen::Saver saver, const Estimate &old, const Estimate &value);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_SAVED_H_
