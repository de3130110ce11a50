// SPDX-License-Identifier: Apache-2.0
/// \file draws.h
/// Random elements, each a function of a key and of the element's index alone. So they are the same
/// for any number of threads, any instruction set and any device.
#ifndef MSHADOW_DRAWS_H_
#define MSHADOW_DRAWS_H_

#include "mshadow/bfloat.h"
#include "mshadow/detail/philox.h"
#include "mshadow/expr/op.h"
#include "mshadow/half.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// What is drawn: see extension/random.h.
enum class DrawKind : uint8_t { kBits, kUniform, kNormal, kBernoulli };

/// What random elements depend on, besides their indices.
struct DrawKey {
  uint64_t seed;
  uint64_t sequence;
  uint64_t below;  ///< kBernoulli: words below this number give 1
};

namespace detail {

/// How many words of the generator an element takes.
template <DrawKind kDraw, typename DType>
inline constexpr int kWordsOfDraw = (kDraw == DrawKind::kUniform || kDraw == DrawKind::kNormal) &&
                                            sizeof(DType) == 8
                                        ? 2
                                        : 1;

/// Uniform elements are multiples of 2^-digits: all numbers of [0, 1) that have so many digits.
template <typename DType>
inline constexpr int kDigitsOfDraw = 24;
template <>
inline constexpr int kDigitsOfDraw<double> = 53;
template <>
inline constexpr int kDigitsOfDraw<half::half_t> = 11;
template <>
inline constexpr int kDigitsOfDraw<bfloat::bf16_t> = 8;

/// 2^-n, for n below 64.
template <typename Real, int n>
inline constexpr Real kNegativePowerOfTwo = static_cast<Real>(1.0 / static_cast<double>(uint64_t{1}
                                                                                        << n));

/// The word below which a draw is 1 with the given probability, rounded to a multiple of 2^-32.
/// Below 0, and NaN, is taken for 0, above 1 for 1.
MSHADOW_CINLINE uint64_t WordsBelow(double probability) {
  if (!(probability > 0)) return 0;
  if (probability >= 1) return uint64_t{1} << 32;
  return static_cast<uint64_t>(probability * 4294967296.0 + 0.5);
}

/// The block that has the words of element \p i.
template <DrawKind kDraw, typename DType>
MSHADOW_XINLINE PhiloxBlock BlockOfDraw(const DrawKey &key, uint64_t i) {
  return Philox4x32(i * kWordsOfDraw<kDraw, DType> / Philox::kWords, key.sequence, key.seed);
}

/// Element \p i, from the block that has its words. Normal elements are in normal_draw.h.
template <DrawKind kDraw, typename DType>
MSHADOW_XINLINE DType ElementOfBlock(const DrawKey &key, const PhiloxBlock &block, uint64_t i) {
  static_assert(kDraw != DrawKind::kNormal);
  const uint32_t word = block.Word(static_cast<unsigned>(i) % 4u);
  if constexpr (kDraw == DrawKind::kBits) {
    return static_cast<DType>(word);
  } else if constexpr (kDraw == DrawKind::kBernoulli) {
    return DType(word < key.below ? 1.0f : 0.0f);
  } else if constexpr (sizeof(DType) == 8) {
    const uint64_t digits = block.Pair(static_cast<unsigned>(i) % 2u) >> 11;
    return op::mul::Map(static_cast<DType>(digits), kNegativePowerOfTwo<DType, 53>);
  } else {
    constexpr int kDigits = kDigitsOfDraw<DType>;
    const auto digits = static_cast<float>(word >> (32 - kDigits));
    return DType(op::mul::Map(digits, kNegativePowerOfTwo<float, kDigits>));
  }
}

/// Sets out[0] to out[n - 1] to elements \p first and those after it. On the CPU; defined for the
/// types that extension/random.h names.
template <DrawKind kDraw, typename DType>
void FillDraws(const DrawKey &key, uint64_t first, int64_t n, DType *out);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_DRAWS_H_
