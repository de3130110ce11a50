// SPDX-License-Identifier: Apache-2.0
#include "exchange_nccl.h"

#include <cuda_runtime_api.h>
#include <nccl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

namespace demo {
namespace {

using mshadow::gpu;

/// A GPU among all machines.
struct Place {
  char host[64] = "";
  char bus[32] = "";  ///< "" if the rank has no GPU
};

/// \throws std::runtime_error if the GPUs are no device for each rank
void CheckPlaces(const std::vector<Place> &places) {
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].bus[0] == '\0') {
      throw std::runtime_error("rank " + std::to_string(i) + " on " + places[i].host +
                               " has no GPU, but others have");
    }
    for (size_t j = 0; j < i; ++j) {
      if (std::memcmp(&places[i], &places[j], sizeof(Place)) != 0) continue;
      throw std::runtime_error(
          "ranks " + std::to_string(j) + " and " + std::to_string(i) + " would share GPU " +
          places[i].bus + " of " + places[i].host +
          ", which NCCL refuses; start at most one rank for each GPU, or hide the GPUs by "
          "CUDA_VISIBLE_DEVICES= to exchange by MPI");
    }
  }
}

char *Block(void *blocks, int rank, size_t bytes) {
  return static_cast<char *>(blocks) + static_cast<size_t>(rank) * bytes;
}

}  // namespace

int ChooseDevice(Ranks *ranks) {
  std::vector<Place> places(static_cast<size_t>(ranks->size()));
  Place &own = places[static_cast<size_t>(ranks->rank())];
  gethostname(own.host, sizeof(own.host) - 1);
  const int devices = mshadow::cuda::DeviceCount();
  const int device = devices > 0 ? ranks->rank() % devices : -1;
  if (device >= 0 && cudaDeviceGetPCIBusId(own.bus, sizeof(own.bus), device) != cudaSuccess) {
    throw std::runtime_error("cannot ask CUDA for the address of device " + std::to_string(device));
  }
  ranks->Gather(places.data(), sizeof(Place), "addresses of GPUs");
  bool has_any = false;
  for (const Place &place : places) has_any |= place.bus[0] != '\0';
  if (has_any) CheckPlaces(places);
  return device;
}

NcclExchange::NcclExchange(Ranks *ranks, mshadow::Stream<gpu> *stream)
    : ranks_(ranks), stream_(stream) {
  std::vector<ncclUniqueId> ids(static_cast<size_t>(ranks->size()));
  if (ranks->rank() == 0) Check(ncclGetUniqueId(&ids[0]), "NCCL's identifier");
  ranks->Gather(ids.data(), sizeof(ncclUniqueId), "NCCL's identifier");
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;  // otherwise NCCL waits for ever for a rank that is gone
  Check(ncclCommInitRankConfig(&comm_, ranks->size(), ids[0], ranks->rank(), &config),
        "NCCL's addresses");
  Finish("NCCL's addresses");
}

/// A communicator is ended together with other ranks, so not after an error.
NcclExchange::~NcclExchange() {
  if (comm_ == nullptr) return;
  if (std::uncaught_exceptions() == 0) {
    try {
      Check(ncclCommFinalize(comm_), "NCCL's end");
      Finish("NCCL's end");
      ncclCommDestroy(comm_);
      return;
    } catch (const std::exception &) {  // Fail has released the communicator
      return;
    }
  }
  ncclCommAbort(comm_);
}

void NcclExchange::Fail(const std::string &message) {
  if (comm_ != nullptr) ncclCommAbort(comm_);  // ends kernels that wait for another rank
  comm_ = nullptr;
  throw RankError(message);
}

void NcclExchange::Check(int code, const char *what) {
  const ncclResult_t result = static_cast<ncclResult_t>(code);
  if (result == ncclSuccess || result == ncclInProgress) return;
  Fail(std::string("NCCL failed in the exchange of ") + what + ": " + ncclGetErrorString(result) +
       ", " + ncclGetLastError(comm_));
}

/// Waits until NCCL has queued its work and the stream has done it. Waiting for the stream itself
/// would not end if another rank is gone.
void NcclExchange::Finish(const char *what) {
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double> limit(ranks_->timeout());
  for (;;) {
    ncclResult_t state = ncclSuccess;
    Check(ncclCommGetAsyncError(comm_, &state), what);
    Check(state, what);
    if (state == ncclSuccess && stream_->CheckIdle()) return;
    if (std::chrono::steady_clock::now() - begin > limit) break;
    std::this_thread::yield();
  }
  Fail("waited " + std::to_string(std::lround(ranks_->timeout())) + " s for NCCL's exchange of " +
       what);
}

void NcclExchange::Scatter(void *blocks, void *room, size_t bytes, const char *what) {
  ranks_->Meet(what);
  cudaStream_t const stream = stream_->stream_;
  Check(ncclGroupStart(), what);
  for (int i = 0; i < ranks_->size(); ++i) {
    if (i == ranks_->rank()) continue;
    Check(ncclSend(Block(blocks, i, bytes), bytes, ncclChar, i, comm_, stream), what);
    Check(ncclRecv(Block(room, i, bytes), bytes, ncclChar, i, comm_, stream), what);
    sent_ += static_cast<int64_t>(bytes);
  }
  Check(ncclGroupEnd(), what);
  Finish(what);
  for (int i = 0; i < ranks_->size(); ++i) {
    if (i == ranks_->rank()) continue;
    mshadow::cuda::CopyRows(Block(blocks, i, bytes), bytes, Block(room, i, bytes), bytes, bytes, 1,
                            mshadow::cuda::Direction::kDeviceToDevice, stream);
  }
}

void NcclExchange::Gather(void *blocks, size_t bytes, const char *what) {
  ranks_->Meet(what);
  Check(ncclAllGather(Block(blocks, ranks_->rank(), bytes), blocks, bytes, ncclChar, comm_,
                      stream_->stream_),
        what);
  sent_ += static_cast<int64_t>(bytes) * (ranks_->size() - 1);
  Finish(what);
}

}  // namespace demo
