// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/workspace.h"

#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

#include "mshadow/emitted/stage_memory.h"

namespace {

// Of memory with an alignment of its own, which only the workspace has in this program.
std::atomic<int> allocations{0}, blocks{0};
std::atomic<bool> has_memory{true};

}  // namespace

void *operator new(std::size_t bytes, std::align_val_t alignment) {
  void *memory = nullptr;
  if (!has_memory || bytes > SIZE_MAX / 4 ||
      posix_memalign(&memory, static_cast<std::size_t>(alignment), bytes) != 0) {
    throw std::bad_alloc();
  }
  ++allocations;
  ++blocks;
  return memory;
}
void operator delete(void *memory, std::align_val_t) noexcept {
  if (memory == nullptr) return;
  --blocks;
  std::free(memory);
}
void operator delete(void *memory, std::size_t, std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}

namespace {

using mshadow::LaunchMemory;
using mshadow::Shaped;
using mshadow::StageMemory;
using mshadow::TensorArg;
using mshadow::detail::Workspace;

/// In a thread, which begins with no memory, and gives back what it got.
template <typename Body>
void InThread(Body body) {
  const int before = blocks;
  std::thread(body).join();
  EXPECT_EQ(blocks, before);
}

/// A launch of a rule of two stages, whose kernels take memory of their own.
void LaunchStages(int64_t size) {
  TensorArg<float> hidden = Shaped<float>("Rule", "hidden", {3, size});
  TensorArg<double> other = Shaped<double>("Rule", "other", {size});
  const StageMemory memory(mshadow::cpu(), nullptr, hidden, other);
  std::memset(hidden.dptr, 1, static_cast<size_t>(hidden.Size()) * sizeof(float));
  for (const int64_t count : {2 * size, 5 * size, size}) {
    LaunchMemory inner;
    std::memset(inner.Take<char>(count), 2, static_cast<size_t>(count));
    std::memset(inner.Take<char>(3), 2, 3);
  }
  const char *const bytes = reinterpret_cast<const char *>(hidden.dptr);
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[hidden.Size() * static_cast<int64_t>(sizeof(float)) - 1], 1);
}

TEST(Workspace, BlocksAreAlignedAndApart) {
  Workspace workspace;
  for (int round = 0; round < 3; ++round) {
    double *const a = workspace.Take<double>(3);
    char *const b = workspace.Take<char>(100000 << round);  // more than there was
    double *const c = workspace.Take<double>(5);
    for (const void *p : {static_cast<void *>(a), static_cast<void *>(b), static_cast<void *>(c)}) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 256, 0u);
    }
    for (int i = 0; i < 3; ++i) a[i] = 1.5;
    for (int i = 0; i < 100000 << round; ++i) b[i] = 'b';
    for (int i = 0; i < 5; ++i) c[i] = 2.5;
    EXPECT_EQ(a[2], 1.5);
    EXPECT_EQ(b[99999], 'b');
  }
}

TEST(Workspace, TheSecondCallAllocatesNothing) {
  InThread([] {
    LaunchStages(1000);
    const int after_first = allocations;
    LaunchStages(1000);
    LaunchStages(10);
    EXPECT_EQ(allocations, after_first);
    LaunchStages(5000);  // what others needed between is no reason to ask for more
    const int after_larger = allocations;
    LaunchStages(1000);
    LaunchStages(5000);
    EXPECT_EQ(allocations, after_larger);
  });
}

TEST(Workspace, GrowingCallsDoNotPileUpBlocks) {
  InThread([] {
    const int before = blocks;
    for (int64_t size = 1000; size < 100000; size *= 2) LaunchStages(size);
    EXPECT_LE(blocks, before + 4);
  });
}

TEST(Workspace, MemoryOfAnInnerOneIsTheNextOnes) {
  Workspace outer;
  int *const kept = outer.Take<int>(10);
  kept[9] = 7;
  char *first = nullptr;
  for (int round = 0; round < 3; ++round) {
    Workspace inner;
    char *const memory = inner.Take<char>(1000);
    std::memset(memory, 1, 1000);
    EXPECT_TRUE(round == 0 || memory == first);
    first = memory;
  }
  EXPECT_EQ(kept[9], 7);
  EXPECT_EQ(outer.Take<char>(1000), first);
}

TEST(Workspace, WhatIsTakenBesideAnInnerOneStays) {
  Workspace outer;
  char *late = nullptr;
  {
    Workspace inner;
    inner.Take<char>(100);
    late = outer.Take<char>(100);
    *late = 'a';
  }
  Workspace next;
  *next.Take<char>(100) = 'b';
  EXPECT_EQ(*late, 'a');
}

TEST(Workspace, NoElementsAreNoMistake) {
  Workspace workspace;
  EXPECT_NE(workspace.Take<char>(0), nullptr);
  char *const one = workspace.Take<char>(1);
  *one = 'a';
  *workspace.Take<char>(0) = 'b';
  EXPECT_EQ(*one, 'a');
}

TEST(Workspace, NothingIsLostWhereThereIsNoMemory) {
  InThread([] {
    LaunchStages(100);
    for (int round = 0; round < 3; ++round) {
      has_memory = false;
      EXPECT_THROW(LaunchStages(100000), std::bad_alloc);
      has_memory = true;
      LaunchStages(100);
    }
    LaunchStages(100000);
    const int after = allocations;
    LaunchStages(100000);
    EXPECT_EQ(allocations, after);
  });
}

TEST(Workspace, RefusesMoreElementsThanThereAreBytes) {
  Workspace workspace;
  EXPECT_THROW(workspace.Take<float>(-1), std::bad_alloc);
  EXPECT_THROW(workspace.Take<float>(int64_t{1} << 62), std::bad_alloc);
  EXPECT_THROW(workspace.Take<char>(INT64_MAX), std::bad_alloc);
  TensorArg<float> huge = Shaped<float>("Rule", "huge", {int64_t{1} << 31, int64_t{1} << 31});
  EXPECT_THROW((StageMemory(mshadow::cpu(), nullptr, huge)), std::bad_alloc);
  *workspace.Take<float>(1) = 1;
}

TEST(Workspace, EachThreadHasItsOwn) {
  const int before = blocks;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int round = 0; round < 100; ++round) {
        Workspace workspace;
        char *const memory = workspace.Take<char>(10000);
        std::memset(memory, i, 10000);
        LaunchStages(100);
        for (int k = 0; k < 10000; ++k) ASSERT_EQ(memory[k], i);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(blocks, before);
}

// Reductions without rules, whose results of parts lie there.
TEST(Workspace, IsOfUnfusedReductionsToo) {
  using namespace mshadow;
  InThread([] {
    TensorContainer<cpu, 2> in(Shape2(300, 400), 1.0f);
    TensorContainer<cpu, 1> sum(Shape1(1));
    sum = expr::reduce_all<red::sum>(in);
    const int after_first = allocations;
    EXPECT_GT(after_first, 0);
    sum = expr::reduce_all<red::sum>(in);
    EXPECT_EQ(allocations, after_first);
    EXPECT_EQ(sum[0], 120000.0f);
  });
}

}  // namespace
