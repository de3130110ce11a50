// SPDX-License-Identifier: Apache-2.0
#include "passes/view_table.h"

#include <algorithm>

#include "ir/builder.h"

namespace mgen {

Affine AxisOf(size_t dim) { return Affine::Of(MakeAxis(static_cast<int>(dim))); }

Sums AxesOf(size_t rank) {
  Sums axes;
  for (size_t d = 0; d < rank; ++d) axes.push_back(AxisOf(d));
  return axes;
}

void ReadAt(const Sums &axes, std::vector<IndexedRead::Source> *sources) {
  for (IndexedRead::Source &source : *sources) {
    for (Affine &index : source.indices) index = index.At(axes);
    for (IndexedRead::Bound &bound : source.bounds) bound.index = bound.index.At(axes);
  }
}

Mapping InPlace(const Extents &source) { return {AxesOf(source.rank()), source}; }

void RequireFixedRank(const Extents &source, size_t least) {
  if (source.is_for_any_rank || source.rank() < least) throw Unknown();
}

void RequireLast(const Extents &source, size_t count) {
  if (source.named() < count) throw Unknown();
}

const ViewRow &FindViewRow(const std::string &name) {
  for (const ViewRows *rows : {&ViewMoves(), &ViewRepeats(), &ViewCounts(), &ViewWindows()}) {
    const auto row = std::find_if(rows->begin(), rows->end(),
                                  [&name](const ViewRow &r) { return name == r.name; });
    if (row != rows->end()) return *row;
  }
  throw Unknown();
}

}  // namespace mgen
