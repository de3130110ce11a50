// SPDX-License-Identifier: Apache-2.0
#include "mshadow/io.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

namespace mshadow {
MSHADOW_VERSION_BEGIN

utils::IStream::~IStream() = default;

namespace detail {
namespace {

constexpr uint32_t kWide = 0xffffffff;  ///< before extents of 64 bits

template <typename T>
T ReadNumber(utils::IStream *stream) {
  T number = 0;
  const size_t got = stream->Read(&number, sizeof(number));
  if (got != sizeof(number)) {
    throw Error("LoadBinary: expected a shape, but the stream ends " + std::to_string(got) +
                " bytes after the start of an extent");
  }
  return number;
}

}  // namespace

void WriteShape(utils::IStream *stream, const index_t *shape, int dim) {
  const bool wide = std::any_of(
      shape, shape + dim, [](index_t extent) { return static_cast<uint64_t>(extent) > INT32_MAX; });
  if (wide) stream->Write(&kWide, sizeof(kWide));
  for (int i = 0; i < dim; ++i) {
    const uint64_t extent = static_cast<uint64_t>(shape[i]);
    const uint32_t narrow = static_cast<uint32_t>(extent);
    if (wide) {
      stream->Write(&extent, sizeof(extent));
    } else {
      stream->Write(&narrow, sizeof(narrow));
    }
  }
}

void ReadShape(utils::IStream *stream, index_t *shape, int dim) {
  uint32_t first = ReadNumber<uint32_t>(stream);
  const bool wide = first == kWide;
  for (int i = 0; i < dim; ++i) {
    const uint64_t extent = wide     ? ReadNumber<uint64_t>(stream)
                            : i == 0 ? first
                                     : ReadNumber<uint32_t>(stream);
    constexpr uint64_t kMost = std::numeric_limits<index_t>::max();
    if (extent > kMost || (!wide && extent > INT32_MAX)) {
      throw Error("LoadBinary: expected a shape, got an extent of " + std::to_string(extent) +
                  ": the stream holds no tensor here");
    }
    shape[i] = static_cast<index_t>(extent);
  }
}

int64_t SizeOf(const index_t *shape, int dim, int64_t size) {
  bool is_empty = false;
  for (int i = 0; i < dim; ++i) {
    is_empty = is_empty || shape[i] == 0;
    // Beside an extent of 0 others count, too: there are strides, and rows of so many bytes.
    if (shape[i] != 0 && __builtin_mul_overflow(size, shape[i], &size)) {
      throw Error("LoadBinary: expected a shape, got " + ShapeText(shape, dim) +
                  ", of more than 2^63 bytes");
    }
  }
  return is_empty ? 0 : size;
}

Bytes::~Bytes() { std::free(data_); }

void Bytes::Read(utils::IStream *stream, int64_t size, const index_t *shape, int dim) {
  int64_t room = 0;
  for (int64_t done = 0; done < size;) {
    if (done == room) {  // as much again as has been there, in the beginning 16 MiB
      room = std::min(size, std::max(2 * room, int64_t{1} << 24));
      void *const grown = std::realloc(data_, static_cast<size_t>(room));
      if (grown == nullptr) {
        throw Error("LoadBinary: cannot allocate " + std::to_string(room) + " bytes for shape " +
                    ShapeText(shape, dim));
      }
      data_ = grown;
    }
    const size_t want = static_cast<size_t>(room - done);
    const size_t got = stream->Read(static_cast<char *>(data_) + done, want);
    done += static_cast<int64_t>(std::min(got, want));
    if (got != want) {
      throw Error("LoadBinary: expected " + std::to_string(size) + " bytes of elements for shape " +
                  ShapeText(shape, dim) + ", the stream ends after " + std::to_string(done));
    }
  }
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
