// SPDX-License-Identifier: Apache-2.0
/// \file strict_push.h
/// From here to the matching strict_pop.h multiplies and adds are not contracted, whatever the
/// user's flags are (-march=native on GCC, the default of Clang on machines with FMA). No include
/// guard: every header of the runtime that holds arithmetic includes the pair around its contents.
///
/// GCC's loops stay loops, too: of one that copies or fills a run of at most a few hundred elements
/// it makes a string instruction, `rep movs`, which begins slower than such a loop ends. The option
/// is here since GCC inlines no function into one that has other options.
#if defined(MSHADOW_TEST_WITHOUT_GUARD)  // tests must be able to fail
#elif defined(__clang__)
#pragma float_control(push)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#if defined(__CUDACC__)  // nvcc hands the pragma on to GCC; it only complains of not knowing it
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off,no-fast-math,no-tree-loop-distribute-patterns")
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif
#endif
