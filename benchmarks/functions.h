// SPDX-License-Identifier: Apache-2.0
/// \file functions.h
/// Loops over float and double functions of several libraries, for bench_functions.
#ifndef MSHADOW_BENCHMARKS_FUNCTIONS_H_
#define MSHADOW_BENCHMARKS_FUNCTIONS_H_

#include <cstdint>
#include <map>
#include <string>

namespace mshadow_bench {

/// Where the second operand of a function of two is that has element i as its first: half the array
/// farther on, in a whole packet as well.
inline int64_t PlaceOfSecond(int64_t i, int64_t n) { return (i + n / 2) % n; }

/// out[i] = f(in[i]), or f(in[i], in[PlaceOfSecond(i, n)]), for i < n, a multiple of 32.
template <typename T>
using FunctionLoop = void (*)(const T *in, T *out, int64_t n);
/// By the function's name.
template <typename T>
using FunctionTable = std::map<std::string, FunctionLoop<T>>;
struct FunctionLoops {
  FunctionTable<float> floats;
  FunctionTable<double> doubles;
};

/// \name The libraries, in the instruction set of the name; empty where this build lacks the peer
/// @{
FunctionLoops OurLoopsBaseline();
FunctionLoops OurLoopsAvx2();
FunctionLoops OurLoopsAvx512();
FunctionLoops OurFastLoopsAvx2();  ///< those that --numerics=fast approximates
FunctionLoops OurFastLoopsAvx512();
FunctionLoops OurCorrectLoopsAvx2();  ///< --numerics=correct: of floats alone
FunctionLoops OurCorrectLoopsAvx512();
FunctionLoops SleefLoopsAvx2();
FunctionLoops SleefLoopsAvx512();
FunctionLoops LibmvecLoopsAvx2();
FunctionLoops LibmvecLoopsAvx512();
FunctionLoops EigenLoopsAvx2();
FunctionLoops EigenLoopsAvx512();
/// @}

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_FUNCTIONS_H_
