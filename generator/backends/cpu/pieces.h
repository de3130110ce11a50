// SPDX-License-Identifier: Apache-2.0
/// \file pieces.h
/// The pieces of emitted files: each function returns one rule's part of one file.
#ifndef MSHADOW_GENERATOR_BACKENDS_CPU_PIECES_H_
#define MSHADOW_GENERATOR_BACKENDS_CPU_PIECES_H_

#include <string>

#include "backends/common/phase_text.h"
#include "backends/common/plan_text.h"
#include "backends/common/skeleton.h"
#include "backends/common/spec_text.h"
#include "backends/emit_options.h"
#include "emit/template.h"

namespace mgen {

// adamw.map.inc
std::string MapText(const PlanText &rule);  ///< AdamWRows, or a function for each phase

// adamw.loop.inc
std::string LoopText(const PlanText &rule, const EmitOptions &options);  ///< AdamWLoop
/// The template parameter of a loop that is also compiled for shorter packets than its region's.
inline constexpr char kPacketParam[] = "int kBytes = kVectorBytes";
/// The last line of a loop that may use non-temporal stores; "" for other loops.
std::string FinishStreams(bool stores_streamed);

// adamw.gen.h
std::string ScalarsText(const PlanText &rule);  ///< struct AdamWScalars, and AdamWRule's name
std::string LauncherText(const PlanText &rule, const SpecText &spec);  ///< LaunchAdamW and AdamW
/// The type of a launch's arguments, for an instance, "AdamWArgs<float>", or for all.
std::string ArgsType(const PlanText &rule, const PlanText::Instance &instance);
std::string ArgsType(const PlanText &rule);
/// "template <typename xpu, typename DType>".
std::string LaunchTemplate(const PlanText &rule);
/// "void LaunchAdamW(xpu device, const AdamWArgs<DType> &args)".
std::string LaunchSignature(const PlanText &rule);
std::string PlanClassText(const PlanText &rule, const SpecText &spec);
/// The template parameters and the first line of the function that users call.
std::string LauncherTemplate(const PlanText &rule);
std::string LauncherSignature(const PlanText &rule);
/// A scalar parameter of it: "float beta1 = 0.9f".
std::string ScalarParam(const PlanText &rule, size_t param);
/// The static_assert that the rule was generated for its caller's types.
std::string InstancesAssertion(const PlanText &rule, const std::string &spec);
/// For an expression: the functions that it calls, its own function, and the members of the Plan
/// that its node calls.
std::string ExpressionDeclarationsText(const PlanText &rule, const SpecText &spec);
std::string ExpressionText(const PlanText &rule, const SpecText &spec);
std::string ExpressionMembersText(const PlanText &rule, const SpecText &spec);
/// The rule that assigns an expression, for files that compile expressions unfused.
std::string UnfusedExpressionText(const PlanText &rule);
std::string RuleClassText(const PlanText &rule, const SpecText &spec);

// adamw.gen.cc
/// The declaration of LaunchAdamWKernel, which adamw.gen.cu defines.
std::string KernelDeclarationText(const PlanText &rule);
std::string RunText(const PlanText &rule,
                    const EmitOptions &options);  ///< in the unnamed namespace
/// `mshadow::RunPlan<WorkOfAdamW<DType>>(device, "AdamW", plan, stream, …);`
/// \param plan the expression for the Plan
/// \param stream the expression for the stream
/// \param width the columns of a line
std::string RunPlanCall(const PlanText &rule, const EmitOptions &options, const std::string &plan,
                        const std::string &stream, int width);
/// WorkOfAdamW, the function that returns the LoopWork of a Plan.
std::string WorkFunction(const PlanText &rule);
/// The lines of a launch that take several short rows as one (emitted/row_fold.h). "" unless the
/// rule is element-wise and an operand has the same row for all rows.
std::string FoldText(const PlanText &rule);
/// The function that runs the stages of a rule. The texts of its kernels come before it.
std::string StagedText(const PlanText &rule, const SpecText &spec, const EmitOptions &options);
/// The name of a stage's scalars in that function.
std::string StageScalars(const PlanText &rule, size_t stage);
std::string LaunchText(const PlanText &rule);             ///< LaunchAdamW and its instances
std::string ExpressionEntriesText(const PlanText &rule);  ///< what an expression's node calls

/// The tensor parameters that a launch needs, each once: those of operands, in their order, those
/// of views, and those whose shape or memory it only checks.
std::vector<int> TensorParams(const PlanText &rule);
/// "const mshadow::TensorArg<float> &": the type of a launcher's tensor parameter.
std::string TensorArg(const std::string &type);
/// The function PrepareAdamW; "" if there are no scalars.
std::string PrepareText(const PlanText &rule);
/// The scalars of a launch: "const auto s = mshadow::Strictly([&] { return PrepareAdamW(args.lr);
/// });".
std::string PrepareCall(const PlanText &rule, const std::string &name);
/// The same in a function with other names for its types and parameters.
struct PrepareFrom {
  std::vector<std::string> types;  ///< the types of the rule's type parameters
  std::string before;              ///< the text before the names of parameters: "args."
};
std::string PrepareCall(const PlanText &rule, const std::string &name, const PrepareFrom &from);
/// The first lines of a launch: it checks steps, computes scalars, and names the tensors.
/// \param scalars the lines that compute scalars
std::string OpenArguments(const PlanText &rule, const std::vector<std::string> &scalars);
/// Which parameters the prologue, the scalars and the conditions use, by index.
std::vector<int> PrepareParams(const PlanText &rule);

/// The line that makes a slice of an argument. \param param the slice \param used when it is used
std::string PartLine(const PlanText &rule, int param, const Guard &used);
/// The lines that make all slices, which are then treated like arguments.
std::string PartLines(const PlanText &rule);
/// The checks that tensors have one shape whose matrices the kernel uses.
std::string ShapeChecks(const PlanText &rule);
/// What a launch adds to its LaunchCheck: an Argument for each operand, and the pairs of operands
/// that may be one tensor.
std::string Checks(const PlanText &rule);
/// `check.Run<4>(device)`, or `check.Run()` unless all arguments are whole tensors and vectors.
std::string RunCall(const PlanText &rule);
/// The checks of views: the memory that they read, and their shapes.
std::string ViewChecks(const PlanText &rule);
/// The checks of indices that name rows: `mshadow::CheckRows(device, "Lazy", "index", index,
/// weight_rows.rows_of_matrix);` for each matrix; if rows are written, `CheckEachRowOnce`. Unfused
/// code makes them even if rows have no elements.
std::string RowChecks(const PlanText &rule);
/// The checks of indices that name columns, or that argmax and argmin return.
std::string ColumnChecks(const PlanText &rule);
/// The bytes that the kernel moves for an element, as a factor: "int64_t(2 * sizeof(DType))".
std::string ElementBytes(const PlanText &rule);
/// Sets the Plan's members.
std::string PlanFields(const PlanText &rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_CPU_PIECES_H_
