// SPDX-License-Identifier: Apache-2.0
/// \file kernel_costs.h
/// What a Plan reads, writes and computes, part by part, and why the parts are not one: for people.
#ifndef MSHADOW_GENERATOR_DRIVER_KERNEL_COSTS_H_
#define MSHADOW_GENERATOR_DRIVER_KERNEL_COSTS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/plan.h"

namespace mgen {

/// What is computed for one element; of variants the one that computes most.
struct Work {
  /// Additions, subtractions, multiplications, divisions and square roots of floats, with those
  /// that take a term into a sum.
  int flops = 0;
  std::map<std::string, int> functions;  ///< calls of elementary functions, by their IR names
};

/// Why a sweep is not one with those before it: it reads a value that is whole only when they have
/// gone over all elements, of a row or of everything.
struct Boundary {
  std::string value;  ///< "top"
  int reads = 0;      ///< the statement that reads it
  int gives = 0;      ///< the one that gives it
};

/// A sweep over the elements, or what is done once, between two sweeps. A rule that reduces nothing
/// is one sweep.
struct Part {
  bool is_sweep = true;
  std::vector<int> statements;
  std::vector<std::string> loads, stores;  ///< operands, per element; or once
  std::vector<std::string> reduces;        ///< what it reduces
  int bytes = 0;                           ///< of a sweep, per element of the first instance
  Work work;                               ///< per element; or once
  std::optional<Boundary> boundary;
};
std::vector<Part> PartsOf(const Plan &plan);

/// Elements of a packet of `vector_bytes` bytes, for the first instance.
int LanesOf(const Plan &plan, int vector_bytes);

/// Bytes that one launch keeps between its passes, for the first instance: partial results of
/// reductions, and values. 0 unless the rule reduces everything.
int WorkspaceBytes(const Plan &plan);

/// The same of a rule that reduces columns, on CPUs and for each column: 0 of other rules.
struct ColumnWorkspace {
  int bytes_per_part = 0;  ///< for each part of the rows
  int bytes = 0;           ///< besides
};
ColumnWorkspace ColumnWorkspaceOf(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_KERNEL_COSTS_H_
