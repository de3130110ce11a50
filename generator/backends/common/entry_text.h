// SPDX-License-Identifier: Apache-2.0
/// \file entry_text.h
/// Entries: functions whose element types are known only at run time. Here is what the entries for
/// blobs, C and Python have in common.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_ENTRY_TEXT_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_ENTRY_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "backends/common/plan_text.h"
#include "backends/emit_options.h"

namespace mgen {

/// One parameter of an entry.
struct EntryParam {
  std::string name;  ///< in the entry: the spec's, with an underscore if that name is reserved
  std::string spec;  ///< the spec's
  bool is_tensor;
  bool is_symbolic;  ///< its type is a type parameter; a scalar is then given as a double
  Type type;         ///< f64 for a symbolic scalar
  std::optional<LiteralValue> value;  ///< the default argument of a scalar
  std::string doc;
};

/// The parameters of the rule.
/// \param reserved names that the entry's text or language uses itself
std::vector<EntryParam> EntryParams(const PlanText &rule, const std::vector<std::string> &reserved);

/// The C++ type of a scalar: "float", "int32_t".
std::string ScalarTypeName(const EntryParam &param);

/// The type of the literal that is a scalar's default argument. For an int64_t it is int if the
/// value fits: then the literal is "1".
Type TypeOfDefault(const EntryParam &param);

/// An element type of tensors, as NumPy and PyTorch call it: "float32".
std::string ElementTypeName(ScalarKind kind);

/// The rule's element types, for a sentence: "float, half_t or bf16_t", and in C
/// "MSHADOW_FLOAT32, …". "" if the rule has no type parameters.
std::string TypeChoice(const PlanText &rule);
std::string TypeChoiceInC(const PlanText &rule);

/// The spec's comment with all of its \param lines: the front end moves some to Param::doc.
std::vector<std::string> RuleDoc(const Rule &rule);
/// Adds `line` to a comment, before its \param lines.
void AddToDoc(const std::string &line, std::vector<std::string> *doc);

/// The license header, if there is one, then `text` as a comment.
std::string TargetBanner(const std::string &text, const EmitOptions &options);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_ENTRY_TEXT_H_
