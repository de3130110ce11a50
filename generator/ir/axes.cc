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

std::string_view IrName(const Axes &axes) { return NameOf(axes).text; }

}  // namespace mgen
