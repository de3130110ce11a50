// SPDX-License-Identifier: Apache-2.0
/// \file expression_cases.h
/// Assignments of expressions that use generated ones, run fused and unfused.
#ifndef TESTS_EXECUTION_EXPRESSION_CASES_H_
#define TESTS_EXECUTION_EXPRESSION_CASES_H_

#include <string>
#include <vector>

/// A case's name, and the bytes that it wrote.
struct ExpressionResult {
  std::string name;
  std::vector<unsigned char> bytes;
};

/// Every case, for matrices of that shape.
/// \param pad whether rows are apart
std::vector<ExpressionResult> FusedExpressions(int rows, int cols, bool pad);
std::vector<ExpressionResult> UnfusedExpressions(int rows, int cols, bool pad);

/// The type of the node that one of them is.
std::string FusedNode();
std::string UnfusedNode();

#endif  // TESTS_EXECUTION_EXPRESSION_CASES_H_
