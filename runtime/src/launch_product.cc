// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/launch_product.h"

#include <string>

#include "launch_product.h"
#include "mshadow/emitted/float_environment.h"

namespace mshadow {
namespace {

[[noreturn]] void Fail(const char *rule, const char *name, const std::string &text) {
  throw Error(std::string(rule) + ": argument '" + name + "': " + text);
}

}  // namespace

template <typename DType>
void product::Check(const char *rule, const LaunchProduct<DType> &product) {
  LaunchCheck check(rule, cpu());
  check.Argument(product.dst.name, product.dst.arg,
                 product.saver == ProductSaver::kSave ? Access::kWrite : Access::kReadWrite,
                 OperandMap::kSource);
  check.Argument(product.a.name, product.a.arg, Access::kRead, OperandMap::kSource);
  check.Argument(product.b.name, product.b.arg, Access::kRead, OperandMap::kSource);
  check.Run();
  const product::Shapes<DType> shapes(product);
  if (!shapes.is_known()) {
    Fail(rule, product.dst.name,
         "expected a rank that the product of '" + std::string(product.a.name) + "' and '" +
             product.b.name + "', of ranks " + std::to_string(product.a.arg.dim) + " and " +
             std::to_string(product.b.arg.dim) + ", can have, got rank " +
             std::to_string(product.dst.arg.dim));
  }
  const auto require = [&](const char *name, const char *what, int64_t expected, int64_t got) {
    if (expected == got) return;
    Fail(rule, name,
         "expected " + std::to_string(expected) + " " + what + ", for the product of '" +
             product.a.name + "' and '" + product.b.name + "', got " + std::to_string(got));
  };
  require(product.b.name, product.b.transposed ? "columns" : "rows", shapes.inner(),
          shapes.inner_b());
  require(product.dst.name, "rows", shapes.rows(), shapes.dst.rows);
  require(product.dst.name, "columns", shapes.cols(), shapes.dst.cols);
  require(product.b.name, "matrices", shapes.a.count, shapes.b.count);
  require(product.dst.name, "matrices", shapes.a.count, shapes.dst.count);
}

template <typename DType>
void CheckProduct(cpu, const char *rule, const LaunchProduct<DType> &product, void *) {
  product::Check(rule, product);
}

template <typename DType>
void RunProduct(cpu, const LaunchProduct<DType> &product, void *) {
  const detail::StrictFloatEnvironment strict;  // a part of a launch, as all others are
  product::Run(product, [](bool ta, bool tb, DType alpha, const auto &a, const auto &b, DType beta,
                           const auto &dst) { blas::Gemm(ta, tb, alpha, a, b, beta, dst); });
}

#define MSHADOW_PRODUCT_OF(T)                                                         \
  template void product::Check<T>(const char *, const LaunchProduct<T> &);            \
  template void CheckProduct<T>(cpu, const char *, const LaunchProduct<T> &, void *); \
  template void RunProduct<T>(cpu, const LaunchProduct<T> &, void *);
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
