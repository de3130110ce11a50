// SPDX-License-Identifier: Apache-2.0
// find_worst_double [MILLIONS [FUNCTION]]: searches for the largest errors of the double functions.
// The table in docs/math.md and the worst arguments in mpfr_oracle.h are what it prints.
//
// An error depends on where in its cell of the argument reduction a number lies, so a few cells of
// the range have all of the large ones. Three rounds: a third of the samples all over the
// interesting range, a third in the cells that had the largest errors, a third in the best parts of
// these. The samples are compared with long double, 2^-11 units of a double's last place wrong, and
// the worst of each cell with MPFR.
#include <mpfr.h>
#include <mshadow/functions.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "mpfr_oracle.h"
#include "ulp.h"

namespace packet_test {
namespace {

/// Arguments between two numbers of one sign, and the largest error that was seen among them.
struct Cell {
  double low = 0, high = 0;
  double error = 0, at = 0;
};

bool IsWorse(const Cell &a, const Cell &b) { return a.error > b.error; }

uint64_t BitsOf(double x) {
  uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}
double DoubleOf(uint64_t bits) {
  double x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// Numbers between `low` and `high` in equal parts: of the bits, so that each binade has as many.
std::vector<Cell> Split(double low, double high, uint64_t parts) {
  const uint64_t begin = BitsOf(low), step = (BitsOf(high) - begin) / parts;
  std::vector<Cell> cells;
  for (uint64_t i = 0; i < parts && step > 0; ++i) {
    cells.push_back({DoubleOf(begin + i * step), DoubleOf(begin + (i + 1) * step)});
  }
  return cells;
}

void Sample(const Function &f, uint64_t samples, std::mt19937_64 *random, Cell *cell) {
  const uint64_t begin = BitsOf(cell->low), size = BitsOf(cell->high) - begin;
  for (uint64_t i = 0; i < samples; ++i) {
    const double x = DoubleOf(begin + (*random)() % size);
    const double error = UlpError(f.tried(x), f.close(x));
    if (error > cell->error) cell->error = error, cell->at = x;
  }
}

/// Samples each cell, and returns the `kept` with the largest errors.
std::vector<Cell> Round(const Function &f, std::vector<Cell> cells, size_t kept, uint64_t samples,
                        std::mt19937_64 *random) {
  for (Cell &cell : cells) Sample(f, samples / cells.size() + 1, random, &cell);
  std::sort(cells.begin(), cells.end(), IsWorse);
  cells.resize(std::min(cells.size(), kept));
  return cells;
}

std::vector<Cell> SplitAll(const std::vector<Cell> &cells, uint64_t parts) {
  std::vector<Cell> smaller;
  for (const Cell &cell : cells) {
    const std::vector<Cell> split = Split(cell.low, cell.high, parts);
    smaller.insert(smaller.end(), split.begin(), split.end());
  }
  return smaller;
}

void Search(const Function &f, uint64_t samples) {
  std::mt19937_64 random(2);
  std::vector<Cell> cells;
  for (int exponent = f.low; exponent <= f.high; ++exponent) {
    for (const double sign : {1.0, -1.0}) {
      const double low = sign * std::ldexp(1.0, exponent),
                   high = sign * std::ldexp(1.0, exponent + 1);
      if (std::isnan(f.tried(low))) continue;
      const std::vector<Cell> binade = Split(low, high, 1024);
      cells.insert(cells.end(), binade.begin(), binade.end());
    }
  }
  std::vector<Cell> all = Round(f, std::move(cells), 256, samples / 3, &random);
  const std::vector<Cell> finer = Round(f, SplitAll(all, 64), 256, samples / 3, &random);
  const std::vector<Cell> finest = Round(f, SplitAll(finer, 64), 256, samples / 3, &random);
  all.insert(all.end(), finer.begin(), finer.end());
  all.insert(all.end(), finest.begin(), finest.end());
  Worst worst;
  for (const Cell &cell : all) worst.See(ErrorOf(f, cell.at), cell.at);
  std::printf("%s: %.4f ULP at %a, of %llu samples\n", f.name, worst.error, worst.at,
              static_cast<unsigned long long>(samples));
  std::fflush(stdout);
}

struct Pair {
  Operands at;
  double error;
};
bool IsWorsePair(const Pair &a, const Pair &b) { return a.error > b.error; }

/// Adds a pair to the 256 worst; a few more are kept until they are sorted again.
void Keep(std::vector<Pair> *worst, Operands at) {
  const double error =
      UlpError(mshadow::math::pow(at.x, at.y),
               std::pow(static_cast<long double>(at.x), static_cast<long double>(at.y)));
  if (worst->size() >= 256 && error <= (*worst)[255].error) return;
  worst->push_back({at, error});
  if (worst->size() < 512) return;
  std::sort(worst->begin(), worst->end(), IsWorsePair);
  worst->resize(256);
}

/// Half of the samples anywhere, half with exponents near the worst of these.
void SearchPow(uint64_t samples) {
  std::mt19937_64 random(2);
  std::vector<Pair> worst;
  for (uint64_t i = 0; i < samples / 2; ++i) Keep(&worst, RandomOperands(&random, i));
  std::sort(worst.begin(), worst.end(), IsWorsePair);
  for (uint64_t i = 0; i < samples / 2; ++i) {
    const Operands at = worst[random() % 256].at;
    const int digits = -1 - static_cast<int>(random() % 40);
    Keep(&worst, {at.x, at.y * (1 + RandomNumber(&random, digits, digits) * 0x1p-10)});
  }
  std::sort(worst.begin(), worst.end(), IsWorsePair);
  const Operands at = worst[0].at;
  std::printf("pow: %.4f ULP at %a, %a, of %llu samples\n", PowErrorOf(at.x, at.y), at.x, at.y,
              static_cast<unsigned long long>(samples));
}

}  // namespace
}  // namespace packet_test

int main(int argc, char **argv) {
  const uint64_t millions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
  for (const packet_test::Function &f : packet_test::kFunctions) {
    if (argc > 2 && std::strcmp(argv[2], f.name) != 0) continue;
    packet_test::Search(f, millions * 1000000);
  }
  if (argc <= 2 || std::strcmp(argv[2], "pow") == 0) packet_test::SearchPow(millions * 1000000);
  return 0;
}
