// SPDX-License-Identifier: Apache-2.0
/// \file kernel_costs.h
/// What each pass and epilogue of a Plan reads, writes and computes, and why they are not one pass.
/// For messages.
#ifndef MSHADOW_GENERATOR_DRIVER_KERNEL_COSTS_H_
#define MSHADOW_GENERATOR_DRIVER_KERNEL_COSTS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/plan.h"

namespace mgen {

/// What is computed for one element, by the variant that computes most.
struct Work {
  /// Additions, subtractions, multiplications, divisions and square roots of floats. The addition
  /// of a term to a sum counts, too.
  int flops = 0;
  std::map<std::string, int> functions;  ///< calls of elementary functions, by their IR names
};

/// Why a pass is not one with those before it: it reads a value that is complete only after they
/// have gone over all elements, of a row or of everything.
struct Boundary {
  std::string value;  ///< the value's name: "top"
  int reads = 0;      ///< the number of the statement that reads it
  int gives = 0;      ///< the number of the statement that computes it
};

/// A pass over the elements, or an epilogue. A rule that reduces nothing is one pass.
struct Part {
  bool is_sweep = true;  ///< a pass; else an epilogue
  std::vector<int> statements;
  std::vector<std::string> loads, stores;  ///< operands: of a pass for each element, else once
  std::vector<std::string> reduces;        ///< the names of its reductions
  int bytes = 0;  ///< of a pass: bytes for each element of the first instance
  Work work;      ///< of a pass for each element, else once
  std::optional<Boundary> boundary;
};
std::vector<Part> PartsOf(const Plan &plan);

/// How many elements a packet of `vector_bytes` bytes has, in the first instance.
int LanesOf(const Plan &plan, int vector_bytes);

/// The workspace of a launch, in bytes, for the first instance: partial sums and values between
/// passes. 0 unless the rule reduces everything.
int WorkspaceBytes(const Plan &plan);

/// The workspace on CPUs of a rule that reduces columns, for each column; 0 for other rules.
struct ColumnWorkspace {
  int bytes_per_part = 0;  ///< for each chunk of the rows
  int bytes = 0;           ///< and once
};
ColumnWorkspace ColumnWorkspaceOf(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_KERNEL_COSTS_H_
