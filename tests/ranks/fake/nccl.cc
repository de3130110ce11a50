// SPDX-License-Identifier: Apache-2.0
#include "nccl.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "state.h"

namespace {

/// A message of an exchange. MPI sends from and receives into memory of the host.
struct Message {
  char *data;  ///< in the memory of a device
  int peer;
  bool is_sent;
  std::vector<char> host;
};

/// What one group exchanges.
struct Exchange {
  std::vector<Message> messages;
  std::vector<MPI_Request> requests;
  int device = 0;
  bool is_posted = false, is_lost = false, is_aborted = false;
  std::shared_ptr<fakecuda::Op> ready;  ///< done when the stream has come to the exchange
  std::shared_ptr<fakecuda::Op> done;   ///< brings what was received to the device
};

}  // namespace

struct ncclComm {
  MPI_Comm mpi = MPI_COMM_NULL;
  MPI_Request made = MPI_REQUEST_NULL;  ///< done when all ranks have a communicator
  std::deque<std::shared_ptr<Exchange>> exchanges;
  int count = 0;           ///< of exchanges so far
  bool is_queued = false;  ///< a call returned ncclInProgress since the last question
  bool is_finalized = false;
  ncclResult_t error = ncclSuccess;
};

namespace {

using fakecuda::Lock;

int depth = 0;  // of groups
std::vector<Message> messages;
ncclComm_t group_comm = nullptr;
cudaStream_t group_stream = nullptr;

int Number(const char *variable) {
  const char *const text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

void Post(ncclComm_t comm, Exchange *exchange) {
  if (exchange->is_posted) return;
  exchange->is_posted = true;
  const fakecuda::DeviceAccess open(exchange->device);
  for (Message &m : exchange->messages) {
    const int size = static_cast<int>(m.host.size());
    MPI_Request request;
    if (m.is_sent) {
      std::memcpy(m.host.data(), m.data, m.host.size());
      MPI_Isend(m.host.data(), size, MPI_BYTE, m.peer, 0, comm->mpi, &request);
    } else {
      MPI_Irecv(m.host.data(), size, MPI_BYTE, m.peer, 0, comm->mpi, &request);
    }
    exchange->requests.push_back(request);
  }
}

/// Brings what was received to the device. The stream calls it.
void Land(ncclComm_t comm, Exchange *exchange) {
  if (exchange->is_aborted) return;
  Post(comm, exchange);
  MPI_Waitall(static_cast<int>(exchange->requests.size()), exchange->requests.data(),
              MPI_STATUSES_IGNORE);
  const fakecuda::DeviceAccess open(exchange->device);
  for (const Message &m : exchange->messages) {
    if (!m.is_sent) std::memcpy(m.data, m.host.data(), m.host.size());
  }
}

ncclResult_t Add(const void *data, size_t count, int peer, bool is_sent, ncclComm_t comm,
                 cudaStream_t stream) {
  const bool is_first = messages.empty();
  if (depth == 0 || (!is_first && (comm != group_comm || stream != group_stream))) {
    return ncclInvalidUsage;
  }
  if (fakecuda::DeviceOf(data, count) != fakecuda::DeviceOfStream(stream)) {
    return ncclInvalidArgument;
  }
  group_comm = comm;
  group_stream = stream;
  char *const bytes = static_cast<char *>(const_cast<void *>(data));
  messages.push_back({bytes, peer, is_sent, std::vector<char>(count)});
  return ncclInProgress;
}

/// Queues what the group has.
void Queue() {
  const auto exchange = std::make_shared<Exchange>();
  ncclComm_t const comm = group_comm;
  exchange->messages.swap(messages);
  exchange->device = fakecuda::DeviceOfStream(group_stream);
  ++comm->count;
  exchange->is_lost = Number("FAKE_NCCL_LOSE") == comm->count;
  if (Number("FAKE_NCCL_FAIL") == comm->count) comm->error = ncclRemoteError;
  exchange->ready = fakecuda::Enqueue(group_stream, [] {});
  exchange->done = fakecuda::Enqueue(group_stream, [=] { Land(comm, exchange.get()); });
  comm->exchanges.push_back(exchange);
  comm->is_queued = true;
}

/// Goes on with the first exchange that is not done.
void Progress(ncclComm_t comm) {
  if (comm->exchanges.empty() || comm->exchanges.front()->is_lost) return;
  const auto exchange = comm->exchanges.front();
  fakecuda::RunUntil(exchange->ready);
  Post(comm, exchange.get());
  int done = 0;
  MPI_Testall(static_cast<int>(exchange->requests.size()), exchange->requests.data(), &done,
              MPI_STATUSES_IGNORE);
  if (done == 0) return;
  fakecuda::RunUntil(exchange->done);
  comm->exchanges.pop_front();
}

void Release(ncclComm_t comm) {
  delete comm;
  fakecuda::CountObjects(-1);
}

}  // namespace

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device) {
  std::snprintf(text, static_cast<size_t>(length), "%04x:%02x:00.0", Number("FAKE_CUDA_DOMAIN"),
                device + 1);
  return cudaSuccess;
}

const char *ncclGetErrorString(ncclResult_t result) {
  return result == ncclRemoteError ? "remote process exited or there was a network error"
                                   : "invalid usage";
}

const char *ncclGetLastError(ncclComm_t) { return "as the test wants it"; }

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  std::memset(id->internal, 1, sizeof(id->internal));
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t *config) {
  const auto lock = Lock();
  int own = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (ranks != size || rank != own || id.internal[127] != 1) return ncclInvalidArgument;
  if (config->blocking != 0) return ncclInvalidUsage;
  *comm = new ncclComm;
  fakecuda::CountObjects(1);
  MPI_Comm_idup(MPI_COMM_WORLD, &(*comm)->mpi, &(*comm)->made);
  return ncclInProgress;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
  const auto lock = Lock();
  *error = comm->error;
  if (comm->error != ncclSuccess) return ncclSuccess;
  int is_made = 0;
  MPI_Test(&comm->made, &is_made, MPI_STATUS_IGNORE);
  if (is_made == 0 || comm->is_queued) *error = ncclInProgress;
  comm->is_queued = false;
  if (is_made != 0) Progress(comm);
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  comm->is_finalized = comm->is_queued = true;
  return ncclInProgress;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  const auto lock = Lock();
  if (!comm->is_finalized || !comm->exchanges.empty()) return ncclInvalidUsage;
  MPI_Comm_free(&comm->mpi);
  Release(comm);
  return ncclSuccess;
}

/// What MPI may still write to stays until the process ends.
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  const auto lock = Lock();
  static auto *abandoned = new std::deque<std::shared_ptr<Exchange>>;
  for (const auto &exchange : comm->exchanges) {
    exchange->is_aborted = true;
    abandoned->push_back(exchange);
  }
  Release(comm);
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  ++depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  const auto lock = Lock();
  if (depth == 0) return ncclInvalidUsage;
  if (--depth > 0 || messages.empty()) return ncclSuccess;
  Queue();
  return ncclInProgress;
}

ncclResult_t ncclSend(const void *from, size_t count, ncclDataType_t, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  const auto lock = Lock();
  return Add(from, count, peer, true, comm, stream);
}

ncclResult_t ncclRecv(void *to, size_t count, ncclDataType_t, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  const auto lock = Lock();
  return Add(to, count, peer, false, comm, stream);
}

ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char *const blocks = static_cast<char *>(to);
  if (from != blocks + static_cast<size_t>(rank) * count) return ncclInvalidArgument;
  ncclGroupStart();
  for (int i = 0; i < size; ++i) {
    if (i == rank) continue;
    ncclResult_t result = ncclSend(from, count, type, i, comm, stream);
    if (result == ncclInProgress) {
      result = ncclRecv(blocks + static_cast<size_t>(i) * count, count, type, i, comm, stream);
    }
    if (result != ncclInProgress) return result;
  }
  return ncclGroupEnd();
}
