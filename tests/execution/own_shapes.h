// SPDX-License-Identifier: Apache-2.0
/// \file own_shapes.h
/// Calls of the shipped rules whose tensors have other shapes than tables of rules give them
/// (kOwnShapes in instance_table.h), fused and unfused.
#ifndef MSHADOW_TESTS_EXECUTION_OWN_SHAPES_H_
#define MSHADOW_TESTS_EXECUTION_OWN_SHAPES_H_

#include <string>
#include <vector>

namespace mshadow_test {

/// What a call wrote.
struct OwnShapesResult {
  std::string call;
  std::vector<float> elements;
};

std::vector<OwnShapesResult> FusedOwnShapes();
std::vector<OwnShapesResult> UnfusedOwnShapes();

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_OWN_SHAPES_H_
