// SPDX-License-Identifier: Apache-2.0
// Standalone sources have no cuBLAS.
#include <string>

#include "mshadow/emitted/launch_product.h"

namespace mshadow {

template <typename DType>
void CheckProduct(gpu, const char *rule, const LaunchProduct<DType> &, void *) {
  throw Error(std::string(rule) +
              ": products on a GPU: expected mshadow's runtime library, got standalone sources");
}

template <typename DType>
void RunProduct(gpu, const LaunchProduct<DType> &, void *) {}

#define MSHADOW_PRODUCT_OF(T)                                                         \
  template void CheckProduct<T>(gpu, const char *, const LaunchProduct<T> &, void *); \
  template void RunProduct<T>(gpu, const LaunchProduct<T> &, void *);
MSHADOW_PRODUCT_OF(float)
MSHADOW_PRODUCT_OF(double)
MSHADOW_PRODUCT_OF(half::half_t)
MSHADOW_PRODUCT_OF(bfloat::bf16_t)
MSHADOW_PRODUCT_OF(int8_t)
MSHADOW_PRODUCT_OF(uint8_t)
MSHADOW_PRODUCT_OF(int16_t)
MSHADOW_PRODUCT_OF(int32_t)
MSHADOW_PRODUCT_OF(int64_t)
#undef MSHADOW_PRODUCT_OF

}  // namespace mshadow
