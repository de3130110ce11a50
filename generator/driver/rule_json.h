// SPDX-License-Identifier: Apache-2.0
/// \file rule_json.h
/// JSON texts of rules and Plans; keys in a fixed order.
#ifndef MSHADOW_GENERATOR_DRIVER_RULE_JSON_H_
#define MSHADOW_GENERATOR_DRIVER_RULE_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "ir/plan.h"

namespace mgen {

using Json = nlohmann::ordered_json;

/// A rule as a caller sees it:
///
///     {"name", "namespace", "spec", "doc", "type_params": ["DType"], "instances": [["f32"], …],
///      "params": [{"name", "kind": "tensor" | "scalar", "role", "rank": n | "any", "type", "read",
///                  "written", "initial" | "default", "doc"}, …]}
///
/// "rank", "read" and "written" are there for tensors, "initial" for states, "default" for scalars
/// that have one. "type" is an element type or one of "type_params".
Json RuleJson(const Plan &plan);

/// A rule and what the generator made of it, as docs/manual/mshadow-gen.md describes.
Json KernelJson(const Plan &plan);

/// A value as people read it: a string without its quotes.
std::string TextOf(const Json &value);

/// Indented, with a newline; bytes that are not UTF-8 are replaced.
std::string ToText(const Json &json);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_RULE_JSON_H_
