// SPDX-License-Identifier: Apache-2.0
/// \file checkpoint.h
/// The file that a training resumes from: a header, the parts of weights and states, a checksum.
#ifndef EXAMPLES_RANKS_CHECKPOINT_H_
#define EXAMPLES_RANKS_CHECKPOINT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace demo {

/// What decides how a training goes on.
struct CheckpointHeader {
  int64_t step = 0;    ///< steps that were made
  uint64_t seed = 0;   ///< of the initial weights and the order of the images
  int64_t images = 0;  ///< in the training set
};

struct Checkpoint {
  CheckpointHeader header;
  std::vector<std::string> parts;  ///< what Shards::Save returned
};

/// Appends a part and its length.
void AppendPart(const std::string &part, std::string *to);
/// Writes a file beside \p path, and renames it when it is whole and on the disk.
/// \param parts texts of any number of parts, in order
/// \throws std::runtime_error if the file cannot be written
void WriteCheckpoint(const std::string &path, const CheckpointHeader &header,
                     const std::vector<std::string> &parts);
/// \param parts how many the file must have
/// \throws std::runtime_error if there is no such file, it is damaged, or it is no
///     checkpoint of so many parts
Checkpoint ReadCheckpoint(const std::string &path, size_t parts);

}  // namespace demo

#endif  // EXAMPLES_RANKS_CHECKPOINT_H_
