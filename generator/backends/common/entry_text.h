// SPDX-License-Identifier: Apache-2.0
/// \file entry_text.h
/// The parts of entries whose types are known only at run time: the same for blobs, C and Python.
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
  std::string name;  ///< in the entry: the spec's, unless the entry needs that one itself
  std::string spec;  ///< the spec's
  bool is_tensor;
  bool is_symbolic;  ///< its type is a type parameter; a scalar is then given as a double
  Type type;         ///< of a symbolic scalar f64
  std::optional<LiteralValue> value;  ///< the default argument of a scalar
  std::string doc;
};

/// The parameters of the rule. `reserved` are names that the entry's text or language uses itself.
std::vector<EntryParam> EntryParams(const PlanText &rule, const std::vector<std::string> &reserved);

/// The C++ type of a scalar: "float", "int32_t".
std::string ScalarTypeName(const EntryParam &param);

/// The type that a scalar's default argument is written in: an int64_t that an int holds is "1".
Type TypeOfDefault(const EntryParam &param);

/// The rule's element types as a sentence has them: "float, half_t or bf16_t", and in C
/// "MSHADOW_FLOAT32, …"; "" without type parameters.
std::string TypeChoice(const PlanText &rule);
std::string TypeChoiceInC(const PlanText &rule);

/// The spec's comment with its \param lines, those that the front end holds apart put back.
std::vector<std::string> RuleDoc(const Rule &rule);
/// `line` behind the comment's text, before its \param lines.
void AddToDoc(const std::string &line, std::vector<std::string> *doc);

/// The license header, if there is one, then `text` as a comment.
std::string TargetBanner(const std::string &text, const EmitOptions &options);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_ENTRY_TEXT_H_
