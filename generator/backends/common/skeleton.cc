// SPDX-License-Identifier: Apache-2.0
#include "backends/common/skeleton.h"

namespace mgen {
namespace {

/// No value but elements'.
Skeleton Elements() {
  Skeleton s;
  s.function = "Rows";
  s.what = "elements";
  s.count = ".Size()";
  s.cpu_what = "elements [begin, end) of the Plan, counted row by row";
  s.cpu_loop = "ElementsOfPlans<N, Plan>(plan, begin, end)";
  s.cpu_range = "loop, plan.rows * plan.cols, kBytes";
  s.gpu_what = "a thread takes vectors, V at a time, and then single elements";
  s.gpu_team = "mshadow::cuda::ElementsOfThread<N, V>(plan.rows, plan.cols)";
  s.gpu_sizes = {"N", "V"};
  s.split = "elements";
  return s;
}

/// Some value: what its body has names for.
Skeleton WithValues(const std::vector<std::string> &more_names) {
  Skeleton s;
  s.names = {"y", "leaf", "stop", "team", "part", "once", "P"};
  s.names.insert(s.names.end(), more_names.begin(), more_names.end());
  return s;
}

/// A value for each row.
Skeleton Rows() {
  Skeleton s = WithValues({});
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
  s.gpu_team = "mshadow::packet::device::RowsOfTeam(plan.rows, plan.cols)";
  s.gpu_launch = "LaunchRows";
  s.gpu_words = "row_team";
  s.split = "rows";
  return s;
}

/// A value for each column.
Skeleton Columns() {
  Skeleton s = WithValues({"kept", "parts", "streams", "x", "block", "tail", "phase", "columns"});
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
  s.keeps = true;
  s.parts_comment = "// chunks of the rows";
  s.cpu_what = "blocks [begin, end) of columns, in chunks of rows";
  s.cpu_loop = "ColumnsInPackets<N>(plan.parts, plan.columns, plan.launch, begin, end)";
  s.cpu_words = {"columns_in_packets"};
  s.gpu_what = "a thread group takes kRowLanes vectors of columns, in a chunk of the rows";
  s.gpu_team =
      "mshadow::packet::device::ColumnsOfTeam<N>(plan.parts, plan.columns, plan.launch.phase)";
  s.gpu_sizes = {"N"};
  s.gpu_launch = "LaunchColumns";
  s.gpu_words = "column_team";
  s.split = "rows, in parts";
  return s;
}

/// A value for each column of each of several matrices.
Skeleton ColumnsOfMatrices() {
  Skeleton s = Columns();
  s.shape_comment = "// matrices that follow each other in memory";
  s.row_stride = "plan.columns";
  s.cpu_loop = "ColumnsInPackets<N, true>(plan.parts, plan.columns, plan.launch, begin, end)";
  s.gpu_team =
      "mshadow::packet::device::ColumnsOfMatrices<N, true>(plan.parts, plan.columns, "
      "plan.launch.phase)";
  return s;
}

/// A value for each index of one dimension, with planes behind it: a channel.
Skeleton Channels() {
  Skeleton s = WithValues({"channel", "plane", "channels", "kept", "parts", "phase"});
  s.function = "Channels";
  s.what = "channels";
  s.unit = "channel";
  s.each = "channel";
  s.shape_type = "ChannelShape";
  s.shape = "channels";
  s.shape_comment = "// a plane is one row if all operands are contiguous";
  s.shape_fields = "plan.channels = check.Channels(shape);";
  s.row_stride = "plan.channels";
  s.cols = "plan.channels.cols";
  s.elements = "plan.channels.kept * elements";
  s.reduced = "check.Channels(shape).elements()";
  s.keeps = true;
  s.kept_comment = "// used on a GPU";
  s.parts_comment = "// chunks of a channel's leaves, on a GPU";
  s.cpu_what = "channels [begin, end) of the Plan";
  s.cpu_loop = "ChannelsInPackets<N>(plan.channels, begin, end)";
  s.cpu_range = "loop, plan.channels.kept, elements * kBytes, 1";
  s.cpu_words = {"rows", "blocks_of_row", "rows_of_leaf", "channels_in_packets",
                 "blocks_in_packets"};
  s.gpu_what = "a thread group takes a channel, or a chunk of one";
  s.gpu_team =
      "mshadow::packet::device::ChannelsOfTeam(plan.channels, plan.parts, plan.launch.phase)";
  s.gpu_launch = "LaunchChannels";
  s.gpu_words = "channel_team";
  s.split = "channels";
  return s;
}

/// Such a kernel that takes the planes of several channels in the order of memory.
Skeleton BlocksOfChannels() {
  Skeleton s = Channels();
  s.unit = "block";
  s.reduction = "BlockReduction";
  s.finish = "channel";
  s.names.push_back("block");
  s.cpu_what = "channels [begin, end) of the Plan, several at a time";
  s.cpu_loop = "BlocksInPackets<N>(plan.channels, begin, end)";
  return s;
}

/// Such a kernel that takes planes in any order.
Skeleton Planes() {
  Skeleton s = Channels();
  s.what = "planes";
  s.keeps = false;
  s.shape_comment = "// planes, one at a time";
  s.shape_fields =
      "const mshadow::ChannelShape channels = check.Channels(shape);\n"
      "plan.channels = channels.Planes();\n"
      "plan.kept = channels.kept;";
  s.cpu_what = "planes [begin, end) of the Plan, each of one channel";
  s.cpu_loop = "PlanesInPackets<N>(plan.channels, plan.kept, begin, end)";
  s.gpu_what = "a thread group takes a plane, or a chunk of one";
  s.gpu_team = "mshadow::packet::device::PlanesOfTeam(plan.channels, plan.kept, plan.parts)";
  s.gpu_launch = "LaunchPlanes";
  return s;
}

/// One value for everything. Each phase has a function of its own, whose loop is its own, too.
Skeleton Everything() {
  Skeleton s = WithValues({"kept", "parts", "streams"});
  s.unit = "part";
  s.reduced = "shape.Size()";
  s.keeps = true;
  s.cpu_words = {"rows", "blocks_of_row", "rows_of_leaf", "parts_in_packets"};
  s.gpu_words = "part_team";
  s.split = "parts";
  return s;
}

}  // namespace

const Skeleton &SkeletonOf(const Plan &plan) {
  static const Skeleton kElements = Elements(), kRows = Rows(), kColumns = Columns(),
                        kColumnsOfMatrices = ColumnsOfMatrices(), kChannels = Channels(),
                        kBlocks = BlocksOfChannels(), kPlanes = Planes(),
                        kEverything = Everything();
  if (plan.kept.is_every()) return kElements;
  if (plan.kept.is_none()) return kEverything;
  if (plan.kept.is_rows()) return kRows;
  if (plan.kept.without() >= 0) return kColumnsOfMatrices;
  if (plan.kept.has_last()) return kColumns;
  if (plan.schedule.takes_planes) return kPlanes;
  return plan.schedule.takes_blocks ? kBlocks : kChannels;
}

}  // namespace mgen
