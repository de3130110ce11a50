// SPDX-License-Identifier: Apache-2.0
/// \file pieces.h
/// What the emitted files are made of: each function gives one rule's part of one file.
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
/// The parameter of a loop that can do with shorter packets than its region's.
inline constexpr char kPacketParam[] = "int kBytes = kVectorBytes";
/// The end of a loop that may have stored past the cache.
std::string FinishStreams(bool stores_streamed);

// adamw.gen.h
std::string ScalarsText(const PlanText &rule);  ///< struct AdamWScalars, and AdamWRule's name
std::string LauncherText(const PlanText &rule, const SpecText &spec);  ///< LaunchAdamW and AdamW
/// "AdamWArgs<float>": the arguments of a launch, for an instance, or whatever the types are.
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
/// Of an expression: its function, and the Plan's members that its node calls.
std::string ExpressionDeclarationsText(const PlanText &rule, const SpecText &spec);
std::string ExpressionText(const PlanText &rule, const SpecText &spec);
std::string ExpressionMembersText(const PlanText &rule, const SpecText &spec);
/// Where expressions run unfused: as the rule that assigns one.
std::string UnfusedExpressionText(const PlanText &rule);
std::string RuleClassText(const PlanText &rule, const SpecText &spec);

// adamw.gen.cc
/// The declaration of LaunchAdamWKernel, which adamw.gen.cu defines.
std::string KernelDeclarationText(const PlanText &rule);
std::string RunText(const PlanText &rule,
                    const EmitOptions &options);  ///< in the unnamed namespace
/// In a launch: rows that are too short, "" for rules that have none beside one that is the same.
std::string FoldText(const PlanText &rule);
/// What runs the stages of a rule, which are there already.
std::string StagedText(const PlanText &rule, const SpecText &spec);
/// What the scalars of one of them are called there.
std::string StageScalars(const PlanText &rule, size_t stage);
/// The loops of a rule that is done in phases, as members of LambLoops: {"sweep1", "once1"}.
std::vector<std::string> LoopMembers(const PlanText &rule);
std::string LaunchText(const PlanText &rule);             ///< LaunchAdamW and its instances
std::string ExpressionEntriesText(const PlanText &rule);  ///< what an expression's node calls

/// Parameters that are operands, or that views are made of, each once, in order of the operands.
std::vector<int> TensorParams(const PlanText &rule);
/// "const mshadow::TensorArg<float> &": how launchers take tensors.
std::string TensorArg(const std::string &type);
/// PrepareAdamW, "" without scalars.
std::string PrepareText(const PlanText &rule);
/// The scalars of a launch: "const auto s = mshadow::Strictly([&] { return PrepareAdamW(args.lr);
/// });".
std::string PrepareCall(const PlanText &rule, const std::string &name);
/// The same elsewhere.
struct PrepareFrom {
  std::vector<std::string> types;  ///< the rule's type parameters
  std::string before;              ///< what stands before the names of parameters: "args."
};
std::string PrepareCall(const PlanText &rule, const std::string &name, const PrepareFrom &from);
/// What a launch makes of its arguments first: checks of scalars, what is computed of them, and
/// names for the tensors. \param scalars of the rule itself
std::string OpenArguments(const PlanText &rule, const std::vector<std::string> &scalars);
/// Which parameters the prologue, the scalars and the conditions use, by index.
std::vector<int> PrepareParams(const PlanText &rule);

/// A part of an argument.
std::string PartLine(const PlanText &rule, int param);
/// The parts of arguments, which are operands as arguments are.
std::string PartLines(const PlanText &rule);
/// The LaunchCheck: one Argument per operand, and the pairs that may be one tensor.
std::string Checks(const PlanText &rule);
/// `check.Run<4>(device)`, `check.Run()` where there are more than whole tensors and vectors.
std::string RunCall(const PlanText &rule);
/// The checks of views: the memory that they read, and their shapes.
std::string ViewChecks(const PlanText &rule);
/// The checks of what the rule takes for numbers of columns.
std::string IndexChecks(const PlanText &rule);
/// What one element moves, as a factor: "int64_t(2 * sizeof(DType))".
std::string ElementBytes(const PlanText &rule);
/// Sets the Plan's members.
std::string PlanFields(const PlanText &rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_CPU_PIECES_H_
