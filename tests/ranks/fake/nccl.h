// SPDX-License-Identifier: Apache-2.0
/// \file nccl.h
/// The part of NCCL that examples/ranks uses, for the fake CUDA runtime. Names, signatures and
/// values are those of NVIDIA's documented interface.
///
/// MPI carries the bytes, from and to the memory of fake devices. Communicators do not block: a
/// call returns ncclInProgress, and ncclCommGetAsyncError makes progress. As on a GPU, an exchange
/// begins when the work before it in its stream is done.
///
/// FAKE_NCCL_LOSE=n in the environment: exchange n of this rank, counted from 1, is never done.
/// FAKE_NCCL_FAIL=n: it fails. FAKE_CUDA_DOMAIN=n: the devices of this rank lie in PCI domain n.
#ifndef MSHADOW_TESTS_RANKS_FAKE_NCCL_H_
#define MSHADOW_TESTS_RANKS_FAKE_NCCL_H_

#include <cuda_runtime_api.h>

/// CUDA's own function, which no other program of the project calls.
cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device);

enum ncclResult_t {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7
};
enum ncclDataType_t { ncclChar = 0 };

using ncclComm_t = struct ncclComm *;
struct ncclUniqueId {
  char internal[128];
};
struct ncclConfig_t {
  int blocking;
};
#define NCCL_CONFIG_INITIALIZER \
  { 1 }

const char *ncclGetErrorString(ncclResult_t result);
const char *ncclGetLastError(ncclComm_t comm);
ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
/// The ranks are those of MPI. Refuses blocking communicators.
ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t *config);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error);
ncclResult_t ncclCommFinalize(ncclComm_t comm);
/// Refuses a communicator that is not finalized.
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclCommAbort(ncclComm_t comm);

ncclResult_t ncclGroupStart();
ncclResult_t ncclGroupEnd();
/// Sends and receives stand in a group.
ncclResult_t ncclSend(const void *from, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclRecv(void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream);
/// In place only: \p from is the block of this rank in \p to.
ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream);

#endif  // MSHADOW_TESTS_RANKS_FAKE_NCCL_H_
