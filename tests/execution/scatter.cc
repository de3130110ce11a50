// SPDX-License-Identifier: Apache-2.0
#include "scatter.h"

#include <algorithm>

#include "saved.h"

namespace mshadow_test {
namespace {

using mgen::ScalarKind;

int64_t RowNamedBy(int64_t index, int64_t rows, bool clips) {
  if (clips) return std::min(std::max(index, int64_t{0}), rows - 1);
  return (index % rows + rows) % rows;
}

}  // namespace

void AddNamedRows(const Array &indices, const Array &rows, bool clips, Array *to) {
  const int64_t columns = to->columns();
  for (int64_t y = 0; y < static_cast<int64_t>(indices.elements.size()); ++y) {
    const Estimate index = Convert(ScalarKind::kInt64, indices.elements.at(static_cast<size_t>(y)));
    if (index.undecided) {  // any row may be the one
      for (Estimate &element : to->elements) element = Undecided(element.kind);
      return;
    }
    const int64_t row = RowNamedBy(index.integer, to->shape.at(0), clips);
    for (int64_t x = 0; x < columns; ++x) {
      Estimate &element = to->elements.at(static_cast<size_t>(row * columns + x));
      const Estimate &more = rows.elements.at(static_cast<size_t>(y * columns + x));
      element = Saved(mgen::Saver::kPlus, element, more);
    }
  }
}

}  // namespace mshadow_test
