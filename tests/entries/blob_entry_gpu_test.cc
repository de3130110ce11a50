// SPDX-License-Identifier: Apache-2.0
// Blobs on a device reach the kernels, on the stream that they name; here on the fake device.
#include <entry_rules.blob.h>
#include <gtest/gtest.h>
#include <mshadow/tensor.h>
#include <mshadow/tensor_blob.h>

#include <vector>

#include "turned.h"

namespace {

using namespace mshadow;

TEST(BlobEntryOnGpu, RunsTheKernelOnTheBlobsStream) {
  Stream<gpu> *const stream = NewStream<gpu>();
  const std::vector<double> in = {1, 2, 3, 4, 5, 6};
  TensorContainer<gpu, 2, double> from(Shape2(2, 3));
  TensorContainer<gpu, 2, float> to(Shape2(2, 3));
  TensorContainer<cpu, 2, double> host_in(Shape2(2, 3));
  TensorContainer<cpu, 2, float> host_out(Shape2(2, 3));
  for (index_t i = 0; i < 6; ++i) host_in[i / 3][i % 3] = in[static_cast<size_t>(i)];
  Copy(from, host_in);
  TBlob from_blob(from), to_blob(to);
  from_blob.set_stream(stream);
  to_blob.set_stream(stream);
  entry::Convert(to_blob, from_blob, 0.5);
  stream->Wait();
  Copy(host_out, to);
  for (index_t i = 0; i < 6; ++i) {
    EXPECT_EQ(host_out[i / 3][i % 3], 0.5f * static_cast<float>(i + 1));
  }
  DeleteStream(stream);
}

TEST(BlobEntryOnGpu, TwoStreamsAreRefused) {
  Stream<gpu> *const a = NewStream<gpu>(), *const b = NewStream<gpu>();
  TensorContainer<gpu, 1, double> from(Shape1(3));
  TensorContainer<gpu, 1, float> to(Shape1(3));
  TBlob from_blob(from), to_blob(to);
  from_blob.set_stream(a);
  to_blob.set_stream(b);
  EXPECT_THROW(entry::Convert(to_blob, from_blob, 0.5), Error);
  DeleteStream(a);
  DeleteStream(b);
}

/// A kernel takes tensors of any rank.
TEST(BlobEntryOnGpu, ViewsOfEveryRank) {
  const auto shape = Shape1(kTurnedSize);
  TensorContainer<gpu, 1, float> in(shape), out(shape), bias(shape);
  TensorContainer<cpu, 1, float> numbers(shape), result(shape);
  for (index_t i = 0; i < kTurnedSize; ++i) numbers[i] = static_cast<float>(i + 1);
  Copy(in, numbers);
  Copy(bias, numbers);
  for (int rank = 1; rank <= kTurnedRanks; ++rank) {
    SCOPED_TRACE(rank);
    const int64_t *extents = kTurnedShapes[rank - 1];
    const TShape any(extents, extents + rank);
    const auto blob = [](float *data, const TShape &of) { return TBlob(data, of, gpu::kDevMask); };
    entry::Turned(blob(out.dptr_, any), blob(in.dptr_, any),
                  blob(bias.dptr_, TShape{extents[rank - 1]}), 3.0f);
    Copy(result, out);
    for (index_t i = 0; i < kTurnedSize; ++i) {
      EXPECT_EQ(result[i],
                TurnedElement(numbers.dptr_, numbers.dptr_, extents, rank, 3.0f, int64_t{i}));
    }
  }
  EXPECT_THROW(entry::Turned(TBlob(out), TBlob(in), TBlob(out)), Error);
  EXPECT_THROW(entry::Upturned(TBlob(out), TBlob(in)), Error);
}

TEST(BlobEntryOnGpu, JoinedTensorsLieApart) {
  TensorContainer<gpu, 2, float> in(Shape2(2, 4)), both(Shape2(2, 4));
  Tensor<gpu, 2, float> left(both.dptr_, Shape2(2, 2), both.stride_, nullptr), right = left;
  TensorContainer<cpu, 2, float> host(Shape2(2, 4));
  for (index_t i = 0; i < 8; ++i) host[i / 4][i % 4] = static_cast<float>(i);
  Copy(in, host);
  right.dptr_ += 2;
  entry::Split(TBlob(left), TBlob(right), TBlob(in));
  Copy(host, both);
  for (index_t i = 0; i < 8; ++i) EXPECT_EQ(host[i / 4][i % 4], static_cast<float>(i));
  --right.dptr_;
  try {
    entry::Split(TBlob(left), TBlob(right), TBlob(in));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(),
                 "Split: argument 'left': expected memory that does not overlap that of 'right', "
                 "which the rule writes");
  }
}

}  // namespace
