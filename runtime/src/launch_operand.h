// SPDX-License-Identifier: Apache-2.0
/// \file launch_operand.h
/// What the checks of calls between kernels say of an operand that does not fit.
#ifndef MSHADOW_LAUNCH_OPERAND_H_
#define MSHADOW_LAUNCH_OPERAND_H_

#include <string>

#include "mshadow/emitted/named_layout.h"

namespace mshadow {
namespace operand {

[[noreturn]] inline void Fail(const char *rule, const char *name, const std::string &expected,
                              int64_t got) {
  throw Error(std::string(rule) + ": argument '" + name + "': expected " + expected + ", got " +
              std::to_string(got));
}

inline void RequireRank(const char *rule, const detail::NamedLayout &operand, int rank) {
  if (operand.layout->dim == rank) return;
  Fail(rule, operand.name, "rank " + std::to_string(rank), operand.layout->dim);
}

}  // namespace operand
}  // namespace mshadow

#endif  // MSHADOW_LAUNCH_OPERAND_H_
