// SPDX-License-Identifier: Apache-2.0
/// \file plan_text.h
/// The names of the parts of a Plan in emitted code, the same in every file and for every back end.
/// They are those of the spec. A name that emitted code uses itself gets an underscore.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_PLAN_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_PLAN_TEXT_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "backends/common/namespaces.h"
#include "emit/cpp_expr.h"
#include "ir/made_name.h"
#include "ir/plan.h"

namespace mgen {

/// The type that callers pass for a parameter. For a checked step of type int32_t it is int64_t, so
/// that a larger number is an error and does not wrap around.
Type CallerType(const Param &param);

class PlanText {
 public:
  /// Checks every name of the Plan.
  /// \param wrap the namespaces around those of the spec
  /// \param alone whether all rules of the spec are in one namespace: then names need no
  ///     qualification
  /// \param numerics as in EmitOptions
  /// \throws EmitError for a name that is not an identifier
  PlanText(const Plan &plan, const std::vector<std::string> &wrap, bool alone,
           Numerics numerics = Numerics::kStrict);

  /// The same for text in a region, which declares names of mshadow: "Promoted<DType>".
  PlanText InRegion() const;

  const Plan &plan() const { return plan_; }
  const std::string &rule() const { return plan_.rule.name; }  ///< "AdamW"
  /// The name by which C++ calls the rule: "AdamW", "Normalize" of NormalizeRank2.
  const std::string &cpp_name() const { return plan_.rule.cpp_name(); }
  /// "AdamW", or "optim::AdamW" if the spec's rules are in several namespaces.
  std::string title() const { return alone_ ? rule() : Global(rule()).substr(2); }
  const NamespacePath &spec_path() const { return spec_path_; }  ///< {"optim"}, after `wrap`
  NamespacePath fused_path() const;                              ///< {"optim", "inline fused_…"}
  NamespacePath mode_path() const;                    ///< fused or unfused, as MSHADOW_UNFUSED says
  std::string Global(const std::string &name) const;  ///< "::optim::" + name
  /// "AdamWRows" for suffix "Rows": a function of a region. All rules of a spec share the regions.
  /// So if they are in several namespaces, the name begins with those of the rule.
  std::string Function(const std::string &suffix) const;

  // Types. `instance` is an entry of Rule::instances.
  using Instance = std::vector<ScalarKind>;
  std::string TypeName(Type type) const;  ///< "float", "DType"
  std::string TypeName(Type type, const Instance &instance) const;
  std::string PacketType(Type type) const;  ///< "Vec<float, N>"
  const std::vector<std::string> &type_params() const { return type_params_; }
  /// The template parameter for the device; "mshadow::cpu" if there is none.
  const std::string &device() const { return device_; }
  const std::string &rank() const { return rank_; }  ///< the one for the rank; "1" if there is none
  std::vector<std::string> TypenameParams() const;   ///< {"typename DType"}
  /// The second argument of mshadow::expr::Plan: "DType", "mshadow::Types<A, B>" or
  /// "mshadow::Types<>".
  std::string PlanTypes() const;
  std::string PlanTypes(const Instance &instance) const;
  /// "mshadow::expr::Plan<AdamWRule, DType>".
  std::string PlanType() const;
  std::string PlanType(const Instance &instance) const;
  /// AdamWRule, the class that names the rule in types.
  std::string RuleType() const { return Ref(rule() + "Rule"); }
  /// The element types of each instance. A rule without type parameters has one empty instance.
  std::vector<Instance> Instances() const;
  /// "void LaunchAdamWKernel(const mshadow::expr::Plan<AdamWRule, DType> &plan, void *stream)".
  std::string LaunchKernelSignature() const;

  /// The member of the Plan with the number of columns of a row: "plan.cols".
  std::string ColumnsField() const;

  // The Scalars struct: the host scalars, then the conditions.
  bool has_scalars() const { return !plan_.scalars.empty() || !plan_.conditions.empty(); }
  bool scalars_depend_on_types() const;
  /// Whether a step reads a host scalar. If none does, host scalars are only operands of views.
  bool steps_use_scalars() const;
  std::string ScalarsType() const;  ///< "AdamWScalars", "AdamWScalars<DType>"
  const std::string &scalar_name(int i) const { return scalar_names_[i]; }
  const std::string &condition_member(int i) const { return condition_members_[i]; }
  const std::string &condition_param(int i) const { return condition_params_[i]; }
  const std::vector<std::string> &condition_params() const { return condition_params_; }
  std::vector<std::string> ConditionParams() const;  ///< {"bool kNesterov"}
  /// The same, with "bool kBuffered" for row buffers and "bool kHasLeaves" for leaves.
  std::vector<std::string> VariantParams() const;
  std::string GuardText(const Guard &guard) const;  ///< "kNesterov && !kCentered"
  /// "s.nesterov && !s.centered". \param scalars the name of the scalars
  std::string HostGuardText(const Guard &guard, const std::string &scalars = "s") const;

  // Names of parameters, in signatures, and of operands, which are members of the Plan.
  const std::string &param_name(int i) const { return param_names_[i]; }
  const std::string &local_name(int i) const { return local_names_[i]; }
  const std::string &operand_name(int i) const { return operand_names_[i]; }
  const std::string &reduction_name(int i) const { return reduction_names_[i]; }
  /// The variables for an operand's row and for its next row.
  const std::string &row_name(int i) const { return row_names_.at(i); }
  const std::string &next_name(int i) const { return next_names_.at(i); }
  /// The variables for a reduction's accumulators in a step, for its result, and for its leaf.
  const std::string &lanes_name(int i) const { return lanes_names_.at(i); }
  const std::string &result_name(int i) const { return result_names_.at(i); }
  const std::string &leaf_row_name(int i) const { return leaf_row_names_.at(i); }
  /// The variable for the Divisor of an operand's value.
  const std::string &divisor_name(int i) const { return divisor_names_.at(i); }
  const std::string &let_name(int let) const { return let_names_.at(let); }
  /// The variable for the accumulator of a let that is a scan.
  const std::string &scan_name(int let) const { return scan_names_.at(let); }
  bool IsWritten(int operand) const { return !plan_.operands[operand].store.never(); }
  /// Operands that are tensors in memory, by index; the others are temporaries.
  std::vector<int> Tensors() const;

  /// Whether emitted code calls libm, or names INFINITY or NAN.
  bool NeedsMathHeader() const;

  /// Styles for expressions over packets, on the host, and for comments.
  ExprStyle PacketStyle() const;
  ExprStyle HostStyle() const;
  /// `name`, with underscores at its end if a parameter or a local has that name.
  std::string HostName(std::string name) const;
  /// The style for host expressions that call functions of the scalar region.
  ExprStyle HostPacketStyle() const;
  /// Whether a hoisted value needs HostPacketStyle: it may have an operation without a defined
  /// result in C++, which packets define (an integer that wraps around, a float beyond the range of
  /// an integer), or a function that is correctly rounded in kernels.
  bool NeedsPackets(const Expr &value) const;
  /// Why hoisted values are computed as in kernels, for a comment.
  std::string WhyPackets() const {
    return numerics_ == Numerics::kCorrect ? "functions are correctly rounded"
                                           : "integers wrap, conversions saturate";
  }
  ExprStyle PeopleStyle() const;

  /// Whether quotients are those of IEEE 754, rather than approximations.
  bool divides_exactly() const { return numerics_ != Numerics::kFast; }
  /// How many operations of the kernel's formula are printed as approximations.
  int Approximations() const;

 private:
  /// Whether a type is of this sort in some instance.
  bool MayBe(Type type, bool (*is)(ScalarKind)) const;
  void ForEachValue(const std::function<void(const Expr &)> &visit) const;
  void NameTypes();
  void NameHost();
  void NameScalars();
  void NameKernel();
  void NameRows(class Scope *scope);
  void NameLets(const std::vector<Step> &steps, class Scope *scope);
  /// A type of the rule's namespace, qualified if not all rules of the spec are in it.
  std::string Ref(const std::string &name) const { return alone_ ? name : Global(name); }

  const Plan &plan_;
  const bool alone_;
  const Numerics numerics_;
  bool divides_ = false;  ///< the argument of ApproximationOf
  std::string promoted_ = "mshadow::Promoted";
  NamespacePath spec_path_;
  std::string device_ = "mshadow::cpu", rank_ = "1";
  std::vector<std::string> type_params_, param_names_, local_names_, scalar_names_;
  std::vector<std::string> condition_members_, condition_params_, operand_names_;
  std::vector<std::string> reduction_names_;
  std::map<int, std::string> let_names_, scan_names_, divisor_names_;
  std::vector<std::string> row_names_, next_names_, lanes_names_, result_names_;
  std::map<int, std::string> leaf_row_names_;  // by reduction
};

/// The number of operations, in all kernels of a rule, that are approximations.
int CountApproximations(const Plan &plan, Numerics numerics);

/// The number of assignments in all branches, without those that a pass made.
int CountStatements(const std::vector<Statement> &body);
/// "half_t" for mshadow::half::half_t, "float/int8_t" for an instance of two types.
std::string ShortName(const PlanText::Instance &instance, std::string_view separator);

/// "template <…>" with these parameters; "" if there are none.
std::string TemplateLine(const std::vector<std::string> &params);
/// "<…>" with these arguments; "" if there are none.
std::string TemplateArgs(const std::vector<std::string> &args);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_PLAN_TEXT_H_
