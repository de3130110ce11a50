// SPDX-License-Identifier: Apache-2.0
#include "ir/kept.h"

namespace mgen {

Kept Kept::By(const Node &node) {
  if (ClassOf(node.op) != OpClass::Reduce) return Kept();
  const bool is_of_rows = node.order == Order::kLanes && node.dim != -1;
  return is_of_rows ? Rows() : Kept(node.dim);
}

IndexMap Kept::map() const {
  if (is_every()) return IndexMap::kIdentity;
  if (is_none()) return IndexMap::kOne;
  if (is_rows()) return IndexMap::kColumn;
  if (only() >= 0) return IndexMap::kChannel;
  return without() >= 0 ? IndexMap::kRest : IndexMap::kRow;
}

}  // namespace mgen
