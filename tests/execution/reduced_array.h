// SPDX-License-Identifier: Apache-2.0
/// \file reduced_array.h
/// Arrays of elements that a reducer of the library combines, for the interpreter.
#ifndef MSHADOW_TESTS_EXECUTION_REDUCED_ARRAY_H_
#define MSHADOW_TESTS_EXECUTION_REDUCED_ARRAY_H_

#include <string>

#include "ir/expr.h"
#include "moved_array.h"

namespace mshadow_test {

/// What 16-bit floats are added and multiplied in.
mgen::ScalarKind WideKind(const Array &array);

/// The operation of "mshadow::red::sum" and so on.
/// \throws std::invalid_argument if the reducer is not known here
mgen::Op OpOf(const std::string &reducer);

/// The values along a dimension as one, in a wide type; the dimension stays, of extent 1.
Array Reduced(const std::string &reducer, const Array &src, size_t axis);

/// Windows of images.
/// \param pooled how many windows there are; empty: those that lie within
Array Pooled(const std::string &reducer, const Array &src, const Index &pooled, const Windows &of);

/// Windows of `size` channels, the third dimension from the last, around each; those beyond both
/// ends are left out.
Array ChannelsPooled(const std::string &reducer, const Array &src, int64_t size);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_REDUCED_ARRAY_H_
