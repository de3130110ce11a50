// SPDX-License-Identifier: Apache-2.0
/// \file plan_text.h
/// How the parts of one Plan are called in emitted code; the same in every file and for every back
/// end. Names are the spec's, with an underscore where emitted code uses a name itself.
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

/// What callers pass for a parameter: for an int that counts updates and is checked a wider type,
/// so that a number that does not fit is refused as what it is.
Type CallerType(const Param &param);

class PlanText {
 public:
  /// Checks every name of the Plan; `wrap` are the namespaces around the spec's own. `alone`: all
  /// rules of the spec are in one namespace, so that names need no qualification. `numerics`:
  /// as EmitOptions has it.
  /// \throws EmitError for a name that cannot be one.
  PlanText(const Plan &plan, const std::vector<std::string> &wrap, bool alone,
           Numerics numerics = Numerics::kStrict);

  /// The same where the region's names are declared: types need not say that they are mshadow's.
  PlanText InRegion() const;

  const Plan &plan() const { return plan_; }
  const std::string &rule() const { return plan_.rule.name; }  ///< "AdamW"
  /// "AdamW", or where the spec's rules are in several namespaces "optim::AdamW".
  std::string title() const { return alone_ ? rule() : Global(rule()).substr(2); }
  const NamespacePath &spec_path() const { return spec_path_; }  ///< {"optim"}, with the wrap
  NamespacePath fused_path() const;                              ///< {"optim", "inline fused_…"}
  NamespacePath mode_path() const;                    ///< fused or unfused, as MSHADOW_UNFUSED says
  std::string Global(const std::string &name) const;  ///< "::optim::" + name
  /// "AdamWMap" for suffix "Map": a function of the regions, which all rules of a spec share.
  std::string Function(const std::string &suffix) const;

  // Types. `instance` is an entry of Rule::instances.
  using Instance = std::vector<ScalarKind>;
  std::string TypeName(Type type) const;  ///< "float", "DType"
  std::string TypeName(Type type, const Instance &instance) const;
  std::string PacketType(Type type) const;  ///< "Vec<float, N>"
  const std::vector<std::string> &type_params() const { return type_params_; }
  /// The template's parameter for the device, or what stands there where it has none.
  const std::string &device() const { return device_; }
  const std::string &rank() const { return rank_; }  ///< that for the rank, or "1"
  std::vector<std::string> TypenameParams() const;   ///< {"typename DType"}
  /// Second argument of mshadow::expr::Plan: "DType", "mshadow::Types<A, B>", "mshadow::Types<>".
  std::string PlanTypes() const;
  std::string PlanTypes(const Instance &instance) const;
  /// "mshadow::expr::Plan<AdamWRule, DType>".
  std::string PlanType() const;
  std::string PlanType(const Instance &instance) const;
  /// The element types of each instance. A rule without type parameters has one instance of none.
  std::vector<Instance> Instances() const;
  /// "void LaunchAdamWKernel(const mshadow::expr::Plan<AdamWRule, DType> &plan, void *stream)".
  std::string LaunchKernelSignature() const;

  /// The field of the Plan `plan` that says how many columns a row of its kernel has.
  std::string ColumnsField() const;

  // The Scalars struct: the host scalars, then the conditions.
  bool has_scalars() const { return !plan_.scalars.empty() || !plan_.conditions.empty(); }
  bool scalars_depend_on_types() const;
  /// Whether what is done for an element reads some; else only views are made of them.
  bool steps_use_scalars() const;
  std::string ScalarsType() const;  ///< "AdamWScalars", "AdamWScalars<DType>"
  const std::string &scalar_name(int i) const { return scalar_names_[i]; }
  const std::string &condition_member(int i) const { return condition_members_[i]; }
  const std::string &condition_param(int i) const { return condition_params_[i]; }
  const std::vector<std::string> &condition_params() const { return condition_params_; }
  std::vector<std::string> ConditionParams() const;  ///< {"bool kNesterov"}
  /// The same of the functions that a rule's text calls, some of which have row buffers, or not:
  /// with "bool kBuffered" and "bool kHasLeaves".
  std::vector<std::string> VariantParams() const;
  std::string GuardText(const Guard &guard) const;  ///< "kNesterov && !kCentered"
  /// "s.nesterov && !s.centered", where the scalars are called `scalars`
  std::string HostGuardText(const Guard &guard, const std::string &scalars = "s") const;

  // Names of parameters: in signatures; of operands: members of the Plan and pointers.
  const std::string &param_name(int i) const { return param_names_[i]; }
  const std::string &local_name(int i) const { return local_names_[i]; }
  const std::string &operand_name(int i) const { return operand_names_[i]; }
  const std::string &reduction_name(int i) const { return reduction_names_[i]; }
  /// Of the row of an operand's elements, and of its next row.
  const std::string &row_name(int i) const { return row_names_.at(i); }
  const std::string &next_name(int i) const { return next_names_.at(i); }
  /// Of the accumulators that a step gets of a reduction, and of its result.
  const std::string &lanes_name(int i) const { return lanes_names_.at(i); }
  const std::string &result_name(int i) const { return result_names_.at(i); }
  const std::string &leaf_row_name(int i) const { return leaf_row_names_.at(i); }
  /// Of the Divisor that an operand's value makes.
  const std::string &divisor_name(int i) const { return divisor_names_.at(i); }
  const std::string &let_name(int let) const { return let_names_.at(let); }
  bool IsWritten(int operand) const { return !plan_.operands[operand].store.never(); }
  /// Operands that are tensors in memory, by index; the others are temporaries.
  std::vector<int> Tensors() const;

  /// Whether emitted code calls libm, or names INFINITY or NAN.
  bool NeedsMathHeader() const;

  /// Styles for expressions over packets, on the host, and for comments.
  ExprStyle PacketStyle() const;
  ExprStyle HostStyle() const;
  /// `name`, made unlike the host's names of parameters and locals.
  std::string HostName(std::string name) const;
  /// A host expression in terms of the scalar region.
  ExprStyle HostPacketStyle() const;
  /// Whether a hoisted value holds what C++ leaves undefined and packets define (integers that
  /// wrap, floats beyond the integers' range), so that it needs HostPacketStyle.
  bool NeedsPackets(const Expr &value) const;
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
  /// A type of the rule's namespace, as every file of the spec may call it.
  std::string Ref(const std::string &name) const { return alone_ ? name : Global(name); }

  const Plan &plan_;
  const bool alone_;
  const Numerics numerics_;
  bool divides_ = false;  ///< of ApproximationOf
  std::string promoted_ = "mshadow::Promoted";
  NamespacePath spec_path_;
  std::string device_ = "mshadow::cpu", rank_ = "1";
  std::vector<std::string> type_params_, param_names_, local_names_, scalar_names_;
  std::vector<std::string> condition_members_, condition_params_, operand_names_;
  std::vector<std::string> reduction_names_;
  std::map<int, std::string> let_names_, divisor_names_;
  std::vector<std::string> row_names_, next_names_, lanes_names_, result_names_;
  std::map<int, std::string> leaf_row_names_;  // by reduction
};

/// How many operations of a rule are approximations, in all its kernels.
int CountApproximations(const Plan &plan, Numerics numerics);

/// Assignments, in all branches.
int CountStatements(const std::vector<Statement> &body);
/// "half_t" for mshadow::half::half_t, "float/int8_t" for an instance of two types.
std::string ShortName(const PlanText::Instance &instance, std::string_view separator);

/// "template <…>" of the parameters, "" without any.
std::string TemplateLine(const std::vector<std::string> &params);
/// "<…>" of the arguments, "" without any.
std::string TemplateArgs(const std::vector<std::string> &args);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_PLAN_TEXT_H_
