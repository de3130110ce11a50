// SPDX-License-Identifier: Apache-2.0
/// \file named_layout.h
/// An operand of a call between kernels, for the checks of its shape.
#ifndef MSHADOW_NAMED_LAYOUT_H_
#define MSHADOW_NAMED_LAYOUT_H_

#include "mshadow/emitted/launch.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

struct NamedLayout {
  const char *name;
  const TensorLayout *layout;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_NAMED_LAYOUT_H_
