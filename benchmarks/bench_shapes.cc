// SPDX-License-Identifier: Apache-2.0
// Whether a rule's time for a byte depends on the shape of its matrices: each rule on about as many
// elements, in rows of many lengths. Printed is the time for a byte over that of the rule's best
// shape; what takes more than kCliff times as long is marked.
#include <adamw.gen.h>
#include <bias.gen.h>
#include <layer_norm.gen.h>
#include <mshadow/isa.h>
#include <mshadow/parallel.h>
#include <mshadow/tensor.h>
#include <relu.gen.h>
#include <silu.gen.h>
#include <softmax.gen.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "options.h"
#include "shapes.gen.h"

namespace mshadow_bench {
namespace {

using namespace mshadow;

constexpr double kCliff = 2;

/// A matrix, from one row to the next `stride` elements.
struct Form {
  index_t rows, cols, stride;

  std::string Name() const {
    std::string name = std::to_string(rows) + " x " + std::to_string(cols);
    return stride == cols ? name : name + ", stride " + std::to_string(stride);
  }
};

/// Rows shorter and longer than a packet, and one row of all elements; and rows that are padded.
std::vector<Form> FormsOf(int64_t size) {
  std::vector<Form> forms;
  for (const int64_t cols : {1, 3, 7, 10, 16, 17, 31, 64, 1000, 4096}) {
    forms.push_back({std::max<int64_t>(size / cols, 1), cols, cols});
  }
  forms.push_back({1, size, size});
  for (const int64_t cols : {3, 10, 64, 1000}) {
    const int64_t next = (cols / 16 + 1) * 16;  // a line of a cache has 16 floats
    forms.push_back({std::max<int64_t>(size / cols, 1), cols, next});
  }
  return forms;
}

/// What the rules read and write: matrices, and vectors with an element for each row or column.
struct Operands {
  Tensor<cpu, 2, float> out, in, third, fourth, flipped;
  Tensor<cpu, 1, float> of_row[2], of_col[2];
};

/// Memory for the operands of any of the forms.
class Memory {
 public:
  explicit Memory(const std::vector<Form> &forms) {
    index_t matrix = 0, vector = 0;
    for (const Form &form : forms) {
      matrix = std::max({matrix, form.rows * form.stride, form.cols * FlippedStride(form)});
      vector = std::max({vector, form.rows, form.cols});
    }
    for (auto &each : matrices_) each.Resize(Shape1(matrix));
    for (auto &each : vectors_) each.Resize(Shape1(vector), 0.5f);
    for (auto &each : matrices_) {
      // No zeros: an average of them would become subnormal.
      for (index_t i = 0; i < matrix; ++i) each[i] = static_cast<float>(i % 101) / 25 - 2.01f;
    }
    // AdamW's averages of squares.
    for (index_t i = 0; i < matrix; ++i) matrices_[3][i] = 1;
  }

  Operands Of(const Form &form) {
    const auto matrix = [&](int i) {
      return Tensor<cpu, 2, float>(matrices_[i].dptr_, Shape2(form.rows, form.cols), form.stride,
                                   nullptr);
    };
    Operands operands;
    operands.out = matrix(0);
    operands.in = matrix(1);
    operands.third = matrix(2);
    operands.fourth = matrix(3);
    operands.flipped = Tensor<cpu, 2, float>(matrices_[4].dptr_, Shape2(form.cols, form.rows),
                                             FlippedStride(form), nullptr);
    for (int i = 0; i < 2; ++i) {
      operands.of_row[i] = Tensor<cpu, 1, float>(vectors_[i].dptr_, Shape1(form.rows));
      operands.of_col[i] = Tensor<cpu, 1, float>(vectors_[2 + i].dptr_, Shape1(form.cols));
    }
    return operands;
  }

 private:
  /// Padded where the other matrices are.
  static index_t FlippedStride(const Form &form) {
    return form.stride == form.cols ? form.rows : (form.rows / 16 + 1) * 16;
  }

  TensorContainer<cpu, 1, float> matrices_[5], vectors_[4];
};

struct Rule {
  const char *name;
  int matrices, of_row, of_col;  ///< which it moves; one that is read and written counts twice
  void (*run)(const Operands &);

  double Bytes(const Form &form) const {
    const double rows = static_cast<double>(form.rows), cols = static_cast<double>(form.cols);
    return sizeof(float) * (matrices * rows * cols + of_row * rows + of_col * cols);
  }
};

const Rule kRules[] = {
    {"Relu", 2, 0, 0, [](const Operands &o) { activation::Relu(o.out, o.in); }},
    {"Silu", 2, 0, 0, [](const Operands &o) { activation::Silu(o.out, o.in); }},
    {"AdamW", 7, 0, 0, [](const Operands &o) { optim::AdamW(o.out, o.third, o.fourth, o.in); }},
    {"AddTransposed", 3, 0, 0,
     [](const Operands &o) { shapes::AddTransposed(o.out, o.in, o.flipped); }},
    {"BiasAdd", 2, 0, 1, [](const Operands &o) { activation::BiasAdd(o.out, o.in, o.of_col[0]); }},
    {"BiasReluGrad", 3, 0, 1,
     [](const Operands &o) { activation::BiasReluGrad(o.out, o.of_col[0], o.third, o.in); }},
    {"Softmax", 2, 0, 0, [](const Operands &o) { activation::Softmax(o.out, o.in); }},
    {"LayerNorm", 2, 2, 2,
     [](const Operands &o) {
       normalize::LayerNorm(o.out, o.of_row[0], o.of_row[1], o.in, o.of_col[0], o.of_col[1]);
     }},
};

double SecondsOf(const Rule &rule, const Operands &operands, int calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) rule.run(operands);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls;
}

/// The least time of each form, in nanoseconds for a byte. A round has all forms, so that what
/// else the machine does slows down none of them alone.
std::vector<double> Measure(const Rule &rule, const std::vector<Form> &forms, Memory *memory,
                            int64_t size, int rounds) {
  const int calls = static_cast<int>(std::clamp<int64_t>((1 << 20) / size, 1, 64));
  std::vector<double> least(forms.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < forms.size(); ++i) {
      const Operands operands = memory->Of(forms[i]);
      rule.run(operands);  // fills the caches
      const double seconds = SecondsOf(rule, operands, calls);
      least[i] = std::min(least[i], 1e9 * seconds / rule.Bytes(forms[i]));
    }
  }
  return least;
}

struct Column {
  const Rule *rule;
  std::vector<double> times;  ///< by form
  double best;
};

void Print(int64_t size, const std::vector<Form> &forms, const std::vector<Column> &columns) {
  std::printf("%d threads, %s, about %lld elements. Time for a byte / that of the best shape.\n",
              NumThreads(), IsaName(ActiveIsa()), static_cast<long long>(size));
  std::printf("%-26s", "rows x columns");
  for (const Column &column : columns) std::printf("%14s ", column.rule->name);
  std::printf("\n");
  int cliffs = 0;
  for (size_t i = 0; i < forms.size(); ++i) {
    std::printf("%-26s", forms[i].Name().c_str());
    for (const Column &column : columns) {
      const double ratio = column.times[i] / column.best;
      cliffs += ratio > kCliff;
      std::printf("%14.2f%c", ratio, ratio > kCliff ? '*' : ' ');
    }
    std::printf("\n");
  }
  std::printf("%-26s", "best, ps for a byte");
  for (const Column &column : columns) std::printf("%14.1f ", 1e3 * column.best);
  std::printf("\n* %d of %zu take more than %g times the best\n", cliffs,
              forms.size() * columns.size(), kCliff);
  std::fflush(stdout);
}

void Append(nlohmann::json *rows, int64_t size, int rounds, const std::vector<Form> &forms,
            const Column &column) {
  for (size_t i = 0; i < forms.size(); ++i) {
    rows->push_back({{"rule", column.rule->name},
                     {"size", size},
                     {"rows", forms[i].rows},
                     {"cols", forms[i].cols},
                     {"stride", forms[i].stride},
                     {"bytes", column.rule->Bytes(forms[i])},
                     {"threads", NumThreads()},
                     {"isa", IsaName(ActiveIsa())},
                     {"rounds", rounds},
                     {"ns_per_byte", column.times[i]},
                     {"ratio_best", column.times[i] / column.best}});
  }
}

int Main(int argc, char **argv) {
  const Options options = ParseOptions(argc, argv);
  SetNumThreads(options.threads);
  nlohmann::json rows = nlohmann::json::array();
  for (const int64_t size : options.sizes) {
    const std::vector<Form> forms = FormsOf(size);
    Memory memory(forms);
    std::vector<Column> columns;
    for (const Rule &rule : kRules) {
      if (std::string(rule.name).find(options.filter) == std::string::npos) continue;
      auto times = Measure(rule, forms, &memory, size, options.rounds);
      const double best = *std::min_element(times.begin(), times.end());
      columns.push_back({&rule, std::move(times), best});
      Append(&rows, size, options.rounds, forms, columns.back());
    }
    if (columns.empty()) {
      std::fprintf(stderr, "bench_shapes: no rule's name contains '%s'\n", options.filter.c_str());
      return 1;
    }
    Print(size, forms, columns);
  }
  if (options.json.empty()) return 0;
  std::ofstream file(options.json);
  file << rows.dump(1) << "\n";
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "bench_shapes: cannot write '%s'\n", options.json.c_str());
  return 1;
}

}  // namespace
}  // namespace mshadow_bench

int main(int argc, char **argv) { return mshadow_bench::Main(argc, argv); }
