// SPDX-License-Identifier: Apache-2.0
/// \file rule_info.h
/// A description of each generated rule, in constants. From it tools allocate states and print
/// tables. The type of a rule, such as AdamWRule, has the description as `kInfo`, and a function
/// `Call` with which tools call the rule.
#ifndef MSHADOW_RULE_INFO_H_
#define MSHADOW_RULE_INFO_H_

#include "mshadow/base.h"

namespace mshadow {

/// What a parameter is for, as the spec declares it.
enum class Role {
  kNone,       ///< the spec marks no role
  kParameter,  ///< the tensor that training updates
  kGradient,   ///< the gradient with respect to that tensor
  kState,      ///< a tensor that one call writes and the next reads; it has an initial value
  kHyper,      ///< a hyper-parameter
  kStep,       ///< counts updates, from 1: a scalar, or a tensor of one element
};

/// ParamInfo::rank of a tensor that has the rule's own rank `dim`.
constexpr int kRankParam = -1;

/// One parameter of a rule.
struct ParamInfo {
  const char *name;
  Role role;
  bool is_tensor;
  int rank;                 ///< tensors: the rank, or kRankParam
  int type;                 ///< DataType<T>::kFlag of the element or the scalar; -1: see type_param
  int type_param;           ///< the index, from 0, of a type parameter T of the rule; the type is T
                            ///< or, if is_promoted, Promoted<T> (base.h). -1: see type
  bool is_written;          ///< tensors: whether any statement writes it
  bool has_value;           ///< whether `value` is set
  double value;             ///< if has_value: a state's initial value, a scalar's default
  bool is_per_row = false;  ///< vectors: one element for each row of the other tensors
  bool is_single = false;   ///< vectors: exactly one element, that is, a scalar tensor
  bool is_index = false;    ///< vectors: each element is the index of a column. If it is out of
                            ///< range, a launch on a CPU throws, and a GPU kernel reads 0
  int channel_dim = -1;     ///< vectors: there is one element for each coordinate along this
                            ///< dimension of the other tensors; -1: no such dimension
  bool is_promoted = false;   ///< whether the type is Promoted<T> of the type parameter T
  bool names_rows = false;    ///< vectors: each element is the index of a row of matrices, of which
                              ///< the rule uses these rows. If it is out of range, or if rows are
                              ///< written and two elements are one row, a launch on a CPU throws; a
                              ///< GPU kernel reads 0 and writes nothing for an index out of range
  bool adds_to_rows = false;  ///< vectors: each element is the index of a row to which AddTakeGrad
                              ///< adds. Any number will do

  // Each function below returns a copy with one more property. Generated tables use them:
  //
  //     ParamInfo::Tensor("mean").Of<float>().State().Value(0.0).Written()

  static constexpr ParamInfo Tensor(const char *name, int rank = kRankParam) {
    return {name, Role::kNone, true, rank, -1, -1, false, false, 0};
  }
  static constexpr ParamInfo Scalar(const char *name) {
    return {name, Role::kNone, false, 0, -1, -1, false, false, 0};
  }
  /// Sets the type of a scalar, or the element type of a tensor, to T.
  template <typename T>
  constexpr ParamInfo Of() const {
    ParamInfo info = *this;
    info.type = DataType<T>::kFlag;
    return info;
  }
  /// Sets the type to the rule's type parameter \p index.
  constexpr ParamInfo OfParam(int index) const {
    ParamInfo info = *this;
    info.type_param = index;
    return info;
  }
  /// Sets the type to Promoted<T>, where T is the rule's type parameter \p index.
  constexpr ParamInfo OfPromoted(int index) const {
    ParamInfo info = OfParam(index);
    info.is_promoted = true;
    return info;
  }
  constexpr ParamInfo Parameter() const { return As(Role::kParameter); }
  constexpr ParamInfo Gradient() const { return As(Role::kGradient); }
  constexpr ParamInfo State() const { return As(Role::kState); }
  constexpr ParamInfo Hyper() const { return As(Role::kHyper); }
  constexpr ParamInfo Step() const { return As(Role::kStep); }
  template <typename T>
  constexpr ParamInfo Value(T initial) const {
    ParamInfo info = *this;
    info.has_value = true;
    info.value = static_cast<double>(initial);
    return info;
  }
  constexpr ParamInfo Written() const { return With(&ParamInfo::is_written); }
  constexpr ParamInfo PerRow() const { return With(&ParamInfo::is_per_row); }
  constexpr ParamInfo Single() const { return With(&ParamInfo::is_single); }
  constexpr ParamInfo Index() const { return With(&ParamInfo::is_index); }
  constexpr ParamInfo NamesRows() const { return With(&ParamInfo::names_rows); }
  constexpr ParamInfo AddsToRows() const { return With(&ParamInfo::adds_to_rows); }
  constexpr ParamInfo PerChannel(int dim) const {
    ParamInfo info = *this;
    info.channel_dim = dim;
    return info;
  }

  /// The rank of a tensor, in a call where the rule's own rank is \p dim.
  constexpr int RankIn(int dim) const { return rank == kRankParam ? dim : rank; }

  /// DataType<T>::kFlag of the element or the scalar in an instance. \p flags are the flags of the
  /// instance's type parameters.
  constexpr int TypeIn(const int *flags) const {
    if (type_param < 0) return type;
    return is_promoted ? detail::PromotedFlag(flags[type_param]) : flags[type_param];
  }

 private:
  constexpr ParamInfo As(Role what) const {
    ParamInfo info = *this;
    info.role = what;
    return info;
  }
  constexpr ParamInfo With(bool ParamInfo::*fact) const {
    ParamInfo info = *this;
    info.*fact = true;
    return info;
  }
};

/// One rule.
struct RuleInfo {
  const char *name;
  const char *name_space;  ///< "optim", "a::b"
  const char *spec;        ///< path of the spec, relative to --path-base
  const ParamInfo *params;
  int num_params;
  int statements;
  int unfused_passes;  ///< passes over memory of the unfused rule; a call counts as one
  int bytes;           ///< bytes that the fused rule moves for each element, for the first instance
  int unfused_bytes;   ///< bytes that the unfused rule moves for each element, likewise
  int passes = 1;      ///< passes over memory of the fused rule; a call counts as one
  int products = 0;    ///< matrix products
  int scatters = 0;    ///< scatter-adds
  int sorts = 0;       ///< sorts of rows

  /// A rule without properties. Each function below returns a copy with one more.
  template <size_t count>
  static constexpr RuleInfo Of(const char *name, const char *name_space, const char *spec,
                               const ParamInfo (&params)[count]) {
    return {name, name_space, spec, params, static_cast<int>(count), 0, 0, 0, 0};
  }
  constexpr RuleInfo Statements(int count) const { return With(&RuleInfo::statements, count); }
  constexpr RuleInfo Passes(int count) const { return With(&RuleInfo::passes, count); }
  constexpr RuleInfo Products(int count) const { return With(&RuleInfo::products, count); }
  constexpr RuleInfo Scatters(int count) const { return With(&RuleInfo::scatters, count); }
  constexpr RuleInfo Sorts(int count) const { return With(&RuleInfo::sorts, count); }
  constexpr RuleInfo Bytes(int count) const { return With(&RuleInfo::bytes, count); }
  constexpr RuleInfo UnfusedPasses(int count) const {
    return With(&RuleInfo::unfused_passes, count);
  }
  constexpr RuleInfo UnfusedBytes(int count) const { return With(&RuleInfo::unfused_bytes, count); }

  /// Matrix products, scatter-adds and sorts, which are no kernels of the rule. If there are any,
  /// the tensors' shapes may differ.
  constexpr int calls() const { return products + scatters + sorts; }

  const ParamInfo *begin() const { return params; }
  const ParamInfo *end() const { return params + num_params; }

 private:
  constexpr RuleInfo With(int RuleInfo::*fact, int count) const {
    RuleInfo info = *this;
    info.*fact = count;
    return info;
  }
};

}  // namespace mshadow

#endif  // MSHADOW_RULE_INFO_H_
