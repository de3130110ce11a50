// SPDX-License-Identifier: Apache-2.0
#include "../launch_product.h"

#include <string>

#include "mshadow/cuda/launch.h"
#include "mshadow/detail/blas_engine.h"

namespace mshadow {

template <typename DType>
void CheckProduct(gpu, const char *rule, const LaunchProduct<DType> &product, void *stream) {
  if (!expr::detail::kHasProduct<gpu, DType>) {
    throw Error(std::string(rule) + ": argument '" + product.dst.name +
                "': expected an element type that cuBLAS multiplies (float, double, half_t or "
                "bf16_t), got another one");
  }
  product::Check(rule, product);
  Stream<gpu>::GetBlasHandle(static_cast<Stream<gpu> *>(stream));
}

template <typename DType>
void RunProduct(gpu, [[maybe_unused]] const LaunchProduct<DType> &product,
                [[maybe_unused]] void *stream) {
  if (cuda::IsListing()) return;  // a list that only checks the call, and later makes it
  if constexpr (expr::detail::kHasProduct<gpu, DType>) {
    auto *const queue = static_cast<Stream<gpu> *>(stream);
    product::Run(product,
                 [queue](bool ta, bool tb, DType alpha, const auto &a, const auto &b, DType beta,
                         const auto &dst) { cuda::Gemm(queue, ta, tb, alpha, a, b, beta, dst); });
  }
}

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
