// SPDX-License-Identifier: Apache-2.0
/// \file idx_file.h
/// Reads idx files, plain or compressed with gzip: a magic number, the extents, the bytes.
#ifndef EXAMPLES_FASHION_MNIST_IDX_FILE_H_
#define EXAMPLES_FASHION_MNIST_IDX_FILE_H_

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace demo {

/// A data file that cannot be used; the message names the file, what was expected and what it has.
class DataError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An array of bytes with its extents.
struct IdxArray {
  std::vector<uint32_t> extents;
  std::vector<uint8_t> bytes;
};

/// The array in \p path.
/// \param rank number of dimensions that the file must have, 1 to 4
/// \throws DataError if the file is missing, unreadable, corrupt, truncated, too long, of another
///   type or of another rank
IdxArray ReadIdx(const std::string &path, int rank);

}  // namespace demo

#endif  // EXAMPLES_FASHION_MNIST_IDX_FILE_H_
