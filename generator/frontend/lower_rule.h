// SPDX-License-Identifier: Apache-2.0
/// \file lower_rule.h
/// The body of one instance of a rule as prologue and statements.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_RULE_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_RULE_H_

#include "frontend/front_end.h"
#include "frontend/statement_text.h"
#include "ir/rule.h"

namespace mgen {

/// Fills rule->prologue and rule->stages.
/// \param rule has its signature; see signature.h
/// \param instance a specialisation of the rule, with a body
/// \param texts the statements as people read them
void LowerBody(FrontEnd &front, const clang::FunctionDecl *instance, const StatementTexts &texts,
               Rule *rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_RULE_H_
