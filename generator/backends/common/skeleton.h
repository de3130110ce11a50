// SPDX-License-Identifier: Apache-2.0
/// \file skeleton.h
/// The names of the runtime's loops, on a CPU and on a GPU, and the text of a launch: one table,
/// with a row for each nest of loops and order of sums. The back ends know nothing else of a kind
/// of kernel.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_SKELETON_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_SKELETON_H_

#include <set>
#include <string>
#include <vector>

#include "ir/plan.h"

namespace mgen {

class PlanText;

/// A row: pieces of text for kernels with these loops. "": such kernels have none.
struct Skeleton {
  // Which kernels.
  std::vector<Loop> loops;      ///< as Schedule::loops, but axes may have other dimensions
  Order order = Order::kLanes;  ///< of the reductions, if the kernel has any

  // The function of the body.
  std::string (*body)(const PlanText &);  ///< prints it
  std::string function;  ///< what follows the rule's name in its name and in its loop's: "Rows"
  std::string what;      ///< what it goes over, for comments: "rows"
  std::string unit;      ///< its loop's variable: "row"
  std::string each;      ///< what its passes go over, while that is in the cache: "row"
  bool shows_loops = false;  ///< whether it has loops around those over a row's elements
  bool by_phase = false;     ///< whether each phase has a function and a loop of its own
  bool copies_rows = false;  ///< whether the loop may copy rows, and so has Into(), for what is
                             ///< only written
  bool caches = false;       ///< whether the loop has Cached(), for what several passes read
  std::string reduction = "RowReduction";  ///< the class of a reduction
  std::string finish;                      ///< the argument of the reduction's Finish()
  std::vector<std::string> names;  ///< names that the function declares, which others must avoid

  // A launch.
  std::string shape_type;     ///< the type of the Plan's member with the bounds of the loops
  std::string shape;          ///< the name of that member; "": there are rows and cols
  std::string shape_comment;  ///< the comment after its declaration
  bool comment_holds_where_rows_collapse = false;  ///< whether the comment speaks of such launches
  std::string shape_fields;        ///< the statements that set it
  std::string kept_channels;       ///< the comment after a member with the number of channels
  std::string set_parts;           ///< the statement that sets the chunks
  std::string row_stride;          ///< the member from which LaunchShape::RowStride gets strides
  std::string cols = "plan.cols";  ///< the elements of a row
  std::string elements = "plan.rows * plan.cols";  ///< how many elements a loop's launch has
  std::string set_elements;            ///< the statement that computes a part of `elements`
  std::string reduced = "shape.cols";  ///< how many elements are reduced to one value
  std::string count;                   ///< the number of values, as a member of the launch's shape
  std::string plan_count;  ///< the same as a member of the Plan, if the shape does not say it
  std::string fills = "FillsMostLines";  ///< the function that tells whether rows fill lines of the
                                         ///< cache, for non-temporal stores
  std::string kept_comment;              ///< the comment after the member with what phases keep
  std::string parts_comment;  ///< the comment after the member with the chunks

  // A CPU.
  std::string cpu_what;                ///< what a thread's loop goes over, for comments
  std::string cpu_loop;                ///< the loop's type and arguments
  std::string cpu_range;               ///< the members of its LoopWork; "": a launch has several
  std::vector<std::string> cpu_words;  ///< the files that a region includes

  // A GPU.
  std::string gpu_what;                ///< what a thread or a thread group takes, for comments
  std::string gpu_team;                ///< the loop's type and arguments
  std::string gpu_leaf_team;           ///< the same of a kernel that may compute leaves of another
  std::vector<std::string> gpu_sizes;  ///< numbers of elements over which the kernel is a template
  std::string gpu_launch;  ///< the function that launches it; "": the launch is by Schedule
  std::string gpu_words;   ///< the file that it includes

  std::string split;  ///< what a launch is split into, for messages
};

/// The row of a kernel, by its schedule and the order of its reductions.
/// \throws std::logic_error if there is none
const Skeleton &SkeletonOf(const Plan &plan);

/// The files in mshadow/packet/ that these kernels need, in the order in which they are included.
std::vector<std::string> CpuWords(const std::vector<PlanText> &kernels);
/// The files in mshadow/cuda/ that these kernels need.
std::set<std::string> GpuWords(const std::vector<PlanText> &kernels);

/// The same for one phase of a kernel whose phases each have a function and a loop.
struct PhaseSkeleton {
  std::string cpu_range;  ///< the parameters of its loop
  std::string cpu_what;   ///< what the loop goes over, for comments
  std::string cpu_loop;   ///< its type and arguments
  std::string gpu_what;   ///< what a thread or a block takes, for comments
  std::string gpu_team;
  std::string gpu_launch;  ///< the function of PhaseLaunches
};
const PhaseSkeleton &SkeletonOf(const Phase &phase);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_SKELETON_H_
