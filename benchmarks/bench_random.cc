// SPDX-License-Identifier: Apache-2.0
// What random numbers cost, in nanoseconds of processor time for each element, one thread: unfused
// draws of each distribution, and dropout, for each instruction set. Dropout is a mask that is in
// memory already; one that is drawn into memory, and then used; and one that the kernel draws.
#include <dropout.gen.h>
#include <mshadow/limit_isa.h>
#include <mshadow/parallel.h>
#include <mshadow/tensor.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace {

using namespace mshadow;
using namespace mshadow::expr;

double ProcessorSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least time of `run`, which computes `size` elements.
template <typename Run>
double Nanoseconds(index_t size, const Run &run) {
  const int calls = static_cast<int>(std::max<index_t>(1, (1 << 22) / size));
  double least = 1e9;
  for (int round = 0; round < 15; ++round) {
    const double begin = ProcessorSeconds();
    for (int i = 0; i < calls; ++i) run();
    least = std::min(least, ProcessorSeconds() - begin);
  }
  return 1e9 * least / static_cast<double>(calls) / static_cast<double>(size);
}

template <typename DType>
void PrintDraws(const char *type) {
  constexpr index_t kSize = 4096;
  TensorContainer<cpu, 1, DType> out(Shape1(kSize));
  std::printf("  %-7s uniform %6.2f   normal %7.2f   bernoulli %6.2f\n", type,
              Nanoseconds(kSize, [&] { out = random_uniform<DType>(out.shape_, 1, 2); }),
              Nanoseconds(kSize, [&] { out = random_normal<DType>(out.shape_, 1, 2); }),
              Nanoseconds(kSize, [&] { out = random_bernoulli<DType>(out.shape_, 0.5, 1, 2); }));
}

void PrintDropout(index_t size) {
  TensorContainer<cpu, 1, float> in(Shape1(size), 1.0f), out(in.shape_);
  TensorContainer<cpu, 1, uint8_t> mask(in.shape_);
  mask = random_bernoulli<uint8_t>(mask.shape_, 0.5, 1, 2);
  std::printf("  dropout of %8lld   mask in memory %5.2f   drawn into memory %5.2f   drawn %5.2f\n",
              static_cast<long long>(size),
              Nanoseconds(size, [&] { regularize::Dropout(out, in, mask, 0.5); }),
              Nanoseconds(size,
                          [&] {
                            mask = random_bernoulli<uint8_t>(mask.shape_, 0.5, 1, 2);
                            regularize::Dropout(out, in, mask, 0.5);
                          }),
              Nanoseconds(size, [&] { regularize::RandomDropout(out, in, 1, 2, 0.5); }));
}

}  // namespace

int main() {
  SetNumThreads(1);
  const struct {
    Isa isa;
    const char *name;
  } kIsas[] = {{Isa::kBaseline, "baseline"}, {Isa::kAvx2, "AVX2"}, {Isa::kAvx512, "AVX-512"}};
  for (const auto &[isa, name] : kIsas) {
    LimitIsa(isa);
    std::printf("%s\n", name);
    PrintDraws<float>("float");
    PrintDraws<double>("double");
    PrintDraws<bfloat::bf16_t>("bf16_t");
    for (const index_t size : {1 << 14, 1 << 22}) PrintDropout(size);
  }
  return 0;
}
