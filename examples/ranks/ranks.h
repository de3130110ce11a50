// SPDX-License-Identifier: Apache-2.0
/// \file ranks.h
/// The processes of an MPI program, and what they send each other.
#ifndef EXAMPLES_RANKS_RANKS_H_
#define EXAMPLES_RANKS_RANKS_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace demo {

/// A rank that does not answer, or an error of MPI.
class RankError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All processes that mpirun started. Every rank makes the same calls in the same order. A call
/// throws a RankError if another rank does not answer in time, so no rank waits for ever.
class Ranks {
 public:
  Ranks(int *argc, char ***argv);
  /// Ends MPI. After an exception call Abort instead: a rank that is missing does not take part.
  ~Ranks();
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// The bytes that this rank has sent.
  int64_t sent() const { return sent_; }
  /// How long a call may wait for another rank.
  void set_timeout(double seconds) { timeout_ = seconds; }
  double timeout() const { return timeout_; }

  /// Sends block i of \p blocks to rank i. Afterwards block i is the one that rank i sent to this
  /// rank; this rank's own block stays. A reduce-scatter without its sum.
  /// \param room as long as \p blocks
  /// \param bytes of a block
  void Scatter(void *blocks, void *room, size_t bytes, const char *what);
  /// Block i of \p blocks, which rank i has, gets to all ranks: an all-gather.
  /// \param bytes of a block
  void Gather(void *blocks, size_t bytes, const char *what);
  /// Waits until all ranks make this call. What they exchange then by other means does not wait for
  /// a rank that is gone.
  /// \param what they will exchange
  void Meet(const char *what);
  /// The texts of all ranks on rank 0; on other ranks the result is empty.
  std::vector<std::string> Collect(const std::string &text, const char *what);

  /// Ends all ranks.
  [[noreturn]] static void Abort(int exit_code);

 private:
  struct Message {
    int rank;
    void *data;
    size_t bytes;
  };
  void Exchange(const std::vector<Message> &sends, const std::vector<Message> &receives,
                const char *what);

  int rank_ = 0, size_ = 1;
  int64_t sent_ = 0;
  double timeout_ = 60.0;
};

}  // namespace demo

#endif  // EXAMPLES_RANKS_RANKS_H_
