// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

// The bindings for C++, which MPI no longer has.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>

namespace demo {
namespace {

void Check(int code, const char *what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw RankError(std::string("MPI failed in the exchange of ") + what + ": " +
                  std::string(text, static_cast<size_t>(length)));
}

int Count(size_t bytes) {
  if (bytes > static_cast<size_t>(std::numeric_limits<int>::max())) {
    throw RankError("a message has " + std::to_string(bytes) + " bytes; MPI takes up to 2^31 - 1");
  }
  return static_cast<int>(bytes);
}

char *Block(void *blocks, int rank, size_t bytes) {
  return static_cast<char *>(blocks) + static_cast<size_t>(rank) * bytes;
}

}  // namespace

Ranks::Ranks(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() { MPI_Finalize(); }

void Ranks::Abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

/// Sends and receives until all is done. MPI_Waitall would wait for ever for a rank that is gone.
void Ranks::Exchange(const std::vector<Message> &sends, const std::vector<Message> &receives,
                     const char *what) {
  std::vector<MPI_Request> requests(receives.size() + sends.size());
  size_t next = 0;
  for (const Message &m : receives) {
    Check(MPI_Irecv(m.data, Count(m.bytes), MPI_BYTE, m.rank, 0, MPI_COMM_WORLD, &requests[next++]),
          what);
  }
  for (const Message &m : sends) {
    Check(MPI_Isend(m.data, Count(m.bytes), MPI_BYTE, m.rank, 0, MPI_COMM_WORLD, &requests[next++]),
          what);
    sent_ += static_cast<int64_t>(m.bytes);
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double> limit(timeout_);
  for (;;) {
    int done = 0;
    Check(MPI_Testall(Count(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), what);
    if (done != 0) return;
    if (std::chrono::steady_clock::now() - begin > limit) break;
    std::this_thread::yield();
  }
  std::string missing;
  for (size_t i = 0; i < receives.size(); ++i) {
    int done = 0;
    MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
    if (done == 0) missing += " " + std::to_string(receives[i].rank);
  }
  throw RankError("waited " + std::to_string(std::lround(timeout_)) + " s for the " + what +
                  (missing.empty() ? " to be received" : " of rank" + missing));
}

void Ranks::Scatter(void *blocks, void *room, size_t bytes, const char *what) {
  std::vector<Message> sends, receives;
  for (int i = 0; i < size_; ++i) {
    if (i == rank_) continue;
    sends.push_back({i, Block(blocks, i, bytes), bytes});
    receives.push_back({i, Block(room, i, bytes), bytes});
  }
  Exchange(sends, receives, what);
  for (const Message &m : receives) std::memcpy(Block(blocks, m.rank, bytes), m.data, bytes);
}

void Ranks::Gather(void *blocks, size_t bytes, const char *what) {
  std::vector<Message> sends, receives;
  for (int i = 0; i < size_; ++i) {
    if (i == rank_) continue;
    sends.push_back({i, Block(blocks, rank_, bytes), bytes});
    receives.push_back({i, Block(blocks, i, bytes), bytes});
  }
  Exchange(sends, receives, what);
}

void Ranks::Meet(const char *what) {
  std::vector<char> here(static_cast<size_t>(size_));
  Gather(here.data(), 1, what);
}

std::vector<std::string> Ranks::Collect(const std::string &text, const char *what) {
  std::vector<int64_t> sizes(static_cast<size_t>(size_));
  sizes[static_cast<size_t>(rank_)] = static_cast<int64_t>(text.size());
  Gather(sizes.data(), sizeof(int64_t), what);
  if (rank_ != 0) {
    std::string copy = text;
    Exchange({{0, copy.data(), copy.size()}}, {}, what);
    return {};
  }
  std::vector<std::string> all(static_cast<size_t>(size_));
  std::vector<Message> receives;
  for (size_t i = 1; i < all.size(); ++i) {
    all[i].resize(static_cast<size_t>(sizes[i]));
    receives.push_back({static_cast<int>(i), all[i].data(), all[i].size()});
  }
  Exchange({}, receives, what);
  all[0] = text;
  return all;
}

}  // namespace demo
