// SPDX-License-Identifier: Apache-2.0
/// \file rule_mark.h
/// Marks in emitted text, which a hash of the text replaces when the text is complete. The hash is
/// a part of every symbol, so two rules of one name can be in one program
/// (docs/decisions/symbols.md). No spec can contain such a mark, since it is not an identifier.
#ifndef MSHADOW_GENERATOR_EMIT_RULE_MARK_H_
#define MSHADOW_GENERATOR_EMIT_RULE_MARK_H_

namespace mgen {

/// The mark for the hash of a spec's rules. It is as long as the hash, so the layout of lines does
/// not change.
constexpr char kRuleMark[] = "r@@@@@@@@";
constexpr char kGuardMark[] = "R@@@@@@@@";  ///< the same in the names of include guards
constexpr char kFused[] = "fused_r@@@@@@@@";
constexpr char kFusedNamespace[] = "inline fused_r@@@@@@@@";
/// Fused or unfused, as MSHADOW_UNFUSED says.
constexpr char kModeNamespace[] = "inline MSHADOW_RULE_NAMESPACE(r@@@@@@@@)";

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_RULE_MARK_H_
