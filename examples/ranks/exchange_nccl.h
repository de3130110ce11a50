// SPDX-License-Identifier: Apache-2.0
/// \file exchange_nccl.h
/// Exchanges blocks in the memory of GPUs by NCCL.
#ifndef EXAMPLES_RANKS_EXCHANGE_NCCL_H_
#define EXAMPLES_RANKS_EXCHANGE_NCCL_H_

#include <mshadow/tensor.h>

#include <cstdint>
#include <string>

#include "ranks.h"

struct ncclComm;  // ncclComm_t points to it

namespace demo {

/// The GPU of this rank: the rank modulo the number of devices. -1 if no rank has a GPU.
/// \throws std::runtime_error if only some ranks have one, or two ranks would have the same, which
///     NCCL refuses
int ChooseDevice(Ranks *ranks);

/// The calls of Ranks that send blocks, for blocks in the memory of GPUs. A call returns when its
/// exchange is done. It throws a RankError if another rank does not answer in time, so no rank
/// waits for ever.
class NcclExchange {
 public:
  /// \param stream of the device that ChooseDevice chose; it must outlive the exchange
  NcclExchange(Ranks *ranks, mshadow::Stream<mshadow::gpu> *stream);
  ~NcclExchange();
  NcclExchange(const NcclExchange &) = delete;
  NcclExchange &operator=(const NcclExchange &) = delete;

  /// The bytes that this rank has sent.
  int64_t sent() const { return sent_; }
  /// As Ranks::Scatter.
  void Scatter(void *blocks, void *room, size_t bytes, const char *what);
  /// As Ranks::Gather.
  void Gather(void *blocks, size_t bytes, const char *what);

 private:
  void Check(int code, const char *what);
  void Finish(const char *what);
  [[noreturn]] void Fail(const std::string &message);

  Ranks *const ranks_;
  mshadow::Stream<mshadow::gpu> *const stream_;
  ncclComm *comm_ = nullptr;
  int64_t sent_ = 0;
};

}  // namespace demo

#endif  // EXAMPLES_RANKS_EXCHANGE_NCCL_H_
