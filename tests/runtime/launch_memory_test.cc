// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/launch_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

namespace {

using mshadow::LaunchMemory;

TEST(LaunchMemory, BlocksAreAlignedAndApart) {
  LaunchMemory memory;
  for (int round = 0; round < 3; ++round) {
    double *const a = memory.Take<double>(3);
    char *const b = memory.Take<char>(100000 << round);  // more than there was
    double *const c = memory.Take<double>(5);
    for (const void *p : {static_cast<void *>(a), static_cast<void *>(b), static_cast<void *>(c)}) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u);
    }
    for (int i = 0; i < 3; ++i) a[i] = 1.5;
    for (int i = 0; i < 100000 << round; ++i) b[i] = 'b';
    for (int i = 0; i < 5; ++i) c[i] = 2.5;
    EXPECT_EQ(a[2], 1.5);
    EXPECT_EQ(b[99999], 'b');
  }
}

TEST(LaunchMemory, TheSecondLaunchFindsOneBlockForAll) {
  std::thread([] {  // with memory of its own
    {
      LaunchMemory first;
      first.Take<float>(1000);
      first.Take<float>(100000);
    }
    const float *begin = nullptr;
    for (int launch = 0; launch < 3; ++launch) {
      LaunchMemory memory;
      const float *const a = memory.Take<float>(1008), *const b = memory.Take<float>(100000);
      EXPECT_EQ(b - a, 1008);  // no gap: both are of one block
      EXPECT_TRUE(launch == 0 || a == begin);
      begin = a;
    }
  })
      .join();
}

TEST(LaunchMemory, NoElementsAreNoMistake) {
  LaunchMemory memory;
  memory.Take<char>(0);
  char *const one = memory.Take<char>(1);
  *one = 'a';
  memory.Take<char>(0);
  EXPECT_EQ(*one, 'a');
}

}  // namespace
