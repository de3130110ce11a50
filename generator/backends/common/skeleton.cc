// SPDX-License-Identifier: Apache-2.0
#include "backends/common/skeleton.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "backends/common/kernel_body.h"

namespace mgen {
namespace {

/// Any dimension but the last.
constexpr int kDim = 0;

/// Kernels that have elements, but no values.
Skeleton Elements() {
  Skeleton s;
  s.loops = {{Axes::Every(), Loop::kThreads | Loop::kPackets}};
  s.body = RowsBodyText;
  s.function = "Rows";
  s.what = "elements";
  s.count = ".Size()";
  s.cpu_what = "elements [begin, end) of the Plan, counted row by row";
  s.cpu_loop = "ElementsOfPlans<N, Plan>(plan, begin, end)";
  s.cpu_range = "loop, plan.rows * plan.cols, kBytes";
  s.gpu_what = "a thread takes vectors, V at a time, and then single elements";
  s.gpu_team = "mshadow::cuda::ElementsOfThread<N, V>(call, plan.rows, plan.cols)";
  s.gpu_sizes = {"N", "V"};
  s.gpu_words = "kernel";
  s.split = "elements";
  return s;
}

/// Kernels that read across the rows of a tensor.
Skeleton Tiles() {
  Skeleton s = Elements();
  s.loops.front().how |= Loop::kSeveral;
  s.cpu_words = {"row_block"};
  return s;
}

/// Kernels with values, whose bodies declare these names.
Skeleton WithValues(const std::vector<std::string> &more_names) {
  Skeleton s;
  s.names = {"y", "leaf", "stop", "team", "part", "once", "P"};
  s.names.insert(s.names.end(), more_names.begin(), more_names.end());
  return s;
}

/// A value for each row.
Skeleton Rows() {
  Skeleton s = WithValues({});
  s.loops = {{Axes::Rows(), Loop::kThreads}, {Axes::Last(), Loop::kPackets}};
  s.body = RowsBodyText;
  s.function = "Rows";
  s.what = "rows";
  s.unit = "row";
  s.each = "row";
  s.caches = true;
  s.count = ".rows";
  s.cpu_what = "rows [begin, end) of the Plan";
  s.cpu_loop = "RowsInPackets<N>(begin, end, plan.cols)";
  s.cpu_range = "loop, plan.rows, plan.cols * kBytes, 1";
  s.cpu_words = {"rows", "blocks_of_row", "rows_in_packets"};
  s.gpu_what = "a thread group takes a row";
  s.gpu_team = "mshadow::packet::device::RowsOfTeam(call, plan.rows, plan.cols)";
  s.gpu_leaf_team = "mshadow::packet::device::RowsOrLeaves<kHasLeaves>(call, plan.rows, plan.cols)";
  s.gpu_launch = "LaunchRows";
  s.gpu_words = "row_team";
  s.split = "rows";
  return s;
}

/// Kernels over rows that take several short rows together.
Skeleton BlocksOfRows() {
  Skeleton s = Rows();
  s.loops.front().how |= Loop::kSeveral;
  s.copies_rows = true;
  s.cpu_loop = "RowsInBlocks<N>(begin, end, plan.cols)";
  s.cpu_words.insert(s.cpu_words.end(), {"row_block", "rows_in_blocks"});
  return s;
}

/// A value for each column.
Skeleton Columns() {
  Skeleton s = WithValues({"kept", "parts", "streams", "x", "block", "tail", "phase", "columns"});
  s.loops = {{Axes::Last(), Loop::kThreads | Loop::kPackets}, {Axes::Rows(), Loop::kChunks}};
  s.order = Order::kLeaves;
  s.body = ColumnsBodyText;
  s.shows_loops = true;
  s.function = "Columns";
  s.what = "columns";
  s.unit = "block";
  s.reduction = "ColumnReduction";
  s.finish = "i";
  s.shape_type = "ColumnShape";
  s.shape = "columns";
  s.shape_fields = "plan.columns = check.Columns(shape);";
  s.cols = "plan.columns.cols";
  s.elements = "plan.columns.elements()";
  s.reduced = "shape.rows";
  s.count = ".cols";
  s.fills = "FillsLines";
  s.parts_comment = "// chunks of the rows";
  s.cpu_what = "blocks [begin, end) of columns, in chunks of rows";
  s.cpu_loop = "ColumnsInPackets<N>(plan.parts, plan.columns, plan.launch, begin, end)";
  s.cpu_words = {"columns_in_packets"};
  s.gpu_what = "a thread group takes kRowLanes vectors of columns, in a chunk of the rows";
  s.gpu_team =
      "mshadow::packet::device::ColumnsOfTeam<N>(call, plan.parts, plan.columns, "
      "plan.launch.phase)";
  s.gpu_sizes = {"N"};
  s.gpu_launch = "LaunchColumns";
  s.gpu_words = "column_team";
  s.split = "rows, in chunks";
  return s;
}

/// A value for each column of each of several matrices.
Skeleton ColumnsOfMatrices() {
  Skeleton s = Columns();
  s.loops = {{Axes::Without(kDim), Loop::kThreads | Loop::kPackets},
             {Axes::Only(kDim), Loop::kChunks}};
  s.shape_comment = "// matrices that follow each other in memory";
  s.row_stride = "plan.columns";
  s.cpu_loop = "ColumnsInPackets<N, true>(plan.parts, plan.columns, plan.launch, begin, end)";
  s.gpu_team =
      "mshadow::packet::device::ColumnsOfMatrices<N, true>(call, plan.parts, plan.columns, "
      "plan.launch.phase)";
  return s;
}

/// A value for each index of one dimension, with planes after it: a channel.
Skeleton Channels() {
  Skeleton s = WithValues({"channel", "plane", "channels", "kept", "parts", "phase"});
  s.loops = {{Axes::Only(kDim), Loop::kThreads},
             {Axes::Without(kDim), Loop::kChunks | Loop::kPackets}};
  s.order = Order::kPlanes;
  s.body = ChannelsBodyText;
  s.shows_loops = true;
  s.function = "Channels";
  s.what = "channels";
  s.unit = "channel";
  s.each = "channel";
  s.shape_type = "ChannelShape";
  s.shape = "channels";
  s.shape_comment = "// a plane is one row if all operands are contiguous";
  s.comment_holds_where_rows_collapse = true;
  s.shape_fields = "plan.channels = check.Channels(shape);";
  s.row_stride = "plan.channels";
  s.cols = "plan.channels.cols";
  s.elements = "plan.channels.kept * elements";
  s.set_elements = "const index_t elements = plan.channels.elements();";
  s.reduced = "check.Channels(shape).elements()";
  s.plan_count = ".channels.kept";
  s.kept_comment = "// used on a GPU";
  s.parts_comment = "// chunks of a channel's leaves, on a GPU";
  s.cpu_what = "channels [begin, end) of the Plan";
  s.cpu_loop = "ChannelsInPackets<N>(plan.channels, begin, end)";
  s.cpu_range = "loop, plan.channels.kept, elements * kBytes, 1";
  s.cpu_words = {"rows", "blocks_of_row", "rows_of_leaf", "channels_in_packets",
                 "blocks_in_packets"};
  s.gpu_what = "a thread group takes a channel, or a chunk of one";
  s.gpu_team =
      "mshadow::packet::device::ChannelsOfTeam(call, plan.channels, plan.parts, "
      "plan.launch.phase)";
  s.gpu_launch = "LaunchChannels";
  s.gpu_words = "channel_team";
  s.split = "channels";
  return s;
}

/// Kernels over channels that take the planes of several channels in the order of memory.
Skeleton BlocksOfChannels() {
  Skeleton s = Channels();
  s.loops = {{Axes::Only(kDim), Loop::kThreads | Loop::kSeveral},
             {Axes::Without(kDim), Loop::kChunks | Loop::kPackets}};
  s.unit = "block";
  s.reduction = "BlockReduction";
  s.finish = "channel";
  s.names.push_back("block");
  s.cpu_what = "channels [begin, end) of the Plan, several at a time";
  s.cpu_loop = "BlocksInPackets<N>(plan.channels, begin, end)";
  return s;
}

/// Kernels over channels that take planes in any order.
Skeleton Planes() {
  Skeleton s = Channels();
  s.loops = {{Axes::Only(kDim), Loop::kThreads},
             {Axes::Without(kDim), Loop::kThreads | Loop::kPackets}};
  s.what = "planes";
  s.shape_comment = "// planes, one at a time";
  s.comment_holds_where_rows_collapse = false;
  s.kept_channels = "// channels: plane p belongs to channel p % kept";
  s.shape_fields =
      "const mshadow::ChannelShape channels = check.Channels(shape);\n"
      "plan.channels = channels.Planes();\n"
      "plan.kept = channels.kept;";
  s.cpu_what = "planes [begin, end) of the Plan, each of one channel";
  s.cpu_loop = "PlanesInPackets<N>(plan.channels, plan.kept, begin, end)";
  s.gpu_what = "a thread group takes a plane, or a chunk of one";
  s.gpu_team = "mshadow::packet::device::PlanesOfTeam(call, plan.channels, plan.kept, plan.parts)";
  s.gpu_launch = "LaunchPlanes";
  return s;
}

/// One value for everything. Each phase has a function and a loop.
Skeleton Everything() {
  Skeleton s = WithValues({"kept", "parts", "streams"});
  s.loops = {{Axes::Every(), Loop::kChunks | Loop::kPackets}};
  s.body = EverythingBodyText;
  s.shows_loops = true;
  s.by_phase = true;
  s.unit = "part";
  s.set_parts = "plan.parts = mshadow::MakeParts(shape.Size());";
  s.reduced = "shape.Size()";
  s.cpu_words = {"rows", "blocks_of_row", "rows_of_leaf", "parts_in_packets"};
  s.gpu_launch = "PhaseLaunches";
  s.gpu_words = "part_team";
  s.split = "elements, in chunks";
  return s;
}

/// Kernels that scan rows, and may reduce them.
Skeleton Scans() {
  Skeleton s = Rows();
  s.loops.back().how |= Loop::kInOrder;
  s.cpu_words.emplace_back("row_scan");
  s.gpu_launch = "LaunchScans";
  s.gpu_words = "scan_team";
  return s;
}

/// The order is also that of the files that emitted code includes.
const std::vector<Skeleton> &Table() {
  static const std::vector<Skeleton> rows = {
      Columns(),  ColumnsOfMatrices(), Rows(),       BlocksOfRows(), Scans(),
      Elements(), Tiles(),             Everything(), Channels(),     BlocksOfChannels(),
      Planes(),
  };
  return rows;
}

/// Whether two levels are the same, apart from the dimensions of their axes.
bool IsSame(const Loop &a, const Loop &b) {
  return IrName(a.axes) == IrName(b.axes) && a.how == b.how;
}

}  // namespace

const Skeleton &SkeletonOf(const Plan &plan) {
  for (const Skeleton &row : Table()) {
    const std::vector<Loop> &loops = plan.schedule.loops;
    const bool has_loops =
        std::equal(loops.begin(), loops.end(), row.loops.begin(), row.loops.end(), IsSame);
    if (has_loops && plan.ReducesOnlyBy(row.order)) return row;
  }
  throw std::logic_error("the runtime has no loops for " + plan.rule.name);
}

std::vector<std::string> CpuWords(const std::vector<PlanText> &kernels) {
  std::set<std::string> used;
  for (const PlanText &kernel : kernels) {
    for (const std::string &word : SkeletonOf(kernel.plan()).cpu_words) used.insert(word);
  }
  std::vector<std::string> words;
  for (const Skeleton &row : Table()) {
    for (const std::string &word : row.cpu_words) {
      if (used.erase(word) != 0) words.push_back(word);
    }
  }
  return words;
}

std::set<std::string> GpuWords(const std::vector<PlanText> &kernels) {
  std::set<std::string> used;
  for (const PlanText &kernel : kernels) used.insert(SkeletonOf(kernel.plan()).gpu_words);
  return used;
}

const PhaseSkeleton &SkeletonOf(const Phase &phase) {
  static const PhaseSkeleton once = {"index_t, index_t", "",    "OnceInPackets<N>()", ": one block",
                                     "OnceOfBlock()",    "Once"};
  static const PhaseSkeleton plain = {"index_t begin, index_t end",
                                      " over chunks [begin, end)",
                                      "RowsOfParts<N>(plan.parts, begin, end, plan.cols)",
                                      ": a thread for each element",
                                      "ElementsOfGrid(call, plan.rows, plan.cols)",
                                      "Sweep"};
  static const PhaseSkeleton reducing = {"index_t begin, index_t end",
                                         " over chunks [begin, end)",
                                         "PartsInPackets<N>(plan.parts, begin, end, plan.cols)",
                                         ": a block takes a chunk",
                                         "PartsOfBlock(call, plan.parts, plan.rows, plan.cols)",
                                         "Reduce"};
  return !phase.is_sweep ? once : phase.reductions.empty() ? plain : reducing;
}

}  // namespace mgen
