// SPDX-License-Identifier: Apache-2.0
/// \file rule_mark.h
/// What stands in emitted text for a hash of it, until all of the text is there. The hash is a part
/// of every symbol, so that two rules of one name in one program are two rules
/// (docs/decisions/symbols.md). No spec can write such a mark: it is no identifier.
#ifndef MSHADOW_GENERATOR_EMIT_RULE_MARK_H_
#define MSHADOW_GENERATOR_EMIT_RULE_MARK_H_

namespace mgen {

/// Of a spec's rules; as long as the hash, so that lines stay as they are laid out.
constexpr char kRuleMark[] = "r@@@@@@@@";
constexpr char kGuardMark[] = "R@@@@@@@@";  ///< the same in the names of include guards
constexpr char kFused[] = "fused_r@@@@@@@@";
constexpr char kFusedNamespace[] = "inline fused_r@@@@@@@@";
/// Fused or unfused, as MSHADOW_UNFUSED says.
constexpr char kModeNamespace[] = "inline MSHADOW_RULE_NAMESPACE(r@@@@@@@@)";

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_RULE_MARK_H_
