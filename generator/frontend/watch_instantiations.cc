// SPDX-License-Identifier: Apache-2.0
// The only file that includes Sema, which costs seconds to compile.
#include <clang/Sema/Sema.h>
#include <clang/Sema/TemplateInstCallback.h>

#include <memory>

#include "frontend/token_watch.h"

namespace mgen {
namespace {

class LineOfInstantiation : public clang::TemplateInstantiationCallback {
 public:
  explicit LineOfInstantiation(std::atomic<int> *line) : line_(line) {}
  void initialize(const clang::Sema &) override {}
  void finalize(const clang::Sema &) override {}
  void atTemplateBegin(const clang::Sema &sema,
                       const clang::Sema::CodeSynthesisContext &instantiation) override {
    const clang::SourceManager &sources = sema.getSourceManager();
    const clang::SourceLocation place = instantiation.PointOfInstantiation;
    if (place.isInvalid() || !sources.isInMainFile(sources.getFileLoc(place))) return;
    *line_ = static_cast<int>(sources.getExpansionLineNumber(place));
  }
  void atTemplateEnd(const clang::Sema &, const clang::Sema::CodeSynthesisContext &) override {}

 private:
  std::atomic<int> *line_;
};

}  // namespace

void WatchInstantiations(clang::Sema &sema, std::atomic<int> *line) {
  if (line) sema.TemplateInstCallbacks.push_back(std::make_unique<LineOfInstantiation>(line));
}

}  // namespace mgen
