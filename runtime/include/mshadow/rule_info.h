// SPDX-License-Identifier: Apache-2.0
/// \file rule_info.h
/// What a generated rule says of itself, as constants: tools allocate states, print tables and call
/// rules by name from this alone.
#ifndef MSHADOW_RULE_INFO_H_
#define MSHADOW_RULE_INFO_H_

#include "mshadow/base.h"

namespace mshadow {

/// What a parameter is for, as the spec declares it.
enum class Role {
  kNone,
  kParameter,  ///< a tensor that is learned
  kGradient,   ///< the gradient by it
  kState,      ///< a tensor that the rule keeps between calls, with its initial value
  kHyper,      ///< a scalar that somebody tunes
  kStep,       ///< the number of the update, from 1
};

/// ParamInfo::rank of a tensor that has the rule's own rank `dim`.
constexpr int kRankParam = -1;

/// One parameter of a rule.
struct ParamInfo {
  const char *name;
  Role role;
  bool is_tensor;
  int rank;         ///< tensors: the rank, or kRankParam
  int type;         ///< DataType<T>::kFlag of the element or scalar; -1: a type parameter's
  int type_param;   ///< index of the rule's type parameter that is the type; -1: none
  bool is_written;  ///< tensors: whether any statement writes it
  bool has_value;
  double value;             ///< has_value: the initial value of a state, the default of a scalar
  bool is_per_row = false;  ///< vectors: one element for each row of the other tensors
  bool is_single = false;   ///< vectors: one element
  bool is_index = false;    ///< vectors: its elements are numbers of columns; others are refused
  int channel_dim = -1;     ///< vectors: one element for each index in that dimension; -1: no such

  // Made fact by fact, as generated tables do:
  //
  //     ParamInfo::Tensor("mean").Of<float>().State().Value(0.0).Written()

  static constexpr ParamInfo Tensor(const char *name, int rank = kRankParam) {
    return {name, Role::kNone, true, rank, -1, -1, false, false, 0};
  }
  static constexpr ParamInfo Scalar(const char *name) {
    return {name, Role::kNone, false, 0, -1, -1, false, false, 0};
  }
  /// Of element type, or type, T.
  template <typename T>
  constexpr ParamInfo Of() const {
    ParamInfo info = *this;
    info.type = DataType<T>::kFlag;
    return info;
  }
  /// Of the rule's type parameter \p index.
  constexpr ParamInfo OfParam(int index) const {
    ParamInfo info = *this;
    info.type_param = index;
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
  constexpr ParamInfo PerChannel(int dim) const {
    ParamInfo info = *this;
    info.channel_dim = dim;
    return info;
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
  int unfused_passes;  ///< passes over memory of the unfused rule
  int bytes;           ///< moved per element of the first instance, fused
  int unfused_bytes;   ///< and by the unfused rule
  int passes = 1;      ///< passes over memory; each matrix product is one, fused and unfused
  int products = 0;    ///< matrix products: tensors have shapes that fit, instead of one

  /// Made fact by fact, as generated tables do.
  template <size_t count>
  static constexpr RuleInfo Of(const char *name, const char *name_space, const char *spec,
                               const ParamInfo (&params)[count]) {
    return {name, name_space, spec, params, static_cast<int>(count), 0, 0, 0, 0};
  }
  constexpr RuleInfo Statements(int count) const { return With(&RuleInfo::statements, count); }
  constexpr RuleInfo Passes(int count) const { return With(&RuleInfo::passes, count); }
  constexpr RuleInfo Products(int count) const { return With(&RuleInfo::products, count); }
  constexpr RuleInfo Bytes(int count) const { return With(&RuleInfo::bytes, count); }
  constexpr RuleInfo UnfusedPasses(int count) const {
    return With(&RuleInfo::unfused_passes, count);
  }
  constexpr RuleInfo UnfusedBytes(int count) const { return With(&RuleInfo::unfused_bytes, count); }

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
