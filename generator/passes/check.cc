// SPDX-License-Identifier: Apache-2.0
#include "passes/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "ir/effects.h"
#include "ir/made_name.h"
#include "ir/printer.h"
#include "ir/walk.h"
#include "passes/legality.h"
#include "passes/narrow_scalars.h"
#include "passes/unset.h"

namespace mgen {
namespace {

class Checker {
 public:
  Checker(const Rule &rule, Diagnostics &diagnostics) : rule_(rule), diagnostics_(diagnostics) {}

  bool Run() {
    const int errors_before = diagnostics_.error_count();
    CheckNames();
    ForEachStatement(rule_, [this](const Statement &statement) {
      if (statement.kind == Statement::kAssign) CheckAssign(statement);
    });
    IsLegalKernel(rule_, diagnostics_);
    CheckUnset(rule_, Temporaries(), diagnostics_);
    if (!WritesArgument()) {
      diagnostics_.Report(DiagId::kNoWrite, rule_.location, rule_.name)
          .Note(DiagId::kNoWriteNote, rule_.location);
    }
    WarnOfNarrowScalars(rule_, diagnostics_);
    return diagnostics_.error_count() == errors_before;
  }

 private:
  /// Names that are keywords in another version of C++ than the spec's, and names used twice.
  void CheckNames() {
    std::set<std::string> seen;
    for (const Param &param : rule_.params) {
      if (IsCxxKeyword(param.name)) {
        diagnostics_.Report(DiagId::kKeywordName, param.location, param.name, "C++")
            .Note(DiagId::kRenameNote, param.location, param.name + "_");
      } else if (!seen.insert(param.name).second) {
        diagnostics_
            .Report(DiagId::kReservedName, param.location, param.name,
                    "another parameter already has it")
            .Note(DiagId::kRenameNote, param.location, param.name + "2");
      }
    }
  }

  void CheckAssign(const Statement &statement) {
    writes_.emplace(statement.target, &statement);
    const Param &target = rule_.params[statement.target];
    if (target.is_const) {
      const Param &declared = rule_.params[OwnerOf(rule_, statement.target)];
      diagnostics_.Report(DiagId::kConstWrite, statement.location, declared.name)
          .Note(DiagId::kConstWriteNote, declared.location, declared.name);
    }
    if (statement.value->type != target.type) {
      const std::string type = Print(target.type, rule_);
      diagnostics_
          .Report(DiagId::kMixedTypes, statement.location, type,
                  Print(statement.value->type, rule_))
          .Note(DiagId::kMixedTypesNote, statement.location, type);
    }
  }

  bool WritesArgument() const {
    return std::any_of(writes_.begin(), writes_.end(), [this](const auto &write) {
      return !rule_.params[write.first].is_temporary;
    });
  }

  std::set<int> Temporaries() const {
    std::set<int> temporaries;
    for (size_t i = 0; i < rule_.params.size(); ++i) {
      if (rule_.params[i].is_temporary) temporaries.insert(static_cast<int>(i));
    }
    return temporaries;
  }

  const Rule &rule_;
  Diagnostics &diagnostics_;
  std::map<int, const Statement *> writes_;  // the first of each tensor
};

}  // namespace

bool Check(const Rule &rule, Diagnostics &diagnostics) { return Checker(rule, diagnostics).Run(); }

}  // namespace mgen
