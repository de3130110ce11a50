// SPDX-License-Identifier: Apache-2.0
#include "passes/view_table.h"

namespace mgen {
namespace {

/// pool<Reducer>(source[, pooled], height, width, stride), or with strides, or with strides and
/// dilations, of rows and of columns: the windows that lie within an image, or as many as `pooled`
/// says, which an image cuts off
Mapping Pool(const Extents &source, const Arguments &args) {
  RequireLast(source, 2);
  Mapping to = InPlace(source);
  to.reducer = args.Reducer();
  const bool has_shape = args.HasShape(1);
  const size_t first = has_shape ? 2 : 1;
  for (size_t i = 0; i < 2; ++i) {
    const size_t d = source.rank() - 2 + i;
    const Affine size = args.Number(first + i);
    const Affine stride = args.Number(first + (args.Has(first + 3) ? 2 + i : 2));
    const Affine dilation = args.Has(first + 5) ? args.Number(first + 4 + i) : 1;
    const Affine reach = MultipleByLaunch(size - 1, dilation);
    (i == 0 ? to.height : to.width) = size;
    to.indices[d] = MultipleByLaunch(AxisOf(d), stride) +
                    MultipleByLaunch(AxisOf(source.rank() + i), dilation);
    to.shape.of[d] =
        has_shape ? args.Shape(1).of.at(i) : QuotientOf(source.of[d] - reach - 1, stride) + 1;
    if (has_shape) to.left_out.push_back(d);
  }
  return to;
}

/// chpool<Reducer>(source, channels[, stride, pad])
Mapping ChannelPool(const Extents &source, const Arguments &args) {
  RequireLast(source, 3);
  Mapping to = InPlace(source);
  to.reducer = args.Reducer();
  to.height = args.Number(1);
  const size_t d = source.rank() - 3;
  const Affine stride = args.Has(2) ? args.Number(2) : 1;
  const Affine pad = args.Has(3) ? args.Number(3) : QuotientOf(to.height, 2);
  to.indices[d] = MultipleByLaunch(AxisOf(d), stride) + AxisOf(source.rank()) - pad;
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
