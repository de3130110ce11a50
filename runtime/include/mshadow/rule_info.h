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

  const ParamInfo *begin() const { return params; }
  const ParamInfo *end() const { return params + num_params; }
};

}  // namespace mshadow

#endif  // MSHADOW_RULE_INFO_H_
