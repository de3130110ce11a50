// SPDX-License-Identifier: Apache-2.0
/// \file channels.h
/// Where a channel's elements are: those with the same coordinate in one dimension, which is not
/// the last; for images, the dimension of the channels. A channel consists of planes. A plane is
/// all elements of the dimensions after that of the channels; the planes of a channel lie apart.
#ifndef MSHADOW_CHANNELS_H_
#define MSHADOW_CHANNELS_H_

#include "mshadow/detail/row_tree.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// A tensor as a tensor of shape (outer, kept, inner, cols), with a value for each coordinate in
/// the second dimension. Rows of memory have `cols` elements. If rows follow each other without
/// padding, `inner` is 1.
struct ChannelShape {
  index_t outer;
  index_t kept;  ///< channels
  index_t inner;
  index_t cols;

  /// The number of elements of a plane.
  MSHADOW_XINLINE index_t plane() const { return inner * cols; }
  /// The number of elements of a channel.
  MSHADOW_XINLINE index_t elements() const { return outer * plane(); }
  /// The number of leaves of a plane, and of a channel.
  MSHADOW_XINLINE index_t plane_leaves() const { return (plane() + kRowLeaf - 1) / kRowLeaf; }
  MSHADOW_XINLINE index_t leaves() const { return outer * plane_leaves(); }
  /// The same tensor with each plane as a channel of its own. If planes have no elements, there are
  /// no channels.
  MSHADOW_XINLINE ChannelShape Planes() const {
    return {1, plane() > 0 ? outer * kept : 0, inner, cols};
  }
};

/// A leaf of the reductions of a channel: elements [begin, end) of a plane. `plane` is the plane's
/// index among those of all channels.
struct ChannelLeaf {
  index_t plane;
  index_t begin;
  index_t end;
};

/// Goes over leaves \p first, \p first + \p step, … of channel \p channel:
///
///     for (ChannelLeaves leaf(shape, channel); !leaf.done(); leaf.next()) … leaf.begin() …
class ChannelLeaves {
 public:
  MSHADOW_XINLINE ChannelLeaves(const ChannelShape &shape, index_t channel, index_t first = 0,
                                index_t step = 1)
      : size_(shape.plane()),
        kept_(shape.kept),
        inner_(shape.inner),
        in_plane_(shape.plane_leaves()),
        step_(step),
        outer_(in_plane_ > 0 ? first / in_plane_ : 0),
        number_(first - outer_ * in_plane_),
        end_(in_plane_ > 0 ? shape.outer : 0),
        channel_(channel) {}

  MSHADOW_XINLINE bool done() const { return outer_ >= end_; }
  MSHADOW_XINLINE void next() {
    for (number_ += step_; number_ >= in_plane_; number_ -= in_plane_) {
      if (++outer_ >= end_) return;
    }
  }
  MSHADOW_XINLINE index_t plane() const { return outer_ * kept_ + channel_; }
  /// How many elements of the channel are in the planes before this one.
  MSHADOW_XINLINE index_t before() const { return outer_ * size_; }
  MSHADOW_XINLINE index_t begin() const { return number_ * kRowLeaf; }
  MSHADOW_XINLINE index_t end() const { return LeafEnd(begin(), size_); }
  MSHADOW_XINLINE ChannelLeaf leaf() const { return {plane(), begin(), end()}; }
  /// The row of memory of row \p y of the plane.
  MSHADOW_XINLINE index_t row(index_t y) const { return plane() * inner_ + y; }

 private:
  index_t size_;  ///< of a plane
  index_t kept_;
  index_t inner_;
  index_t in_plane_;  ///< leaves
  index_t step_;
  index_t outer_;
  index_t number_;  ///< of the leaf in its plane
  index_t end_;
  index_t channel_;
};

/// Goes over the leaves of channels [\p first, \p stop) in the order of memory. The leaves of each
/// channel come in the order of ChannelLeaves.
///
///     for (BlockLeaves leaf(shape, first, stop); !leaf.done(); leaf.next()) … leaf.channel() …
class BlockLeaves {
 public:
  MSHADOW_XINLINE BlockLeaves(const ChannelShape &shape, index_t first, index_t stop)
      : size_(shape.plane()),
        kept_(shape.kept),
        inner_(shape.inner),
        first_(first),
        stop_(stop),
        end_(size_ > 0 && first < stop ? shape.outer : 0),
        channel_(first) {}

  MSHADOW_XINLINE bool done() const { return outer_ >= end_; }
  MSHADOW_XINLINE void next() {
    begin_ += kRowLeaf;
    if (begin_ < size_) return;
    begin_ = 0;
    if (++channel_ < stop_) return;
    channel_ = first_;
    ++outer_;
  }
  MSHADOW_XINLINE index_t channel() const { return channel_; }
  /// As in ChannelLeaves.
  MSHADOW_XINLINE index_t before() const { return outer_ * size_; }
  MSHADOW_XINLINE index_t begin() const { return begin_; }
  MSHADOW_XINLINE index_t end() const { return LeafEnd(begin_, size_); }
  MSHADOW_XINLINE index_t row(index_t y) const { return (outer_ * kept_ + channel_) * inner_ + y; }

 private:
  index_t size_;  ///< of a plane
  index_t kept_;
  index_t inner_;
  index_t first_;
  index_t stop_;
  index_t end_;
  index_t channel_;
  index_t outer_ = 0;
  index_t begin_ = 0;
};

/// Goes over the rows of memory of a channel that have elements:
///
///     for (ChannelRows row(shape, channel); !row.done(); row.next()) … row.y() …
class ChannelRows {
 public:
  MSHADOW_XINLINE ChannelRows(const ChannelShape &shape, index_t channel)
      : inner_(shape.inner),
        others_((shape.kept - 1) * shape.inner),
        y_(channel * shape.inner),
        left_(shape.inner),
        planes_(shape.plane() > 0 ? shape.outer : 0) {}

  MSHADOW_XINLINE bool done() const { return planes_ == 0; }
  MSHADOW_XINLINE index_t y() const { return y_; }
  MSHADOW_XINLINE void next() {
    ++y_;
    if (--left_ > 0) return;
    left_ = inner_;
    y_ += others_;
    --planes_;
  }

 private:
  index_t inner_;
  index_t others_;  ///< rows of other channels, between two planes
  index_t y_;
  index_t left_;  ///< rows of this plane
  index_t planes_;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_CHANNELS_H_
