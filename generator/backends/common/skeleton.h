// SPDX-License-Identifier: Apache-2.0
/// \file skeleton.h
/// The names of the runtime's loops for a kernel, on a CPU and on a GPU, and the text of its
/// launch. They follow from the axes of the kernel's values, and from its schedule.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_SKELETON_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_SKELETON_H_

#include <string>
#include <vector>

#include "ir/plan.h"

namespace mgen {

/// Pieces of text for kernels of one kind. "": such kernels have none.
struct Skeleton {
  // The function of the body.
  std::string function;  ///< what its name has behind the rule's, as has its loop's: "Rows"
  std::string what;      ///< what it goes over, for comments: "rows"
  std::string unit;      ///< its loop's variable: "row"
  std::string each;      ///< what its passes go over, while that is in the cache: "row"
  bool caches = false;      ///< whether the loop has Cached(), for what several passes read
  std::string reduction = "RowReduction";  ///< the class of a reduction
  std::string finish;                      ///< the argument of the reduction's Finish()
  std::vector<std::string> names;  ///< names that the function declares, which others must avoid

  // A launch.
  std::string shape_type;          ///< the type of the Plan's member with the bounds of the loops
  std::string shape;               ///< the name of that member; "": there are rows and cols
  std::string shape_comment;       ///< the comment behind its declaration
  std::string shape_fields;        ///< the statements that set it
  std::string row_stride;          ///< the member from which LaunchShape::RowStride gets strides
  std::string cols = "plan.cols";  ///< the elements of a row
  std::string elements = "plan.rows * plan.cols";  ///< how many elements a loop's launch has
  std::string reduced = "shape.cols";              ///< how many elements are reduced to one value
  std::string count;  ///< the number of values, behind the launch's shape; "": not tested for 0
  std::string fills = "FillsMostLines";  ///< the function that tells whether rows fill lines of the
                                         ///< cache, for non-temporal stores
  bool keeps = false;         ///< whether phases are launched one by one, with workspaces
  std::string kept_comment;   ///< the comment behind the member with those values
  std::string parts_comment;  ///< the comment behind the member with the chunks

  // A CPU.
  std::string cpu_what;                ///< what a thread's loop goes over, for comments
  std::string cpu_loop;                ///< the loop's type and arguments
  std::string cpu_range;               ///< the members of its LoopWork
  std::vector<std::string> cpu_words;  ///< the files that a region includes

  // A GPU.
  std::string gpu_what;    ///< what a thread or a thread group takes, for comments
  std::string gpu_team;    ///< the loop's type and arguments
  std::vector<std::string> gpu_sizes;  ///< numbers of elements over which the kernel is a template
  std::string gpu_launch;  ///< the function that launches it; "": the launch is by Schedule
  std::string gpu_words;   ///< the file that it includes

  std::string split;  ///< what a launch is split into, for messages
};

/// The skeleton of a kernel, by the axes it keeps and its schedule.
const Skeleton &SkeletonOf(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_SKELETON_H_
