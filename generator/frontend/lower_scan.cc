// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_scan.h"

#include "frontend/types.h"
#include "frontend/values.h"
#include "ir/builder.h"

namespace mgen {

bool IsScan(const std::string &record) {
  return record == "mshadow::expr::ScanExp" || record == "mshadow::expr::RecurrenceExp";
}

void RejectScan(FrontEnd &front, const clang::Expr *e, const char *why, const char *instead) {
  const SourceLocation location = front.Where(e->getSourceRange());
  front.diagnostics.Report(DiagId::kScan, location, why).Note(DiagId::kScanNote, location, instead);
  throw Rejected();
}

Expr ScanLowering::LowerOperand(const clang::Expr *e, ScalarKind element, ScalarKind sum) {
  const bool is_number = !IsExpression(e->getType());
  const Expr value = is_number ? Convert(element, scalars_.Lower(e)) : tensors_.Lower(e);
  return MakeCast({sum}, value);
}

Expr ScanLowering::Lower(const clang::Expr *e, const std::vector<const clang::Expr *> &args) {
  const ScalarKind element = tensors_.ElementKind(e);
  if (element == ScalarKind::kBool) {
    RejectScan(front_, e, "does not take bool", "convert the operand with tcast<int32_t>(...)");
  }
  if (RankOf(e->getType()) == 1 && !TensorLowering::HasRankParam(scalars_.rule())) {
    RejectScan(front_, e, "of a vector is not supported in a rule",
               "take tensors of any rank, as in 'Tensor<xpu, dim, DType>'");
  }
  const ScalarKind sum = IsNarrowFloat(element) ? ScalarKind::kFloat32 : element;
  std::vector<Expr> operands;
  for (const clang::Expr *arg : args) operands.push_back(LowerOperand(arg, element, sum));
  Expr scan;
  if (RecordName(e->getType()) == "mshadow::expr::RecurrenceExp") {
    scan = MakeOp(Op::kRecurrence, operands);
  } else {
    const clang::TemplateArgumentList *types = TemplateArgs(e->getType());
    const clang::QualType reducer = (*types)[2].getAsType();
    const Reducing reducing = ReducingBy(reducer);
    const int own = reducing == Reducing::kOwn ? reducers_.Add(reducer, sum, e) : -1;
    const bool is_exclusive = (*types)[3].getAsIntegral().getBoolValue();
    scan = MakeScan(ReductionOp(reducing), is_exclusive, operands[0], own);
  }
  return MakeCast({element}, WithLocation(scan, front_.Where(e->getSourceRange())));
}

}  // namespace mgen
