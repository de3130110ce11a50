// SPDX-License-Identifier: Apache-2.0
#include "frontend/overloads.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "frontend/marks.h"

namespace mgen {

bool MayBeOverloaded(const clang::FunctionDecl &function) {
  const clang::FunctionTemplateDecl *pattern = function.getDescribedFunctionTemplate();
  return IsMarkedRule(&function) &&
         llvm::all_of(*pattern->getTemplateParameters(), [](const clang::NamedDecl *param) {
           return llvm::isa<clang::TemplateTypeParmDecl>(param);
         });
}

namespace {

/// The rank of a rule's first tensor; 0 if it takes none.
int FirstRank(const Rule &rule) {
  const auto first = std::find_if(rule.params.begin(), rule.params.end(),
                                  [](const Param &param) { return param.is_tensor; });
  return first == rule.params.end() ? 0 : first->rank;
}

/// The rules of one name, by the rank of their first tensor: each with its instances.
using Overloads = std::map<int, std::vector<Rule> *>;

void NameByRank(const Overloads &overloads) {
  for (const auto &[rank, instances] : overloads) {
    for (Rule &rule : *instances) {
      rule.overloads = rule.name;
      rule.name += "Rank" + std::to_string(rank);
    }
  }
}

}  // namespace

void NameOverloads(std::vector<std::vector<Rule>> *rules, Diagnostics &diagnostics) {
  std::map<std::pair<std::vector<std::string>, std::string>, Overloads> named;
  for (std::vector<Rule> &instances : *rules) {
    const Rule &rule = instances.front();
    Overloads &overloads = named[{rule.namespaces, rule.name}];
    const auto [known, is_new] = overloads.emplace(FirstRank(rule), &instances);
    if (is_new) continue;
    diagnostics.Report(DiagId::kDuplicateRule, rule.location, rule.name)
        .Note(DiagId::kPreviousHere, known->second->front().location)
        .Note(DiagId::kDuplicateRuleNote, rule.location);
  }
  for (const auto &[name, overloads] : named) {
    if (overloads.size() > 1) NameByRank(overloads);
  }
}

}  // namespace mgen
