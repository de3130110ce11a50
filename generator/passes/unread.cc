// SPDX-License-Identifier: Apache-2.0
#include "passes/unread.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "ir/walk.h"

namespace mgen {
namespace {

/// The temporaries without memory that are read only by statements which assign them.
std::set<int> UnreadOf(const Rule &kernel) {
  std::set<int> unread, read;
  ForEachStatement(kernel, [&](const Statement &statement) {
    if (statement.kind != Statement::kAssign) return;
    if (kernel.params[statement.target].is_temporary) unread.insert(statement.target);
    const auto is_read = [&](int tensor) {
      if (tensor != statement.target) read.insert(tensor);
    };
    ForEachNode(statement.value, [&](const Expr &node) {
      if (node->op != Op::kRead) return;
      is_read(node->index);
      if (node->axes.is_picked()) is_read(node->by);
      const std::optional<View> &view = kernel.params[node->index].view;
      for (const int source : view ? view->Sources() : std::vector<int>()) is_read(source);
    });
  });
  for (const int tensor : read) unread.erase(tensor);
  return unread;
}

void Remove(const std::set<int> &targets, std::vector<Statement> *body) {
  const auto is_removed = [&](const Statement &statement) {
    return statement.kind == Statement::kAssign && targets.count(statement.target) != 0;
  };
  body->erase(std::remove_if(body->begin(), body->end(), is_removed), body->end());
  for (Statement &statement : *body) {
    Remove(targets, &statement.then_body);
    Remove(targets, &statement.else_body);
  }
}

}  // namespace

Rule WithoutUnread(Rule kernel) {
  // Other temporaries may have been read only for these.
  for (std::set<int> unread = UnreadOf(kernel); !unread.empty(); unread = UnreadOf(kernel)) {
    Remove(unread, &kernel.stages.front().body);
  }
  return kernel;
}

}  // namespace mgen
