// SPDX-License-Identifier: Apache-2.0
// Standalone sources have no cuBLAS.
#include "mshadow/launch_product.h"

namespace mshadow {

template <typename DType>
void RunProduct(gpu, const LaunchProduct<DType> &, void *) {
  throw Error("dot on a GPU: expected mshadow's runtime library, got standalone sources");
}

#define MSHADOW_PRODUCT_OF(T) template void RunProduct<T>(gpu, const LaunchProduct<T> &, void *);
MSHADOW_PRODUCT_OF(float)
MSHADOW_PRODUCT_OF(double)
MSHADOW_PRODUCT_OF(half::half_t)
MSHADOW_PRODUCT_OF(bfloat::bf16_t)
MSHADOW_PRODUCT_OF(int8_t)
MSHADOW_PRODUCT_OF(uint8_t)
MSHADOW_PRODUCT_OF(int32_t)
MSHADOW_PRODUCT_OF(int64_t)
#undef MSHADOW_PRODUCT_OF

}  // namespace mshadow
