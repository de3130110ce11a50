// SPDX-License-Identifier: Apache-2.0
/// \file strict_pop.h
/// Ends what strict_push.h began. No include guard.
#if defined(MSHADOW_TEST_WITHOUT_GUARD)  // tests must be able to fail
#elif defined(__clang__)
#pragma float_control(pop)
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
