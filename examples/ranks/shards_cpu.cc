// SPDX-License-Identifier: Apache-2.0
#include "device_shards.h"

namespace demo {

std::unique_ptr<Shards> MakeCpuShards(const Model &model, PartRange parts, Ranks *ranks) {
  return std::make_unique<DeviceShards<mshadow::cpu, Ranks>>("MPI", model, parts, ranks->size(),
                                                             nullptr, ranks);
}

}  // namespace demo
