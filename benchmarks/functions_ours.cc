// SPDX-License-Identifier: Apache-2.0
// Loops over our functions, in every region.
#include <mshadow/packet/scalar.h>

// The rest of the file is compiled as emitted code is.
#include <mshadow/packet/begin_strict.h>

#include "functions.h"

namespace mshadow_bench {
namespace {

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "functions_ours.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "functions_ours.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "functions_ours.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

}  // namespace

FunctionLoops OurLoopsBaseline() { return baseline::Loops(); }
FunctionLoops OurLoopsAvx2() { return avx2::Loops(); }
FunctionLoops OurLoopsAvx512() { return avx512::Loops(); }
FunctionLoops OurFastLoopsAvx2() { return avx2::FastLoops(); }
FunctionLoops OurCorrectLoopsAvx2() { return avx2::CorrectLoops(); }
FunctionLoops OurCorrectLoopsAvx512() { return avx512::CorrectLoops(); }
FunctionLoops OurFastLoopsAvx512() { return avx512::FastLoops(); }

}  // namespace mshadow_bench
