// SPDX-License-Identifier: Apache-2.0
/// \file address_map.h
/// Where in memory the elements are that an assignment reads and writes. This decides whether the
/// assignment may be made in place.
#ifndef MSHADOW_ADDRESS_MAP_H_
#define MSHADOW_ADDRESS_MAP_H_

#include "mshadow/expr/overlap.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Element (i_0, i_1, …) of an expression is the element of a tensor that lies at `address` plus
/// the sum of i_d * step[d], in bytes, for indices within [begin, end); for others there is none.
/// A map starts at a tensor; each view of it, from the innermost on, makes it the map of the view.
struct AddressMap {
  static constexpr int kMaxDim = Box::kMaxDim;
  bool known = true;  ///< false once a view is not such a map
  int64_t address;
  int64_t size;  ///< bytes of an element
  int dim;
  int64_t extent[kMaxDim];  ///< of the expression
  int64_t begin[kMaxDim];
  int64_t end[kMaxDim];
  int64_t step[kMaxDim];

  explicit AddressMap(const Box &box);

  /// Index i of a dimension \p d that is \p new_extent long was index i + offset. Both crops and
  /// pads: what lies outside has no element.
  void Shift(int d, int64_t offset, int64_t new_extent);
  void Reverse(int d);
  /// Index i of a vector was row i and column i of a matrix.
  void TakeDiagonal();
  /// Dimension d was dimension axes[d].
  void Permute(const int *axes);
  /// Dimension \p d, of extent 1, is repeated \p times; Insert makes a new one of that extent.
  void Repeat(int d, int64_t times);
  void Insert(int d, int64_t times);
  /// The same elements in row-major order. The map stays known if dimensions are merged or split as
  /// a whole.
  void Reshape(const index_t *shape, int new_dim);
};

/// Whether an element that is read for one index may be written for another index. If both maps are
/// equal, the answer is no, since each index reads and writes the same element. The answer is exact
/// except for maps that cross.
bool MayOverwrite(const AddressMap &written, const AddressMap &read);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_ADDRESS_MAP_H_
