// SPDX-License-Identifier: Apache-2.0
#include "passes/paths.h"

#include <algorithm>

namespace mgen {
namespace {

bool AreExclusive(const Path &a, const Path &b) {
  return std::any_of(a.begin(), a.end(), [&b](const Branch &x) {
    return std::any_of(b.begin(), b.end(), [&x](const Branch &y) {
      return x.condition == y.condition && x.holds != y.holds;
    });
  });
}

/// Whether a launch that takes `other` takes `path`.
bool Follows(const Path &path, const Path &other) {
  return std::all_of(path.begin(), path.end(), [&other](const Branch &x) {
    return std::any_of(other.begin(), other.end(), [&x](const Branch &y) {
      return x.condition == y.condition && x.holds == y.holds;
    });
  });
}

}  // namespace

std::vector<Path> PathFinder::Of(const std::vector<Statement> &body) {
  std::vector<Path> paths;
  Visit(body, &paths);
  return paths;
}

void PathFinder::Visit(const std::vector<Statement> &body, std::vector<Path> *paths) {
  for (const Statement &statement : body) {
    if (statement.kind != Statement::kIf) {
      paths->push_back(path_);
      continue;
    }
    Expr condition = statement.condition;
    bool holds = true;
    for (; condition->op == Op::kNot; condition = condition->args[0]) holds = !holds;
    path_.push_back({numbers_.Of(condition), holds});
    Visit(statement.then_body, paths);
    path_.back().holds = !holds;
    Visit(statement.else_body, paths);
    path_.pop_back();
  }
}

bool AreExclusive(const std::vector<Path> &a, const std::vector<Path> &b) {
  return std::all_of(a.begin(), a.end(), [&b](const Path &path) {
    return std::all_of(b.begin(), b.end(),
                       [&path](const Path &other) { return AreExclusive(path, other); });
  });
}

bool RunsAround(const std::vector<Path> &a, const std::vector<Path> &b) {
  return std::any_of(a.begin(), a.end(), [&](const Path &path) {
    return std::all_of(b.begin(), b.end(), [&](const Path &other) { return Follows(path, other); });
  });
}

}  // namespace mgen
