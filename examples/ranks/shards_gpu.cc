// SPDX-License-Identifier: Apache-2.0
// Shards in the memory of GPUs: weights, states, sums and updates. Forward and backward passes stay
// on the CPU.
#include "device_shards.h"
#include "exchange_nccl.h"

namespace demo {
namespace {

using mshadow::gpu;
using mshadow::Stream;

/// What shards use and outlives them, in order: the stream of their device, and NCCL on it.
struct Device {
  struct Delete {
    void operator()(Stream<gpu> *stream) const { mshadow::DeleteStream(stream); }
  };

  Device(int device, Ranks *ranks)
      : stream((mshadow::SetDevice<gpu>(device), mshadow::NewStream<gpu>(false, false, device))),
        nccl(ranks, stream.get()) {}

  std::unique_ptr<Stream<gpu>, Delete> stream;
  NcclExchange nccl;
};

class GpuShards : private Device, public DeviceShards<gpu, NcclExchange> {
 public:
  GpuShards(int device, const Model &model, PartRange parts, Ranks *ranks)
      : Device(device, ranks),
        DeviceShards("NCCL", model, parts, ranks->size(), stream.get(), &nccl) {}
};

}  // namespace

std::unique_ptr<Shards> MakeShards(const Model &model, PartRange parts, Ranks *ranks) {
  const int device = ChooseDevice(ranks);
  if (device < 0) return MakeCpuShards(model, parts, ranks);
  return std::make_unique<GpuShards>(device, model, parts, ranks);
}

}  // namespace demo
