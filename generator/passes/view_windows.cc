// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "passes/view_table.h"

namespace mgen {
namespace {

/// The reducer of a call, if kernels know it in packets.
std::string ReducerOf(const Arguments &args) {
  static const char *const kReducers[] = {"mshadow::red::sum", "mshadow::red::product",
                                          "mshadow::red::maximum", "mshadow::red::minimum"};
  const std::string reducer = args.Type();
  if (std::find(std::begin(kReducers), std::end(kReducers), reducer) == std::end(kReducers)) {
    throw Unknown();
  }
  return reducer;
}

int64_t StrideOf(const Arguments &args, size_t i) {
  const int64_t stride = args.Constant(i);
  if (stride < 1) throw Unknown();
  return stride;
}

/// pool<Reducer>(source, height, width, stride), or with strides of rows and of columns: the
/// windows that lie within an image
Mapping Pool(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 2);
  Mapping to = InPlace(source);
  to.reducer = ReducerOf(args);
  for (size_t i = 0; i < 2; ++i) {
    const size_t d = source.rank() - 2 + i;
    const Affine size = args.Number(1 + i);
    const int64_t stride = StrideOf(args, args.Has(4) ? 3 + i : 3);
    (i == 0 ? to.height : to.width) = size;
    to.indices[d] = Multiple(AxisOf(d), stride) + AxisOf(source.rank() + i);
    to.shape.of[d] = QuotientOf(source.of[d] - size, stride) + 1;
  }
  return to;
}

/// chpool<Reducer>(source, channels[, stride, pad])
Mapping ChannelPool(const Extents &source, const Arguments &args) {
  RequireFixedRank(source, 3);
  Mapping to = InPlace(source);
  to.reducer = ReducerOf(args);
  to.height = args.Number(1);
  const size_t d = source.rank() - 3;
  const int64_t stride = args.Has(2) ? StrideOf(args, 2) : 1;
  const Affine pad = args.Has(3) ? args.Number(3) : QuotientOf(to.height, 2);
  to.indices[d] = Multiple(AxisOf(d), stride) + AxisOf(source.rank()) - pad;
  to.left_out = {d};
  if (args.Has(2)) {
    to.shape.of[d] = QuotientOf(source.of[d] + pad + pad - to.height, stride) + 1;
  }
  return to;
}

}  // namespace

const ViewRows &ViewWindows() {
  static const ViewRows kRows = {{"pool", Pool}, {"chpool", ChannelPool}};
  return kRows;
}

}  // namespace mgen
