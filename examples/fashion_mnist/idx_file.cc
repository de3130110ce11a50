// SPDX-License-Identifier: Apache-2.0
#include "idx_file.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace demo {
namespace {

// 60,000 images of 28 x 28 are 47 MB; more than this is a corrupt header.
constexpr uint64_t kMaxBytes = uint64_t{1} << 31;

std::string Hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof(text), "0x%08x", value);
  return text;
}

std::string ExtentsText(const std::vector<uint32_t> &extents) {
  std::string text;
  for (uint32_t extent : extents) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

/// A file that zlib reads: decompressed if it is a gzip file, as it is otherwise.
class Input {
 public:
  explicit Input(const std::string &path) : path_(path), file_(nullptr, gzclose_r) {
    errno = 0;
    file_.reset(gzopen(path.c_str(), "rb"));
    if (!file_) Fail(std::string("cannot be opened: ") + std::strerror(errno ? errno : ENOMEM));
  }

  /// Up to \p size bytes; fewer at the end of the file.
  size_t Read(uint8_t *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
      const size_t part = std::min(size - done, size_t{1} << 20);
      const int got = gzread(file_.get(), bytes + done, static_cast<unsigned>(part));
      if (got < 0) FailReading(position_ + done);
      if (got == 0) break;
      done += static_cast<size_t>(got);
    }
    position_ += done;
    return done;
  }

  /// After the last byte, zlib knows whether the compressed data was complete.
  void CheckEnd() {
    uint8_t extra;
    if (Read(&extra, 1) != 0)
      Fail("goes on after the " + std::to_string(position_ - 1) +
           " bytes that its header announces");
    int code = Z_OK;
    gzerror(file_.get(), &code);
    if (code != Z_OK && code != Z_STREAM_END) FailReading(position_);
  }

  [[noreturn]] void Fail(const std::string &problem) const {
    throw DataError("data file '" + path_ + "' " + problem);
  }

 private:
  [[noreturn]] void FailReading(uint64_t position) const {
    int code = Z_OK;
    const char *text = gzerror(file_.get(), &code);
    if (code == Z_ERRNO) text = std::strerror(errno);
    if (code == Z_BUF_ERROR) text = "the compressed data ends too early";
    Fail("cannot be read after byte " + std::to_string(position) + ": " + text);
  }

  std::string path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
  uint64_t position_ = 0;
};

/// A big-endian number of the header.
uint32_t ReadNumber(Input *input) {
  uint8_t b[4];
  if (input->Read(b, 4) != 4) input->Fail("ends inside its header");
  return uint32_t{b[0]} << 24 | uint32_t{b[1]} << 16 | uint32_t{b[2]} << 8 | uint32_t{b[3]};
}

/// Reads what the extents announce. Memory grows with the data that is there, not with the header.
void ReadBytes(Input *input, IdxArray *array) {
  uint64_t size = 1;
  for (uint32_t extent : array->extents) {
    size *= extent;
    if (size > kMaxBytes)
      input->Fail("is corrupt: its header announces " + ExtentsText(array->extents) + " bytes");
  }
  constexpr uint64_t kChunk = uint64_t{1} << 22;
  while (array->bytes.size() < size) {
    const size_t begin = array->bytes.size();
    const size_t part = static_cast<size_t>(std::min(kChunk, size - begin));
    array->bytes.resize(begin + part);
    const size_t got = input->Read(array->bytes.data() + begin, part);
    if (got < part) {
      input->Fail("is truncated: expected " + ExtentsText(array->extents) + " = " +
                  std::to_string(size) + " bytes of data, got " + std::to_string(begin + got));
    }
  }
}

}  // namespace

IdxArray ReadIdx(const std::string &path, int rank) {
  Input input(path);
  const uint32_t expected = 0x0800u | static_cast<uint32_t>(rank);
  const uint32_t magic = ReadNumber(&input);
  if (magic != expected) {
    input.Fail("is not the idx file expected: its magic number is " + Hex(magic) + ", expected " +
               Hex(expected) + " (unsigned bytes, rank " + std::to_string(rank) + ")");
  }
  IdxArray array;
  for (int i = 0; i < rank; ++i) array.extents.push_back(ReadNumber(&input));
  ReadBytes(&input, &array);
  input.CheckEnd();
  return array;
}

}  // namespace demo
