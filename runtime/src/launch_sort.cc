// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/launch_sort.h"

#include <string>

#include "launch_operand.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace {

/// Checks a result of a sort.
void CheckResult(const char *rule, const detail::NamedLayout &result,
                 const detail::NamedLayout &src, bool takes_all) {
  operand::RequireRank(rule, result, 2);
  const int64_t rows = src.layout->shape[0], columns = src.layout->shape[1];
  const std::string as = std::string(", as '") + src.name + "' has";
  if (result.layout->shape[0] != rows) {
    operand::Fail(rule, result.name, std::to_string(rows) + " rows" + as, result.layout->shape[0]);
  }
  const int64_t count = result.layout->shape[1];
  if (takes_all ? count != columns : count > columns) {
    const std::string most = takes_all ? "" : "at most ";
    operand::Fail(rule, result.name, most + std::to_string(columns) + " columns" + as, count);
  }
}

}  // namespace

void detail::CheckSortShapes(const char *rule, NamedLayout values, NamedLayout columns,
                             NamedLayout src, bool takes_all) {
  operand::RequireRank(rule, src, 2);
  if (values.layout != nullptr) CheckResult(rule, values, src, takes_all);
  if (columns.layout == nullptr) return;
  CheckResult(rule, columns, src, takes_all);
  if (values.layout != nullptr && values.layout->shape[1] != columns.layout->shape[1]) {
    operand::Fail(
        rule, columns.name,
        std::to_string(values.layout->shape[1]) + " columns, as '" + values.name + "' has",
        columns.layout->shape[1]);
  }
}

MSHADOW_VERSION_END
}  // namespace mshadow
