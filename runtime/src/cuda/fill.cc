// SPDX-License-Identifier: Apache-2.0
// Fills memory with a value without a kernel, so that the runtime needs no nvcc.
#include <algorithm>
#include <cstring>
#include <vector>

#include "check.h"
#include "mshadow/cuda/runtime.h"

namespace mshadow {
namespace cuda {
namespace {

/// Whether memset can write the value: all its bytes are the same.
bool IsOneByte(const unsigned char *value, size_t size) {
  return std::all_of(value, value + size, [value](unsigned char byte) { return byte == *value; });
}

/// Fills the first row: a piece of it from the host, then what is there again and again, doubling.
void FillFirstRow(char *row, size_t cols, const void *value, size_t size, CUstream_st *stream) {
  const size_t first = std::min<size_t>(cols, 4096);
  std::vector<char> staged(first * size);
  for (size_t i = 0; i < first; ++i) std::memcpy(staged.data() + i * size, value, size);
  Check(cudaMemcpyAsync(row, staged.data(), staged.size(), cudaMemcpyHostToDevice, stream),
        "cudaMemcpyAsync");
  Synchronize(stream);  // the staged bytes live no longer than this call
  for (size_t done = first; done < cols; done += std::min(done, cols - done)) {
    Check(cudaMemcpyAsync(row + done * size, row, std::min(done, cols - done) * size,
                          cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
  }
}

}  // namespace

void FillRows(void *dst, size_t stride, size_t cols, size_t rows, const void *value, size_t size,
              CUstream_st *stream) {
  if (rows == 0 || cols == 0) return;
  if (stride == cols) {  // one long row
    stride = cols *= rows;
    rows = 1;
  }
  const auto *bytes = static_cast<const unsigned char *>(value);
  if (IsOneByte(bytes, size)) {
    Check(cudaMemset2DAsync(dst, stride * size, *bytes, cols * size, rows, stream),
          "cudaMemset2DAsync");
    return;
  }
  char *const first = static_cast<char *>(dst);
  FillFirstRow(first, cols, value, size, stream);
  const size_t pitch = stride * size;
  for (size_t done = 1; done < rows; done += std::min(done, rows - done)) {
    CopyRows(first + done * pitch, pitch, first, pitch, cols * size, std::min(done, rows - done),
             Direction::kDeviceToDevice, stream);
  }
}

}  // namespace cuda
}  // namespace mshadow
