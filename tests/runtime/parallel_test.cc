// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mshadow/expr/op_extra.h>
#include <mshadow/isa.h>
#include <mshadow/parallel.h>
#include <mshadow/tensor.h>
#include <mshadow/thread_pool.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

extern "C" __attribute__((weak)) void omp_set_dynamic(int);  // there where the runtime has OpenMP

namespace {
using namespace mshadow;

struct Coverage {
  std::vector<int> hits;
  std::atomic<int> ranges{0};
  std::atomic<bool> at_grains{true};

  static void Body(const void *context, index_t begin, index_t end) {
    Coverage &coverage = *static_cast<Coverage *>(const_cast<void *>(context));
    for (index_t i = begin; i < end; ++i) ++coverage.hits[static_cast<size_t>(i)];
    if (begin % 64 != 0) coverage.at_grains = false;
    ++coverage.ranges;
  }
};

class ParallelForTest : public ::testing::Test {
 protected:
  ~ParallelForTest() override { SetNumThreads(0); }

  static int Ranges(index_t n, index_t bytes) {
    Coverage coverage;
    coverage.hits.assign(static_cast<size_t>(n), 0);
    ParallelFor(n, bytes, Coverage::Body, &coverage);
    for (const int hits : coverage.hits) EXPECT_EQ(hits, 1);
    EXPECT_TRUE(coverage.at_grains);
    return coverage.ranges;
  }
};

TEST_F(ParallelForTest, CoversEveryElementOnce) {
  for (const int threads : {1, 2, 3, 8, 61}) {
    SetNumThreads(threads);
    EXPECT_EQ(NumThreads(), threads);
    for (const index_t n : {1, 63, 64, 65, 1000, 12345, 100000, 1000003}) {
      const int ranges = Ranges(n, 1 << 20);
      EXPECT_LE(ranges, threads);
      EXPECT_EQ(ranges, std::min<index_t>(threads, std::max<index_t>(1, n / 64)));
    }
  }
}

/// OpenMP may start fewer threads than it is asked for.
TEST_F(ParallelForTest, CoversEveryElementOnceInASmallerTeam) {
  if (omp_set_dynamic == nullptr) GTEST_SKIP() << "the runtime is without OpenMP";
  omp_set_dynamic(1);
  SetNumThreads(61);
  EXPECT_EQ(Ranges(100000, 1 << 20), 61);
  omp_set_dynamic(0);
}

struct Count {
  std::atomic<index_t> elements{0};
  std::atomic<index_t> last{0};
  static void Body(const void *context, index_t begin, index_t end) {
    Count &count = *static_cast<Count *>(const_cast<void *>(context));
    count.elements += end - begin;
    // A range may end between the comparison and the exchange: compare_exchange_weak looks again.
    index_t last = count.last;
    while (last < end && !count.last.compare_exchange_weak(last, end)) {
    }
  }
};

TEST_F(ParallelForTest, CountsBeyond32Bits) {
  SetNumThreads(3);
  const index_t n = (index_t{1} << 33) + 5;
  Count count;
  ParallelFor(n, 1, Count::Body, &count);
  EXPECT_EQ(count.elements, n);
  EXPECT_EQ(count.last, n);
}

TEST_F(ParallelForTest, NothingIsNoCall) {
  EXPECT_EQ(Ranges(0, 8), 0);
  Coverage coverage;
  ParallelFor(-5, 8, Coverage::Body, &coverage);
  EXPECT_EQ(coverage.ranges, 0);
}

TEST_F(ParallelForTest, LittleWorkStaysInTheCaller) {
  SetNumThreads(8);
  EXPECT_EQ(Ranges(1000, 12), 1);
  EXPECT_GT(Ranges(1000000, 12), 1);
}

TEST_F(ParallelForTest, SetNumThreadsZeroMeansTheDefault) {
  SetNumThreads(3);
  SetNumThreads(0);
  EXPECT_GE(NumThreads(), 1);
}

struct Nested {
  std::atomic<int> ranges{0};
  static void Body(const void *context, index_t, index_t) {
    Coverage coverage;
    coverage.hits.assign(10000, 0);
    ParallelFor(10000, 1 << 12, Coverage::Body, &coverage);
    static_cast<Nested *>(const_cast<void *>(context))->ranges += coverage.ranges;
  }
};

/// The thread that runs each range.
struct Owners {
  std::mutex mutex;
  std::map<std::pair<index_t, index_t>, std::thread::id> of_range;

  static void Body(const void *context, index_t begin, index_t end) {
    Owners &owners = *static_cast<Owners *>(const_cast<void *>(context));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that no thread takes two
    const std::lock_guard<std::mutex> lock(owners.mutex);
    owners.of_range[{begin, end}] = std::this_thread::get_id();
  }
  static auto Of(index_t n, index_t bytes) {
    Owners owners;
    ParallelFor(n, bytes, Body, &owners);
    return owners.of_range;
  }
};

/// Memory that a thread touched first is used by this thread again, also by another rule, and after
/// loops with fewer threads.
TEST_F(ParallelForTest, TheSameRangeRunsInTheSameThread) {
  SetNumThreads(4);
  const auto first = Owners::Of(1000000, 64);
  EXPECT_EQ(first.size(), 4u);
  std::set<std::thread::id> threads;
  for (const auto &range : first) threads.insert(range.second);
  EXPECT_EQ(threads.size(), 4u);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Owners::Of(128, 1 << 20).size(), 2u);
    {
      const ThreadLimit three(3);
      EXPECT_EQ(Owners::Of(1000000, 64).size(), 3u);
    }
    EXPECT_EQ(Owners::Of(1000000, 64), first) << i;
    EXPECT_EQ(Owners::Of(1000000, 256), first) << i;
  }
}

TEST_F(ParallelForTest, ThreadLimitsAreOfOneThreadAndNest) {
  SetNumThreads(8);
  {
    const ThreadLimit three(3);
    EXPECT_EQ(Ranges(100000, 1 << 12), 3);
    {
      const ThreadLimit one(1);
      EXPECT_EQ(NumThreads(), 1);
      EXPECT_EQ(Ranges(100000, 1 << 12), 1);
    }
    {
      const ThreadLimit more(6);
      EXPECT_EQ(NumThreads(), 3);
    }
    std::thread([] { EXPECT_EQ(NumThreads(), 8); }).join();
    EXPECT_EQ(WorthwhileThreads(1 << 20, 1 << 12), 3);
  }
  EXPECT_EQ(NumThreads(), 8);
  try {
    const ThreadLimit none(0);
    ADD_FAILURE() << "a limit of no threads";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "ThreadLimit: expected a count of at least 1, got 0");
  }
}

/// Threads of an application, which run each task where Pool says.
struct Pool {
  int calls = 0;
  int tasks = 0;
  bool backwards = false;
  std::set<std::thread::id> threads;

  static void Run(void *pool, int tasks, void (*task)(const void *, int), const void *context) {
    Pool &own = *static_cast<Pool *>(pool);
    ++own.calls;
    own.tasks += tasks;
    if (own.backwards) {
      for (int i = tasks - 1; i >= 0; --i) task(context, i);
      return;
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < tasks; ++i) {
      threads.emplace_back([=] { task(context, i); });
      own.threads.insert(threads.back().get_id());
    }
    for (std::thread &thread : threads) thread.join();
  }
};

class ThreadPoolTest : public ParallelForTest {
 protected:
  ~ThreadPoolTest() override { SetThreadPool(nullptr, nullptr, 0); }
};

TEST_F(ThreadPoolTest, RunsEverythingInTheApplicationsThreads) {
  Pool pool;
  SetThreadPool(Pool::Run, &pool, 5);
  if (std::getenv("MSHADOW_NUM_THREADS") == nullptr) EXPECT_EQ(NumThreads(), 5);
  SetNumThreads(3);
  const auto owners = Owners::Of(1000000, 64);
  EXPECT_EQ(owners.size(), 3u);
  EXPECT_EQ(pool.calls, 1);
  for (const auto &range : owners) EXPECT_EQ(pool.threads.count(range.second), 1u);
  EXPECT_EQ(Ranges(1000, 12), 1);  // little work stays in the caller
  EXPECT_EQ(pool.calls, 1);
  {
    const ThreadLimit two(2);
    EXPECT_EQ(Ranges(1000000, 64), 2);
  }
  EXPECT_EQ(pool.tasks, 5);
  SetThreadPool(nullptr, nullptr, 0);
  EXPECT_EQ(Ranges(1000000, 64), 3);
  EXPECT_EQ(pool.calls, 2);
}

TEST_F(ThreadPoolTest, OneThreadMayRunAllTasksInAnyOrder) {
  Pool pool;
  pool.backwards = true;
  SetThreadPool(Pool::Run, &pool, 4);
  SetNumThreads(4);
  EXPECT_EQ(Ranges(100000, 1 << 12), 4);
  Nested nested;
  ParallelFor(1000, 1 << 20, Nested::Body, &nested);
  EXPECT_EQ(nested.ranges, 4) << "calls within calls run in their thread";
  EXPECT_EQ(pool.calls, 2);
}

TEST_F(ThreadPoolTest, NeedsThreads) {
  Pool pool;
  try {
    SetThreadPool(Pool::Run, &pool, 0);
    ADD_FAILURE() << "a pool without threads";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "SetThreadPool: expected at least 1 thread, got 0");
  }
}

struct Subnormals {
  std::atomic<bool> kept{true};
  std::atomic<bool> rounded{true};

  static void Body(const void *context, index_t, index_t) {
    Subnormals &result = *static_cast<Subnormals *>(const_cast<void *>(context));
    volatile float tiny = 0x1p-130f;
    volatile float one = 1.0f;
    volatile float third = one / 3.0f;
    if (tiny * one != 0x1p-130f) result.kept = false;
    if (third != 0x1.555556p-2f) result.rounded = false;
  }
};

TEST_F(ParallelForTest, BodiesRunUnderTheStrictEnvironment) {
  for (const int threads : {1, 4}) {
    SetNumThreads(threads);
#if defined(__x86_64__)
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040);  // flush to zero, subnormals are zero
#endif
    std::fesetround(FE_UPWARD);
    Subnormals result;
    ParallelFor(1 << 20, 64, Subnormals::Body, &result);
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    std::fesetround(FE_TONEAREST);
#if defined(__x86_64__)
    EXPECT_EQ(_mm_getcsr() & 0x8040, 0x8040u);
    _mm_setcsr(saved);
#endif
    EXPECT_TRUE(result.kept);
    EXPECT_TRUE(result.rounded);
  }
}

TEST(StrictlyTest, RoundsToNearest) {
  const auto quotient = [](float a, float b) { return Strictly([&] { return a / b; }); };
  static volatile float one = 1.0f, three = 3.0f;
  const float want = one / three;
  std::fesetround(FE_DOWNWARD);
  const float got = quotient(one, three), around = one / three;
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(got, want);
  EXPECT_LT(around, want);
}

/// Sums, functions, conversions and reductions of \p a, in rows of \p result.
void Evaluate(const Tensor<cpu, 2> &a, Tensor<cpu, 2> result) {
  using namespace mshadow::expr;  // NOLINT
  const Shape<2> shape = a.shape_;
  TensorContainer<cpu, 2> all(shape), half(shape);
  all = F<op::exp>(a * a) / a - a;
  half = tcast<float>(tcast<half::half_t>(a * a));
  result[0] = sum_rows(all + half);
  TensorContainer<cpu, 1> rows(Shape1(shape[0]));
  rows = sumall_except_dim<0>(a / all);
  all = all / broadcast<0>(rows, shape);
  result[1] = reduce_with_axis<red::sum, false>(all, 0);
  result[2] = 1.0f * all[0];  // a tensor alone would be another name of it
  result[3] = reduce_scalar<red::sum>(half / a);
}
TEST(FloatEnvironmentTest, ExpressionsRoundToNearest) {
  TensorContainer<cpu, 2> a(Shape2(40, 90)), want(Shape2(4, 90)), got(Shape2(4, 90));
  for (index_t i = 0; i < 3600; ++i) a[i / 90][i % 90] = 1 / (3.0f + static_cast<float>(i % 97));
  Evaluate(a, want);
  for (const int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
    got = 0.0f;
    std::fesetround(mode);
    Evaluate(a, got);
    std::fesetround(FE_TONEAREST);
    for (index_t i = 0; i < 360; ++i) EXPECT_EQ(got[i / 90][i % 90], want[i / 90][i % 90]) << i;
  }
}

void DivideByZero(const void *, index_t, index_t) {
  static volatile float zero = 0.0f, one = 1.0f, result;
  result = one / zero;
  static_cast<void>(result);
}

TEST_F(ParallelForTest, FlagsStayAsAfterAnyArithmetic) {
  static volatile float one = 1.0f, three = 3.0f, result;
  for (const bool inexact : {false, true}) {
    std::feclearexcept(FE_ALL_EXCEPT);
    if (inexact) result = one / three;
    ParallelFor(1, 4, DivideByZero, nullptr);
    EXPECT_EQ(std::fetestexcept(FE_INEXACT), inexact ? FE_INEXACT : 0);
    EXPECT_EQ(std::fetestexcept(FE_DIVBYZERO), FE_DIVBYZERO);
  }
  static_cast<void>(result);
  std::feclearexcept(FE_ALL_EXCEPT);
}

#if defined(__x86_64__)
TEST_F(ParallelForTest, TrapsAreOffAndComeBack) {
  const unsigned saved = _mm_getcsr();
  const unsigned trapping = saved & ~0x23fu;  // division by zero traps; no flags
  _mm_setcsr(trapping);
  ParallelFor(1, 4, DivideByZero, nullptr);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(saved);
  EXPECT_EQ(after, trapping);
}
#endif

TEST_F(ParallelForTest, ManyThreadsMayCallAtOnce) {
  SetNumThreads(2);
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([] {
      for (int k = 0; k < 20; ++k) Ranges(20000, 1 << 12);
    });
  }
  for (std::thread &caller : callers) caller.join();
}

TEST_F(ParallelForTest, CallsWithinCallsRunInTheirThread) {
  SetNumThreads(2);
  Nested nested;
  ParallelFor(1000, 1 << 20, Nested::Body, &nested);
  EXPECT_EQ(nested.ranges, 2);
}

TEST_F(ParallelForTest, AForkedChildRunsSerially) {
  SetNumThreads(4);
  Ranges(100000, 1 << 12);  // the parent has a pool now
  Pool pool;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);  // a child that waits for its parent's threads never ends
    const bool is_serial = Ranges(100000, 1 << 12) == 1;
    SetThreadPool(Pool::Run, &pool, 3);
    SetNumThreads(3);
    _exit(is_serial && Ranges(100000, 1 << 12) == 3 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
