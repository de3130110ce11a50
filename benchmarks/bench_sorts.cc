// SPDX-License-Identifier: Apache-2.0
// Sorts of the rows of a matrix beside what one writes by hand with the standard library, one
// thread, in turn in this process: medians of the processor's time in microseconds, and the time of
// the fastest way by hand over ours. Above 1 ours is faster.
#include <mshadow/extension/top_k.h>
#include <mshadow/tensor.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace mshadow;
using Values = Tensor<cpu, 2, float>;
using Columns = Tensor<cpu, 2, int64_t>;

/// What a sort reads and writes.
struct Task {
  Values in, values;
  Columns columns;

  index_t rows() const { return in.size(0); }
  index_t cols() const { return in.size(1); }
  index_t count() const { return values.size(1); }
};
using Sort = void (*)(const Task &);

/// \param step (row, order) orders the numbers of the columns, of which the first ones count
template <typename Step>
void ByOrder(const Task &t, const Step &step) {
  std::vector<int> order(static_cast<size_t>(t.cols()));
  for (index_t y = 0; y < t.rows(); ++y) {
    const float *const row = t.in[y].dptr_;
    std::iota(order.begin(), order.end(), 0);
    step(row, &order);
    for (index_t i = 0; i < t.count(); ++i) {
      t.values[y][i] = row[order[static_cast<size_t>(i)]];
      t.columns[y][i] = order[static_cast<size_t>(i)];
    }
  }
}

/// Greater elements first, of equal ones that in the lower column.
struct Greater {
  const float *row;
  bool operator()(int a, int b) const { return row[a] > row[b] || (row[a] == row[b] && a < b); }
};

void PartialSort(const Task &t) {
  ByOrder(t, [&t](const float *row, std::vector<int> *order) {
    std::partial_sort(order->begin(), order->begin() + t.count(), order->end(), Greater{row});
  });
}

void NthElement(const Task &t) {
  ByOrder(t, [&t](const float *row, std::vector<int> *order) {
    const auto end = order->begin() + t.count();
    std::nth_element(order->begin(), end - 1, order->end(), Greater{row});
    std::sort(order->begin(), end, Greater{row});
  });
}

/// Keeps the first ones so far in their order.
void Insertion(const Task &t) {
  for (index_t y = 0; y < t.rows(); ++y) {
    const float *const row = t.in[y].dptr_;
    float *const best = t.values[y].dptr_;
    int64_t *const at = t.columns[y].dptr_;
    index_t found = 0;
    for (index_t x = 0; x < t.cols(); ++x) {
      if (found == t.count() && !(row[x] > best[found - 1])) continue;
      found = std::min(found + 1, t.count());
      index_t i = found - 1;
      for (; i > 0 && row[x] > best[i - 1]; --i) {
        best[i] = best[i - 1];
        at[i] = at[i - 1];
      }
      best[i] = row[x];
      at[i] = x;
    }
  }
}

void SortOrder(const Task &t) {
  ByOrder(t, [](const float *row, std::vector<int> *order) {
    std::sort(order->begin(), order->end(),
              [row](int a, int b) { return row[a] < row[b] || (row[a] == row[b] && a < b); });
  });
}

void SortPairs(const Task &t) {
  std::vector<std::pair<float, int>> pairs(static_cast<size_t>(t.cols()));
  for (index_t y = 0; y < t.rows(); ++y) {
    const float *const row = t.in[y].dptr_;
    for (size_t x = 0; x < pairs.size(); ++x) pairs[x] = {row[x], static_cast<int>(x)};
    std::sort(pairs.begin(), pairs.end());
    for (size_t x = 0; x < pairs.size(); ++x) {
      t.values[y].dptr_[x] = pairs[x].first;
      t.columns[y].dptr_[x] = pairs[x].second;
    }
  }
}

void SortElements(const Task &t) {
  for (index_t y = 0; y < t.rows(); ++y) {
    const float *const row = t.in[y].dptr_;
    std::copy(row, row + t.cols(), t.values[y].dptr_);
    std::sort(t.values[y].dptr_, t.values[y].dptr_ + t.cols());
  }
}

struct Function {
  const char *name;
  bool has_values, has_columns;  ///< of its results
  bool takes_all;                ///< sorts all elements
  Sort ours;
  std::vector<Sort> by_hand;
};

const std::vector<Function> &Functions() {
  static const std::vector<Function> kFunctions = {
      {"TopK",
       true,
       true,
       false,
       [](const Task &t) { TopK(t.values, t.columns, t.in); },
       {PartialSort, NthElement, Insertion}},
      {"ArgTopK",
       false,
       true,
       false,
       [](const Task &t) { ArgTopK(t.columns, t.in); },
       {PartialSort, NthElement, Insertion}},
      {"SortRows",
       true,
       true,
       true,
       [](const Task &t) { SortRows(t.values, t.columns, t.in); },
       {SortOrder, SortPairs}},
      {"SortRows-values",
       true,
       false,
       true,
       [](const Task &t) { SortRows(t.values, t.in); },
       {SortElements}},
      {"ArgSortRows",
       false,
       true,
       true,
       [](const Task &t) { ArgSortRows(t.columns, t.in); },
       {SortOrder, SortPairs}},
  };
  return kFunctions;
}

struct Size {
  index_t rows, cols, count;
};
/// Experts of a mixture, neighbours, words of a vocabulary; many of the columns.
constexpr Size kTopSizes[] = {{4096, 8, 2},    {4096, 16, 8},   {4096, 64, 8},    {1024, 256, 8},
                              {256, 1000, 10}, {16, 50257, 50}, {1, 1 << 20, 10}, {16, 50257, 1000},
                              {64, 4096, 128}, {64, 4096, 512}, {64, 4096, 2048}};
constexpr Size kSortSizes[] = {{4096, 8, 8},         {4096, 32, 32},    {4096, 64, 64},
                               {4096, 100, 100},     {256, 1000, 1000}, {16, 50257, 50257},
                               {1, 1 << 20, 1 << 20}};

double Seconds(Sort sort, const Task &task, int calls) {
  const std::clock_t begin = std::clock();
  for (int i = 0; i < calls; ++i) sort(task);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / calls;
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The times of ours and of the fastest way by hand.
struct Times {
  double ours, by_hand;
};
Times Measure(const Function &function, const Task &task) {
  constexpr int kRounds = 15;
  const int64_t size = task.in.shape_.Size();
  const int calls = std::max(1, static_cast<int>((int64_t{1} << 19) / size));
  std::vector<Sort> sorts = {function.ours};
  sorts.insert(sorts.end(), function.by_hand.begin(), function.by_hand.end());
  std::vector<std::vector<double>> times(sorts.size());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < sorts.size(); ++i) times[i].push_back(Seconds(sorts[i], task, calls));
  }
  Times medians = {Median(times[0]), Median(times[1])};
  for (size_t i = 2; i < times.size(); ++i) {
    medians.by_hand = std::min(medians.by_hand, Median(times[i]));
  }
  return medians;
}

/// What a sort writes, of the results that the function has.
std::vector<double> ResultOf(Sort sort, const Function &function, const Task &task) {
  sort(task);
  std::vector<double> result;
  const index_t size = task.rows() * task.count();
  if (function.has_values) result.assign(task.values.dptr_, task.values.dptr_ + size);
  if (function.has_columns) {
    result.insert(result.end(), task.columns.dptr_, task.columns.dptr_ + size);
  }
  return result;
}

/// \returns false if the results differ
bool Compare(const Function &function, const Size &size) {
  std::vector<float> in(static_cast<size_t>(size.rows * size.cols));
  std::vector<float> values(static_cast<size_t>(size.rows * size.count));
  std::vector<int64_t> columns(values.size());
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (float &element : in) element = normal(random);
  const Task task = {Values(in.data(), Shape2(size.rows, size.cols)),
                     Values(values.data(), Shape2(size.rows, size.count)),
                     Columns(columns.data(), Shape2(size.rows, size.count))};
  const std::vector<double> ours = ResultOf(function.ours, function, task);
  for (const Sort by_hand : function.by_hand) {
    if (ResultOf(by_hand, function, task) == ours) continue;
    std::printf("%s: the results differ\n", function.name);
    return false;
  }
  const Times times = Measure(function, task);
  std::printf("%-16s%8d%9d%9d%12.1f%10.2f\n", function.name, static_cast<int>(size.rows),
              static_cast<int>(size.cols), static_cast<int>(size.count), times.ours * 1e6,
              times.by_hand / times.ours);
  std::fflush(stdout);
  return true;
}

}  // namespace

/// \param argv[1] a part of the names to compare; without it, all
int main(int argc, char **argv) {
  SetNumThreads(1);
  const char *const filter = argc > 1 ? argv[1] : "";
  std::printf("%-16s%8s%9s%9s%12s%10s\n", "function", "rows", "columns", "k", "us", "by hand");
  for (const Function &function : Functions()) {
    if (std::strstr(function.name, filter) == nullptr) continue;
    if (function.takes_all) {
      for (const Size &size : kSortSizes) {
        if (!Compare(function, size)) return 1;
      }
    } else {
      for (const Size &size : kTopSizes) {
        if (!Compare(function, size)) return 1;
      }
    }
  }
  return 0;
}
