// SPDX-License-Identifier: Apache-2.0
/// \file signature.h
/// A rule's name, template parameters, parameters and comments.
#ifndef MSHADOW_GENERATOR_FRONTEND_SIGNATURE_H_
#define MSHADOW_GENERATOR_FRONTEND_SIGNATURE_H_

#include "frontend/front_end.h"
#include "ir/rule.h"

namespace mgen {

/// Everything of a Rule but its body and spec, for one instance. Throws Rejected after reporting.
/// \param pattern the rule as written
/// \param instance a specialisation of it
Rule LowerSignature(FrontEnd &front, const clang::FunctionTemplateDecl *pattern,
                    const clang::FunctionDecl *instance);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_SIGNATURE_H_
