// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/layout.h"

#include <string>

#include "mshadow/detail/exception.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

std::string Name(int layout) {
  const char *const name = LayoutName(layout);
  return name != nullptr ? name : "flag " + std::to_string(layout);
}

}  // namespace

void ThrowLayout(const char *what, int dim, int src, int dst) {
  if (dim == 0) {
    throw Error(std::string(what) + ": expected NCHW, NHWC, NCDHW or NDHWC, got " + Name(src));
  }
  throw Error(std::string(what) + ": expected two layouts of " + std::to_string(dim) +
              " dimensions, got " + Name(src) + " and " + Name(dst));
}

}  // namespace detail

LayoutFlag layoutFlag(const std::string &name) {
  for (const int layout : {kNCHW, kNHWC, kCHWN, kNCW, kNWC, kCWN, kNCDHW, kNDHWC, kCDHWN}) {
    if (name == detail::LayoutName(layout)) return static_cast<LayoutFlag>(layout);
  }
  throw Error("layout: expected a name such as NCHW, got \"" + name + "\"");
}

std::string toString(LayoutFlag layout) { return detail::Name(layout); }

MSHADOW_VERSION_END
}  // namespace mshadow
