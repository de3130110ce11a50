// SPDX-License-Identifier: Apache-2.0
/// \file functions.h
/// Loops over float functions of several libraries, for bench_functions.
#ifndef MSHADOW_BENCHMARKS_FUNCTIONS_H_
#define MSHADOW_BENCHMARKS_FUNCTIONS_H_

#include <cstdint>
#include <map>
#include <string>

namespace mshadow_bench {

/// out[i] = f(in[i]) for i < n, a multiple of 16.
using FunctionLoop = void (*)(const float *in, float *out, int64_t n);
/// By the function's name.
using FunctionLoops = std::map<std::string, FunctionLoop>;

/// \name The libraries, in the instruction set of the name; empty where this build lacks the peer
/// @{
FunctionLoops OurLoopsBaseline();
FunctionLoops OurLoopsAvx2();
FunctionLoops OurLoopsAvx512();
FunctionLoops SleefLoopsAvx2();
FunctionLoops SleefLoopsAvx512();
FunctionLoops LibmvecLoopsAvx2();
FunctionLoops LibmvecLoopsAvx512();
FunctionLoops EigenLoopsAvx2();
FunctionLoops EigenLoopsAvx512();
/// @}

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_FUNCTIONS_H_
