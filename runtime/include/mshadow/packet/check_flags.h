// SPDX-License-Identifier: Apache-2.0
/// \file check_flags.h
/// Refuses compiler flags under which no source text can promise its bits. No include guard needed.
#if defined(__FAST_MATH__)
#error "mshadow's kernels give the same bits everywhere, which -ffast-math breaks: build without it"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error \
    "mshadow's kernels compute with NaN and Inf, which -ffinite-math-only breaks: build without it"
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "mshadow's kernels give the same bits everywhere: build without -funsafe-math-optimizations"
#elif defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "mshadow's kernels need float arithmetic in float: use SSE (-mfpmath=sse)"
#endif
