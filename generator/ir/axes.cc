// SPDX-License-Identifier: Apache-2.0
#include "ir/axes.h"

#include <tuple>

namespace mgen {
namespace {

struct Name {
  std::string_view text;
  int place;  ///< in the order of operands
};

Name NameOf(const Axes &axes) {
  if (axes.is_every()) return {"", 0};
  if (axes.is_picked()) return {"gather", 6};
  if (axes.is_none()) return {"one", 4};
  if (axes.is_rows()) return {"column", 2};
  if (axes.only() >= 0) return {"channel", 3};
  return axes.without() >= 0 ? Name{"rest", 5} : Name{"row", 1};
}

}  // namespace

bool Axes::operator<(const Axes &other) const {
  const int place = NameOf(*this).place, other_place = NameOf(other).place;
  return std::tie(place, axes_) < std::tie(other_place, other.axes_);
}

Axes Axes::Others() const {
  if (is_every()) return None();
  if (is_none()) return Every();
  if (is_rows()) return Last();
  if (only() >= 0) return Without(only());
  return without() >= 0 ? Only(without()) : Rows();
}

std::string Axes::text() const { return is_every() ? "all" : is_none() ? "none" : DimText(axes_); }

std::string DimText(int dim) {
  if (dim >= Axes::kBefore) return "before " + DimText(dim - Axes::kBefore + Axes::kFromLast);
  if (dim >= Axes::kFromLast) return "last - " + std::to_string(dim - Axes::kFromLast);
  if (dim <= Axes::kRest) return "but " + std::to_string(Axes::kRest - dim);
  return dim == Axes::kLastDim ? "last" : dim == Axes::kRows ? "rows" : std::to_string(dim);
}

std::string_view IrName(const Axes &axes) { return NameOf(axes).text; }

}  // namespace mgen
