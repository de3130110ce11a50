// SPDX-License-Identifier: Apache-2.0
/// \file skeleton.h
/// What the runtime calls the loops of a kernel, on a CPU and on a GPU, and what a launch says of
/// them. All of it follows from the axes that the kernel's values have.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_SKELETON_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_SKELETON_H_

#include <string>
#include <vector>

#include "ir/plan.h"

namespace mgen {

struct Skeleton {
  // The function of the body.
  std::string function;  ///< its name behind the rule's, and the type of its loop: "Rows"
  std::string what;      ///< it goes over: "rows"
  std::string unit;      ///< its loop's variable: "row"
  std::string each;      ///< what is swept while it is in cache: "row"
  std::string reduction = "RowReduction";  ///< the class of a reduction
  std::string finish;                      ///< what asks for its result names
  std::vector<std::string> names;          ///< that the function has of its own

  // A launch.
  std::string shape_type;          ///< of the member that says how far the loops go, if it is one
  std::string shape;               ///< its name; else there are rows and cols
  std::string shape_comment;       ///< behind its declaration
  std::string shape_fields;        ///< the lines that make it
  std::string row_stride;          ///< the member that strides between rows are made by
  std::string cols = "plan.cols";  ///< the elements of a row
  std::string elements = "plan.rows * plan.cols";  ///< all, in a loop's launch
  std::string reduced = "shape.cols";              ///< how many are reduced to one value
  std::string count;  ///< of values, behind the launch's shape; "": not to be asked
  std::string fills = "FillsMostLines";  ///< whether what goes past the cache fills its lines
  bool keeps = false;        ///< whether phases are launched one by one, and keep values in between
  std::string kept_comment;  ///< behind the member with what phases keep
  std::string parts_comment;  ///< behind that of their parts

  // A CPU.
  std::string cpu_what;                ///< the loop of a thread goes over
  std::string cpu_loop;                ///< its type, and its arguments behind the lanes
  std::string cpu_range;               ///< the arguments of its loop in parallel
  std::vector<std::string> cpu_words;  ///< what a region includes

  // A GPU.
  std::string gpu_what;    ///< a thread, or a team, takes
  std::string gpu_team;    ///< the type of its loop, with its arguments
  std::string gpu_launch;  ///< what starts it; "": its launch is tuned
  std::string gpu_words;   ///< what the file includes

  std::string split;  ///< for people: what a launch is split into
};

const Skeleton &SkeletonOf(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_SKELETON_H_
