// SPDX-License-Identifier: Apache-2.0
/// \file layout.h
/// The order in which the dimensions of an image batch lie in memory: batch N, channels C, depth D,
/// height H, width W.
#ifndef MSHADOW_LAYOUT_H_
#define MSHADOW_LAYOUT_H_

#include "mshadow/detail/shape.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// The numbers are mshadow's.
enum LayoutFlag {
  kNCHW = 0,
  kNHWC = 1,
  kCHWN = 2,
  kNCW = 1 << 3,
  kNWC = (1 << 3) + 1,
  kCWN = (1 << 3) + 2,
  kNCDHW = 1 << 5,
  kNDHWC = (1 << 5) + 1,
  kCDHWN = (1 << 5) + 2,
  kUNKNOWN = -1,
};

constexpr int default_layout = kNCHW;
constexpr int default_layout_5d = kNCDHW;

/// The rank of a layout.
template <int layout>
struct LayoutType {
  static constexpr int kNdim = layout >= kNCDHW ? 5 : layout >= kNCW ? 3 : 4;
};

namespace detail {
/// Throws Error that names the layouts; error.cc.
[[noreturn]] void ThrowLayout(const char *what, int dim, int src, int dst);
}  // namespace detail

#ifndef __MSHADOW_GEN__  // no rule converts shapes
namespace detail {
/// The dimensions of \p layout, outermost first: "NCHW". Null for a number that names none.
constexpr const char *LayoutName(int layout) {
  switch (layout) {
    case kNCHW:
      return "NCHW";
    case kNHWC:
      return "NHWC";
    case kCHWN:
      return "CHWN";
    case kNCW:
      return "NCW";
    case kNWC:
      return "NWC";
    case kCWN:
      return "CWN";
    case kNCDHW:
      return "NCDHW";
    case kNDHWC:
      return "NDHWC";
    case kCDHWN:
      return "CDHWN";
    default:
      return nullptr;
  }
}
/// Whether \p layout is one of \p dim dimensions.
constexpr bool HasDim(int layout, int dim) {
  const char *const name = LayoutName(layout);
  int count = 0;
  while (name != nullptr && name[count] != '\0') ++count;
  return count == dim;
}

/// For each dimension of \p dst_layout, which one of \p src_layout it is.
template <int dim>
Shape<dim> LayoutAxes(int src_layout, int dst_layout) {
  if (!HasDim(src_layout, dim) || !HasDim(dst_layout, dim)) {
    ThrowLayout("ConvertLayout", dim, src_layout, dst_layout);
  }
  const char *const from = LayoutName(src_layout);
  const char *const to = LayoutName(dst_layout);
  Shape<dim> axes;
  for (int i = 0; i < dim; ++i) {
    int at = 0;
    while (from[at] != to[i]) ++at;  // layouts of one rank name the same dimensions
    axes[i] = static_cast<index_t>(at);
  }
  return axes;
}

template <int dim>
Shape<dim> ConvertShape(const Shape<dim> &src, int src_layout, int dst_layout) {
  const Shape<dim> axes = LayoutAxes<dim>(src_layout, dst_layout);
  Shape<dim> dst;
  for (int i = 0; i < dim; ++i) dst[i] = src[axes[i]];
  return dst;
}
}  // namespace detail

/// The extents of \p src, which has layout \p src_layout, in the order of \p dst_layout.
/// \throws Error if a layout is not one of as many dimensions
inline Shape<3> ConvertLayout(const Shape<3> &src, int src_layout, int dst_layout) {
  return detail::ConvertShape(src, src_layout, dst_layout);
}
inline Shape<4> ConvertLayout(const Shape<4> &src, int src_layout, int dst_layout) {
  return detail::ConvertShape(src, src_layout, dst_layout);
}
inline Shape<5> ConvertLayout(const Shape<5> &src, int src_layout, int dst_layout) {
  return detail::ConvertShape(src, src_layout, dst_layout);
}

/// The axes argument with which transpose turns \p src_layout into \p dst_layout.
/// \throws Error if a layout does not have dim dimensions
template <int dim>
Shape<dim> getTranspAxes(int src_layout, int dst_layout) {
  return detail::LayoutAxes<dim>(src_layout, dst_layout);
}

/// The flag of the layout that \p name names, and the name of one: "NCHW" and kNCHW.
/// \throws Error if there is none
LayoutFlag layoutFlag(const std::string &name);
std::string toString(LayoutFlag layout);
#endif

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_LAYOUT_H_
